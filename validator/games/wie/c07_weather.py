"""Chapter 7: the weather of a turn, by a die or as it was."""

from __future__ import annotations

from validator.engine.rulebook import FIRST, Faults
from validator.games.wie.book import CLEAR, RULES, SUPPLY, WEATHER, WEATHER_DIE, part_of
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
    rolled = case.in_game.weather.get(case.turn)
    if rolled is not None:
        return rolled
    box = case.position.pointers.get("weather", ("", 1))[0]
    shown = box.removeprefix(BOXES) if box.startswith(BOXES) and not case.in_game.weather else None
    return sure_weather(case, case.turn) or shown


def kindest(case: Case) -> str:
    """Clear, where it is not known."""
    return weather_of(case) or CLEAR


def turn_of_the_die(case: Case) -> int:
    """A die in action 5 is for the next turn (1), one at the start of a turn for this one (7)."""
    return case.turn + 1 if part_of(case.phase) == SUPPLY else case.turn


@RULES.track(Rolled, when=FIRST, reason=WEATHER_DIE)
def the_die_makes_the_weather(case: Case, event: Rolled) -> None:
    if event.sides == 6 and len(event.values) == 1:
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
    elif case.option(WEATHER) == "historical":
        yield Fault("wie-wx.3", "the weather was agreed to be the historical one and is not rolled for")


@RULES.rule("wie-wx.2", "wie-wx.3")
@RULES.before(Pointed)
def the_marker_shows_the_weather(case: Case, event: Pointed) -> Faults:
    if event.marker != "weather" or not event.box.startswith(BOXES):
        return
    shown, turn = event.box.removeprefix(BOXES), turn_of_the_die(case)
    historical = case.option(WEATHER) == "historical"
    known = as_it_was(case, turn) if historical else case.in_game.weather.get(turn, sure_weather(case, turn))
    if turn != case.turn and shown == weather_of(case):
        return  # this turn's, shown until its end
    if known is not None and known != shown:
        text = f"the weather of turn {turn} is {known}, and is shown as {shown}"
        yield Fault("wie-wx.3" if historical else "wie-wx.2", text)


@RULES.rule("wie-wx.1")
@RULES.before(PhaseBegan)
def weather_is_rolled_before_the_turn_goes_on(case: Case, event: PhaseBegan) -> Faults:
    """Where the months leave a choice, somebody must have rolled."""
    leaves = case.phase == WEATHER and event.phase != WEATHER
    if not leaves or case.option(WEATHER) == "historical":
        return
    if sure_weather(case, case.turn) is None and not case.in_game.weather_rolls.get(case.turn):
        yield Fault("wie-wx.1", f"nobody rolled for the weather of turn {case.turn}")
