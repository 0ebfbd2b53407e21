"""`make demo`: build a module, draw its map and counters, check a turn; say in plain words what was made.

python tools/demo.py [FOLDER]     (dist)
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = "examples/faulty-turn.txt"
COLUMNS = 118
DONE, ILLEGAL = 0, 1


class Scene(NamedTuple):
    told: str
    command: list[str]
    lines: int = 4  # how many are shown of what it prints
    status: int = DONE  # the one it must end with


class Made(NamedTuple):
    pattern: str
    look: str


def scenes(out: str) -> list[Scene]:
    map_command = ["render", "map", "wfm", "--area", "turning-point", "-o", out]
    page = f"{out}/report.html"
    return [
        Scene("The game in the box, and where its tables come from:", ["games", "wfm"], lines=6),
        Scene("Its VASSAL module, drawn and built from text files:", ["build", "wfm", "-o", out]),
        Scene("Its map, where the scenario is played:", map_command),
        Scene("Its counters:", ["render", "counters", "wfm", "-o", out]),
        Scene("What the game knows of a hex:", ["hex", "wfm", "E4708"], lines=6),
        Scene("A turn that holds faults, checked:", ["check", SAMPLE], lines=40, status=ILLEGAL),
        Scene("The same as a page:", ["check", SAMPLE, "--html", page], lines=1, status=ILLEGAL),
    ]


MADE = [
    Made("wfm-*.vmod", "the module. In VASSAL: File, Open Module, then choose the set-up Turning Point"),
    Made("wfm-map-turning-point.*", "the map. Open it with any picture viewer and find Stalingrad, in E4708"),
    Made("wfm-counters.png", "every counter, full strength and reduced"),
    Made("report.html", "the checked turn. Open it with a web browser; red arrows lead from fault to fault"),
]


def main(out: str) -> int:
    started = time.monotonic()
    failed = [scene for scene in scenes(out) if not play(scene)]
    print(f"\nMade in {time.monotonic() - started:.0f} s:\n")
    missing = [made.pattern for made in MADE if not tell(out, made)]
    print(f"\nThe turn that was checked is {SAMPLE}: open it with a text editor, change a line, and type")
    print(f"  .venv/bin/fieldpost check {SAMPLE}")
    print("README.md goes on from here: five minutes with the other commands.", flush=True)
    for scene in failed:
        print(f"\nThis went wrong: fieldpost {' '.join(scene.command)}", file=sys.stderr)
    for pattern in missing:
        print(f"This was not made: {out}/{pattern}", file=sys.stderr)
    return 1 if failed or missing else 0


def play(scene: Scene) -> bool:
    """Run one command as a user would and show the beginning of what it prints."""
    print(f"\n{scene.told}\n$ fieldpost {' '.join(scene.command)}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "fieldpost", *scene.command],
        cwd=ROOT,
        check=False,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
    )
    lines = done.stdout.splitlines()
    for line in lines[: scene.lines]:
        print(f"  {line if len(line) <= COLUMNS else line[: COLUMNS - 4] + ' ...'}".rstrip())
    if len(lines) > scene.lines:
        print(f"  ... and {len(lines) - scene.lines} lines more")
    return done.returncode == scene.status


def tell(out: str, made: Made) -> bool:
    found = sorted((ROOT / out).glob(made.pattern))
    for path in found:
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        print(f"  {f'{out}/{path.name}':<32} {size:>8}  {made.look}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "dist"))
