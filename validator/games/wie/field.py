"""The field as the rules see it: who stands where, what is whose, what movement costs, zones of control."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from fieldpost.hexes import DIRECTIONS, Hex
from validator.core.board import Board, HexId, Mask, minus, union
from validator.core.costs import CostTable, Local, Prices
from validator.core.explain import Wording
from validator.games.wie.book import AXIS, ENEMY, SIDES, side_of
from validator.games.wie.control import controller
from validator.games.wie.state import Case
from validator.games.wie.units import (
    PARTISAN,
    counts,
    holds_nothing,
    is_hq,
    on_the_ground,
    planes_among,
    zoned,
)
from validator.model.position import Unit
from validator.procedures import field

RED, MINOR, OIL = "red-city", "minor-city", "oil-center"
CITIES = (RED, MINOR)
RIVER, MARSH, MOUNTAIN, STRAIT = "river", "marsh-side", "mountain-side", "strait"
GERMANY, FINLAND = "germany", "finland"
PHRASES = {
    "ahead": "{hexes} is held by the enemy",
    "strait": "the strait at {hexes} is closed while Sevastopol is the enemy's",
    "vacant": "{hexes} is the enemy's, and only armor enters it",
    "partisans": "partisans cut the railway at {hexes}",
    "one-hex": "{hexes} is more than one hex away",
}


class Ground(field.Ground):
    """What does not change in a scenario: the board, its cities, the costs of movement."""

    def __init__(self, case: Case) -> None:
        game = case.game
        self.board = Board(game.map, game.map.hexes - game.map.unplayable)
        self.wording = Wording.of(self.board, case.scenario.sheet, phrases=PHRASES)
        table = game.table["terrain-effects"]
        self.costs = CostTable(self.board, Prices.from_table(table, self.board, "ground"))
        local = Local(ban={STRAIT: self.board.steps_across(STRAIT)})
        self.closed = CostTable(self.board, Prices.from_table(table, self.board, "ground"), local)
        self.rails = CostTable(self.board, Prices.from_table(table, self.board, "strategic"))
        self.closed_rails = CostTable(self.board, Prices.from_table(table, self.board, "strategic"), local)
        self.everywhere = bytes([1]) * len(self.board)
        self.reds = self.board.with_place(RED)
        self.cities = frozenset(self.board.with_place(*CITIES))
        self.oil = self.board.with_place(OIL)
        self.held_at_start = [game.holder_at_start(hex_) for hex_ in self.board.hexes]
        self.values = {hex_id: self._value(hex_id) for hex_id in self.reds}

    def _value(self, hex_id: HexId) -> int:
        return sum(int(p.values.get("value", 0)) for p in self.board.places[hex_id] if p.kind == RED)

    def named(self, name: str) -> HexId | None:
        """The hex of a place of this name."""
        return self._named.get(name)

    @cached_property
    def _named(self) -> dict[str, HexId]:
        return {place.name: hex_id for hex_id, some in self.board.places.items() for place in some}

    def edge(self, side: str) -> frozenset[HexId]:
        """The edge of the map that a side retreats and traces to: west for the Axis, east for the Soviets."""
        return self._edges[side]

    @cached_property
    def _edges(self) -> dict[str, frozenset[HexId]]:
        """The outermost playable hexes of each row, or those that the map names."""
        named = {edge.id: edge.hexes for edge in self.board.map.edges}
        found = {}
        for side, name in ((AXIS, "west"), ("soviet", "east")):
            ids = self.board.id_of
            found[side] = frozenset(ids[h] for h in named.get(name, ()) if h in ids) or self._outermost(side)
        return found

    def _outermost(self, side: str) -> frozenset[HexId]:
        columns = [hex_.q for hex_ in self.board.hexes]
        last = min(columns) if side == AXIS else max(columns)
        return frozenset(i for i, hex_ in enumerate(self.board.hexes) if hex_.q == last)

    def columns_from_edge(self, side: str, hex_id: HexId) -> int:
        """How many columns of the map lie between a hex and the edge of a side."""
        column = self.board.hexes[hex_id].q
        return column - self._columns[0] if side == AXIS else self._columns[1] - column

    @cached_property
    def _columns(self) -> tuple[int, int]:
        columns = [hex_.q for hex_ in self.board.hexes]
        return min(columns), max(columns)

    def from_edge(self, side: str, hex_id: HexId) -> int:
        """How many hexes a hex is from the edge of a side."""
        return self._from_edges[side][hex_id]

    @cached_property
    def _from_edges(self) -> dict[str, list[int]]:
        board = self.board
        return {
            side: [min(board.distance(h, e) for e in self.edge(side)) for h in range(len(board))]
            for side in SIDES
        }

    def behind(self, hex_id: HexId, direction: str) -> HexId | None:
        """The hex across the hexside of a direction: n, ne, se ..."""
        step, hex_ = self._steps.get(direction), self.board.hexes[hex_id]
        return None if step is None else self.board.id_of.get(Hex(hex_.q + step.q, hex_.r + step.r))

    @cached_property
    def _steps(self) -> dict[str, Hex]:
        return {name.lower(): step for name, step in DIRECTIONS[self.board.map.lattice.orientation]}


class Field(field.Field):
    """One state of the position."""

    ground: Ground

    @staticmethod
    def stands(unit: Unit) -> bool:
        return not holds_nothing(unit)

    def holder(self, hex_id: HexId) -> str:
        return controller(self.position, self.board.hexes[hex_id])

    def held(self, side: str) -> Mask:
        return self._held[side]

    @cached_property
    def _held(self) -> dict[str, bytearray]:
        position, whose = self.position, list(self.ground.held_at_start)
        for hex_id in self.ids({*position.control, *position.marks, *position.occupied()}):
            whose[hex_id] = self.holder(hex_id)
        return {side: self.board.mask(h for h, of in enumerate(whose) if of == side) for side in SIDES}

    def zones(self, side: str) -> Mask:
        """Hexes in the zones of a side's armor (7); the own hexes of all its units are another matter."""
        return self._zones[side]

    @cached_property
    def _zones(self) -> dict[str, bytearray]:
        found = {}
        for side in SIDES:
            armor = {h for h, unit in self.of_side(side) if zoned(unit)}
            found[side] = self.board.mask({n for h in armor for n in (h, *self.board.adjacent[h])})
        return found

    def barred_for(self, side: str) -> Mask:
        """Hexes where the enemy's units, or partisans who so chose, let no supply of a side through."""
        return union(self.occupied(ENEMY[side]), self.partisans("supply" if side == AXIS else ""))

    def cut_for(self, side: str) -> Mask:
        """And those of the zones of his armor, unless a unit stands there."""
        zones = minus(self.zones(ENEMY[side]), self.occupied(side))
        return union(zones, self.barred_for(side))

    def partisans(self, effect: str) -> Mask:
        """Hexes where partisans have chosen an effect: supply, income, placement, rail (8)."""
        marked = (
            hex_id
            for hex_, marks in self.position.marks.items()
            if f"partisan-{effect}" in marks and (hex_id := self.id(hex_)) is not None
        )
        return self.board.mask(h for h in marked if any(u.has(PARTISAN) for u in self.units(h)))

    def sides(self, start: HexId | None, end: HexId) -> tuple[str, ...]:
        """What lies on the hexside between two hexes; nothing, if they are no neighbours."""
        if start is None or self.board.step(start, end) < 0:
            return ()
        return self.board.side_of(start, end)

    def ground_units(self, hex_id: HexId, side: str | None = None) -> list[Unit]:
        return on_the_ground(self.units(hex_id, side))

    def planes_over(self, hex_id: HexId, side: str) -> list[Unit]:
        return planes_among(self.units(hex_id, side))

    def room(self, hex_id: HexId, side: str) -> int:
        """Units that take room in a hex."""
        return sum(counts(unit) for unit in self.units(hex_id, side))

    def planes(self, side: str) -> Iterator[tuple[HexId, Unit]]:
        planes = planes_among(self.position.on_map(side))
        return ((hex_id, unit) for unit, hex_id in self.standing(planes))

    def headquarters(self, side: str) -> list[tuple[HexId, Unit]]:
        return self._headquarters[side]

    @cached_property
    def _headquarters(self) -> dict[str, list[tuple[HexId, Unit]]]:
        return {side: [(h, unit) for h, unit in self.of_side(side) if is_hq(unit)] for side in SIDES}

    def red(self, hex_id: HexId) -> bool:
        return hex_id in self.ground.values

    def city(self, hex_id: HexId) -> bool:
        return hex_id in self.ground.cities

    def own_city(self, hex_id: HexId, side: str) -> bool:
        """A city that a side holds."""
        return self.city(hex_id) and self.holder(hex_id) == side

    def complexes(self, hex_id: HexId) -> dict[str, int]:
        """The industrial complexes in a hex and their faces: 1 works, 2 is wrecked."""
        marks = self.position.marks.get(self.board.hexes[hex_id], {})
        markers = self.position.game.marker
        return {name: face for name, face in marks.items() if markers[name].kind == "complex"}

    @cached_property
    def complex_hexes(self) -> dict[str, HexId]:
        """Where each industrial complex lies."""
        ids = self.ids(self.position.marks)
        return {name: hex_id for hex_id in ids for name in self.complexes(hex_id)}

    def works(self, hex_id: HexId) -> bool:
        return 1 in self.complexes(hex_id).values()

    def fortified(self, hex_id: HexId, against: HexId, side: str) -> int:
        """The levels of a side's fortification in a hex towards another."""
        marks = self.position.marks.get(self.board.hexes[hex_id], {})
        for name, face in marks.items():
            marker = self.position.game.marker[name]
            towards = self.ground.behind(hex_id, str(marker.values.get("direction", "")))
            if marker.kind == "fortification" and marker.side == side and towards == against:
                return face
        return 0


