"""Faults of movement by sea (9.17), and of who enters with movement (3.5, 8.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from players.faults import Edit
from players.lwe.mutations import Place, fault
from players.lwe.spoil_moves import idle
from validator.core.board import HexId
from validator.games.lwe.book import GERMAN, GERMAN_MOVE, SOVIET, SOVIET_MOVE
from validator.model.events import Event, Moved, Removed
from validator.model.position import Unit

# --- by sea (9.17) ------------------------------------------------------------------------------------------


KERCH = ("3448", "3348", "3449")


def ports(place: Place) -> list[HexId]:
    board = place.field.board
    return [h for h in board.with_feature("coastal-supply") if place.field.holder(h) == SOVIET]


def _sailors(place: Place, wanted: Callable[[Unit], bool]) -> list[Unit]:
    """Units in a port that began the phase there."""
    gone, harbors = place.gone(), set(ports(place))
    units = place.units(SOVIET, lambda u: wanted(u) and u.id not in gone and u.type.stacking > 0)
    return [u for u in units if place.hex_id(u) in harbors]


def _voyage(place: Place, units: list[Unit], ends: list[HexId]) -> Iterator[Edit]:
    for unit in place.any(units):
        there = [h for h in ends if h != place.hex_id(unit) and not place.field.units(h, GERMAN)]
        there = [h for h in there if place.free(h, SOVIET, unit)]
        if there:
            yield 0, [place.move(unit, place.random.choice(there), mode="sea")]


@fault("9.17a")
def a_voyage_of_who_is_no_rifle_unit(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        dry = ("militia", "nkvd", "sea-transport", "static")
        units = _sailors(place, lambda u: not any(u.has(trait) for trait in dry))
        yield from _voyage(place, units, ports(place))


@fault("9.17a")
def a_sixth_division_at_sea(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        sent = sum(
            len(e.units) for e in place.case.in_phase.events if isinstance(e, Moved) and e.mode == "sea"
        )
        units = _sailors(place, lambda u: u.has("sea-transport") and not u.has("sea-only"))
        edits = [edit for _, edit in _voyage(place, units, ports(place))]
        first: dict[str, Event] = {edit[0].units[0]: edit[0] for edit in edits if isinstance(edit[0], Moved)}
        if len(first) > 5 - sent and sent < 6:
            yield 0, [*first.values()][: 6 - sent]


@fault("9.17c", "9.17e")
def a_voyage_to_where_no_port_is(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        harbors, board = set(place.field.board.with_feature("coastal-supply")), place.field.board
        shore = [
            h
            for h in place.hexes(lambda h: h not in harbors)
            if any(board.terrain[n] == "sea" or "sea" in board.side_of(h, n) for n in board.adjacent[h])
        ]
        far = [h for h in shore if place.empty(h)]
        units = _sailors(place, lambda u: u.has("sea-transport"))
        yield from _voyage(place, units, [h for h in far if place.label(h) > "1800"])


@fault("9.17c")
def a_voyage_to_an_enemy_port(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        lost = [h for h in place.field.board.with_feature("coastal-supply") if h not in ports(place)]
        yield from _voyage(place, _sailors(place, lambda u: u.has("sea-transport")), lost)


@fault("9.17d")
def a_voyage_through_straits_the_enemy_holds(place: Place) -> Iterator[Edit]:
    """From one sea to the other while not every hex at Kerch is Soviet."""
    board, field = place.field.board, place.field
    if place.ending(SOVIET_MOVE) and any(
        field.holder(board.id(h)) != SOVIET for h in KERCH if _in_play(place, h)
    ):
        azov = set(board.with_feature("azov-port"))
        for unit in place.any(_sailors(place, lambda u: u.has("sea-transport") and not u.has("sea-only"))):
            other = [h for h in ports(place) if (h in azov) != (place.hex_id(unit) in azov)]
            yield from _voyage(place, [unit], other)


def _in_play(place: Place, label: str) -> bool:
    return place.field.board.lattice.hex(label) in place.field.board.id_of


@fault("9.17b")
def a_voyage_from_no_port(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        harbors = set(place.field.board.with_feature("coastal-supply"))
        inland = [u for u in place.fresh(SOVIET) if u.has("sea-transport") and place.hex_id(u) not in harbors]
        yield from _voyage(place, inland, ports(place))


@fault("9.17b")
def a_voyage_after_a_march(place: Place) -> Iterator[Edit]:
    """Whoever marched into a port in this phase sails on."""
    if place.ending(SOVIET_MOVE):
        moved = [e for e in place.case.in_phase.events if isinstance(e, Moved) and e.mode != "sea"]
        names = {name for event in moved for name in event.units if not isinstance(event.start, str)}
        harbors = set(ports(place))
        units = place.units(SOVIET, lambda u: u.has("sea-transport") and u.id in names)
        yield from _voyage(place, [u for u in units if place.hex_id(u) in harbors], ports(place))


@fault("9.17e")
def a_german_voyage(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE):
        board = place.field.board
        held = [h for h in board.with_feature("coastal-supply") if place.field.holder(h) == GERMAN]
        units = [u for u in place.fresh(GERMAN) if place.hex_id(u) in held]
        for unit in place.any(units):
            ends = [h for h in held if h != place.hex_id(unit) and place.free(h, GERMAN, unit)]
            if ends:
                yield 0, [place.move(unit, place.random.choice(ends), mode="sea")]


# --- reserves (3.5, 8.3) ------------------------------------------------------------------------------


def _entering(place: Place, box: str, ends: list[HexId]) -> Iterator[Edit]:
    for unit in place.any(u for u in place.boxed(box) if u.counter.setup != "**"):
        open_ = [h for h in ends if place.free(h, GERMAN, unit) and place.supply.fed(h)]
        if open_:
            yield 0, [Moved((unit.id,), (box, place.hex(place.random.choice(open_))))]


@fault("3.5c")
def the_reserve_enters_by_another_edge(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE) and place.turn <= 2:
        ground = place.field.ground
        yield from _entering(
            place, "okh-reserve", [h for h in ground.edge("west") if ground.country(h) == "romania"]
        )


@fault("3.5c")
def the_reserve_enters_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending("german-new-units") and place.turn <= 2:
        ground = place.field.ground
        edge = [h for h in ground.edge("west") if ground.country(h) == "greater-germany"]
        yield from _entering(place, "okh-reserve", edge)


@fault("3.5d")
def a_unit_goes_back_to_the_reserve(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE) and place.turn <= 3:
        for unit in list(idle(place))[:1]:
            yield 0, [Moved((unit.id,), (unit.hex, "okh-reserve"))]


@fault("3.5d")
def the_reserve_stays_where_it_is(place: Place) -> Iterator[Edit]:
    """Nobody takes off those that did not enter by the end of turn 2's movement."""
    event = place.event
    if (
        isinstance(event, Removed)
        and place.turn == 2
        and event.unit in {u.id for u in place.boxed("okh-reserve")}
    ):
        yield 1, []


@fault("8.3a")
def asterisked_units_by_another_hex(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE):
        doors = set(place.field.ground.edge("asterisk-entry"))
        ends = [h for h in place.field.ground.edge("west") if h not in doors]
        yield from _entering(place, "off-map", ends)


@fault("8.3a")
def asterisked_units_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending("german-new-units"):
        yield from _entering(place, "off-map", list(place.field.ground.edge("asterisk-entry")))
