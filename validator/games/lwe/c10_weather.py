"""Chapter 10: the weather of the two zones. What it does to movement is in `c09_march`, to battles in 11."""

from __future__ import annotations

from operator import contains

from validator.engine.rulebook import JUDGED, Faults
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
from validator.games.lwe.state import Case
from validator.model.events import Declared, PhaseBegan, Rolled
from validator.model.findings import Fault, Verdict
from validator.procedures import faults

AFTER_WEATHER = (DECLARATION, REFIT, GERMAN_ENTRY, GERMAN_PA_FIRST, GERMAN_MOVE)


@RULES.rule("lwe-10.1a", "lwe-10.2a", "lwe-10.8b", "lwe-2.1a")
@RULES.before(Rolled, reason=WEATHER_ROLL)
def one_die_makes_the_weather_of_both_zones(case: Case, event: Rolled) -> Faults:
    """The tracker may not have been turned to the phase yet."""
    turn, second = case.turn, len(event.values) != 1 or case.in_turn.weather_rolled
    early = f"the weather is rolled from turn {FIRST_WEATHER} on, this is turn {turn}"
    rows = (
        (event.sides != 6, "lwe-2.1a", f"a die of {event.sides} sides for the weather"),
        (turn < FIRST_WEATHER, "lwe-10.1a", early),
        (second, "lwe-10.2a", "one die is rolled for both zones; the south takes it at minus 2"),
        (snow_lasts(case), "lwe-10.8b", "snow lasts in both zones: no die is rolled"),
        (
            case.phase not in (TURN_START, WEATHER),
            "lwe-10.1a",
            "the weather is rolled in the Weather Determination Phase",
        ),
    )
    yield from faults.plainest_that_holds(rows, "", (), (), faults.doubtful("lwe-10.8b"))


def snow_lasts(case: Case) -> bool:
    """In both zones, by the weather that is known."""
    course = course_of(case)
    return course.north == course.south == SNOW


@RULES.track(Rolled, when=JUDGED, reason=WEATHER_ROLL)
def note_the_weather(case: Case, event: Rolled) -> None:
    if not event.is_one(6) or case.turn < FIRST_WEATHER or case.in_turn.weather_rolled:
        return
    case.in_turn.weather_rolled, (die,) = True, event.values
    if case.option("weather-turn") == "next-turn" and not snow_lasts(case):
        case.in_game.weather_to_come = (case.turn + 1, die)
    elif not snow_lasts(case):
        roll_weather(case, course_of(case), case.turn, die)


@RULES.track(PhaseBegan, when=JUDGED)
def weather_rolled_before_comes(case: Case, event: PhaseBegan) -> None:
    """By the option that a roll is for the next turn."""
    turn, die = case.in_game.weather_to_come
    if event.turn == turn and case.turn < turn:
        roll_weather(case, course_of(case), turn, die)


@RULES.track_start(WEATHER)
def the_weather_phase_is_seen(case: Case) -> None:
    case.in_turn.weather_seen = True


@RULES.rule("lwe-10.1a", "lwe-10.8b")
@RULES.at_phase_start(*AFTER_WEATHER)
def the_weather_has_been_rolled(case: Case) -> Faults:
    """Told once a turn, and only of turns that the log shows from their start."""
    missing = not case.in_turn.weather_missed and _missing(case)
    snow = course_of(case).north == SNOW
    rows = (
        (missing and snow, "lwe-10.8b", "no die was rolled, and the south has no lasting snow yet"),
        (missing and not snow, "lwe-10.1a", f"no die was rolled for the weather of turn {case.turn}"),
    )
    yield from faults.first_that_holds(rows, "", ())


def _missing(case: Case) -> bool:
    rolled = case.in_turn.weather_rolled or course_of(case).rolled == case.turn
    due = case.turn >= FIRST_WEATHER and case.option("weather-turn") != "next-turn"
    return due and not rolled and _seen(case) and not _may_last(case)


def _may_last(case: Case) -> bool:
    """Snow may lie in both zones, so that no die is rolled."""
    unknown = not course_of(case).known
    return snow_lasts(case) or (unknown and all(SNOW in may_be(case, zone) for zone in (NORTH, SOUTH)))


