"""What is printed in a hex: numbering by sheets on a common lattice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fieldpost.hexes.geometry import (
    DIRECTIONS,
    Cell,
    Compass,
    Hex,
    HexError,
    Hexside,
    Orientation,
    adjacent,
    from_cell,
    to_cell,
)


@dataclass(frozen=True, slots=True)
class Axis:
    """How columns, or rows, are counted: the number at raw 0, and whether numbers grow or fall."""

    first: int
    step: int = 1
    low: int | None = None
    high: int | None = None
    digits: int = 2
    letters: bool = False

    def number(self, raw: int) -> int:
        return self.first + self.step * raw

    def raw(self, number: int) -> int:
        return (number - self.first) * self.step

    def holds(self, number: int) -> bool:
        low = self.letters if self.low is None else self.low  # no letter stands for less than one
        return low <= number and (self.high is None or number <= self.high)

    def text(self, number: int) -> str:
        return _letters(number) if self.letters else f"{number:0{self.digits}d}"

    def parse(self, text: str) -> int:
        return _from_letters(text) if self.letters else int(text)

    @property
    def pattern(self) -> str:
        return "[A-Z]{1,9}" if self.letters else f"[0-9]{{{self.digits},9}}"


def _letters(number: int) -> str:
    """1 is A, 26 Z, 27 AA, 28 BB, as wargames and VASSAL letter their columns."""
    if number < 1:
        raise HexError(f"column {number} has no letter: letters begin with 1 = A")
    return chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def _from_letters(text: str) -> int:
    text = text.upper()
    if len(set(text)) != 1:
        raise HexError(f"{text!r} is no column: a doubled column repeats one letter, as in AA or BB")
    return (len(text) - 1) * 26 + ord(text[0]) - ord("A") + 1


@dataclass(frozen=True)
class Sheet:
    """One printed sheet: its numbering on the common lattice and the part of it that it covers.

    `stagger` is what the printed row (column, for pointed hexes) adds on an odd raw column (row):
    VASSAL's own stagger is 1.
    """

    id: str
    columns: Axis
    rows: Axis
    order: str = "CCRR"
    prefix: str = ""
    separator: str = ""
    stagger: int = 0

    def __post_init__(self) -> None:
        if self.order not in ("CCRR", "RRCC"):
            raise HexError(f"sheet {self.id}: order is {self.order!r}, expected CCRR or RRCC")
        if self.columns.letters and self.rows.letters and not self.separator:
            raise HexError(f"sheet {self.id}: two letters side by side need a separator between them")

    @cached_property
    def _regex(self) -> re.Pattern[str]:
        column, row = f"(?P<c>{self.columns.pattern})", f"(?P<r>{self.rows.pattern})"
        if not self.separator and not (self.columns.letters or self.rows.letters):
            column = f"(?P<c>[0-9]{{{self.columns.digits}}})"
            row = f"(?P<r>[0-9]{{{self.rows.digits}}})"
        first, second = (column, row) if self.order == "CCRR" else (row, column)
        return re.compile(
            f"{re.escape(self.prefix)}{first}{re.escape(self.separator)}{second}", re.IGNORECASE | re.ASCII
        )

    def numbers(self, cell: Cell, orientation: Orientation) -> tuple[int, int]:
        """Printed column and row."""
        column, row = self.columns.number(cell.column), self.rows.number(cell.row)
        if orientation is Orientation.FLAT:
            return column, row + self.stagger * (cell.column & 1)
        return column + self.stagger * (cell.row & 1), row

    def cell(self, column: int, row: int, orientation: Orientation) -> Cell:
        if orientation is Orientation.FLAT:
            raw_column = self.columns.raw(column)
            return Cell(raw_column, self.rows.raw(row - self.stagger * (raw_column & 1)))
        raw_row = self.rows.raw(row)
        return Cell(self.columns.raw(column - self.stagger * (raw_row & 1)), raw_row)

    def covers(self, cell: Cell, orientation: Orientation) -> bool:
        column, row = self.numbers(cell, orientation)
        return self.columns.holds(column) and self.rows.holds(row)

    def label(self, cell: Cell, orientation: Orientation) -> str:
        column, row = self.numbers(cell, orientation)
        first, second = self.columns.text(column), self.rows.text(row)
        if self.order == "RRCC":
            first, second = second, first
        return f"{self.prefix}{first}{self.separator}{second}"

    def parse(self, label: str, orientation: Orientation) -> Cell | None:
        """The cell a label names on this sheet; None if it is not of this sheet's form or range."""
        match = self._regex.fullmatch(label)
        if match is None:
            return None
        try:
            column, row = self.columns.parse(match["c"]), self.rows.parse(match["r"])
        except HexError:  # letters that are no column
            return None
        if not (self.columns.holds(column) and self.rows.holds(row)):
            return None
        return self.cell(column, row, orientation)


