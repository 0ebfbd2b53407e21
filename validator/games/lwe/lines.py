"""Where lines of supply reach (7.3, 7.9 to 7.11, 7.13 to 7.17), by side, in one state of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import chain
from typing import TypeVar

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.board import HexId, Mask, minus, union
from validator.core.costs import ONE, CostTable
from validator.core.spread import NEVER
from validator.core.strategic import flat_table
from validator.core.supply import Lines, SupplyRules, network, trace
from validator.games.lwe.book import GERMAN, SNOW, SOVIET
from validator.games.lwe.course import NORTH, may_be
from validator.games.lwe.field import ROAD, Field, field_of
from validator.games.lwe.state import Case
from validator.model.position import Position, Unit, carrying, of_side, on_map
from validator.procedures.faults import first_true
from validator.procedures.supplylines import scenario_sources

REGULAR, ATTENUATED, OUT = "regular", "attenuated", "out of supply"
RANGE = 12  # 7.3
FREE_ROADS = range(1, 4)  # turns in which the nearest Rollbahn need not be used (5.4)
CONCENTRATION = "supply-concentration"  # the marker (7.6)
GERMAN_EDGE, SOVIET_EDGES = "german-supply", ("soviet-supply-east", "soviet-supply-south")
LENINGRAD, ORANIENBAUM = "3802", "3701"  # 7.11


class _Lines:
    """What both sides' lines have in common."""

    side: str
    edges: tuple[str, ...] = ()

    def __init__(self, case: Case, field: Field) -> None:
        self.case, self.field = case, field
        self.board = field.board
        self.shut = field.shut_to(self.side)
        self._traced: dict[tuple[HexId, ...], Lines] = {}

    @cached_property
    def closed(self) -> Mask:
        return union(*self.shut.values())

    @cached_property
    def sources(self) -> list[HexId]:
        """Edge hexes that the side holds: one taken by the enemy gives nothing, to nobody (7.15, 7.17)."""
        printed, hexes = self.case.once((_Lines, self.side), self._printed)
        held = (h for h in printed if self.field.may_hold(self.side, h))
        return self.field.position.keep_held(("sources", self.side), hexes, lambda: list(held))

    def _printed(self) -> tuple[list[HexId], frozenset[Hex]]:
        """Whoever holds them: by their ids in their order, and as hexes."""
        ids = list(dict.fromkeys(self._printed_sources()))
        return ids, frozenset(self.field.hexes(ids))

    def _printed_sources(self) -> Iterator[HexId]:
        yield from scenario_sources(self.case, self.board, self.side)
        yield from chain.from_iterable(map(self.field.ground.edge, self.edges))


class GermanLines(_Lines):
    side = GERMAN
    edges = (GERMAN_EDGE,)

    @cached_property
    def rules(self) -> SupplyRules:
        frozen = SNOW in may_be(self.case, NORTH)  # all the lakes lie in the north
        return SupplyRules(line_costs(self.case, self.field, lakes=frozen), RANGE * ONE, self.shut)

    @cached_property
    def direct(self) -> Lines:
        return trace(self.rules, self.sources)

    @cached_property
    def working(self) -> Lines:
        """Rollbahn hexes with an open road to a source; a line that is on a Rollbahn stays on it."""
        closed = self.closed
        if self.case.option("rollbahn-control") == "held":
            closed = union(closed, minus(self.field.ground.roads, self.board.mask(self.roads)))
        key = (bytes(closed), tuple(self.sources))
        search = partial(network, self.board, [ROAD], self.sources, closed)
        return self.field.ground.networks.kept(key, search)

    @cached_property
    def working_roads(self) -> list[HexId]:
        lengths = self.working.lengths
        return [h for h in self.roads if lengths[h] < NEVER]

    @cached_property
    def roads(self) -> list[HexId]:
        """Rollbahn hexes the side holds, whether they work or not."""
        held = (h for h in self.field.ground.road_ids if self.field.may_hold(GERMAN, h))
        return self._while_roads_are_held("roads", lambda: list(held))

    def _while_roads_are_held(self, key: object, make: Callable[[], list[HexId]]) -> list[HexId]:
        return self.field.position.keep_held(key, self.field.ground.road_hexes, make)

    @cached_property
    def sure_roads(self) -> list[HexId]:
        if not self.field.position.partial:
            return self.roads
        sure = (h for h in self.roads if self.field.surely_holds(GERMAN, h))
        return self._while_roads_are_held("sure roads", lambda: list(sure))

    def works(self, hex_id: HexId) -> bool:
        return bool(self.field.ground.roads[hex_id]) and self.working.length(hex_id) is not None

    def supplied(self, hex_id: HexId) -> bool:
        """Regular or attenuated (7.3, 7.4)."""
        return self.direct.reaches(hex_id) or self.by_road(hex_id)

    def by_road(self, hex_id: HexId) -> bool:
        if not self._to_any_road.reaches(hex_id):
            return False
        lines = self.to_roads(hex_id)
        if self._by_path and not self.freely:
            lengths = self._to_held_road.lengths  # NEVER, where no such line is found
            return lines.reaches(hex_id) and lines.lengths[hex_id] <= lengths[hex_id]
        return lines.reaches(hex_id)

    @property
    def freely(self) -> bool:
        """Any working Rollbahn hex will do (5.4)."""
        return self.field.turn in FREE_ROADS

    @cached_property
    def _by_path(self) -> bool:
        """The nearest Rollbahn hex is that by the shortest line, not as the crow flies."""
        return self.case.option("nearest-rollbahn") == "path"

    def to_roads(self, hex_id: HexId) -> Lines:
        """Lines to the working Rollbahn hexes that a unit in this hex may use."""
        if self.freely or self._by_path:
            return self._to_any_road
        near = self.nearest_roads(hex_id)
        if self._to_any_road.source(hex_id) in near:
            return self._to_any_road  # the shortest line of all leads to one of them
        return self._from(tuple(filter(self.works, near)))

    def nearest_roads(self, hex_id: HexId) -> list[HexId]:
        """The nearest friendly Rollbahn hexes as the crow flies (7.3); with those that may be the nearest."""
        return self._while_roads_are_held(("nearest", hex_id), lambda: self._nearest_roads(hex_id))

    def _nearest_roads(self, hex_id: HexId) -> list[HexId]:
        away = self.field.ground.road_distances(hex_id)
        least = min(map(away.__getitem__, self.sure_roads), default=len(self.board))
        return [h for h in self.roads if away[h] <= least]

    @cached_property
    def _to_any_road(self) -> Lines:
        return trace(self.rules, self.working_roads)

    @cached_property
    def _to_held_road(self) -> Lines:
        return trace(self.rules, self.sure_roads)

    def _from(self, ends: tuple[HexId, ...]) -> Lines:
        if ends not in self._traced:
            self._traced[ends] = trace(self.rules, ends)
        return self._traced[ends]

    def state(self, hex_id: HexId) -> str:
        """7.2 to 7.4; a completed pause frees from the GAS Line (7.5)."""
        if not self.supplied(hex_id):
            return OUT
        free = (
            self.field.course.may_be_rested(self.field.turn)
            and self.case.option("regular-beyond-gas") == "on"
        )
        return ATTENUATED if self.field.ground.attenuated[hex_id] and not free else REGULAR

    def why_out(self, hex_id: HexId) -> str:
        """What keeps a hex out of supply."""
        words, away = self.field.ground.wording, self.field.ground.road_distances(hex_id)
        near = self.nearest_roads(hex_id)
        least = min(map(away.__getitem__, near), default=0)
        nearest = [h for h in near if away[h] == least]
        roads, hexes = say.listed([words.hex(h) for h in nearest]), "hex" if least == 1 else "hexes"
        cut = "" if any(map(self.works, nearest)) else ", which is cut off"
        end = first_true(
            (not near, ", and no Rollbahn hex is German"),
            (self.freely, " or to a working Rollbahn hex"),
            otherwise=f" or to the nearest Rollbahn hex {roads}, {least} {hexes} away{cut}",
        )
        return f"no open line of {RANGE} hexes from {words.hex(hex_id)} to a source{end}"


