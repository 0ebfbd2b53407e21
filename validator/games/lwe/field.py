"""The field as the rules see it: who stands where, what movement costs in this weather, what may be crossed.

A `Field` belongs to one state of the position; `field_of` makes it when a rule first asks. There are no
zones of control in this game.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from fieldpost.hexes import Hex, neighbors
from validator.core.board import Board, HexId, Mask, minus, union
from validator.core.costs import ONE, CostTable, Line, Prices
from validator.core.explain import Wording
from validator.core.recent import Recent
from validator.core.supply import Lines
from validator.games.lwe.book import ENEMY, GERMAN, SNOW
from validator.games.lwe.control import controller, intact, on_line
from validator.games.lwe.course import NORTH, RIVERLESS, SOUTH, Course, course_of, may_be
from validator.games.lwe.state import Case
from validator.model.position import Position, Unit
from validator.procedures import field
from validator.procedures.control import may_hold, surely_holds

ROAD = "rollbahn"
STRAITS = ("sivash", "strait")  # 7.14
TOWNS = ("small-town", "large-town", "city")
MECHANIZED = "mechanized"  # the mobility of mechanized units
PHRASES = {
    "hexside:sivash": "the crossing at {hexes} is made from its hexes alone, as the whole move",
    "hexside:strait": "the crossing at {hexes} is made from its hexes alone, as the whole move",
    "frozen": "{hexes} lies outside Romania, which units there do not leave in turn 1",
    "romania": "{hexes} lies in Romania, which is closed to Soviet units in turn 1",
    "nations": "{hexes} holds units of another nation",
    "north": "{hexes} lies north of the sector line",
    "one-hex": "{hexes} is more than one hex away",
    "overfull": "no room in {hexes}",
    "fortified": "an intact fortified line at {hexes}",
    "enemy-city": "an enemy city at {hexes}",
    "sea": "no attack crosses the sea between {hexes}",
    "lake": "attacks cross the lake between {hexes} in snow only",
    "other-sea": "{hexes} lie on different waters, and not every hex of the Kerch Straits is Soviet",
    "not-own-source": "the source at {hexes} is not held",
}


class Ground(field.Ground):
    """What does not change in a scenario: the board, its masks, the costs of movement."""

    def __init__(self, case: Case) -> None:
        game, scenario = case.game, case.scenario
        area = game.map.area[scenario.area].hexes if scenario.area else None
        self.board = Board(game.map, area)
        self.table = game.table["terrain-effects"]
        self.wording = Wording.of(self.board, scenario.sheet, phrases=PHRASES)
        zones = game.map.grid["weather-zone"].values
        self.south = self.board.mask(i for i, h in enumerate(self.board.hexes) if zones.get(h) == SOUTH)
        lines = game.map.grid["supply"].values
        self.attenuated = self.board.mask(
            i for i, h in enumerate(self.board.hexes) if lines.get(h) == "attenuated"
        )
        self.cities = self.board.with_place("city")
        self.city_hexes = frozenset(self.board.hexes[h] for h in self.cities)
        self.roads = self.board.on_line(ROAD)
        self.road_ids = self.board.members(self.roads)
        self.road_hexes = frozenset(self.board.hexes[h] for h in self.road_ids)
        self.crossings = self.board.steps_across(*STRAITS)
        self.straits_freeze = case.option("strait-snow") == "open"
        self._lines = on_line(case)
        self._costs: dict[object, CostTable] = {}
        self._to_roads: dict[HexId, dict[HexId, int]] = {}
        self.networks: Recent[Lines] = Recent()  # of roads that lead to a source
        self._countries: dict[str, Mask] = {}
        self._abroad: dict[str, Mask] = {}

    def road_distances(self, hex_id: HexId) -> dict[HexId, int]:
        """How far every Rollbahn hex is from a hex."""
        if hex_id not in self._to_roads:
            self._to_roads[hex_id] = self.board.distances(hex_id, self.road_ids)
        return self._to_roads[hex_id]

    def in_country(self, country: str) -> Mask:
        if country not in self._countries:
            inside = (h for h in range(len(self.board)) if self.country(h) == country)
            self._countries[country] = self.board.mask(inside)
        return self._countries[country]

    def outside(self, country: str) -> Mask:
        if country not in self._abroad:
            self._abroad[country] = minus(bytes([1]) * len(self.board), self.in_country(country))
        return self._abroad[country]

    @cached_property
    def southern(self) -> Mask:
        """Where satellites end their moves and attack (9.31): the southern sector, and Romania."""
        return union(self.board.in_area("south-sector"), self.in_country("romania"))

    def edge(self, name: str) -> list[HexId]:
        """The hexes of a named stretch of the map's edge."""
        hexes = next((edge.hexes for edge in self.board.map.edges if edge.id == name), ())
        return [self.board.id_of[h] for h in hexes if h in self.board.id_of]

    @cached_property
    def barriers(self) -> Mask:
        """What stops a German line of supply until it is taken: fortified lines, cities."""
        lines = self.board.mask(self.board.id_of[h] for h in self._lines if h in self.board.id_of)
        return union(lines, self.board.mask(self.cities))

    @cached_property
    def rim(self) -> Mask:
        """Hexes on any edge of the map (8.2): those with a side that no hex of it borders."""
        ids, printed = self.board.id_of, self.board.map.hexes
        return self.board.mask(i for hex_, i in ids.items() if not printed.issuperset(neighbors(hex_)))

    def place_name(self, hex_: Hex) -> str:
        return self.named_place(hex_, *TOWNS)

    # --- movement (9.8 to 9.19, 10.4 to 10.7) ---

    def costs(self, mobility: str, course: Course, *, rivers: bool = True, roads: bool = False) -> CostTable:
        """The price of every step; the southern zone has its own weather."""
        north, south = course.weather(NORTH), course.weather(SOUTH)
        key = (mobility, north, south, rivers, roads)
        if key not in self._costs:
            prices, other = (self._prices(mobility, w, south, rivers, roads) for w in (north, south))
            regions = [(self.south, other)] if south != north else []
            self._costs[key] = CostTable(self.board, prices, regions=regions)
        return self._costs[key]

    def _prices(self, mobility: str, weather: str, south: str, rivers: bool, roads: bool) -> Prices:
        prices = Prices.from_table(self.table, self.board, mobility, weather)
        prices = replace(prices, lines={ROAD: Line(ONE)} if roads else {})
        if weather == SNOW:
            prices = prices.alike({"lake": "clear"})
        if not rivers:
            prices = prices.hexsides_at({"river": 0})
        frozen = {"sivash": south, "strait": weather}  # the Sivash is all southern (10.7)
        thaw = not self.straits_freeze
        return prices.hexsides_at({kind: None if thaw or w != SNOW else 0 for kind, w in frozen.items()})


