"""Hexes: where they lie, what they touch, what they are called, where they are drawn.

Three views of one cell, each exact and each reversible:

* `Hex`: axial coordinates (the third cube coordinate is -q-r); all geometry is done here.
* `Cell`: raw column and row as VASSAL's HexGrid counts them, from the top left.
  Flat-topped: odd raw columns lie half a hex lower. Pointed: odd raw rows lie half a hex to the right.
* label: what is printed in the hex, by the numbering of its `Sheet`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from fieldpost.errors import FieldpostError


class HexError(FieldpostError):
    """A label or a coordinate that names no hex."""


class Hex(NamedTuple):
    q: int
    r: int

    @property
    def s(self) -> int:
        return -self.q - self.r

    def __add__(self, other: tuple[int, ...]) -> Hex:  # type: ignore[override]
        return Hex(self.q + other[0], self.r + other[1])

    def __sub__(self, other: tuple[int, ...]) -> Hex:
        return Hex(self.q - other[0], self.r - other[1])

    def __mul__(self, factor: int) -> Hex:  # type: ignore[override]
        return Hex(self.q * factor, self.r * factor)


ORIGIN = Hex(0, 0)


class Cell(NamedTuple):
    """Raw column and row, as VASSAL's HexGrid counts them."""

    column: int
    row: int


class Orientation(Enum):
    FLAT = "flat"
    POINTY = "pointy"


class Direction(NamedTuple):
    name: str
    step: Hex


_FLAT = ("N", "NE", "SE", "S", "SW", "NW")
_POINTY = ("NW", "NE", "E", "SE", "SW", "W")
_STEPS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
DIRECTIONS: dict[Orientation, tuple[Direction, ...]] = {
    Orientation.FLAT: tuple(map(Direction, _FLAT, _STEPS)),
    Orientation.POINTY: tuple(map(Direction, _POINTY, _STEPS)),
}
"""The six directions clockwise; the one at index i+3 is straight opposite to the one at i."""


class Compass(Enum):
    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


# --- geometry without a map ------------------------------------------------------------------


def neighbors(hex_: Hex) -> tuple[Hex, ...]:
    q, r = hex_
    return (
        Hex(q, r - 1),
        Hex(q + 1, r - 1),
        Hex(q + 1, r),
        Hex(q, r + 1),
        Hex(q - 1, r + 1),
        Hex(q - 1, r),
    )


def distance(a: Hex, b: Hex) -> int:
    """Steps from one hex to the other, the first hex not counted."""
    dq = a[0] - b[0]
    dr = a[1] - b[1]
    ds = dq + dr
    return max(dq if dq >= 0 else -dq, dr if dr >= 0 else -dr, ds if ds >= 0 else -ds)


def adjacent(a: Hex, b: Hex) -> bool:
    return b - a in _STEPS


def within(center: Hex, radius: int) -> Iterator[Hex]:
    """Every hex at most `radius` steps away, the centre among them."""
    for dq in range(-radius, radius + 1):
        for dr in range(max(-radius, -dq - radius), min(radius, -dq + radius) + 1):
            yield Hex(center.q + dq, center.r + dr)


def ring(center: Hex, radius: int) -> Iterator[Hex]:
    """Every hex exactly `radius` steps away, clockwise."""
    if radius == 0:
        yield center
        return
    hex_ = center + _STEPS[4] * radius
    for step in _STEPS:
        for _ in range(radius):
            yield hex_
            hex_ = hex_ + step


def line(a: Hex, b: Hex) -> list[Hex]:
    """The hexes a straight line from centre to centre passes; along a hexside, always the same side."""
    length = distance(a, b)
    if length == 0:
        return [a]
    nudge_q, nudge_r = 1e-6, 2e-6
    return [
        _round(
            a.q + nudge_q + (b.q - a.q) * i / length,
            a.r + nudge_r + (b.r - a.r) * i / length,
        )
        for i in range(length + 1)
    ]


def opposite(defender: Hex, attacker: Hex) -> Hex:
    """The hex straight behind the defender as the attacker sees it."""
    return defender + (defender - attacker)


def straddle(defender: Hex, a: Hex, b: Hex) -> bool:
    """Whether a and b touch the defender on straight opposite sides."""
    return adjacent(defender, a) and opposite(defender, a) == b


