"""Hexes without a map: neighbours, distances, rings, hexsides; and the raw columns and rows of VASSAL."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
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
STEPS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
DIRECTIONS: dict[Orientation, tuple[Direction, ...]] = {
    Orientation.FLAT: tuple(map(Direction, _FLAT, STEPS)),
    Orientation.POINTY: tuple(map(Direction, _POINTY, STEPS)),
}
"""The six directions clockwise; the one at index i+3 is straight opposite to the one at i."""


class Compass(Enum):
    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


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
    return b - a in STEPS


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
    hex_ = center + STEPS[4] * radius
    for step in STEPS:
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
        nearest(
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


def nearest(q: float, r: float) -> Hex:
    """The hex that holds a point given in fractions of hexes."""
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
