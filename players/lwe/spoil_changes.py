"""Faults of withdrawals, Guards and Stavka Directive 1 (8.12 to 8.14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.lwe.mutations import Place, fault
from validator.games.lwe.book import GERMAN, GERMAN_ENTRY, GERMAN_MOVE, SOVIET, SOVIET_ENTRY, TURN_START
from validator.model.events import Placed, Removed, Replaced
from validator.model.position import Unit

WITHDRAWN, POOL = "german-withdrawn", "replacement-pool"
DIRECTIVE_1, GUARDS_TURNS = 6, (12, 20)


# --- withdrawals (8.12) --------------------------------------------------------------------------------


def orders(place: Place, turn: int) -> list[dict[str, str]]:
    table = place.case.game.table["withdrawals"]
    rows = [table.row(row.id) for row in table.rows]
    return [dict(row) for row in rows if int(row["turn"]) == turn and row["may be declined"] == "yes"]


def called(place: Place, turn: int) -> list[Unit]:
    """Units on the map and in supply that the table calls for in a turn."""
    units: list[Unit] = []
    for row in orders(place, turn):
        fit = place.units(GERMAN, lambda u: u.type.id == row["unit types"] and place.fed(u))  # noqa: B023
        units += [u for u in fit if row["unit"] in ("-", u.id)]
    return units


def _leave(place: Place, units: list[Unit]) -> Iterator[Edit]:
    for unit in place.any(units):
        yield 0, [Removed(unit.id, WITHDRAWN)]


@fault("8.12a")
def a_withdrawal_nobody_called_for(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY) and place.turn < 18:
        yield from _leave(place, place.units(GERMAN, lambda u: u.has("division") and u.type.steps > 1))


@fault("8.12c", "8.12a", "8.12b")
def a_withdrawal_too_late(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        types = {u.type.id for u in called(place, place.turn)}
        late = [u for turn in range(18, place.turn) for u in called(place, turn)]
        yield from _leave(place, [u for u in late if u.type.id not in types])


@fault("8.12a")
def one_withdrawal_too_many(place: Place) -> Iterator[Edit]:
    rows, gone = orders(place, place.turn), place.case.in_phase.events
    if place.ending(GERMAN_ENTRY) and rows and not any(isinstance(e, Placed) for e in gone):
        row = place.random.choice(rows)
        left = sum(
            isinstance(e, Removed) and place.position.units[e.unit].type.id == row["unit types"] for e in gone
        )
        free = [u for u in called(place, place.turn) if u.type.id == row["unit types"]]
        wanted = int(row["number"]) + 1 - left
        if len(free) >= wanted > 0:
            yield 0, [Removed(unit.id, WITHDRAWN) for unit in free[:wanted]]


@fault("8.12a", "9.21a")
def a_withdrawal_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending("german-refit-start", GERMAN_MOVE):
        gone = place.gone()
        yield from _leave(place, [u for u in called(place, place.turn) if u.id not in gone])


@fault("8.12a")
def a_withdrawal_out_of_supply(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Removed) and event.box == WITHDRAWN and place.phase == GERMAN_ENTRY:
        kind = place.position.units[event.unit].type.id
        for unit in place.any(place.units(GERMAN, lambda u: u.type.id == kind and not place.fed(u))):
            yield 1, [replace(event, unit=unit.id)]


@fault("8.12a")
def a_withdrawal_after_arrivals(place: Place) -> Iterator[Edit]:
    """Withdrawals are the first thing in their phase."""
    event = place.event
    came = [e for e in place.rest_of_phase() if isinstance(e, Placed)]
    if isinstance(event, Removed) and event.box == WITHDRAWN and place.phase == GERMAN_ENTRY and came:
        rest = list(place.rest_of_phase())
        if not place.position.units[event.unit].has("aircraft"):
            yield len(rest), [*rest[1:], event]


@fault("8.12b", "8.12a", "8.12c")
def another_satellite_in_place_of_the_one_called_for(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Removed) and event.box == WITHDRAWN and event.unit == "HF":
        for unit in place.any(place.units(GERMAN, lambda u: u.has("satellite") and u.id != "HF")):
            yield 1, [replace(event, unit=unit.id)]


# --- Guards (8.13) -------------------------------------------------------------------------------------


def conversion(place: Place) -> Replaced | None:
    event = place.event
    return event if isinstance(event, Replaced) and event.why == "convert" else None


def _others(place: Place, event: Replaced) -> list[Unit]:
    """Soviet units that this phase does not tell of again."""
    later = [e for e in place.rest_of_phase() if isinstance(e, Replaced)]
    names = {name for e in later for name in e.old} - set(event.old)
    return place.units(SOVIET, lambda u: u.id not in names and not u.has("guards") and not u.has("static"))


@fault("8.13a")
def guards_of_another_type(place: Place) -> Iterator[Edit]:
    event = conversion(place)
    if event:
        kind = place.position.units[event.old[0]].type.id
        for unit in place.any(u for u in _others(place, event) if u.type.id != kind):
            if place.supply.regular(place.hex_id(unit)):
                yield 1, [replace(event, old=(unit.id,), spot=unit.hex)]


@fault("2.7a")
def guards_of_the_militia(place: Place) -> Iterator[Edit]:
    """Militia called Guards arrive like others."""
    event = conversion(place)
    named = [u for u in place.position.units.values() if u.has("militia-guards") and not u.on_map]
    if event and named:
        yield 1, [replace(event, new=((named[0].id, 1),))]


@fault("8.13a")
def guards_out_of_supply(place: Place) -> Iterator[Edit]:
    event = conversion(place)
    if event:
        kind = place.position.units[event.old[0]].type.id
        for unit in place.any(u for u in _others(place, event) if u.type.id == kind):
            if not place.supply.regular(place.hex_id(unit)):
                yield 1, [replace(event, old=(unit.id,), spot=unit.hex)]


@fault("8.13a")
def reduced_guards(place: Place) -> Iterator[Edit]:
    event = conversion(place)
    if event:
        yield 1, [replace(event, new=((event.new[0][0], 2),))]


@fault("8.13a")
def guards_in_another_hex(place: Place) -> Iterator[Edit]:
    event = conversion(place)
    if event:
        towns = place.field.board.with_place("city", "large-town")
        free = [h for h in towns if place.empty(h) and place.field.holder(h) == SOVIET]
        if free:
            yield 1, [replace(event, spot=place.hex(place.random.choice(free)))]


@fault("8.13a")
def two_units_for_one_of_guards(place: Place) -> Iterator[Edit]:
    event = conversion(place)
    if event:
        kind = place.position.units[event.old[0]].type.id
        for unit in place.any(
            u for u in _others(place, event) if u.type.id == kind and u.id not in event.old
        ):
            yield 1, [replace(event, old=(*event.old, unit.id))]


@fault("8.13b")
def guards_after_other_arrivals(place: Place) -> Iterator[Edit]:
    event = conversion(place)
    rest = list(place.rest_of_phase())
    if event and any(isinstance(e, Placed) for e in rest):
        follows = rest[1:2] if isinstance(rest[1], Removed) and rest[1].unit == event.old[0] else []
        others = rest[1 + len(follows) :]
        yield len(rest), [*others, event, *follows]


@fault("8.13b")
def guards_in_another_turn(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        guards = [u for u in place.position.units.values() if u.has("guards") and u.spot is None]
        due = {name: r.turn for r in place.case.scenario.reinforcements for name in r.units}
        for one in place.any(u for u in guards if due.get(u.id, 0) > place.turn):
            kind = one.type.values.get("converts-from")
            for unit in place.any(place.units(SOVIET, lambda u: u.type.id == kind)):  # noqa: B023
                yield 0, [Replaced((unit.id,), ((one.id, 1),), unit.hex, "convert")]


@fault("8.13a", "8.13b")
def guards_without_a_conversion(place: Place) -> Iterator[Edit]:
    event = conversion(place)
    if event:
        yield 1, [Placed(event.new[0][0], event.spot)]


# --- Stavka Directive 1 (8.14) -------------------------------------------------------------------------


def dissolved(place: Place) -> Replaced | None:
    event = place.event
    return event if isinstance(event, Replaced) and event.why == "reorganize" else None


@fault("8.14a")
def a_corps_is_not_dissolved(place: Place) -> Iterator[Edit]:
    if dissolved(place):
        yield 1, []


@fault("8.14a")
def too_few_divisions_for_a_corps(place: Place) -> Iterator[Edit]:
    event = dissolved(place)
    if event and len(event.new) > 1:
        yield 1, [replace(event, new=event.new[1:])]


@fault("8.14a")
def too_many_divisions_for_a_corps(place: Place) -> Iterator[Edit]:
    event = dissolved(place)
    told = {name for e in place.rest_of_phase() if isinstance(e, Replaced) for name, _ in e.new}
    pool = [unit.id for unit in place.boxed(POOL) if unit.id not in told]
    if event and pool:
        yield 1, [replace(event, new=(*event.new, (pool[0], 1)))]


@fault("8.14a")
def divisions_in_another_hex(place: Place) -> Iterator[Edit]:
    event = dissolved(place)
    here = place.field.id(event.spot) if event else None
    near = [h for h in place.beside(here) if place.empty(h)] if here is not None else []
    if event and near:
        yield 1, [replace(event, spot=place.hex(place.random.choice(near)))]


@fault("8.14a")
def divisions_that_are_not_of_the_pool(place: Place) -> Iterator[Edit]:
    event = dissolved(place)
    dead = [u for u in place.boxed("soviet-eliminated") if u.counter.setup != "RP" and u.has("rifle")]
    if event and dead and event.new:
        yield 1, [replace(event, new=((dead[0].id, 1), *event.new[1:]))]


@fault("8.14a")
def a_corps_dissolved_too_early(place: Place) -> Iterator[Edit]:
    if place.ending(TURN_START) and place.turn < DIRECTIVE_1:
        for corps in place.any(place.units(SOVIET, lambda u: u.has("rifle-corps"))):
            number = int(corps.counter.steps[0][0])
            new = tuple((unit.id, 1) for unit in place.boxed(POOL)[:number])
            yield 0, [Replaced((corps.id,), new, corps.hex, "reorganize")]
