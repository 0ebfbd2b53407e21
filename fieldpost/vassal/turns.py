"""What a turn tracker shows: its state in a log, put into the words of the module."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fieldpost.vassal import codec
from fieldpost.vassal.module_parts import TurnLevel, TurnTracker
from fieldpost.vassal.pieces import integer

_DEEPEST = 20
_VARIABLE = re.compile(r"\$([^$]{1,80})\$")
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
