"""Ways worked out from the rulebook again: the cost of steps (9.8 to 9.20, 10.4 to 10.7), where stacks go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from players.lwe.table import Table
from validator.core.board import Board, HexId
from validator.games.lwe.book import FROST, GERMAN, MUD, RAIN, SNOW
from validator.games.lwe.course import NORTH, SOUTH, course_of
from validator.games.lwe.field import printed
from validator.model.position import Unit

Links = list[list[tuple[HexId, int]]]
ROLLBAHN, STRAITS = "rollbahn", ("sivash", "strait")
FAST = "mechanized"
GROUND = {
    FAST: {"clear": 1, "forest": 2, "hills": 3, "marsh": 4},
    "non-mechanized": {"clear": 1, "forest": 1, "hills": 2, "marsh": 2},
    "cavalry": {"clear": 1, "forest": 1, "hills": 1, "marsh": 1},
    "mountain": {"clear": 1, "forest": 1, "hills": 1, "marsh": 2},
}
FIRST_TURN = {True: 14, False: 7}
RAIN_LOSS, ROAD_EXTRA = {True: 2, False: 1}, {True: 2, False: 1}
RIVERS_COUNT_FROM = 4  # for the German side (5.4)


@dataclass(frozen=True)
class State:
    """All that prices hang on."""

    north: str
    south: str
    rivers: bool
    roads: bool

    @staticmethod
    def of(table: Table, side: str) -> State:
        course, german = course_of(table.case), side == GERMAN
        rivers = not german or table.case.turn >= RIVERS_COUNT_FROM
        return State(course.weather(NORTH), course.weather(SOUTH), rivers, german and not course.broken)


class Country:
    """The board's prices, by mobility and state; made when first asked."""

    def __init__(self, board: Board) -> None:
        self.board = board
        zones = board.map.grid["weather-zone"].values
        self.south = [zones.get(hex_) == SOUTH for hex_ in board.hexes]
        self._links: dict[tuple[str, State], Links] = {}
        self._dearest: dict[tuple[tuple[str, ...], State], Links] = {}

    def links(self, mobility: str, state: State) -> Links:
        key = (mobility, state)
        if key not in self._links:
            self._links[key] = [
                [(b, price) for b in near if (price := self.price(mobility, state, a, b)) is not None]
                for a, near in enumerate(self.board.adjacent)
            ]
        return self._links[key]

    def dearest(self, mobilities: tuple[str, ...], state: State) -> Links:
        """What steps cost units that go together."""
        key = (mobilities, state)
        if key not in self._dearest:
            many = [self.links(mobility, state) for mobility in mobilities]
            prices = [[dict(near) for near in links] for links in many]
            self._dearest[key] = [
                [(b, max(one[a][b] for one in prices)) for b, _ in near] for a, near in enumerate(many[0])
            ]
        return self._dearest[key]

    def price(self, mobility: str, state: State, a: HexId, b: HexId) -> int | None:
        """None where there is no way on foot or wheels."""
        board = self.board
        weather = state.south if self.south[b] else state.north
        sides, terrain = board.side_of(a, b), board.terrain[b]
        if "sea" in sides or terrain == "sea":
            return None
        lake = "lake" in sides or terrain == "lake"
        strait = ("sivash" in sides and state.south != SNOW) or ("strait" in sides and weather != SNOW)
        if (lake and weather != SNOW) or strait:
            return None
        if state.roads and ROLLBAHN in board.line_of(a, b):
            return 1
        return self._hex(mobility, weather, b) + (
            self._river(mobility, weather, state) if "river" in sides else 0
        )

    def enter(self, mobility: str, state: State, hex_id: HexId) -> int:
        """The price of a hex that is entered from off the map."""
        return self._hex(mobility, state.south if self.south[hex_id] else state.north, hex_id)

    def _hex(self, mobility: str, weather: str, hex_id: HexId) -> int:
        terrain = self.board.terrain[hex_id]
        level = self.board.has_place(hex_id, "city") or terrain == "lake"
        level = level or (terrain == "marsh" and weather in (FROST, SNOW))
        price = GROUND[mobility]["clear" if level else terrain]
        return price * 2 if weather in (MUD, SNOW) else price

    @staticmethod
    def _river(mobility: str, weather: str, state: State) -> int:
        if not state.rivers or weather in (FROST, SNOW):
            return 0
        return (2 if mobility == FAST else 1) + (1 if weather == MUD else 0)

    @cached_property
    def roads(self) -> list[list[HexId]]:
        """Along the Rollbahnen."""
        board = self.board
        return [[b for b in near if ROLLBAHN in board.line_of(a, b)] for a, near in enumerate(board.adjacent)]

    @cached_property
    def crossings(self) -> dict[HexId, list[HexId]]:
        """Over Sivash and straits, as a whole move (9.16)."""
        board = self.board
        found = {
            a: [b for b in near if set(board.side_of(a, b)) & set(STRAITS)]
            for a, near in enumerate(board.adjacent)
        }
        return {a: ends for a, ends in found.items() if ends}


