"""`make demo`: build a module, draw its map and counters, check a turn; say in plain words what was made."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
OUT = "dist"
LINES = 16
COLUMNS = 118
DONE, ILLEGAL = 0, 1


class Scene(NamedTuple):
    told: str
    command: list[str]
    status: int = DONE  # the one it must end with
    lines: int = LINES  # how many are shown of what it prints


class Made(NamedTuple):
    pattern: str
    look: str


SAMPLE = "examples/faulty-turn.txt"
REPORT = f"{OUT}/report.html"

SCENES = [
    Scene("The game in the box, and where its tables come from:", ["games", "wfm"], lines=8),
    Scene("Its VASSAL module, drawn and built from text files:", ["build", "wfm", "-o", OUT]),
    Scene(
        "Its map, where the scenario is played:",
        ["render", "map", "wfm", "--area", "turning-point", "-o", OUT],
    ),
    Scene("Its counters:", ["render", "counters", "wfm", "-o", OUT]),
    Scene("What the game knows of a hex:", ["hex", "wfm", "E4708"], lines=6),
    Scene("A turn that holds faults, checked:", ["check", SAMPLE], ILLEGAL, lines=40),
    Scene("The same as a page with the map:", ["check", SAMPLE, "--html", REPORT], ILLEGAL, lines=2),
]

MADE = [
    Made("wfm-*.vmod", "the module. In VASSAL: File, Open Module, then choose the set-up Turning Point"),
    Made("wfm-map-turning-point.*", "the map. Open it with any picture viewer and find Stalingrad, in E4708"),
    Made("wfm-counters.png", "every counter, full strength and reduced"),
    Made("report.html", "the checked turn. Open it with a web browser, and step to what is marked"),
]


def main() -> int:
    started = time.monotonic()
    scenes, made = [*SCENES], [*MADE]
    if not pages_are_written():
        scenes.pop()
        made.pop()
    failed = [scene for scene in scenes if not play(scene)]
    print(f"\nMade in {time.monotonic() - started:.0f} s:\n")
    missing = [one.pattern for one in made if not tell(one)]
    print(f"\nThe turn that was checked is {SAMPLE}: open it with a text editor, change a line, and type")
    print(f"  .venv/bin/fieldpost check {SAMPLE}")
    print("README.md goes on from here: five minutes with the other commands.")
    for scene in failed:
        print(f"\nThis went wrong: fieldpost {' '.join(scene.command)}", file=sys.stderr)
    for pattern in missing:
        print(f"This was not made: {OUT}/{pattern}", file=sys.stderr)
    return 1 if failed or missing else 0


def pages_are_written() -> bool:
    help_text = subprocess.run(
        [sys.executable, "-m", "fieldpost", "check", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return "--html" in help_text.stdout


def play(scene: Scene) -> bool:
    """Run one command as a user would and show the beginning of what it prints."""
    print(f"\n{scene.told}\n$ fieldpost {' '.join(scene.command)}", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "fieldpost", *scene.command],
        cwd=ROOT,
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    lines = done.stdout.splitlines()
    for line in lines[: scene.lines]:
        print(f"  {line if len(line) <= COLUMNS else line[: COLUMNS - 4] + ' ...'}".rstrip())
    if len(lines) > scene.lines:
        print(f"  ... and {len(lines) - scene.lines} lines more")
    return done.returncode == scene.status


def tell(made: Made) -> bool:
    found = sorted((ROOT / OUT).glob(made.pattern))
    for path in found:
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        print(f"  {OUT}/{path.name:<30} {size:>8}  {made.look}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
