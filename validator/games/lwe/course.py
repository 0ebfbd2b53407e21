"""What the course of the game has settled: weather by zone, DD3, the pause, the supply concentration.

A log that does not begin with the game shows some of it only in part; what is not known is None.
"""

from __future__ import annotations

from dataclasses import dataclass

from validator.core.board import Board, HexId
from validator.games.lwe import tracks
from validator.games.lwe.book import DRY, MUD, SNOW
from validator.referee import Case

NORTH, SOUTH = "north", "south"
FIRST_WEATHER = 12  # the first turn whose weather is rolled (10.1)
FIRST_CHOICE = 8  # the first turn that DD3 may be rescinded in (7.12)
PAUSE_TURNS = 3  # 7.5
AUGUST = range(6, 10)  # 7.4
RIVERLESS = range(1, 4)  # 5.4: turns in which the German side ignores rivers


@dataclass
class Course:
    north: str | None = DRY
    south: str | None = DRY
    broken: bool | None = False  # mud or snow has come (10.9, 10.10)
    wet: bool | None = False  # weather that is not dry has come
    dd3: bool | None = True  # in force
    pause: int | None = None  # the turn at whose end it was declared
    aborted: bool = False
    concentrated: bool = False
    concentrated_before: bool = False  # declared and ended
    rolled: int = 0  # the turn whose weather was rolled last

    def weather(self, zone: str) -> str:
        """The weather of a zone; dry, as the kindest, where it is not known."""
        return (self.north if zone == NORTH else self.south) or DRY

    @property
    def known(self) -> bool:
        return self.north is not None

    def pausing(self, turn: int) -> bool:
        """A pause is on (7.5)."""
        return self.pause is not None and not self.aborted and self.pause < turn <= self.pause + PAUSE_TURNS

    def rested(self, turn: int) -> bool:
        """A pause has run its three turns: the GAS Line is ignored."""
        return self.pause is not None and not self.aborted and turn > self.pause + PAUSE_TURNS

    def set_weather(self, turn: int, north: str, south: str) -> None:
        self.north, self.south, self.rolled = north, south, turn
        self.wet = self.wet or {north, south} != {DRY}
        self.broken = self.broken or bool({north, south} & {MUD, SNOW})
        if self.wet:
            self.dd3 = False


def course_of(case: Case) -> Course:
    found = case.in_game.notes.get("course")
    if found is None:
        found = case.in_game.notes["course"] = _at(case)
    assert isinstance(found, Course)
    return found


def forget(case: Case) -> None:
    case.in_game.notes.pop("course", None)


def _at(case: Case) -> Course:
    """As the log begins: before turn 8 nothing can have changed, from 12 on much may have."""
    course = Course()
    if case.turn >= FIRST_CHOICE:
        course.dd3 = False if tracks.directive_ended(case.position) else None
    if case.turn >= FIRST_WEATHER:
        course.north = course.south = course.broken = course.wet = None
        shown = tracks.weather_shown(case.position)
        if shown is not None and set(shown) != {DRY}:
            course.set_weather(case.turn - 1, *shown)
            course.broken = course.broken or None
    return course


def zone_of(board: Board, hex_id: HexId) -> str:
    return board.map.grid["weather-zone"].values.get(board.hexes[hex_id], NORTH)
