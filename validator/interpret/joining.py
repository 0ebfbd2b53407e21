"""What is made of single events, or of lines of other forms than ours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from fieldpost.vassal import chat
from validator.interpret.protocol import can_fall
from validator.model import events as ev
from validator.model.events import Event


def dice_of(typed: chat.Dice) -> Event:
    """Dice of another form than ours: of as many sides as they say, else six."""
    said = re.search(r"\d[dD](\d{1,3})\b", typed.label)
    sides = int(said[1]) if said else 6
    if 0 < len(typed.values) < 100 and can_fall(typed.values, sides):
        return ev.Rolled(typed.values, sides, typed.label)
    return ev.Unread("dice in a form that is not known", typed.text)


def joined(events: Iterable[Event]) -> list[Event]:
    """Moves of the same units from where the last one ended, with nothing between, are one move."""
    whole: list[Event] = []
    for event in events:
        match whole[-1:], event:
            case [ev.Moved() as first], ev.Moved() as then if _goes_on(first, then):
                whole[-1] = replace(first, path=(*first.path, *then.path[1:]))
            case _:
                whole.append(event)
    return whole


def _goes_on(first: ev.Moved, then: ev.Moved) -> bool:
    return (
        first.units == then.units
        and first.path[-1] == then.path[0]
        and (first.mode, first.battle) == (then.mode, then.battle)
    )
