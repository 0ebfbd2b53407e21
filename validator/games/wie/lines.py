"""General supply and the range of headquarters (7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from validator.core.board import HexId, Mask, minus
from validator.core.costs import Links
from validator.core.hops import hops
from validator.games.wie.book import AXIS, RULES, SNOW
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import Field, field_of, straits_closed
from validator.games.wie.state import Case, Unsupplied
from validator.games.wie.units import is_air, is_hq
from validator.model.position import Unit

REACH, REACH_IN_SNOW = 2, 1
HQ_RANGE, HQ_RANGE_IN_SNOW = 4, 2
MARKER = "out-of-supply"


@dataclass
class Supply:
    """General supply of one side in one state of the position, by the strict and by the kindest reading.

    The kindest: two hexes in snow too, any length to the edge of the map.
    """

    field: Field
    side: str
    weather: str
    zones: bool = True  # whether enemy armor cuts it
    strait: bool = True  # whether lines go over the strait while it is closed

    @property
    def limit(self) -> int:
        return REACH_IN_SNOW if self.weather == SNOW else REACH

    def has(self, hex_id: HexId) -> bool:
        """In supply as we read the rules."""
        return hex_id in self._strict

    def lacks(self, hex_id: HexId) -> bool:
        """Out of supply by every reading."""
        return hex_id not in self._kind

    @property
    def _links(self) -> Links:
        ground = self.field.ground
        shut = not self.strait and straits_closed(self.field, self.side)
        return (ground.closed if shut else ground.costs).links()

    @cached_property
    def _cut(self) -> Mask:
        return self.field.cut_for(self.side) if self.zones else self.field.barred_for(self.side)

    @cached_property
    def _open(self) -> Mask:
        """Hexes that lines go through."""
        return minus(self.field.held(self.side), self._cut)

    @cached_property
    def _strict(self) -> set[HexId]:
        return self._supplied(self._near)

    @cached_property
    def _near(self) -> dict[HexId, HexId]:
        """Hexes near enough to a city or the edge, each with the next one on the way there."""
        return self._hops(self._cities | self._edge, self.limit)

    @cached_property
    def _kind(self) -> set[HexId]:
        far = self._hops(self._edge, len(self.field.board))
        return self._supplied({**self._hops(self._cities, REACH), **far})

    @cached_property
    def _cities(self) -> set[HexId]:
        """Friendly cities; one that the enemy surrounds supplies nobody (4, 7)."""
        held = self.field.held(self.side)
        return {h for h in self.field.ground.cities if held[h] and not self.surrounded(h)}

    def surrounded(self, hex_id: HexId) -> bool:
        """Every hex beside it that can be left for holds enemy units, or lies in their zones."""
        cut = self._cut
        return all(cut[h] for h, _ in self._links[hex_id])

    @cached_property
    def _edge(self) -> set[HexId]:
        held = self.field.held(self.side)
        return {h for h in self.field.ground.edge(self.side) if held[h]}

    def _hops(self, sources: set[HexId], limit: int) -> dict[HexId, HexId]:
        cut, links = self._cut, self._links
        return hops(links, sorted(h for h in sources if not cut[h]), limit, self._open)

    def _supplied(self, reached: dict[HexId, HexId]) -> set[HexId]:
        """With all hexes of chains of units of which one is reached."""
        board, links = self.field.board, self._links
        own = {h for h, unit in self.field.of_side(self.side)}
        chained = hops(links, own.intersection(reached), len(board), board.mask(own))
        return {*reached, *chained}

    def line(self, hex_id: HexId) -> tuple[HexId, ...]:
        """To a city or the edge, where there is one without a chain."""
        path = [hex_id]
        while path[-1] != self._near.get(path[-1], path[-1]):
            path.append(self._near[path[-1]])
        return tuple(path)


def supply_of(case: Case, field: Field, side: str) -> Supply:
    def make() -> Supply:
        return Supply(field, side, kindest(case), strait=case.option("strait-supply") == "open")

    if field is not field_of(case):
        return make()
    return case.kept((supply_of, side), (case.position.version, kindest(case)), make)


# --- what the last check has found -------------------------------------------------------------------------


@RULES.track_start()
def what_markers_tell_of_the_last_check(case: Case) -> None:
    """Where a log begins in mid-game nobody saw the check: units that are marked were without supply."""
    game = case.in_game
    if game.from_start or game.first != (case.turn, case.phase) or game.unsupplied:
        return
    for unit in case.position.on_map():
        if MARKER in unit.marks:
            game.unsupplied[unit.id] = Unsupplied(unit.marks[MARKER])


def is_out(case: Case, unit: Unit) -> bool:
    """Found without general supply at its owner's last check, by every reading; paratroops never are."""
    known = case.in_game.unsupplied.get(unit.id)
    dropped = unit.id in case.in_turn.by(unit.side).dropped
    return known is not None and known.sure and not dropped and not is_air(unit)


