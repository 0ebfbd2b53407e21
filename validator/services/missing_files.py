"""What is said of a file that is not there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from fieldpost.definition.problems import nearest
from fieldpost.errors import FieldpostError


def hint(path: Path) -> str:
    """What lies there under a name like it."""
    folder = path.parent
    if not folder.is_dir():
        return f"There is no folder {str(folder)!r} either."
    near = nearest(path.name, [each.name for each in folder.iterdir()])
    where = os.path.realpath(folder)
    return f"Did you mean {near!r}?" if near else f"It was looked for in the folder {where}."


def refuse_split_name(paths: Sequence[Path]) -> None:
    """A name with blanks in it that was typed without quotation marks comes in parts."""
    whole = " ".join(map(str, paths))
    if len(paths) > 1 and not all(path.exists() for path in paths) and Path(whole).exists():
        raise FieldpostError(f'Put quotation marks around a name with blanks in it: "{whole}"')
