"""Modules from data: cold, warm, in memory, in size; beside pywargame's writer given the same pieces.

Cold is a fresh interpreter and an empty cache; warm is the same with every picture in the cache.
pywargame 0.8 gets what a warm build gets: the same number of pieces with the same steps, and the pictures.
It writes the build file and packs; ours plans every trait, and writes set-ups and help as well. The data is
read before in both.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import Result
from bench.vassal import rival_python

ROOT = Path(__file__).resolve().parent.parent
GAME = "wfm"
LIMIT_SECONDS, LIMIT_MB, LIMIT_PICTURES_MB, COUNTERS_A_SECOND = 30.0, 1500, 25, 300
_BUILD = "import json, sys, bench.module as m; print(json.dumps(m.built(*sys.argv[1:])))"
_COUNTERS = "import json, bench.module as m; print(json.dumps(m.counters()))"


def run() -> list[Result]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold = _fresh(_BUILD, str(folder / "cache"), str(folder / "out"))
        warm = _fresh(_BUILD, str(folder / "cache"), str(folder / "out"))
        drawn = _fresh(_COUNTERS)
        note = (
            f"{cold['pieces']:.0f} pieces, pictures {cold['pictures_mb']:.1f} of {LIMIT_PICTURES_MB} MB,"
            f" memory {cold['memory_mb']:.0f} of {LIMIT_MB} MB"
        )
        kept = cold["pictures_mb"] < LIMIT_PICTURES_MB and cold["memory_mb"] < LIMIT_MB
        seconds = cold["seconds"] if kept else float("inf")
        rate = f"{drawn['faces'] / drawn['cpu_seconds']:.0f} a second a core"
        return [
            Result("build, cold", seconds, limit_seconds=LIMIT_SECONDS, note=note),
            Result("build, warm", warm["seconds"], "build, cold"),
            Result("counters", drawn["cpu_seconds"], None, drawn["faces"] / COUNTERS_A_SECOND, rate),
            *_beside(folder),
        ]


def _beside(folder: Path) -> list[Result]:
    """Our warm build in one process, and the rival's writing of the same pieces, in turn."""
    python = rival_python()
    if python is None:
        return []
    module = next((folder / "out").glob("*.vmod"))
    order = folder / "order.json"
    order.write_text(json.dumps(_order()))
    ours, theirs = [], []
    for _ in range(3):
        ours.append(_fresh(_BUILD, str(folder / "cache"), str(folder / "out"))["work_seconds"])
        worker = [
            str(python),
            str(ROOT / "bench" / "rivals" / "pywargame_module.py"),
            str(order),
            str(module),
        ]
        done = subprocess.run(
            [*worker, str(folder / "rival.vmod")], check=True, capture_output=True, text=True
        )
        theirs.append(float(json.loads(done.stdout.splitlines()[-1])["seconds"]))
    note = "both without starting Python, importing and reading the data; ours with set-ups and help"
    return [
        Result("pywargame", min(theirs)),
        Result("ours", min(ours), "pywargame", limit_seconds=min(theirs), note=note),
    ]


def _order() -> dict[str, object]:
    """The pieces of the game as a rival's worker takes them."""
    from builder.counters import Pictures
    from fieldpost.definition import load

    game = load(GAME)
    pictures = Pictures(game)
    units = [
        {
            "name": counter.name,
            "images": [pictures.counter(counter, step) for step in range(1, len(counter.steps) + 1)],
            "facts": {"UnitId": counter.id, "UnitType": counter.type, "Kind": "unit"},
        }
        for counter in game.counters
    ]
    markers = [
        {
            "name": marker.name,
            "images": [pictures.marker(marker, face) for face in range(1, len(marker.faces) + 1)],
            "facts": {"MarkerId": marker.id, "MarkerKind": marker.kind, "Kind": "marker"},
        }
        for marker in game.markers
    ]
    return {"title": game.title, "version": game.version, "pieces": [*units, *markers]}


def _fresh(script: str, *arguments: str) -> dict[str, float]:
    """Run in an interpreter of its own, its start and imports included in `seconds`."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {**measured, "seconds": time.perf_counter() - started}


def built(cache: str, out: str) -> dict[str, float]:
    """Build the module in this process and its workers; what came of it."""
    from builder.module.package import Options, build
    from fieldpost.definition import load

    game = load(GAME)
    started = time.perf_counter()
    module = build(game, Path(out), Options(cache=Path(cache), jobs=os.cpu_count() or 1))
    seconds = time.perf_counter() - started
    return {
        "work_seconds": seconds,
        "pieces": module.pieces,
        "pictures_mb": _pictures(module.path) / 1e6,
        "memory_mb": _peak_mb(),
    }


def _pictures(module: Path) -> int:
    from zipfile import ZipFile

    with ZipFile(module) as file:
        return sum(entry.file_size for entry in file.infolist() if entry.filename.startswith("images/"))


def counters() -> dict[str, float]:
    """Every counter and marker of the game, drawn and written as PNG on one core."""
    from builder import counters as art
    from builder.module.package import COUNTER_PX
    from fieldpost.definition import load

    faces = list(art.faces(load(GAME)))
    started = time.process_time()
    for face in faces:
        art.png(face.draw(COUNTER_PX))
    return {"faces": len(faces), "cpu_seconds": time.process_time() - started}


def _peak_mb() -> float:
    """The peaks of this process and of its largest worker, added: an upper bound for two."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (own + 2 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024
