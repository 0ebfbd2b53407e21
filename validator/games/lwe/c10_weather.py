"""Chapter 10: the weather of the two zones. What it does to movement is in `c09_march`, to battles in 11."""

from __future__ import annotations

from validator.engine.referee import Case
from validator.engine.rulebook import Faults
from validator.games.lwe import tracks
from validator.games.lwe.book import (
    DECLARATION,
    DRY,
    GERMAN_ENTRY,
    GERMAN_MOVE,
    GERMAN_PA_FIRST,
    REFIT,
    RULES,
    SNOW,
    TURN_START,
    WEATHER,
    WEATHER_ROLL,
)
from validator.games.lwe.course import FIRST_WEATHER, NORTH, SOUTH, course_of, may_be, roll_weather
from validator.model.events import Declared, PhaseBegan, Rolled
from validator.model.findings import Fault, Verdict

AFTER_WEATHER = (DECLARATION, REFIT, GERMAN_ENTRY, GERMAN_PA_FIRST, GERMAN_MOVE)
SEEN = "weather-phase"


@RULES.rule("lwe-10.1a", "lwe-10.2a", "lwe-10.8b", "lwe-2.1a")
@RULES.before(Rolled)
def one_die_makes_the_weather_of_both_zones(case: Case, event: Rolled) -> Faults:
    if event.reason.lower() != WEATHER_ROLL:
        return
    course, turn = course_of(case), case.turn
    if event.sides != 6:
        yield Fault("lwe-2.1a", f"a die of {event.sides} sides for the weather")
        return
    if turn < FIRST_WEATHER:
        yield Fault("lwe-10.1a", f"the weather is rolled from turn {FIRST_WEATHER} on, this is turn {turn}")
        return
    if len(event.values) != 1 or case.in_turn.notes.get(WEATHER_ROLL):
        yield Fault("lwe-10.2a", "one die is rolled for both zones; the south takes it at minus 2")
        return
    case.in_turn.notes[WEATHER_ROLL] = True
    if course.north == course.south == SNOW:
        yield Fault("lwe-10.8b", "snow lasts in both zones: no die is rolled", verdict=Verdict.WARNING)
        return
    if case.phase not in (TURN_START, WEATHER):  # the tracker may not have been turned yet
        yield Fault("lwe-10.1a", "the weather is rolled in the Weather Determination Phase")
    next_turn = case.option("weather-turn") == "next-turn"
    if next_turn:
        case.in_game.notes["weather to come"] = (turn + 1, event.values[0])
    else:
        roll_weather(case, course, turn, event.values[0])


@RULES.before(PhaseBegan)
def weather_rolled_before_comes(case: Case, event: PhaseBegan) -> Faults:
    """By the option that a roll is for the next turn."""
    turn, die = case.in_game.notes.get("weather to come", (0, 0))
    if event.turn == turn and case.turn < turn:
        roll_weather(case, course_of(case), turn, die)
    yield from ()


@RULES.at_phase_start(WEATHER)
def the_weather_phase_is_seen(case: Case) -> Faults:
    case.in_turn.notes[SEEN] = True
    yield from ()


@RULES.rule("lwe-10.1a", "lwe-10.8b")
@RULES.at_phase_start(*AFTER_WEATHER)
def the_weather_has_been_rolled(case: Case) -> Faults:
    """Told once a turn, and only of turns that the log shows from their start."""
    course = course_of(case)
    if case.turn < FIRST_WEATHER or case.in_turn.notes.get(WEATHER_ROLL) or course.rolled == case.turn:
        return
    if not _seen(case) or case.in_turn.notes.get("weather missed"):
        return
    if not course.known and all(SNOW in may_be(case, zone) for zone in (NORTH, SOUTH)):
        return
    if course.north == course.south == SNOW or case.option("weather-turn") == "next-turn":
        return
    case.in_turn.notes["weather missed"] = True
    if course.north == SNOW:
        yield Fault("lwe-10.8b", "no die was rolled, and the south has no lasting snow yet")
    else:
        yield Fault("lwe-10.1a", f"no die was rolled for the weather of turn {case.turn}")


def _seen(case: Case) -> bool:
    """The log shows the weather phase, or that it was passed over."""
    opened = (isinstance(e, PhaseBegan) and e.phase == TURN_START for e in case.in_turn.events)
    return bool(case.in_turn.notes.get(SEEN)) or any(opened)


@RULES.rule("lwe-10.2a", "lwe-10.3a", "lwe-10.8a")
@RULES.before(Declared)
def the_weather_is_named_as_it_is(case: Case, event: Declared) -> Faults:
    """`declare weather = snow/frost`: the north, then the south. What was rolled counts, not what is said."""
    said = tuple(event.value.lower().split("/"))
    if event.what != WEATHER_ROLL or len(said) != 2:
        return
    course = course_of(case)
    north, south = said
    if not course.known and {north} <= may_be(case, NORTH) and {south} <= may_be(case, SOUTH):
        course.set_weather(case.turn, north, south)
    elif case.turn < FIRST_WEATHER and set(said) != {DRY}:
        yield Fault("lwe-10.3a", f"the weather is dry in turn {case.turn}")
    elif course.north == SNOW and north != SNOW:
        yield Fault("lwe-10.8a", f"snow lasts in the north to the end; {north} was named")
    elif said != (course.north, course.south):
        yield Fault("lwe-10.2a", f"{_told(case)}; {north} and {south} were named")


def _told(case: Case) -> str:
    north, south = (" or ".join(sorted(may_be(case, zone))) for zone in (NORTH, SOUTH))
    return f"the weather is {north} in the north and {south} in the south"


@RULES.rule("lwe-10.2a", "lwe-10.8a")
@RULES.at_phase_end(WEATHER)
def the_markers_show_the_weather(case: Case) -> Faults:
    """Where they were moved: in a log whose weather is not known they tell it."""
    shown, course = tracks.weather_shown(case.position), course_of(case)
    if shown is None or not tracks.were_set(case, *tracks.ZONES):
        return
    if not course.known:
        course.set_weather(case.turn, *shown)
    elif shown != (course.north, course.south) and case.option("weather-turn") == "this-turn":
        rule = "lwe-10.8a" if course.north == SNOW and shown[0] != SNOW else "lwe-10.2a"
        yield Fault(
            rule, f"{_told(case)}; the markers show {shown[0]} and {shown[1]}", verdict=Verdict.WARNING
        )


# --- dice of one kind (2.1) ------------------------------------------------------------------------


@RULES.rule("lwe-2.1a")
@RULES.before(Rolled)
def one_die_of_six_decides(case: Case, event: Rolled) -> Faults:
    """Three for the artillery command; chapter 11 looks at the dice of battles."""
    if event.reason.lower() in ("refit", "moscow falls") and (event.sides != 6 or len(event.values) != 1):
        yield Fault("lwe-2.1a", f"{event.reason}: one six-sided die is rolled", verdict=Verdict.WARNING)
