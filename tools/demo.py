"""`make demo`: build a module, look at it, check a turn, and say in plain words what was made."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from fieldpost.cli import COMMANDS

ROOT = Path(__file__).resolve().parent.parent


LINES = 14
OUT = "dist"


class Scene(NamedTuple):
    told: str
    command: list[str]
    accepted: tuple[int, ...] = (0,)


def scenes() -> Iterator[Scene]:
    yield Scene("The games in the box:", ["games"])
    yield Scene("A VASSAL module, drawn and built from the game's data:", ["build", "wfm", "-o", OUT])
    for module in sorted(ROOT.glob(f"{OUT}/wfm*.vmod")):
        yield Scene("What the module holds:", ["info", f"{OUT}/{module.name}"])
    log, module = "tests/data/vassal/oracle.vlog", "tests/data/vassal/demo.vmod"
    yield Scene("A log, step by step, in hexes:", ["dump", log, "--module", module])
    for turn in sorted(ROOT.glob("examples/*.turn")) + sorted(ROOT.glob("examples/*.vlog")):
        yield Scene("A turn, checked:", ["check", f"examples/{turn.name}"], accepted=(0, 1))


def main() -> int:
    failed = [scene for scene in scenes() if not play(scene)]
    for path in sorted(ROOT.glob(f"{OUT}/*.vmod")):
        megabytes = path.stat().st_size / 1_000_000
        print(f"\nMade: {OUT}/{path.name} ({megabytes:.1f} MB). In VASSAL: File, Open Module.")
    for scene in failed:
        print(f"\nThis went wrong: fieldpost {' '.join(scene.command)}", file=sys.stderr)
    return 1 if failed else 0


def play(scene: Scene) -> bool:
    """Run one command as a user would and show the beginning of what it prints."""
    print(f"\n{scene.told}\n$ fieldpost {' '.join(scene.command)}", flush=True)
    if find_spec(COMMANDS[scene.command[0]].module) is None:
        print(f"  (this version has no `fieldpost {scene.command[0]}` yet)")
        return True
    done = subprocess.run(
        [sys.executable, "-m", "fieldpost", *scene.command],
        cwd=ROOT,
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    lines = done.stdout.splitlines()
    print("\n".join(f"  {line[:150]}" for line in lines[:LINES]))
    if len(lines) > LINES:
        print(f"  ... and {len(lines) - LINES} lines more")
    return done.returncode in scene.accepted


if __name__ == "__main__":
    sys.exit(main())