@dataclass(frozen=True)
class Lattice:
    """All sheets of a game on one lattice. A hex on several sheets is named by the first that covers it."""

    orientation: Orientation
    sheets: tuple[Sheet, ...]
    _labels: dict[tuple[Hex, str | None], str] = field(default_factory=dict, repr=False, compare=False)
    _hexes: dict[tuple[str, str | None], Hex] = field(default_factory=dict, repr=False, compare=False)

    def label(self, hex_: Hex, sheet: str | None = None) -> str:
        """The printed label; `sheet` is asked first, if it covers the hex."""
        key = (hex_, sheet)
        known = self._labels.get(key)
        if known is None:
            known = self._labels[key] = self._label(hex_, sheet)
        return known

    def _label(self, hex_: Hex, sheet: str | None) -> str:
        cell = to_cell(hex_, self.orientation)
        for candidate in self._ordered(sheet):
            if candidate.covers(cell, self.orientation):
                return candidate.label(cell, self.orientation)
        raise HexError(f"column {cell.column}, row {cell.row} lies on no sheet")

    def labels(self, hex_: Hex) -> list[str]:
        """Every label of a hex, the usual one first."""
        cell = to_cell(hex_, self.orientation)
        return [s.label(cell, self.orientation) for s in self.sheets if s.covers(cell, self.orientation)]

    def hex(self, label: str, sheet: str | None = None) -> Hex:
        """The hex of a label. With `sheet`, a label without that sheet's prefix is read on it first."""
        key = (label.strip(), sheet)
        known = self._hexes.get(key)
        if known is None:
            known = self._hexes[key] = self._hex(*key)
        return known

    def _hex(self, text: str, sheet: str | None) -> Hex:
        for candidate in self._ordered(sheet):
            cell = candidate.parse(text, self.orientation)
            if cell is None and candidate.id == sheet and candidate.prefix:
                cell = candidate.parse(candidate.prefix + text, self.orientation)
            if cell is not None:
                return from_cell(cell, self.orientation)
        for candidate in self.sheets:
            if candidate.prefix or candidate.columns.letters or candidate.rows.letters:
                continue
            rest = text.removeprefix(candidate.id)  # the sheet's id before a label without any letter
            cell = candidate.parse(rest, self.orientation) if rest != text else None
            if cell is not None:
                return from_cell(cell, self.orientation)
        raise HexError(f"there is no hex {text!r}", f"A label looks like {self._example(sheet)}.")

    def short(self, hex_: Hex, sheet: str | None = None) -> str:
        """What a player on that sheet would write: its own labels bare, others so that `hex` reads them."""
        cell = to_cell(hex_, self.orientation)
        own = self._ordered(sheet)[0]
        if sheet is not None and own.covers(cell, self.orientation):
            return own.label(cell, self.orientation).removeprefix(own.prefix)
        plain = self.label(hex_, sheet)
        return plain if self.hex(plain, sheet) == hex_ else f"{self.sheet_of(hex_).id}{plain}"

    def sheet_of(self, hex_: Hex) -> Sheet:
        cell = to_cell(hex_, self.orientation)
        for sheet in self.sheets:
            if sheet.covers(cell, self.orientation):
                return sheet
        raise HexError(f"column {cell.column}, row {cell.row} lies on no sheet")

    def hexside(self, text: str, sheet: str | None = None) -> Hexside:
        """The hexside of a pair of labels such as 6006/6007, in either order."""
        first, slash, second = text.partition("/")
        if not slash:
            raise HexError(
                f"{text!r} is no hexside", "A hexside is two labels with a slash, such as 6006/6007."
            )
        a, b = self.hex(first, sheet), self.hex(second, sheet)
        if not adjacent(a, b):
            raise HexError(f"{text!r} is no hexside: the two hexes are not neighbours")
        return Hexside.between(a, b)

    def hexside_label(self, side: Hexside, sheet: str | None = None) -> str:
        """The two labels in order, with a slash."""
        return "/".join(sorted((self.label(side.a, sheet), self.label(side.b, sheet))))

    def direction(self, a: Hex, b: Hex) -> str:
        for name, step in DIRECTIONS[self.orientation]:
            if a + step == b:
                return name
        raise HexError(f"{self.label(a)} and {self.label(b)} are not neighbours")

    def edge(self, cells: Iterable[Hex], side: Compass) -> set[Hex]:
        """The hexes of a map beyond which, on that side, there is no further hex of it."""
        on_map = set(cells)
        letter = side.value[0].upper()
        steps = [step for name, step in DIRECTIONS[self.orientation] if letter in name]
        straight = [step for name, step in DIRECTIONS[self.orientation] if name == letter]
        return {h for h in on_map if not any(h + step in on_map for step in straight or steps)}

    def _ordered(self, sheet: str | None) -> Sequence[Sheet]:
        if sheet is None:
            return self.sheets
        named = [s for s in self.sheets if s.id == sheet]
        if not named:
            raise HexError(
                f"there is no sheet {sheet!r}", f"Sheets are {', '.join(s.id for s in self.sheets)}."
            )
        return [*named, *(s for s in self.sheets if s.id != sheet)]

    def _example(self, sheet: str | None) -> str:
        chosen = self._ordered(sheet)[0]
        low_column, low_row = chosen.columns.low or 1, chosen.rows.low or 1
        return chosen.label(chosen.cell(low_column, low_row, self.orientation), self.orientation)