@RULES.track_end(*AFTER_WEATHER)
def tell_once_of_missing_weather(case: Case) -> None:
    case.in_turn.weather_missed = case.in_turn.weather_missed or _missing(case)


def _seen(case: Case) -> bool:
    """The log shows the weather phase, or that it was passed over."""
    return case.in_turn.weather_seen or bool(case.in_turn.of(PhaseBegan, phase=TURN_START))


@RULES.rule("lwe-10.2a", "lwe-10.3a", "lwe-10.8a")
@RULES.before(Declared, what=WEATHER_ROLL)
def the_weather_is_named_as_it_is(case: Case, event: Declared) -> Faults:
    """`declare weather = snow/frost`: the north, then the south. What was rolled counts, not what is said."""
    said = _named(event)
    if said is None or _informs(case, event):
        return
    course = course_of(case)
    north, south = said
    dry, thaws = case.turn < FIRST_WEATHER, course.north == SNOW and north != SNOW
    rows = (
        (dry and set(said) != {DRY}, "lwe-10.3a", f"the weather is dry in turn {case.turn}"),
        (thaws, "lwe-10.8a", f"snow lasts in the north to the end; {north} was named"),
        (
            said != (course.north, course.south),
            "lwe-10.2a",
            f"{_told(case)}; {north} and {south} were named",
        ),
    )
    yield from faults.first_that_holds(rows, "", ())


def _named(event: Declared) -> tuple[str, str] | None:
    """The weather of north and south; one word is said of both."""
    match event.value.lower().split("/"):
        case [both] if both:
            return both, both
        case [north, south]:
            return north, south
    return None


def _informs(case: Case, event: Declared) -> bool:
    """Weather that was not known is named, and may be so."""
    said = _named(event)
    unknown = said is not None and not course_of(case).known
    return unknown and all(map(contains, (may_be(case, NORTH), may_be(case, SOUTH)), said or ()))


@RULES.track(Declared, when=JUDGED, what=WEATHER_ROLL)
def note_the_weather_that_is_named(case: Case, event: Declared) -> None:
    said = _named(event)
    if said is not None and _informs(case, event):
        course_of(case).set_weather(case.turn, *said)


def _told(case: Case) -> str:
    north, south = (" or ".join(sorted(may_be(case, zone))) for zone in (NORTH, SOUTH))
    return f"the weather is {north} in the north and {south} in the south"


@RULES.rule("lwe-10.2a", "lwe-10.8a")
@RULES.at_phase_end()
def the_markers_show_the_weather(case: Case) -> Faults:
    """Where they were moved: in a log whose weather is not known they show it."""
    shown, course = _markers_set(case), course_of(case)
    right = (course.north, course.south)
    judged = shown is not None and course.known and case.option("weather-turn") == "this-turn"
    if shown is not None and judged and shown != right:
        rule = "lwe-10.8a" if course.north == SNOW != shown[0] else "lwe-10.2a"
        text = f"{_told(case)}; the markers show {shown[0]} and {shown[1]}"
        yield Fault(rule, text, verdict=Verdict.WARNING)


@RULES.track_end(WEATHER)
def note_the_weather_of_the_markers(case: Case) -> None:
    shown, course = _markers_set(case), course_of(case)
    if shown is not None and not course.known:
        course.set_weather(case.turn, *shown)


def _markers_set(case: Case) -> tuple[str, str] | None:
    """The weather that the markers show, if they were moved in this phase."""
    north, south = tracks.weather_shown(case.position)
    both = (north, south) if north is not None and south is not None else None
    return both if tracks.were_set(case, *tracks.ZONES) else None


# --- dice of one kind (2.1) ------------------------------------------------------------------------


@RULES.rule("lwe-2.1a")
@RULES.before(Rolled, reason=("refit", "moscow falls"))
def one_die_of_six_decides(case: Case, event: Rolled) -> Faults:
    """Three for the artillery command; chapter 11 looks at the dice of battles."""
    if not event.is_one(6):
        yield Fault("lwe-2.1a", f"{event.reason}: one six-sided die is rolled", verdict=Verdict.WARNING)
