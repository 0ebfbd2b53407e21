"""Faults of the turn's frame: phases, weather, Directive 3, pause, concentration, supply check, points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from players.faults import Edit
from players.lwe import points
from players.lwe.mutations import CONCENTRATION, Place, fault
from validator.games.lwe.book import DRY, FROST, GERMAN, MUD, RAIN, SNOW, SOVIET
from validator.model.events import Declared, Event, Marked, PhaseBegan, Removed, Rolled, StepChanged, Unmarked
from validator.model.position import Unit

WEATHERS = (DRY, RAIN, MUD, FROST, SNOW)
DIRECTIVE_FROM, WEATHER_FROM, NEAREST_FROM = 8, 12, 5
DEAD = "soviet-eliminated"


def said(place: Place, what: str) -> Declared | None:
    event = place.event
    return event if isinstance(event, Declared) and event.what == what else None


def rolled(place: Place, reason: str) -> Rolled | None:
    event = place.event
    return event if isinstance(event, Rolled) and event.reason == reason else None


def last(place: Place) -> Event:
    return place.events[place.at - 1]


# --- phases (5.1, 5.2, 5.3) ----------------------------------------------------------------------------


@fault("5.2a")
def a_phase_gone_back_to(place: Place) -> Iterator[Edit]:
    if place.ending("german-refit-completion", "soviet-move", "victory"):
        yield 0, [PhaseBegan(place.turn, "german-move")]


@fault("5.3b")
def soviet_assaults_after_movement(place: Place) -> Iterator[Edit]:
    if place.ending("soviet-move"):
        yield 0, [PhaseBegan(place.turn, "soviet-pa")]


@fault("5.2a")
def a_turn_gone_back_to(place: Place) -> Iterator[Edit]:
    if place.ending("weather") and place.turn > 1:
        yield 0, [PhaseBegan(place.turn - 1, "turn-end")]


# --- weather (10) --------------------------------------------------------------------------------------


@fault("10.1a", "10.8b")
def the_weather_is_not_rolled(place: Place) -> Iterator[Edit]:
    """Nor named; the fault shows when the German turn begins."""
    if rolled(place, "weather"):
        rest = list(place.rest_of_phase())
        yield len(rest), []


@fault("10.2a")
def a_die_for_each_zone(place: Place) -> Iterator[Edit]:
    before = last(place)
    if isinstance(before, Rolled) and before.reason == "weather":
        yield 0, [Rolled((place.random.randint(1, 6),), 6, "weather")]


@fault("10.1a")
def weather_rolled_before_its_time(place: Place) -> Iterator[Edit]:
    if place.ending("weather") and place.turn < WEATHER_FROM:
        yield 0, [Rolled((place.random.randint(1, 6),), 6, "weather")]


@fault("10.1a", "10.2a")
def weather_rolled_in_another_phase(place: Place) -> Iterator[Edit]:
    settled = place.course.north == place.course.south == SNOW
    if place.ending("turn-start") and place.turn >= WEATHER_FROM and not settled:
        yield 0, [Rolled((place.random.randint(1, 6),), 6, "weather")]


@fault("2.1a")
def weather_by_a_die_of_ten(place: Place) -> Iterator[Edit]:
    event = rolled(place, "weather")
    if event:
        yield 1, [replace(event, sides=10)]


@fault("10.2a", "10.8a")
def weather_misread(place: Place) -> Iterator[Edit]:
    event = said(place, "weather")
    if event:
        others = [f"{n}/{s}" for n in WEATHERS for s in WEATHERS if f"{n}/{s}" != event.value]
        yield 1, [replace(event, value=place.random.choice(others))]


@fault("10.3a")
def rain_in_summer(place: Place) -> Iterator[Edit]:
    if place.ending("weather") and place.turn < WEATHER_FROM:
        yield 0, [Declared("weather", value=place.random.choice(("rain/rain", "mud/dry", "dry/rain")))]


# --- Directive 3 and the supply check (7.12, 11.24) ----------------------------------------------------


@fault("7.12a")
def directive_3_ended_too_early(place: Place) -> Iterator[Edit]:
    if place.ending("turn-start") and place.turn < DIRECTIVE_FROM:
        yield 0, [Declared("rescind-dd3")]


@fault("7.12a")
def directive_3_ended_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.course.dd3 and place.turn >= DIRECTIVE_FROM and place.ending("soviet-new-units", "soviet-pa"):
        yield 0, [Declared("rescind-dd3")]


@fault("11.24g")
def a_zone_outlives_directive_3(place: Place) -> Iterator[Edit]:
    event = place.event
    if not isinstance(event, Removed) or event.box != "soviet-removed":
        return
    unit = place.position.units[event.unit]
    if unit.on_map and not place.field.board.has_place(place.hex_id(unit), "city"):
        yield 1, []


@fault("7.12c", "7.12d")
def a_unit_out_of_supply_stays(place: Place) -> Iterator[Edit]:
    event = place.event
    if place.phase == "soviet-supply" and isinstance(event, Removed):
        yield 1, []


@fault("7.12d")
def a_unit_in_supply_is_taken_off(place: Place) -> Iterator[Edit]:
    if place.ending("soviet-supply") and not place.course.dd3:
        for unit in place.any(place.units(SOVIET, lambda u: place.supply.supplied(place.hex_id(u)))):
            yield 0, [Removed(unit.id, DEAD)]


@fault("5.6c")
def a_unit_is_taken_off_under_directive_3(place: Place) -> Iterator[Edit]:
    if place.ending("soviet-supply") and place.course.dd3:
        for unit in place.any(place.units(SOVIET, lambda u: not u.has("rifle-corps"))):
            yield 0, [Removed(unit.id, DEAD)]


@fault("7.7c")
def germans_lose_steps_for_want_of_supply(place: Place) -> Iterator[Edit]:
    if place.ending("soviet-supply"):
        for unit in place.any(place.units(GERMAN, lambda u: u.step < u.type.steps)):
            yield 0, [StepChanged(unit.id, unit.step, unit.step + 1)]


@fault("7.3c", "7.3b")
def a_line_to_a_farther_rollbahn(place: Place) -> Iterator[Edit]:
    """Supply is claimed by a Rollbahn in reach that works, while a nearer one does not (7.3)."""
    if place.turn < NEAREST_FROM or not place.ending("german-move"):
        return
    found = place.supply
    for unit in place.any(place.units(GERMAN, lambda u: not place.fed(u))):
        if found.by_any_road(place.hex_id(unit)):
            yield 0, [Declared("in-supply", (unit.id,))]


# --- the pause and the concentration (7.5, 7.6) --------------------------------------------------------


@fault("7.5a")
def a_pause_at_the_wrong_time(place: Place) -> Iterator[Edit]:
    wrong = place.ending("turn-end") and place.turn not in range(2, 6)
    if wrong or (place.ending("german-move", "german-declaration") and place.turn in range(2, 6)):
        yield 0, [Declared("declare-pause")]


@fault("7.6a")
def a_concentration_at_the_wrong_time(place: Place) -> Iterator[Edit]:
    if place.ending("german-move", "soviet-move", "turn-start"):
        yield 0, [Declared("concentrate-supply")]


@fault("7.6a")
def a_concentration_declared_again(place: Place) -> Iterator[Edit]:
    """After one was ended in an earlier turn."""
    ended = place.course.concentrated_before and not place.course.concentrated
    turn = any(isinstance(e, Declared) for e in place.case.in_phase.events)
    if place.ending("german-declaration") and ended and not turn:
        yield 0, [Declared("concentrate-supply")]


@fault("7.6a")
def a_concentration_ended_in_its_turn(place: Place) -> Iterator[Edit]:
    declared = any(
        isinstance(e, Declared) and e.what == "concentrate-supply" for e in place.case.in_phase.events
    )
    if place.ending("german-declaration") and declared:
        yield 0, [Declared("end-concentration")]


@fault("7.6b")
def a_marker_of_concentration_forgotten(place: Place) -> Iterator[Edit]:
    event = place.event
    begun = any(CONCENTRATION in unit.marks for unit in place.case.phase_start.on_map(GERMAN))
    if isinstance(event, Marked) and event.marker == CONCENTRATION and not begun:
        yield 1, []


@fault("7.6b")
def nineteen_markers_of_concentration(place: Place) -> Iterator[Edit]:
    if place.ending("german-declaration") and _marked(place):
        for unit in place.any(place.units(GERMAN, lambda u: CONCENTRATION not in u.marks)):
            yield 0, [Marked(CONCENTRATION, unit.id)]


@fault("7.6b")
def a_marker_of_concentration_given_to_another(place: Place) -> Iterator[Edit]:
    held = _marked(place)
    before = place.case.phase_start.units
    old = [unit for unit in held if CONCENTRATION in before[unit.id].marks]
    if place.ending("german-declaration") and old:
        one = place.random.choice(old)
        for unit in place.any(place.units(GERMAN, lambda u: CONCENTRATION not in u.marks)):
            yield 0, [Unmarked(CONCENTRATION, one.id), Marked(CONCENTRATION, unit.id)]


@fault("7.6b")
def a_marker_of_concentration_laid_later(place: Place) -> Iterator[Edit]:
    if place.ending("german-move", "german-new-units") and _marked(place):
        for unit in place.any(place.units(GERMAN, lambda u: CONCENTRATION not in u.marks)):
            yield 0, [Marked(CONCENTRATION, unit.id)]


def _marked(place: Place) -> list[Unit]:
    return place.units(GERMAN, lambda u: CONCENTRATION in u.marks)


# --- points (4) ----------------------------------------------------------------------------------------


COUNTS = ("3.2a", "4.2a", "4.2b", "4.2c", "4.3a", "4.3b", "8.12c")


@fault(*COUNTS)
def points_miscounted(place: Place) -> Iterator[Edit]:
    event = said(place, "victory-points")
    if event:
        wrong = int(event.value) + place.random.choice((-4, -2, -1, 1, 2, 3))
        yield 1, [replace(event, value=str(wrong))]


@fault("4.5a")
def a_victory_claimed_too_early(place: Place) -> Iterator[Edit]:
    """By the German player, in a turn without a check or with too few points at it."""
    campaign = place.case.scenario.id == "campaign"
    won = any(isinstance(e, Declared) and e.what == "victory" for e in place.case.in_phase.events)
    if place.ending("victory") and campaign and not won:
        yield 0, [Declared("victory", value="German major victory")]


@fault("4.5a")
def play_goes_on_after_a_victory(place: Place) -> Iterator[Edit]:
    """A won check, not noticed: the next turn begins."""
    rows = {int(row.id): int(row.cells[0]) for row in place.case.game.table["victory-check"].rows}
    event = said(place, "victory")
    if event and place.phase == "victory" and "German" in event.value and place.turn in rows:
        count = points.places(place.field)
        if count >= rows[place.turn] and place.turn < max(rows):
            yield 1, [PhaseBegan(place.turn + 1, "turn-start")]


@fault("4.4a")
def moscow_is_not_rolled_for(place: Place) -> Iterator[Edit]:
    if rolled(place, "Moscow falls"):
        yield 1, []


@fault("4.4b")
def moscow_is_rolled_for_twice(place: Place) -> Iterator[Edit]:
    before = last(place)
    if isinstance(before, Rolled) and before.reason == "Moscow falls":
        yield 0, [replace(before, values=(place.random.randint(1, 6),))]


@fault("4.4b")
def moscow_is_rolled_for_in_autumn(place: Place) -> Iterator[Edit]:
    """Once the weather has been other than dry no die is rolled."""
    if place.ending("german-move") and place.course.wet:
        yield 0, [Rolled((6,), 6, "Moscow falls")]


# --- phases passed over ---------------------------------------------------------------------------------


def passed(place: Place, phase: str) -> list[Event]:
    """What is done in a phase that begins with this event."""
    event = place.event
    if not isinstance(event, PhaseBegan) or event.phase != phase:
        return []
    rest = list(takewhile(lambda e: not isinstance(e, PhaseBegan), place.events[place.at + 1 :]))
    return [event, *rest]


@fault("10.1a", "10.8b")
def the_weather_phase_passed_over(place: Place) -> Iterator[Edit]:
    deeds = passed(place, "weather")
    if any(isinstance(e, Rolled) for e in deeds):
        yield len(deeds), []


@fault("7.12c", "7.12d")
def the_supply_check_passed_over(place: Place) -> Iterator[Edit]:
    deeds = passed(place, "soviet-supply")
    if any(isinstance(e, Removed) for e in deeds):
        yield len(deeds), []
