"""Copies of the example game with something changed in them."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.places import REPOSITORY

EXAMPLE = REPOSITORY / "examples" / "first-game"


def copy_of_example(folder: Path) -> Path:
    game = folder / "game"
    shutil.copytree(EXAMPLE, game)
    return game


def change(file: Path, old: str, new: str) -> None:
    """Replace a text that stands in the file exactly once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")