def mega_hex(hex_: Hex, radius: int = 1, origin: Hex = ORIGIN) -> Hex:
    """The mega-hex that holds a hex, where every mega-hex is all hexes within `radius` of its centre."""
    q, r = hex_ - origin
    area = 3 * radius * radius + 3 * radius + 1
    shift = 3 * radius + 2
    x, z = q, r
    y = -x - z
    a = (y + shift * x) // area
    b = (z + shift * y) // area
    c = (x + shift * z) // area
    return Hex((1 + a - b) // 3, (1 + c - a) // 3)


def mega_center(mega: Hex, radius: int = 1, origin: Hex = ORIGIN) -> Hex:
    """The small hex in the middle of a mega-hex."""
    return origin + Hex(radius + 1, radius) * mega.q + Hex(-radius, 2 * radius + 1) * mega.r


def _round(q: float, r: float) -> Hex:
    s = -q - r
    rq, rr, rs = round(q), round(r), round(s)
    dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
    if dq > dr and dq > ds:
        rq = -rr - rs
    elif dr > ds:
        rr = -rq - rs
    return Hex(rq, rr)


# --- hexsides --------------------------------------------------------------------------------


class Hexside(NamedTuple):
    """The side two neighbours share, always written with the same hex first."""

    a: Hex
    b: Hex

    @classmethod
    def between(cls, a: Hex, b: Hex) -> Hexside:
        if not adjacent(a, b):
            raise HexError(f"hexes {tuple(a)} and {tuple(b)} are not neighbours: they share no hexside")
        return cls(a, b) if a < b else cls(b, a)

    def across(self, hex_: Hex) -> Hex:
        return self.b if hex_ == self.a else self.a


# --- cells -----------------------------------------------------------------------------------


def from_cell(cell: Cell, orientation: Orientation) -> Hex:
    column, row = cell
    if orientation is Orientation.FLAT:
        return Hex(column, row - (column - (column & 1)) // 2)
    return Hex(column - (row - (row & 1)) // 2, row)


def to_cell(hex_: Hex, orientation: Orientation) -> Cell:
    q, r = hex_
    if orientation is Orientation.FLAT:
        return Cell(q, r + (q - (q & 1)) // 2)
    return Cell(q + (r - (r & 1)) // 2, r)


# --- labels ----------------------------------------------------------------------------------


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
        """Every label a hex bears, the one it goes by first."""
        cell = to_cell(hex_, self.orientation)
        return [s.label(cell, self.orientation) for s in self.sheets if s.covers(cell, self.orientation)]

    def hex(self, label: str, sheet: str | None = None) -> Hex:
        """The hex of a label. With `sheet`, a label without that sheet's prefix is read on it first."""
        text = label.strip()
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
        raise HexError(f"there is no hex {label!r}", f"A label looks like {self._example(sheet)}.")

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


# --- pixels ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layout:
    """Where hexes are drawn: the numbers of a VASSAL HexGrid, in the sense of an upright screen.

    `across_px` is the distance of neighbouring columns (flat) or of hexes in a row (pointed),
    `down_px` that of hexes in a column (flat) or of neighbouring rows (pointed);
    `left_px`, `top_px` is the centre of raw cell 0, 0.
    """

    orientation: Orientation
    across_px: float
    down_px: float
    left_px: int
    top_px: int

    @classmethod
    def regular(cls, orientation: Orientation, height_px: int, left_px: int, top_px: int) -> Layout:
        """Regular hexes; `height_px` is the distance from side to opposite side."""
        other = height_px * math.sqrt(3) / 2
        if orientation is Orientation.FLAT:
            return cls(orientation, other, height_px, left_px, top_px)
        return cls(orientation, height_px, other, left_px, top_px)

    def center(self, hex_: Hex) -> tuple[int, int]:
        """The centre in whole pixels, as VASSAL snaps a piece to it."""
        column, row = to_cell(hex_, self.orientation)
        if self.orientation is Orientation.FLAT:
            half = int(self.down_px / 2) if column & 1 else 0
            return int(self.across_px * column + self.left_px), int(self.down_px * row + half + self.top_px)
        half = int(self.across_px / 2) if row & 1 else 0
        return int(self.across_px * column + half + self.left_px), int(self.down_px * row + self.top_px)

    def exact(self, hex_: Hex) -> tuple[float, float]:
        """The centre unrounded, for drawing."""
        column, row = to_cell(hex_, self.orientation)
        if self.orientation is Orientation.FLAT:
            return (
                self.across_px * column + self.left_px,
                self.down_px * (row + 0.5 * (column & 1)) + self.top_px,
            )
        return self.across_px * (column + 0.5 * (row & 1)) + self.left_px, self.down_px * row + self.top_px

    def at(self, x: float, y: float) -> Hex:
        """The hex that holds a point."""
        if self.orientation is Orientation.FLAT:
            q = (x - self.left_px) / self.across_px
            return _round(q, (y - self.top_px) / self.down_px - q / 2)
        r = (y - self.top_px) / self.down_px
        return _round((x - self.left_px) / self.across_px - r / 2, r)

    def corners(self, hex_: Hex) -> list[tuple[float, float]]:
        """Six corners clockwise; the hexside towards direction i lies between corner i and corner i+1."""
        x, y = self.exact(hex_)
        if self.orientation is Orientation.FLAT:
            w, h = self.across_px * 2 / 3, self.down_px / 2
            return [
                (x - w / 2, y - h),
                (x + w / 2, y - h),
                (x + w, y),
                (x + w / 2, y + h),
                (x - w / 2, y + h),
                (x - w, y),
            ]
        w, h = self.across_px / 2, self.down_px * 2 / 3
        return [
            (x - w, y - h / 2),
            (x, y - h),
            (x + w, y - h / 2),
            (x + w, y + h / 2),
            (x, y + h),
            (x - w, y + h / 2),
        ]

    def side(self, side: Hexside) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two ends of a hexside."""
        index = _STEPS.index(side.b - side.a)
        corners = self.corners(side.a)
        return corners[index], corners[(index + 1) % 6]
