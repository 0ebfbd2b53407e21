"""Numbers that rules read off a game's charts: modifiers of the die, shifts of columns."""

from __future__ import annotations

import re

from fieldpost.definition.model import Game

_COLUMNS = re.compile(r"(?P<number>\d+)(?P<side>[LR])", re.IGNORECASE)


def die_modifier(game: Game, table: str, key: str, otherwise: int) -> int:
    """What a chart adds to the die. A chart with modifiers that lists it not adds nothing; one without any
    leaves it to the rulebook."""
    rows = {row.id: row.cells[0] for row in game.table[table].modifiers if row.cells}
    return int(rows.get(key, "0")) if rows else otherwise


def columns_shifted(text: str) -> int:
    """`1R` is a column to the right, `2L` two to the left, `-` none."""
    shift = _COLUMNS.fullmatch(text.strip())
    if shift is None:
        return 0
    return int(shift["number"]) * (1 if shift["side"].upper() == "R" else -1)
