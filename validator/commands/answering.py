"""What several commands print in the same way."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fieldpost.errors import FieldpostError

if TYPE_CHECKING:
    from fieldpost.definition.model import Game
    from validator.audit.sources import Unusable


def answer(
    arguments: argparse.Namespace, data: Callable[[], Any], text: Callable[[], str], *, ascii_: bool = True
) -> None:
    """For a program or for people. `text` ends its last line."""
    if arguments.json:
        print(json.dumps(data(), indent=1, ensure_ascii=ascii_))
    else:
        print(text(), end="")


def pictures_made(arguments: argparse.Namespace, file: Path, count: int) -> None:
    size = file.stat().st_size
    told = {"file": file.name, "pictures": count, "bytes": size}
    text = f"{file}: {count} pictures, {size / 1_000_000:.1f} MB"
    print(json.dumps(told) if arguments.json else text)


def not_used(unusable: Iterable[Unusable]) -> None:
    for item in unusable:
        print(f"Not used: {item.name}: {item.why}", file=sys.stderr)


def side_named(game: Game, named: str | None) -> str | None:
    """As the game spells it; None if none is named."""
    from validator.sheet.tokens import however_spelled

    if named is None:
        return None
    sides = [side.id for side in game.sides]
    side = however_spelled(named, sides)
    if side is None:
        raise FieldpostError(f"there is no side {named!r}", f"Sides: {', '.join(sides)}")
    return side
