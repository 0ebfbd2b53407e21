"""`make demo`: build a module, look at it, check a turn, and say in plain words what was made."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from fieldpost.cli import COMMANDS

ROOT = Path(__file__).resolve().parent.parent


class Scene(NamedTuple):
    told: str
    command: list[str]
    accepted: tuple[int, ...] = (0,)


SCENES = [
    Scene("The games in the box:", ["games"]),
    Scene("A VASSAL module, built from the game's data into dist/:", ["build", "wfm", "-o", "dist/"]),
]


def main() -> int:
    failed = [scene for scene in SCENES if not play(scene)]
    for path in sorted(ROOT.glob("dist/*.vmod")):
        print(f"\nMade: dist/{path.name} ({path.stat().st_size // 1024} kB). Open it with VASSAL to play.")
    for scene in failed:
        print(f"\nThis went wrong: fieldpost {' '.join(scene.command)}", file=sys.stderr)
    return 1 if failed else 0


def play(scene: Scene) -> bool:
    """Run one command as a user would; a command this version lacks is said to be missing."""
    print(f"\n{scene.told}\n$ fieldpost {' '.join(scene.command)}", flush=True)
    if find_spec(COMMANDS[scene.command[0]].module) is None:
        print(f"  (this version has no `fieldpost {scene.command[0]}` yet)")
        return True
    done = subprocess.run([sys.executable, "-m", "fieldpost", *scene.command], cwd=ROOT, check=False)
    return done.returncode in scene.accepted


if __name__ == "__main__":
    sys.exit(main())