@dataclass(frozen=True)
class Ways:
    """Where a stack may go, with the price and the way."""

    costs: Mapping[HexId, int]
    before: Mapping[HexId, HexId]
    start: HexId

    def path(self, end: HexId) -> tuple[HexId, ...]:
        way = [end]
        while way[-1] != self.start:
            way.append(self.before[way[-1]])
        return tuple(reversed(way))


def country_of(table: Table) -> Country:
    if table.country is None:
        table.country = Country(table.field.board)
    found = table.country
    assert isinstance(found, Country)
    return found


def allowance(table: Table, unit: Unit) -> int:
    """Printed; 14 or 7 for Germans in turn 1; less in rain by where the phase began (5.4, 10.4)."""
    points, fast = printed(unit, "movement"), unit.type.mobility == FAST
    if table.case.turn == 1 and unit.has("german") and points:
        points = max(points, FIRST_TURN[fast])
    began = table.field.id(table.case.phase_start.units[unit.id].spot)
    origin = table.at(unit) if began is None else began
    if unit.side == GERMAN and table.field.weather(origin) == RAIN:
        points = max(points - RAIN_LOSS[fast], 0)
    return points


def left(table: Table, unit: Unit) -> int:
    return allowance(table, unit) - table.spent.get(unit.id, 0)


def ways(table: Table, units: Sequence[Unit], closed: Collection[HexId], kept: int = 0) -> Ways:
    """All of them together, by the slowest and the dearest; `kept` points are not to be spent."""
    start, state = table.at(units[0]), State.of(table, units[0].side)
    mobilities = {unit.type.mobility for unit in units}
    country = country_of(table)
    budget = min(left(table, unit) for unit in units) - kept
    links = country.dearest(tuple(sorted(mobilities)), state)
    found = _spread(links, start, budget, closed)
    fresh = not any(unit.id in table.spent for unit in units)
    if fresh and budget > 0 and not kept:
        _one_hex(found, links, country.crossings, budget, closed)
    return found


def _spread(links: Links, start: HexId, budget: int, closed: Collection[HexId]) -> Ways:
    costs, before = {start: 0}, {}
    heap = [(0, start)]
    while heap:
        cost, here = heappop(heap)
        if cost > costs[here]:
            continue
        for near, price in links[here]:
            total = cost + price
            if total <= budget and near not in closed and total < costs.get(near, budget + 1):
                costs[near], before[near] = total, here
                heappush(heap, (total, near))
    return Ways(costs, before, start)


def _one_hex(
    found: Ways, links: Links, crossings: Mapping[HexId, list[HexId]], budget: int, closed: Collection[HexId]
) -> None:
    """One hex may always be gone, and a strait crossed, for all there is (9.3, 9.16)."""
    assert isinstance(found.costs, dict)
    assert isinstance(found.before, dict)
    near = [b for b, _ in links[found.start]] + crossings.get(found.start, [])
    for end in near:
        if end not in found.costs and end not in closed:
            found.costs[end], found.before[end] = budget, found.start


def along_road(table: Table, unit: Unit, closed: Collection[HexId]) -> list[tuple[HexId, ...]]:
    """The ways that take the extra hexes of a Rollbahn (9.19)."""
    if not State.of(table, unit.side).roads or unit.id in table.spent:
        return []
    roads, budget = country_of(table).roads, allowance(table, unit)
    if budget <= 0:
        return []
    paths: dict[HexId, tuple[HexId, ...]] = {table.at(unit): (table.at(unit),)}
    edge = list(paths)
    for _ in range(budget + ROAD_EXTRA[unit.type.mobility == FAST]):
        fresh = []
        for here in edge:
            for near in roads[here]:
                if near not in paths and near not in closed:
                    paths[near] = (*paths[here], near)
                    fresh.append(near)
        edge = fresh
    return [way for way in paths.values() if len(way) - 1 > budget]
