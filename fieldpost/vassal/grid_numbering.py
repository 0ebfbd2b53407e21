"""What a grid's cells are called: the engine's regular numbering, text to numbers and back.

A cell has a raw column and row (upright: a grid of pointed hexes is turned first).
`Numbering` makes the printed text of two numbers; which number a raw cell has,
with descending and staggered counts, is the matter of the grid.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from fieldpost.errors import FieldpostError
from fieldpost.vassal import codec

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = "-?(?:" + "|".join(f"{letter}+" for letter in _ALPHABET) + ")"


class GridError(FieldpostError):
    """A label that names no place of the grid."""


def fill(text: str, values: dict[str, str | None]) -> str:
    """Replace each `$name$` of a format; unknown names stay as they are, None becomes nothing."""
    parts = codec.decode(text, "$")
    last = len(parts) - 1
    return "".join(
        (values.get(part, part) or "") if at % 2 and at < last else part for at, part in enumerate(parts)
    )


def pattern(text: str, groups: dict[str, str]) -> re.Pattern[str]:
    """The regular expression that a filled format matches; `groups` gives one for each name."""
    parts = codec.decode(text, "$")
    last = len(parts) - 1
    return re.compile(
        "".join(
            groups.get(part, "") if at % 2 and at < last else re.escape(part) for at, part in enumerate(parts)
        )
    )


def spell(number: int, letters: bool, zeros: int) -> str:
    """A number as printed: 0 is A, 26 is AA, 27 is BB; `zeros` is 1 for two digits, 2 for three."""
    sign, number = ("-", -number) if number < 0 else ("", number)
    if letters:
        return sign + _ALPHABET[number % 26] * (number // 26 + 1)
    return sign + str(number).rjust(zeros + 1, "0")


def read_number(text: str, letters: bool) -> int:
    if not letters:
        return int(text)
    sign, body = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * (26 * (len(body) - 1) + _ALPHABET.index(body[-1]))


@dataclass(frozen=True)
class Axis:
    """How the columns (H) or the rows (V) are written and counted."""

    letters: bool = False
    zeros: int = 1
    offset: int = 1
    descending: bool = False

    @property
    def pattern(self) -> str:
        return _LETTERS if self.letters else f"-?[0-9]{{{self.zeros + 1},}}"

    def spell(self, number: int) -> str:
        return spell(number + self.offset, self.letters, self.zeros)

    def read(self, text: str) -> int:
        return read_number(text, self.letters) - self.offset


@dataclass(frozen=True)
class Numbering:
    """A HexGridNumbering, ObliqueHexGridNumbering (`oblique`) or SquareGridNumbering."""

    horizontal: Axis = Axis()
    vertical: Axis = Axis()
    horizontal_first: bool = True
    separator: str = ""
    stagger: bool = False
    oblique: bool = False
    location_format: str = "$gridLocation$"

    def text(self, column: int, row: int) -> str:
        across, down = self.horizontal.spell(column), self.vertical.spell(row)
        first, second = (across, down) if self.horizontal_first else (down, across)
        values: dict[str, str | None] = {
            "gridLocation": first + self.separator + second,
            "row": down,
            "column": across,
        }
        return fill(self.location_format, values)

    def numbers(self, label: str) -> tuple[int, int]:
        """Column and row of a label."""
        match = self._pattern.fullmatch(label)
        if match is None or not {"column", "row"} <= match.groupdict().keys():
            raise GridError(f"{label!r} is no location of this grid", f"One looks like {self.text(0, 0)}.")
        return self.horizontal.read(match["column"]), self.vertical.read(match["row"])

    def slant(self, column: int) -> int:
        """What an oblique numbering adds to the row of a column."""
        if not self.oblique:
            return 0
        return int(column / 2) if self.stagger else 1 - int(column / 2)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        across, down = f"(?P<column>{self.horizontal.pattern})", f"(?P<row>{self.vertical.pattern})"
        first, second = (across, down) if self.horizontal_first else (down, across)
        names = {"gridLocation": first + re.escape(self.separator) + second, "row": down, "column": across}
        try:
            return pattern(self.location_format, names)
        except re.error:  # a format that names the row or the column twice can be written, but not read back
            return re.compile(r"(?!)")
