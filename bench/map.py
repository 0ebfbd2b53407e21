"""Whole maps from nothing: a fresh interpreter reads the data, draws and encodes the picture.

Limits are those of the project: wfm 20 s, lwe 12 s, efs 15 s on two cores, under 1.5 GB, pictures under 25 MB
in all. Each is drawn at the size that its module has.
Memory is that of all processes together, looked at five times a second, what they share counted once.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from bench import Result

LIMITS_SECONDS = {"wfm": 20.0, "lwe": 12.0, "ftm": None, "efs": 15.0}
LIMIT_MB = 1500
LIMIT_PICTURES_MB = 25
_SCRIPT = "import json, sys, bench.map; print(json.dumps(bench.map.drawn(sys.argv[1])))"


def run() -> list[Result]:
    found = []
    for game, limit in LIMITS_SECONDS.items():
        measured = _fresh(game)
        note = (
            f"{measured['width']} x {measured['height']} px,"
            f" {measured['bytes'] / 1e6:.1f} of {LIMIT_PICTURES_MB} MB,"
            f" processor time {measured['cpu_seconds']:.1f} s,"
            f" memory {measured['memory_mb']:.0f} of {LIMIT_MB} MB"
        )
        seconds = float(measured["seconds"])
        kept = measured["memory_mb"] < LIMIT_MB and measured["bytes"] < LIMIT_PICTURES_MB * 1e6
        found.append(Result(game, seconds if kept else float("inf"), limit_seconds=limit, note=note))
    return found


def _fresh(game: str) -> dict[str, float]:
    """Measures in an interpreter of its own, its start and imports included."""
    started = time.perf_counter()
    with subprocess.Popen([sys.executable, "-c", _SCRIPT, game], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        most = 0.0
        while child.poll() is None:
            most = max(most, _memory_mb(child.pid))
            time.sleep(0.2)
        told = child.stdout.read()
    seconds = time.perf_counter() - started
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, child.args)
    measured: dict[str, float] = json.loads(told)
    return {**measured, "seconds": seconds, "memory_mb": most}


def _memory_mb(process: int) -> float:
    """What a process and its children take now, as Linux tells it."""
    of = Path("/proc") / str(process)
    try:
        rollup = (of / "smaps_rollup").read_text(encoding="utf-8")
        children = (of / "task" / str(process) / "children").read_text(encoding="utf-8").split()
    except OSError:  # it has just ended
        return 0.0
    own = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return own / 1024 + sum(_memory_mb(int(child)) for child in children)


def drawn(game: str) -> dict[str, float]:
    """Draws a map in this process and its workers, and tells what that took."""
    from builder.map import draw
    from builder.module.package import hex_size
    from fieldpost.definition import load_map

    game_map = load_map(game)
    picture = draw(game_map, hex_px=hex_size(game_map))
    data, _ = picture.encode()
    own, workers = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "width": picture.image.width,
        "height": picture.image.height,
        "bytes": len(data),
        "cpu_seconds": own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime,
    }
