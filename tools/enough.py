"""Says after `make quick` whether its tests are enough for what was changed, or what else to run.

python tools/enough.py [GAME]     the game whose quick tests have passed; without one, all
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENOUGH = r"games/{0}/(cases/|rules\.yaml)|docs/{0}\.md|tests/games/|tests/validator/(games/{0}|standard)/"
PROGRAM = ("fieldpost", "builder", "validator", "desk", "players", "tools")


def main(game: str = "") -> int:
    files = changed()
    beyond = [file for file in files if not re.match(ENOUGH.format(re.escape(game) or "[^/]+"), file)]
    if not files:
        print("Nothing is changed since the last commit.")
    elif not beyond:
        print(f"Enough for what is changed ({len(files)} files).")
    else:
        print(f"Not enough for {', '.join(beyond[:5])}{' ...' if len(beyond) > 5 else ''}.")
        near = sorted({test for file in beyond for test in tests_of(file)})
        if near:
            print(f"First: .venv/bin/python -m pytest {' '.join(near)}")
        print("Then: make test" if near else "Run: make test")
    return 0


def changed() -> list[str]:
    """Since the last commit, with files that git does not know yet."""
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--no-renames", "-z"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return [entry[3:] for entry in done.stdout.split("\0") if entry]


def tests_of(file: str) -> list[str]:
    """The tests that mirror a file of the program: one of its name, else those of its folder."""
    path = Path(file)
    if path.parts[0] not in PROGRAM:
        return []
    folder = Path("tests", *path.parts[:-1])
    return [str(one) for one in (folder / f"test_{path.stem}.py", folder) if (ROOT / one).exists()][:1]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
