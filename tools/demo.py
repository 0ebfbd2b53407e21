"""`make demo`: build a module, draw map and counters, check turns and a game; say what was made.

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
GAME = "examples/samples/turning-point-faulty"
TURN = f"{GAME}/1-turn-22-axis.vlog"
SHEET = "examples/faulty-turn.txt"
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
    page, game = f"{out}/report.html", f"{out}/game.html"
    return [
        Scene("The game in the box, and where its tables come from:", ["games", "wfm"], lines=6),
        Scene("Its VASSAL module, drawn and built from text files:", ["build", "wfm", "-o", out]),
        Scene("Its map, where the scenario is played:", map_command),
        Scene("Its counters:", ["render", "counters", "wfm", "-o", out]),
        Scene("What the game knows of a hex:", ["hex", "wfm", "E4708"], lines=6),
        Scene("A turn as a VASSAL log, with a fault, checked:", ["check", TURN], lines=12, status=ILLEGAL),
        Scene("A turn typed as text, with three:", ["check", SHEET], lines=30, status=ILLEGAL),
        Scene("The same as a page:", ["check", SHEET, "--html", page], lines=1, status=ILLEGAL),
        Scene(
            "A whole game with forty planted faults:", ["audit", f"{GAME}/*.vlog", "--html", game], 6, ILLEGAL
        ),
    ]


MADE = [
    Made("wfm-*.vmod", "the module. In VASSAL: File, Open Module, then choose the set-up Turning Point"),
    Made("wfm-map-turning-point.*", "the map. Open it with any picture viewer and find Stalingrad, in E4708"),
    Made("wfm-counters.png", "every counter, full strength and reduced"),
    Made("report.html", "the checked turn. Open it with a web browser; red arrows lead from fault to fault"),
    Made("game.html", "the whole game in the same way, with its dice"),
]


def main(out: str) -> int:
    started = time.monotonic()
    failed = [scene for scene in scenes(out) if not play(scene)]
    print(f"\nMade in {time.monotonic() - started:.0f} s:\n")
    missing = [made.pattern for made in MADE if not tell(out, made)]
    print(f"\nThe typed turn is {SHEET}: open it with a text editor, change a line, and type")
    print(f"  .venv/bin/fieldpost check {SHEET}")
    print("If you would rather not type, open a page in the web browser: .venv/bin/fieldpost serve")
    print("README.md goes on from here: five minutes with the other commands.", flush=True)
    for scene in failed:
        print(f"\nThis went wrong: fieldpost {' '.join(scene.command)}", file=sys.stderr)
    for pattern in missing:
        print(f"This was not made: {out}/{pattern}", file=sys.stderr)
    return 1 if failed or missing else 0


def play(scene: Scene) -> bool:
    """Run one command as a user would and show the beginning of what it prints."""
    print(f"\n{scene.told}\n$ fieldpost {' '.join(scene.command)}", flush=True)
    words = [word for part in scene.command for word in expanded(part)]
    done = subprocess.run(
        [sys.executable, "-m", "fieldpost", *words],
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


def expanded(word: str) -> list[str]:
    """What a shell makes of a word with a star."""
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(word)) if "*" in word else [word]


def tell(out: str, made: Made) -> bool:
    found = sorted((ROOT / out).glob(made.pattern))
    for path in found:
        size = f"{path.stat().st_size / 1e6:.1f} MB"
        print(f"  {f'{out}/{path.name}':<32} {size:>8}  {made.look}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "dist"))
