"""Chapter 7: the weather of a turn, by a die or as it was."""

from __future__ import annotations

from validator.engine.rulebook import FIRST, Faults
from validator.games.wie.book import CLEAR, RULES, SUPPLY, WEATHER, WEATHER_DIE, part_of
from validator.games.wie.state import Case
from validator.model.events import Pointed, Rolled
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


def is_historical(case: Case) -> bool:
    return case.option(WEATHER) == "historical"


def weather_told(case: Case, turn: int) -> str | None:
    """Of a turn, by agreement, by the die that fell, or where every die gives the same."""
    if is_historical(case):
        return as_it_was(case, turn)
    return case.in_game.weather.get(turn) or sure_weather(case, turn)


def weather_of(case: Case) -> str | None:
    """Of this turn; None where a log does not tell. Its marker is asked before any die has fallen."""
    box = case.position.pointers.get("weather", ("", 1))[0]
    shown = box.removeprefix(BOXES) if box.startswith(BOXES) and not case.in_game.weather else None
    return weather_told(case, case.turn) or shown


def kindest(case: Case) -> str:
    """Clear, where it is not known."""
    return weather_of(case) or CLEAR


def turn_of_the_die(case: Case) -> int:
    """A die in action 5 is for the next turn (1), one at the start of a turn for this one (7)."""
    return case.turn + 1 if part_of(case.phase) == SUPPLY else case.turn


@RULES.track(Rolled, when=FIRST, reason=WEATHER_DIE)
def the_die_makes_the_weather(case: Case, event: Rolled) -> None:
    if event.is_one(6):
        turn, rolls = turn_of_the_die(case), case.in_game.weather_rolls
        rolls[turn] = rolls.get(turn, 0) + 1
        case.in_game.weather.setdefault(turn, by_die(case, turn, event.values[0]))


@RULES.rule("wie-wx.1", "wie-wx.3")
@RULES.before(Rolled, reason=WEATHER_DIE)
def one_die_a_turn(case: Case, event: Rolled) -> Faults:
    """At the start of the turn, before anyone acts."""
    turn = turn_of_the_die(case)
    if case.in_game.weather_rolls.get(turn, 0) > 1:
        yield Fault("wie-wx.1", f"the weather of turn {turn} is rolled for a second time")
    elif is_historical(case):
        yield Fault("wie-wx.3", "the weather was agreed to be the historical one and is not rolled for")


@RULES.rule("wie-wx.2", "wie-wx.3")
@RULES.before(Pointed, kind="weather")
def the_marker_shows_the_weather(case: Case, event: Pointed) -> Faults:
    """Until the end of a turn that of this turn."""
    shown, turn = event.box.removeprefix(BOXES), turn_of_the_die(case)
    right = {weather_told(case, turn)}
    if turn != case.turn:
        right |= {weather_of(case)}
    if event.box.startswith(BOXES) and weather_told(case, turn) is not None and shown not in right:
        text = f"the weather of turn {turn} is {weather_told(case, turn)}, and is shown as {shown}"
        yield Fault("wie-wx.3" if is_historical(case) else "wie-wx.2", text)


@RULES.rule("wie-wx.1")
@RULES.at_phase_end(WEATHER)
def weather_is_rolled_before_the_turn_goes_on(case: Case) -> Faults:
    """Where the months leave a choice, somebody must have rolled."""
    if weather_told(case, case.turn) is None and not case.in_game.weather_rolls.get(case.turn):
        yield Fault("wie-wx.1", f"nobody rolled for the weather of turn {case.turn}")