class SovietLines(_Lines):
    side = SOVIET
    edges = SOVIET_EDGES

    @cached_property
    def lines(self) -> Lines:
        costs = line_costs(self.case, self.field, lakes=True)
        limit = len(self.board) * ONE
        return trace(SupplyRules(costs, limit, self.shut), self.sources)

    def regular(self, hex_id: HexId) -> bool:
        return self.lines.reaches(hex_id)

    def over_the_sea(self, hex_id: HexId) -> bool:
        """Whether a line would reach if the sea were no bar (7.14)."""
        costs = line_costs(self.case, self.field, lakes=True)
        rules = SupplyRules(costs, len(self.board) * ONE, self.shut).lift("hexside:sea", "terrain:sea")
        return trace(rules, self.sources).reaches(hex_id)

    def coastal(self, hex_id: HexId) -> bool:
        """A town or city on the Black Sea or the Sea of Azov (7.10)."""
        return self.board.has_feature(hex_id, "coastal-supply")

    def oranienbaum(self, hex_id: HexId) -> bool:
        """7.11: while Leningrad is held and supplied."""
        if self.board.label(hex_id) != ORANIENBAUM:
            return False
        city = self.board.id_of.get(self.board.lattice.hex(LENINGRAD))
        return city is not None and self.field.may_hold(SOVIET, city) and self.regular(city)

    def supplied(self, hex_id: HexId) -> bool:
        return self.regular(hex_id) or self.coastal(hex_id) or self.oranienbaum(hex_id)


def line_costs(case: Case, field: Field, *, lakes: bool) -> CostTable:
    """A point a hex over all playable ground; of the sea only Sivash and straits are crossed (7.14)."""
    bans = ("sea",) if lakes else ("sea", "lake")
    return case.once((line_costs, bans), lambda: flat_table(field.board, bans, bans))


L = TypeVar("L", bound=_Lines)


def _of_field(kind: type[L], case: Case, field: Field | None) -> L:
    """Of the field as it is now, if none is named."""
    field = field or field_of(case)
    if kind not in field.lines:
        field.lines[kind] = kind(case, field)
    lines: L = field.lines[kind]
    return lines


def german_lines(case: Case, field: Field | None = None) -> GermanLines:
    return _of_field(GermanLines, case, field)


def soviet_lines(case: Case, field: Field | None = None) -> SovietLines:
    return _of_field(SovietLines, case, field)


LINES = {GERMAN: german_lines, SOVIET: soviet_lines}


def state_of(case: Case, unit: Unit, field: Field | None = None) -> str:
    """The supply state of a unit of the German side; a concentration marker frees from the GAS Line (7.6)."""
    field = field or field_of(case)
    hex_id = field.id(unit.spot)
    if hex_id is None:
        return OUT
    state = german_lines(case, field).state(hex_id)
    return REGULAR if state == ATTENUATED and CONCENTRATION in unit.marks else state


def concentrated(case: Case) -> bool:
    """A supply concentration is on: its markers lie on units (7.6)."""
    state = (case.position, case.position.marks_version)
    return case.kept(concentrated, state, lambda: _concentrated(case.position))


def _concentrated(position: Position) -> bool:
    return bool(of_side(on_map(carrying(position.units.values(), CONCENTRATION)), GERMAN))


def unmarked(units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if CONCENTRATION not in unit.marks]