class Field(field.Field):
    """One state of the position."""

    ground: Ground

    def __init__(self, ground: Ground, case: Case, position: Position) -> None:
        super().__init__(ground, position)
        self.case = case
        self.turn = position.turn
        self.course = course_of(case)
        self._supposed_lines: Mask | None = None
        self.lines: dict[type, Any] = {}  # of supply, kept by `lines`

    @staticmethod
    def stands(unit: Unit) -> bool:
        """The aircraft is over the hex, not in it (11.25)."""
        return not unit.has("aircraft")

    # --- what is whose ---

    def holder(self, hex_id: HexId) -> str:
        return controller(self.position, self.board.hexes[hex_id])

    def may_hold(self, side: str, hex_id: HexId) -> bool:
        """As `holder`; what a log that begins in mid-game does not show is taken the kindest way."""
        return may_hold(self.position, side, self.board.hexes[hex_id])

    def surely_holds(self, side: str, hex_id: HexId) -> bool:
        return surely_holds(self.position, side, self.board.hexes[hex_id])

    def cities_of(self, side: str) -> Mask:
        held = (h for h in self.ground.cities if self.surely_holds(side, h))
        hexes = self.ground.city_hexes
        return self.position.keep_held(("cities", side), hexes, lambda: self.board.mask(held))

    @cached_property
    def intact_lines(self) -> Mask:
        """Fortified line hexes that stand (11.23)."""
        if self._supposed_lines is not None:
            return self._supposed_lines
        key = ("intact lines", len(self.case.in_game.ruined))
        return self.position.keep_held(
            key, on_line(self.case), lambda: self.board.mask(self.ids(intact(self.case, self.position)))
        )

    @cached_property
    def sound_lines(self) -> Mask:
        """Those that stand for certain: a log that begins in mid-game does not show which fell before."""
        return self.board.mask() if self.position.partial else self.intact_lines

    def weather(self, hex_id: HexId) -> str:
        return self.course.weather(SOUTH if self.ground.south[hex_id] else NORTH)

    def may_be(self, hex_id: HexId, weather: str) -> bool:
        return weather in may_be(self.case, SOUTH if self.ground.south[hex_id] else NORTH)

    def supposing(self, north: str, south: str, lines: Mask) -> Field:
        """The same field in weather, and with fortified lines, that a log does not show."""
        other = Field(self.ground, self.case, self.position)
        other.course = replace(self.course, north=north, south=south)
        other._supposed_lines = lines
        return other

    def shut_to(self, side: str) -> dict[str, Mask]:
        """Hexes that no line of supply of a side enters (7.13), by key."""
        shut = {"enemy": self.occupied(ENEMY[side]), "enemy-city": self.cities_of(ENEMY[side])}
        return {**shut, "fortified": self.sound_lines} if side == GERMAN else shut

    @property
    def roads_open(self) -> bool:
        """Rollbahnen help movement (9.19) until mud or snow has come (10.10)."""
        early = self.case.option("rollbahn-ends") == "not-dry"
        return not (self.course.wet if early else self.course.broken)

    def costs_for(self, unit: Unit) -> CostTable:
        """What movement costs a unit now; the German side has roads, and at first no rivers (5.4)."""
        favored = unit.side == GERMAN
        rivers = not (favored and self.turn in RIVERLESS)
        return self.ground.costs(
            unit.type.mobility, self.course, rivers=rivers, roads=favored and self.roads_open
        )

    def closed_to(self, side: str) -> Mask:
        return union(*self.shut_to(side).values())


def mechanized(unit: Unit) -> bool:
    return unit.type.mobility == MECHANIZED


def satellite(unit: Unit) -> bool:
    """Italian, Hungarian or Romanian (1.5)."""
    return unit.has("satellite")


def printed(unit: Unit, factor: str) -> int:
    """A printed number of the unit's present side; a single combat factor attacks and defends (2.10)."""
    return field.printed(unit, factor, "" if factor == "movement" else "combat")


def ground_of(case: Case) -> Ground:
    return case.once(Ground, lambda: Ground(case))


def field_of(case: Case) -> Field:
    """The field as it is now."""
    course, ruined = course_of(case), len(case.in_game.ruined)
    state = (case.position.version, case.turn, course.north, course.south, course.broken, ruined)
    return case.kept(field_of, state, lambda: Field(ground_of(case), case, case.position))


def field_at_phase_start(case: Case) -> Field:
    start = case.phase_start
    return case.kept(field_at_phase_start, start, lambda: Field(ground_of(case), case, start))
