"""What a turn tracker shows: its state in a log, put into the words of the module."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from fieldpost.vassal import codec
from fieldpost.vassal.module_parts import TurnLevel, TurnTracker
from fieldpost.vassal.pieces import integer

_DEEPEST = 20
_VARIABLE = re.compile(r"\$([^$]{1,80})\$")
_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_TAG = re.compile(r"<[^<>]{0,400}>")


def words(tracker: TurnTracker, state: str, properties: Mapping[str, str] | None = None) -> str:
    """The turn as the tracker's button shows it, such as `Turn 3 Movement`; properties come by name."""
    active, *states = codec.decode(state, "|")
    at = integer(active)
    if not 0 <= at < len(tracker.levels) or at >= len(states):
        return ""
    shown = _levels(tracker.levels[at], states[at])
    text = tracker.format
    for number, value in enumerate(shown, 1):
        text = text.replace(f"$level{number}$", value)
    known = properties or {}
    text = _VARIABLE.sub(lambda match: known.get(match[1], ""), text)
    return " ".join(_TAG.sub(" ", text).split())


def phases(tracker: TurnTracker) -> Iterator[tuple[str, ...]]:
    """What its lists can show together, in the order of play, without the numbers of turns."""
    for level in tracker.levels:
        yield from _phases(level)


def _phases(level: TurnLevel, depth: int = 0) -> Iterator[tuple[str, ...]]:
    inner = [words for below in level.levels for words in _phases(below, depth + 1)] if depth < 6 else []
    for value in level.values or ("",):
        own = (value,) if value else ()
        yield from ((*own, *words) for words in inner or [()])


def phase_id(words: Iterable[str]) -> str:
    return _NO_LETTERS.sub("-", " ".join(words).lower()).strip("-")[:60].strip("-") or "play"


def now(tracker: TurnTracker, state: str) -> tuple[int | None, str]:
    """The number of the turn, if the tracker counts, and the id of the phase."""
    active, *states = codec.decode(state, "|")
    at = integer(active)
    if not 0 <= at < len(tracker.levels) or at >= len(states):
        return None, ""
    turn: int | None = None
    words: list[str] = []
    level, text = tracker.levels[at], states[at]
    for _ in range(_DEEPEST):
        fields = codec.decode(text, ";")
        current, below = (integer(fields[n]) if n < len(fields) else 0 for n in range(2))
        if level.values:
            words.append(_value(level, current))
        elif turn is None:
            turn = current
        inner = fields[4:]
        if not 0 <= below < min(len(level.levels), len(inner)):
            break
        level, text = level.levels[below], inner[below]
    return turn, phase_id(words)


def _levels(level: TurnLevel, state: str, depth: int = 0) -> list[str]:
    """What the level shows, then the active one of those below it."""
    fields = codec.decode(state, ";")
    current, below = (integer(fields[at]) if at < len(fields) else 0 for at in range(2))
    shown = level.format.replace("$value$", _value(level, current))
    inner = fields[4:]
    if depth > _DEEPEST or not 0 <= below < min(len(level.levels), len(inner)):
        return [shown]
    return [shown, *_levels(level.levels[below], inner[below], depth + 1)]


def _value(level: TurnLevel, current: int) -> str:
    if not level.values:
        return str(current)
    return level.values[current] if 0 <= current < len(level.values) else ""
