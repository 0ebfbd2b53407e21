"""What a step costs: the prices of hexes, hexsides and lines as data, compiled for a board.

Prices are whole numbers of twelfths of a movement point (or of a hex of a supply line): `ONE` is a full
point, so halves, thirds, quarters and sixths are exact. Every ban has a key, such as `terrain:sea` or
`hexside:lake`, which a game maps to its rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from fieldpost.definition.model import Table
from fieldpost.errors import FieldpostError
from validator.core.board import DIRECTIONS, Board, HexId, Mask, StepId

ONE = 12
NO = None  # the price of what may not be entered or crossed


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
    (a causeway, ice).
    """

    factor: Mapping[HexId, Fraction | int] = field(default_factory=dict)
    at_least: Mapping[HexId, int] = field(default_factory=dict)
    at_least_on_line: Mapping[HexId, int] = field(default_factory=dict)
    ban: Mapping[str, Mask] = field(default_factory=dict)  # step masks by key
    open: Mask | None = None  # a step mask
    open_price: int = 0


@dataclass(frozen=True, slots=True)
class StepPrice:
    """The price of a step, its parts, and the keys that forbid it."""

    price: int
    items: tuple[Item, ...]
    bans: tuple[str, ...] = ()


Link = tuple[HexId, int]  # a neighbour and the price of going there
Links = list[tuple[Link, ...]]


