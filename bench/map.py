"""Whole maps from nothing: a fresh interpreter reads the data, draws and encodes the picture.

Limits are those of the project: wfm 20 s, lwe 12 s, efs 15 s on two cores, under 1.5 GB, pictures under 25 MB
in all. Each is drawn at the size that its module has.
Memory is the sum of the peaks of all processes, an upper bound.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time

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
    done = subprocess.run([sys.executable, "-c", _SCRIPT, game], check=True, capture_output=True, text=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return {**measured, "seconds": time.perf_counter() - started}


def drawn(game: str) -> dict[str, float]:
    """Draws a map in this process and its workers, and tells what that took."""
    from builder.map import draw
    from builder.module.package import hex_size
    from fieldpost.definition import load_map

    game_map = load_map(game)
    picture = draw(game_map, hex_px=hex_size(game_map))
    data, _ = picture.encode()
    own, workers = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    together = own.ru_maxrss + (os.cpu_count() or 1) * workers.ru_maxrss
    return {
        "width": picture.image.width,
        "height": picture.image.height,
        "bytes": len(data),
        "cpu_seconds": own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime,
        "memory_mb": together / 1024,
    }
