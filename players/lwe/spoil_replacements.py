"""Faults of steps, refits and units that come back (8.6 to 8.9, 8.11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.lwe.arrivals import RATES, STEPS
from players.lwe.mutations import REFIT, Place, fault
from players.lwe.spoil_arrivals import fed_towns, put
from players.lwe.supply import REGULAR
from validator.games.lwe.book import GERMAN, GERMAN_ENTRY, SOVIET, SOVIET_ENTRY, SOVIET_MOVE
from validator.model.events import Event, Marked, Moved, Placed, Rolled, StepChanged, Unmarked
from validator.model.position import Unit

POOL, DEAD = "replacement-pool", "soviet-eliminated"
START, END = "german-refit-start", "german-refit-completion"
SUCCEEDS = 4


# --- German steps (8.6) --------------------------------------------------------------------------------


def worn(place: Place, trait: str) -> list[Unit]:
    return place.units(GERMAN, lambda u: u.has(trait) and u.step > 1)


def given(place: Place) -> int:
    """Steps of the fourteen that are gone."""
    found, phase = 0, ""
    for event in place.events[: place.at]:
        phase = getattr(event, "phase", phase)
        found += phase == GERMAN_ENTRY and isinstance(event, StepChanged) and event.new < event.old
    return found


@fault("8.6a")
def a_step_for_a_mechanized_division(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        for unit in place.any(worn(place, "refits")):
            yield 0, [StepChanged(unit.id, 2, 1)]


@fault("8.6b")
def a_step_for_a_division_out_of_supply(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        for unit in place.any(u for u in worn(place, "step-replaced") if not place.fed(u)):
            yield 0, [StepChanged(unit.id, 2, 1)]


@fault("8.6b")
def a_step_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending(START, "german-move"):
        for unit in place.any(worn(place, "step-replaced")):
            yield 0, [StepChanged(unit.id, 2, 1)]


@fault("8.6a")
def a_fifteenth_step(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY):
        able = [u for u in worn(place, "step-replaced") if place.fed(u)]
        left = STEPS - given(place)
        if len(able) > left:
            yield 0, [StepChanged(unit.id, 2, 1) for unit in able[: left + 1]]


@fault("8.6c")
def a_step_taken_back(place: Place) -> Iterator[Edit]:
    before = place.events[place.at - 1]
    if place.phase == GERMAN_ENTRY and isinstance(before, StepChanged) and before.new == 1:
        yield 0, [StepChanged(before.unit, 1, 2)]


# --- refits (8.11, 10.9) -------------------------------------------------------------------------------


def _refit(place: Place, units: list[Unit]) -> Iterator[Edit]:
    for unit in place.any(u for u in units if REFIT not in u.marks):
        yield 0, [Marked(REFIT, unit.id)]


def _behind(place: Place, unit: Unit) -> bool:
    enemies = place.enemies(GERMAN)
    return not any(h in enemies for h in place.field.board.adjacent[place.hex_id(unit)])


@fault("8.11a")
def a_refit_of_who_is_whole(place: Place) -> Iterator[Edit]:
    if place.ending(START) and not place.course.broken:
        whole = place.units(GERMAN, lambda u: u.has("refits") and u.step == 1)
        yield from _refit(
            place, [u for u in whole if place.supply.state_of(u) == REGULAR and _behind(place, u)]
        )


@fault("8.11a")
def a_refit_of_infantry(place: Place) -> Iterator[Edit]:
    if place.ending(START) and not place.course.broken:
        yield from _refit(place, [u for u in worn(place, "step-replaced") if _behind(place, u)])


@fault("8.11b")
def a_refit_beside_the_enemy(place: Place) -> Iterator[Edit]:
    if place.ending(START) and not place.course.broken:
        yield from _refit(place, [u for u in worn(place, "refits") if not _behind(place, u)])


@fault("8.11b")
def a_refit_without_regular_supply(place: Place) -> Iterator[Edit]:
    if place.ending(START) and not place.course.broken:
        far = [u for u in worn(place, "refits") if place.supply.state_of(u) != REGULAR and _behind(place, u)]
        yield from _refit(place, far)


@fault("8.11a")
def a_refit_begun_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_ENTRY) and not place.course.broken:
        able = [u for u in worn(place, "refits") if place.supply.state_of(u) == REGULAR and _behind(place, u)]
        yield from _refit(place, able)


@fault("10.9a")
def a_refit_in_the_mud(place: Place) -> Iterator[Edit]:
    if place.ending(START) and place.course.broken:
        able = [u for u in worn(place, "refits") if place.supply.state_of(u) == REGULAR and _behind(place, u)]
        yield from _refit(place, able)


def _die(place: Place, event: Event) -> Rolled | None:
    return event if isinstance(event, Rolled) and event.reason == "refit" else None


@fault("8.11d")
def a_refit_that_failed_is_made(place: Place) -> Iterator[Edit]:
    before = _die(place, place.events[place.at - 1])
    if before and before.about and before.values[0] > SUCCEEDS:
        yield 0, [StepChanged(before.about, 2, 1)]


@fault("8.11d")
def a_refit_that_succeeded_is_not_made(place: Place) -> Iterator[Edit]:
    before = _die(place, place.events[place.at - 1])
    if before and isinstance(place.event, StepChanged):
        yield 1, []


@fault("8.11d")
def a_second_die_for_a_refit(place: Place) -> Iterator[Edit]:
    before = _die(place, place.events[place.at - 1])
    if before:
        yield 0, [replace(before, values=(place.random.randint(1, 6),))]


@fault("8.11d")
def a_refit_without_its_die(place: Place) -> Iterator[Edit]:
    if _die(place, place.event):
        yield 1, []


@fault("8.11d")
def a_refit_marker_left_on(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Unmarked) and event.marker == REFIT:
        yield 1, []


# --- Soviet units that come back (8.7, 8.8) ------------------------------------------------------------


def dead(place: Place) -> list[Unit]:
    return [u for u in place.boxed(DEAD) if u.has("replaceable")]


def steps_left(place: Place) -> int:
    """What the centres of this turn still give, by how they stood when the phase began."""
    field, found = place.field, place.supply
    centres = [h for h in field.board.with_feature("replacement-center") if field.holder(h) == SOVIET]
    rate = next((each for turn, each in RATES if place.turn >= turn), 0)
    used = 0
    for event in place.case.in_phase.events:
        spot = event.spot if isinstance(event, Placed) else event.path[-1] if isinstance(event, Moved) else ""
        name = event.unit if isinstance(event, Placed) else event.units[0] if isinstance(event, Moved) else ""
        before = place.case.phase_start.units[name].spot if name else None
        used += before == DEAD and not isinstance(spot, str)
        used += 5 if isinstance(event, StepChanged) else 0
    return rate * sum(found.regular(h) for h in centres) - used


@fault("8.7a", "8.7e", "8.7g", "8.8a", "8.9b")
def more_come_back_than_the_centres_give(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        left, units, towns = steps_left(place), dead(place), fed_towns(place)
        left = max(left, 0)
        if len(units) > left and towns and left < 30:
            spots = [place.random.choice(towns) for _ in range(left + 1)]
            pairs = zip(units, spots, strict=False)
            yield 0, [Placed(unit.id, place.hex(h)) for unit, h in pairs]


@fault("8.7b", "8.7d")
def a_unit_comes_back_that_never_does(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        odd = ("replaceable", "guards", "fortified-zone", "coastal-army", "naval-infantry")
        units = [u for u in place.boxed(DEAD) if not any(u.has(trait) for trait in odd)]
        yield from put(place, units, fed_towns(place))


@fault("8.7c")
def a_unit_comes_back_in_the_country(place: Place) -> Iterator[Edit]:
    """In no large town or city."""
    if place.ending(SOVIET_ENTRY) and steps_left(place) > 0:
        towns = set(place.field.board.with_place("large-town", "city"))
        fed = place.hexes(lambda h: place.field.holder(h) == SOVIET and place.supply.regular(h))
        yield from put(place, dead(place), [h for h in fed if h not in towns])


@fault("8.7c")
def a_unit_comes_back_in_a_german_town(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY) and steps_left(place) > 0:
        towns = place.field.board.with_place("large-town", "city")
        yield from put(
            place, dead(place), [h for h in towns if place.field.holder(h) == GERMAN and place.empty(h)]
        )


@fault("7.16b")
def a_unit_comes_back_where_no_line_reaches(place: Place) -> Iterator[Edit]:
    """Off the coast, where nobody can think it supplied."""
    if place.ending(SOVIET_ENTRY) and steps_left(place) > 0:
        towns = place.field.board.with_place("large-town", "city")
        held = [h for h in towns if place.field.holder(h) == SOVIET]
        yield from put(place, dead(place), [h for h in held if not place.supply.supplied(h)])


@fault("8.7f")
def a_unit_comes_back_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        yield from put(place, dead(place), fed_towns(place))


@fault("8.7h")
def a_unit_of_the_pool_comes_back(place: Place) -> Iterator[Edit]:
    """No rifle corps has released it."""
    if place.ending(SOVIET_ENTRY) and steps_left(place) > 0:
        yield from put(place, place.boxed(POOL), fed_towns(place))


# --- Soviet steps (8.9, 8.13, 3.4) ---------------------------------------------------------------------


@fault("8.9b")
def the_coastal_army_filled_up_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_MOVE):
        for unit in place.units(SOVIET, lambda u: u.has("coastal-army") and u.step > 1):
            yield 0, [StepChanged(unit.id, 2, 1)]


@fault("8.13d")
def guards_are_filled_up(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        for unit in place.any(place.units(SOVIET, lambda u: u.has("guards") and u.step > 1)):
            yield 0, [StepChanged(unit.id, 2, 1)]


@fault("3.4e")
def a_soviet_unit_is_reduced(place: Place) -> Iterator[Edit]:
    if place.ending(SOVIET_ENTRY):
        for unit in place.any(place.units(SOVIET, lambda u: u.type.steps == 1)):
            yield 0, [StepChanged(unit.id, 1, 2)]
