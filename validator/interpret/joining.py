"""What is made of single events, or of lines of other forms than ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from fieldpost.vassal import chat
from validator.model import events as ev
from validator.model.events import Event


def dice_of(typed: chat.Dice) -> Event:
    """Dice of another form than ours: of as many sides as they say, else six."""
    said = re.search(r"\d[dD](\d{1,3})\b", typed.label)
    sides = int(said[1]) if said else 6
    if typed.values and all(1 <= value <= sides for value in typed.values) and len(typed.values) < 100:
        return ev.Rolled(typed.values, sides, typed.label)
    return ev.Unread("dice in a form that is not known", typed.text)


def joined(events: list[Event]) -> Iterator[Event]:
    """Moves of the same units from where the last one ended, with nothing between, are one move."""
    waiting: ev.Moved | None = None
    for event in events:
        if isinstance(event, ev.Moved) and waiting is not None and _goes_on(waiting, event):
            waiting = replace(waiting, path=(*waiting.path, *event.path[1:]))
            continue
        if waiting is not None:
            yield waiting
            waiting = None
        if isinstance(event, ev.Moved):
            waiting = event
        else:
            yield event
    if waiting is not None:
        yield waiting


def _goes_on(first: ev.Moved, then: ev.Moved) -> bool:
    return (
        first.units == then.units
        and first.path[-1] == then.path[0]
        and (first.mode, first.battle) == (then.mode, then.battle)
    )
