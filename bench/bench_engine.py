"""Stepping a log: our replay against the real engine's, side by side. Needed: 20 times as fast.

The engine's start is left out: its time is that of the whole log less that of a run which stops
after the first step. Ours is reading the file, stepping to the end, and telling each step's changes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from fieldpost.vassal import steps
from fieldpost.vassal.table import Table
from tests import oracle_files
from tests.engine import engine, older
from tests.engine.play import random_play

NEEDED = 20
STEPS, ROUNDS = 2000, 3


def main() -> int:
    reason = engine.missing()
    if reason:
        print(f"not measured: {reason}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "long.vlog"
        random_play(Random(5), STEPS).write(log)
        module = older.for_kit(oracle_files.MODULE, Path(folder) / "demo.vmod")
        pairs = [(ours(log), theirs(module, log)) for _ in range(ROUNDS)]
    own, other = (median(column) for column in zip(*pairs, strict=True))
    ratio = other / own
    print(f"{STEPS} actions: the engine takes {other:.2f} s, we take {own:.3f} s")
    print(f"{ratio:.0f} times as fast, {NEEDED} needed")
    return 0 if ratio >= NEEDED else 1


def ours(path: Path) -> float:
    start = perf_counter()
    log = steps.read(path)
    table = Table.of(log)
    for step in log.steps:
        table.step(step)
    return perf_counter() - start


def theirs(module: Path, log: Path) -> float:
    return run(module, log, None) - run(module, log, 1)


def run(module: Path, log: Path, count: int | None) -> float:
    start = perf_counter()
    engine.vlog_replay(module, log, full=False, trace=False, count=count)
    return perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