def reconnected(case: Case, field: Field, unit: Unit) -> bool:
    """Found without supply by the check, and in supply as things stand now."""
    return is_out(case, unit) and any(map(supply_of(case, field, unit.side).has, field.ids((unit.spot,))))


def counter_offensive(case: Case, side: str) -> bool:
    """The turn of the German counter-offensive, by option: supply and weather bind no attack (8)."""
    return side == AXIS and case.in_game.counter_offensive == case.turn


def in_red_city(field: Field, unit: Unit) -> bool:
    return any(map(field.red, field.ids((unit.spot,))))


# --- combat supply -----------------------------------------------------------------------------------------


def hq_range(case: Case) -> int:
    return HQ_RANGE_IN_SNOW if kindest(case) == SNOW else HQ_RANGE


def commanders(case: Case, field: Field, side: str) -> list[tuple[HexId, Unit]]:
    """Headquarters that can give combat supply: those not surely without general supply themselves."""
    return [(h, unit) for h, unit in field.headquarters(side) if not is_out(case, unit)]


def in_range(case: Case, field: Field, hq: HexId, hex_id: HexId) -> bool:
    return field.board.distance(hq, hex_id) <= hq_range(case)


def shortened(case: Case, field: Field, unit: Unit) -> bool:
    """Whether a headquarters would be near enough but for the snow."""
    starts = [h for h, _ in commanders(case, field, unit.side)] if kindest(case) == SNOW else []
    hexes = field.ids((unit.spot,))
    return any(field.board.distance(h, hex_id) <= HQ_RANGE for h in starts for hex_id in hexes)


def linked(case: Case, field: Field, side: str, open_: Mask) -> set[HexId]:
    """Hexes in range of a headquarters by land, through open hexes."""
    starts = (h for h, _ in commanders(case, field, side))
    return set(hops(field.ground.costs.links(), starts, hq_range(case), open_))


def severed(case: Case, field: Field, side: str) -> set[HexId]:
    """Hexes in range of headquarters that enemy units and zones of armor cut off from all of them (7)."""

    def find() -> set[HexId]:
        everywhere = field.ground.everywhere
        whole = linked(case, field, side, everywhere)
        return whole - linked(case, field, side, minus(everywhere, field.cut_for(side)))

    if field is not field_of(case):
        return find()
    return case.kept((severed, side), (case.position.version, kindest(case)), find)


def cut_from_command(case: Case, field: Field, unit: Unit) -> bool:
    return not is_hq(unit) and field.id(unit.spot) in severed(case, field, unit.side)


def commanded(case: Case, field: Field, unit: Unit) -> bool:
    """Whether a headquarters of its side is near enough, and was in general supply at the last check."""
    if field.id(unit.spot) is None or is_hq(unit):
        return True
    return not all(is_out(case, hq) for hq in _near(case, field, unit))


def may_be_commanded(case: Case, field: Field, unit: Unit) -> bool:
    """The same of headquarters that are in supply again since the check."""
    near = list(_near(case, field, unit))
    return commanded(case, field, unit) or any(reconnected(case, field, hq) for hq in near)


def _near(case: Case, field: Field, unit: Unit) -> Iterator[Unit]:
    """Headquarters of its side within their range."""
    far = hq_range(case)
    for hex_id in field.ids((unit.spot,)):
        yield from (hq for h, hq in field.headquarters(unit.side) if field.board.distance(h, hex_id) <= far)