class CostTable:
    """The price of every step of a board. `links()` gives the open steps, for searches."""

    def __init__(self, board: Board, prices: Prices, local: Local | None = None) -> None:
        self.board = board
        self.prices = prices
        self.local = local or Local()
        self._links: dict[frozenset[str], Links] = {}
        self._reversed: dict[frozenset[str], Links] = {}
        self._banned: list[tuple[HexId, HexId, StepPrice]] = []
        self._kinds: dict[tuple[str, int, int], StepPrice] = {}
        self._ground = self._grounds()

    def _grounds(self) -> list[str]:
        """For every hex the kind its price goes by: a priced place in it, else its terrain."""
        ground = list(self.board.terrain)
        for hex_id, places in self.board.places.items():
            ground[hex_id] = next((p.kind for p in places if p.kind in self.prices.places), ground[hex_id])
        return ground

    def links(self, lifted: frozenset[str] = frozenset()) -> Links:
        """For every hex the neighbours it may be left for, with prices, these bans lifted."""
        if not self._links:
            self._links[frozenset()] = self._compile()
        lifted &= self.ban_keys
        if lifted not in self._links:
            self._links[lifted] = self._open(lifted)
        return self._links[lifted]

    def reversed_links(self, lifted: frozenset[str] = frozenset()) -> Links:
        """For every hex the neighbours it may be entered from, with the price of entering it."""
        if lifted not in self._reversed:
            entered: list[list[Link]] = [[] for _ in self.board.hexes]
            for a, links in enumerate(self.links(lifted)):
                for b, price in links:
                    entered[b].append((a, price))
            self._reversed[lifted] = [tuple(links) for links in entered]
        return self._reversed[lifted]

    @cached_property
    def ban_keys(self) -> frozenset[str]:
        """Every key under which this table forbids a step somewhere."""
        if not self._links:
            self._links[frozenset()] = self._compile()
        return frozenset(key for _, _, price in self._banned for key in price.bans)

    def step_price(self, step: StepId) -> StepPrice:
        a, direction = divmod(step, DIRECTIONS)
        b = self.board.neighbors[a][direction]
        price = self._of_kinds(self._ground[b], self.board.sides[step], self.board.lines[step])
        return self._localized(price, step, b)

    # --- ways, for prices settled on leaving ---

    @property
    def by_way(self) -> bool:
        return self.prices.settle_on_leaving

    @cached_property
    def ways(self) -> tuple[str, ...]:
        """Off any line, each line with a rate, and nothing yet."""
        return ("", *self.prices.lines, "nothing")

    @property
    def nothing_to_settle(self) -> int:
        """The way into the hex a move begins in."""
        return len(self.ways) - 1

    def way(self, a: HexId, b: HexId) -> int:
        """Which of the ways the step from a to b is paid by."""
        first = self.step_price(self.board.step(a, b)).items[0]
        return self.ways.index(first.subject) if first.key == "line" else 0

    def settlement(self, hex_id: HexId, came: int, goes: int) -> int:
        """What is owed for a hex on leaving it by a dearer way than it was entered by."""
        if came in (goes, self.nothing_to_settle):
            return 0
        return max(self._by_way(hex_id, goes) - self._by_way(hex_id, came), 0)

    def _by_way(self, hex_id: HexId, way: int) -> int:
        kind = self._ground[hex_id]
        line = self.prices.lines.get(self.ways[way])
        price = self.prices.of(kind) if line is None else line.rate_in(kind)
        if line is None and price is not None:
            price = scaled(points(price) * self.local.factor.get(hex_id, 1))
        return price or 0

    def overlay(self, local: Local) -> CostTable:
        """The same prices with other local exceptions."""
        return CostTable(self.board, self.prices, local)

    def _open(self, lifted: frozenset[str]) -> Links:
        opened: dict[HexId, list[Link]] = {}
        for a, b, price in self._banned:
            if lifted.issuperset(price.bans):
                opened.setdefault(a, []).append((b, price.price))
        links = list(self.links())
        for a, more in opened.items():
            links[a] = (*links[a], *more)
        return links

    def _compile(self) -> Links:
        links: Links = []
        touched = self._touched()
        terrain, sides, lines = self._ground, self.board.sides, self.board.lines
        for a, six in enumerate(self.board.neighbors):
            open_steps: list[Link] = []
            for direction, b in enumerate(six):
                if b < 0:
                    continue
                step = a * DIRECTIONS + direction
                price = self._of_kinds(terrain[b], sides[step], lines[step])
                if touched is None or touched[step]:
                    price = self._localized(price, step, b)
                if price.bans:
                    self._banned.append((a, b, price))
                else:
                    open_steps.append((b, price.price))
            links.append(tuple(open_steps))
        return links

    def _touched(self) -> bytearray | None:
        """Step mask: where a local exception may apply; None if it may be anywhere."""
        local = self.local
        if local.ban or local.open is not None:
            return None
        touched = bytearray(len(self.board) * DIRECTIONS)
        for b in {*local.factor, *local.at_least, *local.at_least_on_line}:
            for a in self.board.adjacent[b]:
                touched[self.board.step(a, b)] = 1
        return touched

    def _of_kinds(self, terrain: str, sides: int, lines: int) -> StepPrice:
        key = (terrain, sides, lines)
        known = self._kinds.get(key)
        if known is None:
            known = self._kinds[key] = self._work_out(
                terrain, self.board.side_kinds.of(sides), self.board.line_kinds.of(lines)
            )
        return known

    def _work_out(self, terrain: str, sides: Iterable[str], lines: Iterable[str]) -> StepPrice:
        prices = self.prices
        lines = tuple(lines)
        bans: list[str] = []
        if prices.only_along and not set(lines) & set(prices.only_along):
            bans.append("off-line")
        ways = [(prices.lines[name], name) for name in lines if name in prices.lines]
        rated = [(rate, name) for way, name in ways if (rate := way.rate_in(terrain)) is not None]
        across, hexside_bans = self._across(sides, {kind for way, _ in ways for kind in way.bridges})
        ground = prices.of(terrain)
        off_line = None if ground is None or hexside_bans else ground + sum(item.price for item in across)
        if rated and (off_line is None or min(rated)[0] <= off_line):
            rate, name = min(rated)
            return StepPrice(rate, (Item("line", name, rate),), tuple(bans))
        if ground is None:
            bans.append(f"terrain:{terrain}")
            ground = prices.other
        items = (Item("terrain", terrain, ground), *across)
        return StepPrice(sum(item.price for item in items), items, (*bans, *hexside_bans))

    def _across(self, sides: Iterable[str], bridged: set[str]) -> tuple[tuple[Item, ...], tuple[str, ...]]:
        items, bans = [], []
        for kind in sides:
            if kind in bridged or kind not in self.prices.hexsides:
                continue
            price = self.prices.hexsides[kind]
            if price is None:
                bans.append(f"hexside:{kind}")
            elif price:
                items.append(Item("hexside", kind, price))
        return tuple(items), tuple(bans)

    def _localized(self, price: StepPrice, step: StepId, b: HexId) -> StepPrice:
        local = self.local
        items, bans = list(price.items), list(price.bans)
        if local.open is not None and local.open[step]:
            shut = [key for key in bans if key.startswith("hexside:")]
            bans = [key for key in bans if key not in shut]
            if shut and local.open_price:
                items.append(Item("opened", "", local.open_price))
        bans += [key for key, mask in local.ban.items() if mask[step]]
        on_line = bool(items) and items[0].key == "line"
        factor = local.factor.get(b, 1)
        if factor != 1 and not on_line:
            more = scaled(points(items[0].price) * (factor - 1))
            items.append(Item("doubled" if factor == 2 else "multiplied", items[0].subject, more))
        least = (local.at_least_on_line if on_line else local.at_least).get(b, 0)
        total = sum(item.price for item in items)
        if total < least:
            items.append(Item("at-least", "", least - total))
        return StepPrice(sum(item.price for item in items), tuple(items), tuple(bans))
