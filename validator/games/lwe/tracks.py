"""What the markers beside the map say: victory points and steps on their track, the weather, Directive 3.

Nobody must move them: a count, a die or a word in the chat says the same. A log that begins within a game is
told by them what went before; markers that still lie where the game began tell nothing.
"""

from __future__ import annotations

from validator.games.lwe.state import Case
from validator.model.events import Pointed
from validator.model.position import Position

DIGIT, WEATHER = "track-", "weather-"
POINTS = {"vp-hundreds": 100, "vp-tens": 10, "vp-ones": 1}
STEPS = {"replacements-tens": 10, "replacements-ones": 1}
ZONES = ("weather-north", "weather-south")
DIRECTIVE, ENDED = "directive-3", 2  # the marker, and its face once the directive is ended
PAUSE, TURN = "paulus-pause", "turn-"  # three markers, on the boxes of the turn track
NEGATIVE = 2  # the face of a marker of points below 0


def points_shown(position: Position) -> int | None:
    shown = _number(position, POINTS)
    below = any(position.pointers.get(marker, ("", 1))[1] == NEGATIVE for marker in POINTS)
    return -shown if shown is not None and below else shown


def steps_shown(position: Position) -> int | None:
    return _number(position, STEPS)


def _number(position: Position, places: dict[str, int]) -> int | None:
    """The digits that the markers lie on; None if one lies on none."""
    digits = [_at(position, marker).removeprefix(DIGIT) for marker in places]
    if not all(map(str.isdigit, digits)):
        return None
    return sum(int(digit) * worth for digit, worth in zip(digits, places.values(), strict=True))


def _at(position: Position, marker: str) -> str:
    """The box that a marker lies on."""
    return position.pointers.get(marker, ("", 1))[0]


def weather_shown(position: Position) -> tuple[str | None, str | None]:
    """North and south; None of a zone whose marker lies nowhere."""
    boxes = [_at(position, marker) for marker in ZONES]
    north, south = (box.removeprefix(WEATHER) if box.startswith(WEATHER) else None for box in boxes)
    return north, south


def pause_shown(position: Position, ends: range, length: int) -> int | None:
    """The turn at whose end a pause began, by its markers on the turns that it lasts."""
    boxes = position.spread.get(PAUSE, frozenset())
    turns = sorted(int(box.removeprefix(TURN)) for box in boxes if box.startswith(TURN))
    begun = turns[-1] - length if turns else 0
    return begun if begun in ends else None


def turn_of(box: str) -> int | None:
    """The turn of a space of the turn track."""
    return int(box.removeprefix(TURN)) if box.startswith(TURN) else None


def directive_ended(position: Position) -> bool:
    return position.pointers.get(DIRECTIVE, ("", 1))[1] == ENDED


def were_set(case: Case, *markers: str) -> bool:
    """Whether one of the markers was moved in this phase."""
    return bool(case.in_phase.of(Pointed, marker=markers))


def were_set_in_turn(case: Case, *markers: str) -> bool:
    return bool(case.in_turn.of(Pointed, marker=markers))
