"""What each step of a board costs, and what forbids it: prices compiled for searches.

Every ban has a key, such as `terrain:sea` or `hexside:lake`, which a game maps to its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from validator.core.board import Board, Face, HexId, Link, Mask, StepId, both, union
from validator.core.prices import (
    ONE,
    CostError,
    Item,
    Line,
    Local,
    Prices,
    points,
    points_text,
    scaled,
)
from validator.core.recent import Recent, made

__all__ = [
    "ONE",
    "CostError",
    "CostTable",
    "Item",
    "Line",
    "Link",
    "Links",
    "Local",
    "Prices",
    "StepPrice",
    "points",
    "points_text",
    "scaled",
]


@dataclass(frozen=True, slots=True)
class StepPrice:
    """The price of a step, its parts, and the keys that forbid it."""

    price: int
    items: tuple[Item, ...]
    bans: tuple[str, ...] = ()

    @property
    def on_line(self) -> bool:
        """Whether a line gives the price."""
        return self.items[0].key == "line"


class Links(dict[HexId, tuple[Link, ...]]):
    """For every hex the open steps with their prices, worked out when a search first comes there."""

    def __init__(self, open_steps: Callable[[HexId], tuple[Link, ...]]) -> None:
        super().__init__()
        self._open_steps = open_steps

    def __missing__(self, hex_id: HexId) -> tuple[Link, ...]:
        links = self[hex_id] = self._open_steps(hex_id)
        return links


class CostTable:
    """The price of every step of a board. `links()` gives the open steps, for searches.

    In each of the `regions` (a mask of hexes) a step into the hex has that region's prices: other weather.
    """

    def __init__(
        self,
        board: Board,
        prices: Prices,
        local: Local | None = None,
        regions: Sequence[tuple[Mask, Prices]] = (),
    ) -> None:
        self.board = board
        self.prices = prices
        self.local = local or Local()
        self.regions = regions
        self._links: dict[tuple[frozenset[str], bool], Links] = {}
        self.lines: Recent[tuple[list[int], list[HexId]]] = Recent()  # of supply, traced at these prices

    def links(self, lifted: frozenset[str] = frozenset()) -> Links:
        """For every hex the neighbours it may be left for, with prices, these bans lifted."""
        return self._opened(lifted, inward=False)

    def reversed_links(self, lifted: frozenset[str] = frozenset()) -> Links:
        """For every hex the neighbours it may be entered from, with the price of entering it."""
        return self._opened(lifted, inward=True)

    def _opened(self, lifted: frozenset[str], *, inward: bool) -> Links:
        if lifted:
            lifted &= self.ban_keys
        return made(self._links, (lifted, inward), lambda: self._links_of(lifted, inward=inward))

    def _links_of(self, lifted: frozenset[str], *, inward: bool) -> Links:
        board, region = self.board, self._region_of
        prices = [[_open_price(price, lifted) for price in faces] for faces in self._of_faces]
        ends = map(board.ends, board.members(self._touched))
        exceptions = {b if inward else a for a, b in ends}

        def open_steps(hex_id: HexId) -> tuple[Link, ...]:
            if hex_id in exceptions:
                steps = board.steps_into(hex_id) if inward else board.steps_from(hex_id)
                row = [_open_price(self.step_price(step), lifted) for step in steps]
            elif inward:
                here = prices[region[hex_id]]
                row = [here[face] for face in board.faces_inward[hex_id]]
            else:
                ways = zip(board.adjacent[hex_id], board.faces_outward[hex_id], strict=True)
                row = [prices[region[b]][face] for b, face in ways]
            return board.open_links(hex_id, tuple(row))

        return Links(open_steps)

    @cached_property
    def ban_keys(self) -> frozenset[str]:
        """Every key under which this table may forbid a step."""
        of_faces = (key for faces in self._of_faces for price in faces for key in price.bans)
        return frozenset((*of_faces, *self.local.ban))

    @cached_property
    def _touched(self) -> Mask:
        """Steps for which a local exception may apply."""
        local, board = self.local, self.board
        masks = [*local.ban.values(), *([] if local.open is None else [local.open])]
        touched = bytearray(both(board.real_steps, union(bytes(len(board.real_steps)), *masks)))
        for b in {*local.factor, *local.at_least, *local.at_least_on_line}:
            for a in board.adjacent[b]:
                touched[board.step(a, b)] = 1
        return bytes(touched)

    def step_price(self, step: StepId) -> StepPrice:
        b = self.board.ends(step)[1]
        price = self._of_faces[self._region_of[b]][self.board.face_of[step]]
        return self._localized(price, step, b) if self._touched[step] else price

    def ground_price(self, hex_id: HexId) -> int:
        """What a hex costs that is entered over no hexside: from beyond the edge of the map."""
        prices = self._prices[self._region_of[hex_id]]
        ground = prices.of(_kind(prices, self.board.terrain[hex_id], self.board.place_kinds(hex_id)))
        return prices.other if ground is None else ground

    @cached_property
    def _region_of(self) -> bytearray:
        """For every hex the place of its prices in `_prices`: 0 outside of all regions."""
        region = bytearray(len(self.board))
        for number, (mask, _) in reversed([*enumerate(self.regions, 1)]):
            for hex_id in self.board.members(mask):
                region[hex_id] = number
        return region

    @property
    def _prices(self) -> list[Prices]:
        return [self.prices, *(prices for _, prices in self.regions)]

    @cached_property
    def _of_faces(self) -> list[list[StepPrice]]:
        return [[_work_out(prices, face) for face in self.board.faces] for prices in self._prices]

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
        price = self.step_price(self.board.step(a, b))
        return self.ways.index(price.items[0].subject) if price.on_line else 0

    def settlement(self, hex_id: HexId, came: int, goes: int) -> int:
        """What is owed for a hex on leaving it by a more expensive way than it was entered by."""
        if came in (goes, self.nothing_to_settle):
            return 0
        return max(self._by_way(hex_id, goes) - self._by_way(hex_id, came), 0)

    def _by_way(self, hex_id: HexId, way: int) -> int:
        kind = _kind(self.prices, self.board.terrain[hex_id], self.board.place_kinds(hex_id))
        line = self.prices.lines.get(self.ways[way])
        price = self.prices.of(kind) if line is None else line.rate_in(kind)
        if line is None and price is not None:
            price = scaled(points(price) * self.local.factor.get(hex_id, 1))
        return price or 0

    def overlay(self, local: Local) -> CostTable:
        """The same prices with other local exceptions."""
        twin = CostTable(self.board, self.prices, local, self.regions)
        twin._of_faces = self._of_faces
        return twin

    def _localized(self, price: StepPrice, step: StepId, b: HexId) -> StepPrice:
        local = self.local
        items, bans = self._crossed(price, step)
        items += () if price.on_line else self._multiplied(items, b)
        least = (local.at_least_on_line if price.on_line else local.at_least).get(b, 0)
        missing = least - sum(item.price for item in items)
        items += (Item("at-least", "", missing),) if missing > 0 else ()
        forbidden = (key for key, mask in local.ban.items() if mask[step])
        return StepPrice(sum(item.price for item in items), items, (*bans, *forbidden))

    def _crossed(self, price: StepPrice, step: StepId) -> tuple[tuple[Item, ...], tuple[str, ...]]:
        """The parts and bans of a step whose hexside may be opened here."""
        shut = [key for key in price.bans if key.startswith("hexside:")]
        if not shut or self.local.open is None or not self.local.open[step]:
            return price.items, price.bans
        toll = (Item("opened", "", self.local.open_price),) if self.local.open_price else ()
        return (*price.items, *toll), tuple(key for key in price.bans if key not in shut)

    def _multiplied(self, items: Sequence[Item], hex_id: HexId) -> tuple[Item, ...]:
        """What a hex costs on top where its price counts several times."""
        factor = self.local.factor.get(hex_id, 1)
        if factor == 1:
            return ()
        base = sum(item.price for item in items) if self.local.factor_of_all else items[0].price
        more = scaled(points(base) * (factor - 1))
        return (Item("doubled" if factor == 2 else "multiplied", items[0].subject, more),)


def _open_price(price: StepPrice, lifted: frozenset[str]) -> int | None:
    """None where something forbids the step."""
    return price.price if lifted.issuperset(price.bans) else None


def _kind(prices: Prices, terrain: str, places: Iterable[str]) -> str:
    """What the price of a hex goes by: a priced place in it, else its terrain."""
    return next((place for place in places if place in prices.places), terrain)


def _work_out(prices: Prices, face: Face) -> StepPrice:
    terrain = _kind(prices, face.terrain, face.places)
    sides, lines = face.sides, face.lines
    bans: list[str] = []
    if prices.only_along and not set(lines) & set(prices.only_along):
        bans.append("off-line")
    ways = [(prices.lines[name], name) for name in lines if name in prices.lines]
    rated = [(rate, name) for way, name in ways if (rate := way.rate_in(terrain)) is not None]
    across, hexside_bans = _across(prices, sides, {kind for way, _ in ways for kind in way.bridges})
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


def _across(
    prices: Prices, sides: Iterable[str], bridged: set[str]
) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    items, bans = [], []
    for kind in sides:
        if kind in bridged or kind not in prices.hexsides:
            continue
        price = prices.hexsides[kind]
        if price is None:
            bans.append(f"hexside:{kind}")
        elif price:
            items.append(Item("hexside", kind, price))
    return tuple(items), tuple(bans)