def straits_closed(field: Field, side: str) -> bool:
    """No Axis unit crosses while Sevastopol with its port is the enemy's; the Soviets begin with it."""
    ports = field.board.with_feature("sevastopol-port")
    return side == AXIS and not all(field.holder(h) == side for h in ports)


def allies_stand(field: Field) -> bool:
    """Whether a minor ally of Germany still has a city with a complex (7)."""
    ours = field.board.with_feature("minor-ally")
    cities = [h for h in ours if field.complexes(h)] or ours
    return any(field.holder(h) == AXIS for h in cities)


def ours(case: Case, units: Iterable[Unit]) -> list[Unit]:
    """Those of the side whose turn it is."""
    side = side_of(case.phase)
    return [unit for unit in units if unit.side == side]


def ground_of(case: Case) -> Ground:
    return case.once(Ground, lambda: Ground(case))


def field_of(case: Case) -> Field:
    """The field as it is now."""
    return case.kept(field_of, case.position.version, lambda: Field(ground_of(case), case.position))


def field_at_phase_start(case: Case) -> Field:
    start = case.phase_start
    return case.kept(field_at_phase_start, start, lambda: Field(ground_of(case), start))


def original(case: Case, hex_id: HexId) -> str:
    """Whose a hex was originally (2, 4): before the war, whatever a scenario begins with."""
    board = ground_of(case).board
    return case.game.holder_at_start(board.hexes[hex_id]) or ""
