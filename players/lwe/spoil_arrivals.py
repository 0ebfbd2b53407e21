"""Faults of reinforcements: when, where and how they come (8.1 to 8.5, 11.24)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from players.faults import Edit
from players.lwe.mutations import LIMIT, Place, fault
from players.lwe.supply import ATTENUATED, OUT, REGULAR
from validator.core.board import HexId
from validator.games.lwe.book import GERMAN, GERMAN_ENTRY, GERMAN_MOVE, SOVIET, SOVIET_ENTRY, SOVIET_MOVE
from validator.model.events import Event, Moved, Placed, Removed
from validator.model.position import Unit

TOWNS, BIG_TOWNS = ("small-town", "large-town", "city"), ("large-town", "city")
HOME = ("greater-germany", "romania")
COMMAND = "special-entry"


def listed(place: Place, side: str, when: Callable[[int], bool]) -> list[Unit]:
    """Reinforcements of some turns that are not on the map, nor dead."""
    names = [
        name
        for arrival in place.case.scenario.reinforcements
        if arrival.side == side and when(arrival.turn)
        for name in arrival.units
    ]
    units = [place.position.units[name] for name in names]
    odd = ("guards", "coastal-army", "naval-infantry", "fortified-zone")
    return [u for u in units if u.spot is None and not any(u.has(trait) for trait in odd)]


def came(place: Place, event: Event) -> tuple[Unit, HexId] | None:
    """The unit that an event brings onto the map as it is due, and where."""
    if not isinstance(event, Placed):
        return None
    unit, end = place.position.units[event.unit], place.field.id(event.spot)
    due = any(event.unit in r.units for r in place.case.scenario.reinforcements)
    entry = place.phase in (GERMAN_ENTRY, SOVIET_ENTRY) and unit.spot is None
    return (unit, end) if end is not None and due and entry else None


def edge(place: Place) -> list[HexId]:
    """The western edge in Greater Germany, German and in supply."""
    ground, field = place.field.ground, place.field
    home = [h for h in ground.edge("west") if ground.country(h) == HOME[0]]
    return [h for h in home if field.holder(h) == GERMAN and place.supply.fed(h)]


def put(place: Place, units: list[Unit], ends: Sequence[HexId]) -> Iterator[Edit]:
    """A unit that has room in one of these hexes, placed there."""
    for unit in place.any(units):
        open_ = [h for h in ends if place.free(h, unit.side, unit)]
        if open_:
            yield 0, [Placed(unit.id, place.hex(place.random.choice(open_)))]


def instead(place: Place, end: HexId | None) -> Iterator[Edit]:
    """The arrival of this event comes to another hex."""
    event = place.event
    if isinstance(event, Placed) and end is not None and not _told_later(place, event.unit):
        yield 1, [replace(event, spot=place.hex(end))]


def _told_later(place: Place, name: str) -> bool:
    later = list(place.rest_of_phase())[1:]
    return any(isinstance(e, Moved) and name in e.units for e in later)


# --- when (8.1, 8.2, 8.5) ------------------------------------------------------------------------------


@fault("8.1b")
def a_german_arrival_too_early(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        early = listed(place, GERMAN, lambda turn: turn > place.turn)
        yield from put(place, [u for u in early if not u.has("satellite")], edge(place))


@fault("8.2a")
def a_german_arrival_too_late(place: Place) -> Iterator[Edit]:
    """Whoever did not come when it was due is forfeit."""
    if place.ending(GERMAN_ENTRY):
        late = listed(place, GERMAN, lambda turn: turn < place.turn)
        yield from put(place, [u for u in late if not u.has("satellite")], edge(place))


@fault("8.1a")
def a_german_arrival_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE):
        due = listed(place, GERMAN, lambda turn: turn == place.turn)
        yield from put(place, [u for u in due if not u.has("satellite")], edge(place))


def _soviet_ends(place: Place, unit: Unit) -> list[HexId]:
    """Where the counter says, as far as it is Soviet and in supply."""
    code, board = unit.counter.setup or "", place.field.board
    hexes = board.with_place(*TOWNS)
    if code[:1].isdigit():
        hexes = [board.id(label) for label in code.split() if board.lattice.hex(label) in board.id_of]
    return [h for h in hexes if place.field.holder(h) == SOVIET and place.supply.regular(h)]


def _soviets(place: Place, when: Callable[[int], bool]) -> Iterator[Edit]:
    for unit in place.any(listed(place, SOVIET, when)):
        yield from put(place, [unit], _soviet_ends(place, unit))


@fault("8.5a")
def a_soviet_arrival_in_the_wrong_turn(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        yield from _soviets(place, lambda turn: turn != place.turn)


@fault("8.1a")
def a_soviet_arrival_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        yield from _soviets(place, lambda turn: turn == place.turn)


@fault("2.12b")
def an_arrival_that_is_reduced(place: Place) -> Iterator[Edit]:
    found = came(place, place.event)
    if found and found[0].type.steps > 1 and isinstance(place.event, Placed):
        yield 1, [replace(place.event, step=2)]


# --- where (8.2, 8.5) ----------------------------------------------------------------------------------


@fault("8.2b")
def a_german_arrival_in_the_wrong_place(place: Place) -> Iterator[Edit]:
    """In the open, or in a town on a Rollbahn that has no regular supply."""
    found = came(place, place.event)
    if found and found[0].side == GERMAN and not found[0].has("satellite"):
        board, ground, unit = place.field.board, place.field.ground, found[0]
        held = place.hexes(lambda h: place.field.holder(h) == GERMAN and not ground.rim[h])
        bad = [h for h in held if not (ground.roads[h] and board.has_place(h, *TOWNS))]
        bad = [h for h in bad if place.free(h, GERMAN, unit) and place.supply.fed(h)]
        yield from instead(place, place.pick(bad))


@fault("8.2b")
def a_german_arrival_in_a_town_poorly_fed(place: Place) -> Iterator[Edit]:
    found = came(place, place.event)
    if found and found[0].side == GERMAN and not found[0].has("satellite"):
        board, ground = place.field.board, place.field.ground
        towns = [h for h in board.with_place(*TOWNS) if ground.roads[h] and place.field.holder(h) == GERMAN]
        poor = [
            h for h in towns if place.supply.state(h) in (ATTENUATED, OUT) and ground.country(h) not in HOME
        ]
        yield from instead(place, place.pick([h for h in poor if place.free(h, GERMAN, found[0])]))


@fault("8.2c")
def satellites_arrive_outside_romania(place: Place) -> Iterator[Edit]:
    found = came(place, place.event)
    if found and found[0].has("satellite"):
        yield from instead(place, place.pick([h for h in edge(place) if place.empty(h)]))


@fault("8.2f")
def a_german_arrival_in_a_soviet_hex(place: Place) -> Iterator[Edit]:
    found = came(place, place.event)
    if found and found[0].side == GERMAN:
        towns = [h for h in place.field.board.with_place(*TOWNS) if place.field.holder(h) == SOVIET]
        yield from instead(place, place.pick([h for h in towns if place.empty(h)]))


@fault("8.5a", "8.5e")
def a_soviet_arrival_in_the_wrong_hex(place: Place) -> Iterator[Edit]:
    found = came(place, place.event)
    if found and found[0].side == SOVIET and not found[0].has("coastal-army"):
        unit, board = found[0], place.field.board
        allowed = {board.hexes[h] for h in _soviet_ends(place, unit)}
        printed = {
            board.lattice.hex(label) for label in (unit.counter.setup or "").split() if label.isdigit()
        }
        some = place.random.sample(range(len(board)), 80)
        fed = [h for h in some if place.field.holder(h) == SOVIET and place.supply.regular(h)]
        bad = [h for h in fed if place.free(h, SOVIET, unit) and board.hexes[h] not in allowed | printed]
        yield from instead(place, place.pick(bad))


@fault("8.5b", "8.5c", "8.5d")
def a_soviet_arrival_in_a_hex_without_supply(place: Place) -> Iterator[Edit]:
    """Printed on the counter, and German or cut off."""
    if not place.ending(SOVIET_ENTRY):
        return
    board = place.field.board
    for unit in place.any(listed(place, SOVIET, lambda turn: turn == place.turn)):
        labels = [label for label in (unit.counter.setup or "").split() if label.isdigit()]
        ends = [board.id(label) for label in labels if board.lattice.hex(label) in board.id_of]
        lost = [h for h in ends if place.field.holder(h) == GERMAN or not place.supply.supplied(h)]
        lost = [h for h in lost if not place.field.units(h, GERMAN)]
        lost = [h for h in lost if not board.has_feature(h, "coastal-supply")]  # read in two ways
        if lost and not any(_fed_before(place, h) for h in lost):
            yield 0, [Placed(unit.id, place.hex(lost[0]))]


def _fed_before(place: Place, hex_id: HexId) -> bool:
    """Soviet and in supply when the Soviet turn began, unless it was taken since."""
    return place.field.holder(hex_id) == SOVIET and place.supply.regular(hex_id)


@fault("8.5f")
def the_coastal_army_lands_elsewhere(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Placed) and place.position.units[event.unit].has("coastal-army"):
        allowed = {"2141", "2548"}
        towns = [h for h in place.field.board.with_feature("coastal-supply") if place.label(h) not in allowed]
        yield from instead(place, place.pick([h for h in towns if place.empty(h)]))


@fault("8.1d")
def a_hex_overfilled_beside_one_with_room(place: Place) -> Iterator[Edit]:
    found = came(place, place.event)
    if found and found[0].side == SOVIET:
        unit, end = found
        ends = _soviet_ends(place, unit)
        several = len((unit.counter.setup or "").split()) > 1 and (unit.counter.setup or "")[:1].isdigit()
        full = [h for h in ends if place.load(h, SOVIET) + unit.type.stacking > LIMIT]
        if several and full and place.load(end, SOVIET) + unit.type.stacking <= LIMIT:
            yield from instead(place, full[0])


@fault("8.1d", "8.7i", "6.2c")
def a_hex_left_overfull(place: Place) -> Iterator[Edit]:
    """Arrivals that should have gone on stay where they are."""
    event = place.event
    if place.phase == SOVIET_MOVE and isinstance(event, Moved) and not isinstance(event.start, str):
        here = place.field.id(event.start)
        later = list(place.rest_of_phase())[1:]
        again = any(isinstance(e, Moved) and event.start in (e.start, e.end) for e in later)
        again = again or any(isinstance(e, Moved) and set(e.units) & set(event.units) for e in later)
        if here is not None and place.load(here, SOVIET) > LIMIT and not again:
            yield 1, []


# --- those that do not come back (8.4, 8.6, 8.9, 8.13, 11.24) ------------------------------------------


@fault("8.6c")
def a_dead_german_unit_comes_back(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        dead = [u for u in place.boxed("german-eliminated") if not u.has("satellite")]
        yield from put(place, [u for u in dead if not u.has("artillery-command")], edge(place))


@fault("11.24f")
def a_dead_fortified_zone_comes_back(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        yield from put(
            place, [u for u in place.boxed("soviet-eliminated") if u.has("fortified-zone")], fed_towns(place)
        )


@fault("8.13d")
def dead_guards_come_back(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        yield from put(
            place, [u for u in place.boxed("soviet-eliminated") if u.has("guards")], fed_towns(place)
        )


@fault("8.9a")
def the_dead_coastal_army_comes_back(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        dead = [u for u in place.boxed("soviet-eliminated") if u.has("coastal-army")]
        yield from put(place, dead, place.field.board.with_feature("coastal-supply"))


def fed_towns(place: Place) -> list[HexId]:
    """Soviet large towns and cities in regular supply."""
    towns = place.field.board.with_place(*BIG_TOWNS)
    return [h for h in towns if place.field.holder(h) == SOVIET and place.supply.regular(h)]


# --- the artillery command (8.4) -----------------------------------------------------------------------


def _guns(place: Place) -> list[Unit]:
    return [u for u in place.boxed(COMMAND, "german-eliminated") if u.has("artillery-command")]


@fault("8.4a", "8.4b")
def artillery_outside_a_soviet_town(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        yield from put(place, _guns(place), edge(place))


@fault("8.4a", "8.4b")
def artillery_in_a_town_poorly_fed(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        ground = place.field.ground
        towns = [h for h in place.field.board.with_place(*TOWNS) if place.field.holder(h) == GERMAN]
        poor = [h for h in towns if place.supply.state(h) != REGULAR and ground.country(h) == "soviet-union"]
        yield from put(place, _guns(place), poor)


@fault("8.4b")
def artillery_goes_home(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY, "german-refit-start"):
        for unit in place.units(GERMAN, lambda u: u.has("artillery-command")):
            yield 0, [Removed(unit.id, COMMAND)]
