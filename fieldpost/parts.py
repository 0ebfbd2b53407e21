"""The packages that are installed beside this one: whether they are ours, and of which commit.

Other projects have packages of the same names; pip puts them into the same folders.
"""

from __future__ import annotations

import subprocess
from importlib.util import find_spec
from pathlib import Path

from fieldpost import data
from fieldpost.errors import FieldpostError

_HERE = Path(__file__).resolve().parent
_NAMES = ("validator", "builder", "desk")
_MARK = "PART_OF_FIELDPOST"


def check() -> None:
    """Raises where another project's package is found by the name of one of ours."""
    for name in _NAMES:
        spec = find_spec(name)
        if spec is None or spec.origin is None or not _is_ours(Path(spec.origin)):
            where = spec.origin if spec and spec.origin else "nowhere"
            raise FieldpostError(
                f"fieldpost's own package {name!r} is replaced by another project's: {where}",
                "Install fieldpost in an environment of its own, by pipx or by `uv tool install`.",
            )


def _is_ours(init: Path) -> bool:
    return init.resolve().parent.parent == _HERE.parent and _MARK in init.read_text(encoding="utf-8")


def commit() -> str:
    """Of this copy; empty where it cannot be known."""
    root = data.root()
    noted = root / "commit.txt"
    if noted.is_file():
        return noted.read_text(encoding="ascii").strip()
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "describe", "--always", "--abbrev=10", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
