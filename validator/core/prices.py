"""Prices as data: of hexes, hexsides and lines, for one mobility class in one season.

Prices are whole numbers of twelfths of a movement point (or of a hex of a supply line): `ONE` is a full
point, so halves, thirds, quarters and sixths are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from fieldpost.definition.model import Table
from fieldpost.errors import FieldpostError
from validator.core.board import Board, HexId, Mask

ONE = 12


class CostError(FieldpostError):
    """A cell of a terrain effects table that is no price."""


def scaled(value: Fraction | int | str) -> int:
    """A number of points in twelfths, exactly."""
    try:
        product = Fraction(value) * ONE
    except (ValueError, ZeroDivisionError) as error:
        raise CostError(f"{value!r} is no number of movement points", "Write 2, 1/2 or 3/4.") from error
    if product.denominator != 1:
        raise CostError(f"{value} is no multiple of 1/{ONE}", "Prices are counted in twelfths.")
    return int(product)


def points(price: int) -> Fraction:
    return Fraction(price, ONE)


@lru_cache(maxsize=1024)
def points_text(price: int) -> str:
    """A price as players write it: 2, 1/2, 3 1/2."""
    value = points(price)
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    fraction = f"{rest}/{value.denominator}"
    return f"{sign}{whole} {fraction}" if whole else f"{sign}{fraction}"


@dataclass(frozen=True, slots=True)
class Item:
    """One part of a price: its key, what it is for, and how much."""

    key: str
    subject: str
    price: int


@dataclass(frozen=True)
class Line:
    """What going along a road or railway does.

    `rate` takes the place of the price of hex and hexside (`rates` where it differs by terrain); if None,
    the hex keeps its price and the line only bridges the hexsides in `bridges` (no price, no ban). A rate
    bridges every hexside.
    """

    rate: int | None = None
    bridges: tuple[str, ...] = ()
    rates: Mapping[str, int] = field(default_factory=dict, hash=False)

    def rate_in(self, terrain: str) -> int | None:
        return self.rates.get(terrain, self.rate)


@dataclass(frozen=True)
class Prices:
    """Prices of one mobility class in one season.

    `places` (cities by kind) take the place of the terrain they stand on. `hexsides` are added to the
    price of the hex. `None` forbids. What is in no mapping costs `other` (hexes) or nothing (hexsides).
    `only_along` names the lines without which no step may be taken. `settle_on_leaving`: a hex is paid at
    the dearer of the ways (lines, or none) into and out of it.
    """

    terrain: Mapping[str, int | None] = field(default_factory=dict)
    hexsides: Mapping[str, int | None] = field(default_factory=dict)
    lines: Mapping[str, Line] = field(default_factory=dict)
    places: Mapping[str, int | None] = field(default_factory=dict)
    other: int = ONE
    only_along: tuple[str, ...] = ()
    settle_on_leaving: bool = False

    @classmethod
    def from_table(cls, table: Table, board: Board, mobility: str, season: str = "") -> Prices:
        """From the column `mobility@season`, else `mobility`, of a terrain effects table.

        Rows are told apart by the kinds of the map: terrain (`2`, `no`), hexsides (`+1`, `no`, `-`),
        places (as terrain), lines (`1/2`, or `-` for no effect). Other rows are for other rules; one
        row may stand for kinds of the same name, such as sea and sea hexsides.
        """
        column = f"{mobility}@{season}"
        if column not in table.columns:
            column = mobility
        if column not in table.columns:
            raise CostError(
                f"table {table.id} has no column {mobility!r}", f"Columns are {', '.join(table.columns)}."
            )
        cells = {row.id: table.cell(row.id, column) for row in table.rows}
        said = {row: _price(cell) for row, cell in cells.items() if _said(cell)}
        rates = _chosen(said, board.line_kinds.names)
        return cls(
            terrain=_chosen(said, (kind.id for kind in board.map.terrain_kinds)),
            hexsides=_chosen(said, board.side_kinds.names),
            lines={kind: Line(rate) for kind, rate in rates.items() if rate is not None},
            places=_chosen(said, (kind.id for kind in board.map.place_kinds)),
        )

    def of(self, kind: str) -> int | None:
        """The price of a hex of a terrain or with a priced place."""
        return self.places[kind] if kind in self.places else self.terrain.get(kind, self.other)

    def terrain_at(self, changes: Mapping[str, int | None]) -> Prices:
        """The same with other prices for some terrain: a mountain unit in mountains."""
        return replace(self, terrain={**self.terrain, **changes})

    def hexsides_at(self, changes: Mapping[str, int | None]) -> Prices:
        return replace(self, hexsides={**self.hexsides, **changes})

    def along(self, changes: Mapping[str, Line]) -> Prices:
        return replace(self, lines={**self.lines, **changes})

    def alike(self, kinds: Mapping[str, str]) -> Prices:
        """The same where a terrain counts as another: frozen swamp as forest."""
        return self.terrain_at({kind: self.terrain.get(other, self.other) for kind, other in kinds.items()})

    def times(self, factor: Fraction | int) -> Prices:
        """All hexes at so many times the price; hexsides stay."""
        return replace(
            self,
            terrain={k: v if v is None else scaled(points(v) * factor) for k, v in self.terrain.items()},
            places={k: v if v is None else scaled(points(v) * factor) for k, v in self.places.items()},
            other=scaled(points(self.other) * factor),
        )


def _chosen(said: Mapping[str, int | None], kinds: Iterable[str]) -> dict[str, int | None]:
    return {kind: said[kind] for kind in kinds if kind in said}


def _said(cell: str) -> bool:
    return cell.strip() not in ("", "-", "–", "—")


def _price(cell: str) -> int | None:
    text = cell.strip().lower()
    if text in ("no", "p", "x"):
        return None
    return scaled(text.removeprefix("+"))


@dataclass(frozen=True)
class Local:
    """Where hexes or steps differ from the rule.

    `factor` multiplies the price of a hex (a doubled region); `at_least` and `at_least_on_line` are the
    least a step into the hex costs off and on a line (a partisan in a supply line); `ban` forbids
    steps under a key; `open` lifts the hexside bans of a step, where there are any, at `open_price` added
    (a causeway, ice). With `factor_of_all` the factor is also of what the hexsides cost.
    """

    factor: Mapping[HexId, Fraction | int] = field(default_factory=dict)
    at_least: Mapping[HexId, int] = field(default_factory=dict)
    at_least_on_line: Mapping[HexId, int] = field(default_factory=dict)
    ban: Mapping[str, Mask] = field(default_factory=dict)  # step masks by key
    open: Mask | None = None  # a step mask
    open_price: int = 0
    factor_of_all: bool = False
