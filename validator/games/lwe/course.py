"""What the course of the game has settled: weather by zone, DD3, the pause, the supply concentration.

A log that does not begin with the game shows some of it only in part; what is not known is None.
"""

from __future__ import annotations

from dataclasses import dataclass

from validator.core.board import Board, HexId
from validator.games.lwe import tracks
from validator.games.lwe.book import DRY, FROST, MUD, RAIN, RULES, SNOW, TURN_START
from validator.games.lwe.state import Case

NORTH, SOUTH = "north", "south"
FIRST_WEATHER = 12  # the first turn whose weather is rolled (10.1)
FIRST_CHOICE = 8  # the first turn that DD3 may be rescinded in (7.12)
PAUSE_TURNS = 3  # 7.5
AUGUST = range(6, 10)  # 7.4
RIVERLESS = range(1, 4)  # 5.4: turns in which the German side ignores rivers
PAUSABLE = range(2, 6)  # turns at whose end a pause may begin (7.5)
LETTERS = {"D": DRY, "R": RAIN, "M": MUD, "F": FROST, "S": SNOW}
SOUTHERN = -2  # to the die for the weather (10.2)


@dataclass
class Course:
    north: str | None = DRY
    south: str | None = DRY
    broken: bool | None = False  # mud or snow has come (10.9, 10.10)
    wet: bool | None = False  # weather that is not dry has come
    dd3: bool | None = True  # in force
    dd3_by_weather: bool = False  # ended by weather, not by declaration
    pause: int | None = None  # the turn at whose end it was declared
    aborted: bool = False
    concentrated: bool = False
    concentrated_before: bool = False  # declared and ended
    rolled: int = 0  # the turn whose weather was rolled last
    read: tuple[str, str] = ("", "")  # of north and south from that die, before lasting snow
    pause_told: bool = True  # whether there was a pause is known
    supply_dice: bool = False  # ... is not, and dice for attenuated supply show that none was completed

    def weather(self, zone: str) -> str:
        """The weather of a zone; dry, as the kindest, where it is not known."""
        return self.shown(zone) or DRY

    def shown(self, zone: str) -> str | None:
        return self.north if zone == NORTH else self.south

    @property
    def known(self) -> bool:
        return None not in (self.north, self.south)

    def _since_pause(self, turn: int) -> int:
        """Turns since the one that a pause was declared in; 0 if none was, or it was cut short."""
        return 0 if self.pause is None or self.aborted else turn - self.pause

    def pausing(self, turn: int) -> bool:
        """A pause is on (7.5)."""
        return 0 < self._since_pause(turn) <= PAUSE_TURNS

    def rested(self, turn: int) -> bool:
        """A pause has run its three turns: the GAS Line is ignored."""
        return self._since_pause(turn) > PAUSE_TURNS

    def may_be_rested(self, turn: int) -> bool:
        return self.rested(turn) or not (self.pause_told or turn <= PAUSABLE[0] + PAUSE_TURNS)

    def set_weather(self, turn: int, north: str | None, south: str | None) -> None:
        self.north, self.south, self.rolled = north, south, turn
        self.wet = bool({north, south} - {DRY, None}) or self.wet
        self.broken = bool({north, south} & {MUD, SNOW}) or self.broken
        if self.wet and self.dd3 is not False:
            self.dd3, self.dd3_by_weather = False, True


def course_of(case: Case) -> Course:
    """As the game has gone so far; before its first phase, as the position has it."""
    return case.in_game.course or case.kept(Course, (case.position.version, case.turn), lambda: _at(case))


@RULES.track_start()
def begin_the_course(case: Case) -> None:
    if case.in_game.course is None:
        case.in_game.course = _at(case)
        if not case.in_game.course.known and case.position.stated.intersection(tracks.ZONES):
            case.not_checked("the weather: markers that lie at dry may never have been moved")


def _at(case: Case) -> Course:
    """As the log begins: before the choice of turn 8 nothing can have changed, from 12 on much may have.
    Markers that lie at dry, as they do in the set-up, tell the weather only where a turn sheet states it."""
    course = Course(pause=tracks.pause_shown(case.position, PAUSABLE, PAUSE_TURNS))
    unseen = case.position.partial and case.turn > PAUSABLE[0]
    course.pause_told = course.pause is not None or not unseen
    if (case.turn, case.phase != TURN_START) >= (FIRST_CHOICE, True):
        course.dd3 = False if tracks.directive_ended(case.position) else None
    if case.turn >= FIRST_WEATHER:
        course.north = course.south = course.broken = course.wet = None
        shown = tracks.weather_shown(case.position)
        stated = not case.position.partial and case.position.stated.issuperset(tracks.ZONES)
        if stated or not {*shown} <= {DRY, None}:
            course.set_weather(case.turn - 1, *shown)
    return course


# --- weather by the die (10.1, 10.2, 10.8) ----------------------------------------------------------


def by_table(case: Case, turn: int, die: int) -> tuple[str, str]:
    """The weather of north and south by one die, as the table alone has it."""
    column = case.game.table["weather-columns"].cell(str(turn), "column")
    table = case.game.table["weather"]
    north, south = (LETTERS[table.cell(str(value), column)] for value in (die, die + SOUTHERN))
    return north, south


def roll_weather(case: Case, course: Course, turn: int, die: int) -> None:
    """Snow, once it has come to a zone, stays there (10.8); where it may have come before, who knows."""
    course.read = by_table(case, min(turn, case.game.turn_track.turns[-1].number), die)
    course.set_weather(turn, _lasting(case, course, NORTH, turn), _lasting(case, course, SOUTH, turn))


def _lasting(case: Case, course: Course, zone: str, turn: int) -> str | None:
    before, read = course.shown(zone), course.read[zone != NORTH]
    if SNOW in (before, read):
        return SNOW
    return None if before is None and SNOW in _rolled_by(case, zone, turn - 1) else read


def may_be(case: Case, zone: str) -> frozenset[str]:
    """The weather of a zone; all that it may be, where a log that begins in mid-game does not show it."""
    course = course_of(case)
    if (shown := course.shown(zone)) is not None:
        return frozenset({shown})
    if course.rolled == case.turn:
        return frozenset({course.read[zone != NORTH], SNOW})
    return _rolled_by(case, zone, case.turn)


def _rolled_by(case: Case, zone: str, turn: int) -> frozenset[str]:
    """All that the dice up to a turn can have given."""
    last = min(turn, case.game.turn_track.turns[-1].number)
    turns, dice = range(FIRST_WEATHER, last + 1), range(1, 7)
    rolls = (by_table(case, t, die)[zone != NORTH] for t in turns for die in dice)
    return case.once((_rolled_by, zone, turn), lambda: frozenset(rolls) or frozenset({DRY}))


def zone_of(board: Board, hex_id: HexId) -> str:
    return board.map.grid["weather-zone"].values.get(board.hexes[hex_id], NORTH)
