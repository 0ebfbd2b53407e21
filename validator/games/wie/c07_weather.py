"""Chapter 7: the weather of a turn, by a die or as it was."""

from __future__ import annotations

from validator.engine.rulebook import FIRST, Faults
from validator.games.wie.book import CLEAR, RULES, WEATHER, WEATHER_DIE
from validator.games.wie.state import Case
from validator.model.events import PhaseBegan, Pointed, Rolled
from validator.model.findings import Fault

BOXES = "weather-"
COLUMNS = ("jan-feb", "mar-apr", "may-jun", "jul-aug", "sep-oct", "nov-dec")


def column_of(case: Case, turn: int) -> str:
    """The two months of a turn; the first one begins in June and is a summer's."""
    return COLUMNS[(turn + 2) % 6]


def year_of(turn: int) -> int:
    return 1941 + (turn + 2) // 6


def by_die(case: Case, turn: int, die: int) -> str:
    return case.game.table["weather"].cell(str(die), column_of(case, turn)).lower()


def as_it_was(case: Case, turn: int) -> str:
    said = case.game.table["historical-weather"].cell(str(year_of(turn)), column_of(case, turn)).lower()
    return said if said in ("clear", "mud", "snow") else by_die(case, turn, 1)


def sure_weather(case: Case, turn: int) -> str | None:
    """Where every die gives the same."""
    found = {by_die(case, turn, die) for die in range(1, 7)}
    return found.pop() if len(found) == 1 else None


def weather_of(case: Case) -> str | None:
    """Of this turn; None where a log does not tell."""
    if case.option(WEATHER) == "historical":
        return as_it_was(case, case.turn)
    if case.in_game.weather_turn == case.turn and case.in_game.weather is not None:
        return case.in_game.weather
    box = case.position.pointers.get("weather", ("", 1))[0]
    shown = box.removeprefix(BOXES) if box.startswith(BOXES) and not case.in_game.weather_turn else None
    return sure_weather(case, case.turn) or shown


def kindest(case: Case) -> str:
    """Clear, where it is not known."""
    return weather_of(case) or CLEAR


@RULES.track(Rolled, when=FIRST, reason=WEATHER_DIE)
def the_die_makes_the_weather(case: Case, event: Rolled) -> None:
    if event.sides == 6 and len(event.values) == 1:
        case.in_turn.weather_rolls += 1
        if case.in_turn.weather_rolls == 1:
            case.in_game.weather = by_die(case, case.turn, event.values[0])
            case.in_game.weather_turn = case.turn


@RULES.rule("wie-wx.1", "wie-wx.3")
@RULES.before(Rolled, reason=WEATHER_DIE)
def one_die_a_turn(case: Case, event: Rolled) -> Faults:
    """At the start of the turn, before anyone acts."""
    if case.in_turn.weather_rolls > 1:
        yield Fault("wie-wx.1", "the weather of this turn is rolled for a second time")
    elif case.option(WEATHER) == "historical":
        yield Fault("wie-wx.3", "the weather was agreed to be the historical one and is not rolled for")


@RULES.rule("wie-wx.2", "wie-wx.3")
@RULES.before(Pointed)
def the_marker_shows_the_weather(case: Case, event: Pointed) -> Faults:
    if event.marker != "weather" or not event.box.startswith(BOXES):
        return
    shown, known = event.box.removeprefix(BOXES), weather_of(case)
    if case.option(WEATHER) == "rolled" and case.in_turn.weather_rolls == 0:
        known = sure_weather(case, case.turn)
    if known is not None and known != shown:
        historical = case.option(WEATHER) == "historical"
        text = f"the weather of turn {case.turn} is {known}, and is shown as {shown}"
        yield Fault("wie-wx.3" if historical else "wie-wx.2", text)


@RULES.rule("wie-wx.1")
@RULES.before(PhaseBegan)
def weather_is_rolled_before_the_turn_goes_on(case: Case, event: PhaseBegan) -> Faults:
    """Where the months leave a choice, somebody must have rolled."""
    leaves = case.phase == WEATHER and event.phase != WEATHER
    if not leaves or case.option(WEATHER) == "historical":
        return
    if sure_weather(case, case.turn) is None and case.in_turn.weather_rolls == 0:
        yield Fault("wie-wx.1", f"nobody rolled for the weather of turn {case.turn}")
