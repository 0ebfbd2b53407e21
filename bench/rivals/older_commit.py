"""A whole game judged by this tree and by an older commit in turn.

    python -m bench.rivals.older_commit COMMIT [GAME SCENARIO]

The game is a random one. Each tree judges it in a process of its own, so many times, in turn; the best
processor times and the memory are printed, and their ratio.
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from players.game import play

ROOT = Path(__file__).resolve().parents[2]
TIMES = 3
JUDGE = """
import pickle, sys, time
try:
    import validator.model.events
    moved = {}
except ImportError:
    moved = {"validator.model.events": "validator.events"}  # where events were before
class Reader(pickle.Unpickler):
    def find_class(self, module, name):
        return super().find_class(moved.get(module, module), name)
from players.table import new_referee
events = Reader(open(sys.argv[1], "rb")).load()
referee = new_referee(sys.argv[2], sys.argv[3])
start = time.process_time()
referee.feed(events)
referee.close()
used = time.process_time() - start
(peak,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print("judged", used, int(peak) / 1024)
"""


def main(commit: str, game: str = "lwe", scenario: str = "campaign") -> None:
    with tempfile.TemporaryDirectory() as folder:
        older, events = Path(folder, "older"), Path(folder, "events")
        older.mkdir()
        archive = subprocess.run(["git", "-C", ROOT, "archive", commit], check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", older], input=archive.stdout, check=True)
        events.write_bytes(pickle.dumps(play(game, scenario, 0).events))
        found: dict[Path, list[tuple[float, float]]] = {ROOT: [], older: []}
        for _ in range(TIMES):
            for tree, results in found.items():
                results.append(_judged(tree, events, game, scenario))
    for tree, results in found.items():
        seconds, megabytes = min(results)
        print(f"{'this tree' if tree == ROOT else commit}: {seconds:.2f} s, {megabytes:.0f} MB")
    print(f"{min(found[older])[0] / min(found[ROOT])[0]:.1f} times as fast")


def _judged(tree: Path, events: Path, game: str, scenario: str) -> tuple[float, float]:
    """Seconds of processor time, and megabytes."""
    told = subprocess.run(
        [sys.executable, "-c", JUDGE, events, game, scenario],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=True,
        capture_output=True,
        text=True,
    )
    numbers = re.search(r"^judged (\S+) (\S+)$", told.stdout, re.MULTILINE)
    assert numbers is not None
    return float(numbers[1]), float(numbers[2])


if __name__ == "__main__":
    main(*sys.argv[1:])
