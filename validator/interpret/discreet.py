"""A log interpreted for others to read: what players typed comes without passwords and mail addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from fieldpost.definition.model import Game, Scenario
from fieldpost.vassal import secrets
from fieldpost.vassal.module import Module
from fieldpost.vassal.steps import Log
from validator.interpret import reader
from validator.interpret.reader import Reading
from validator.model import events as ev
from validator.model.events import Event

_FREE = re.compile("[ @]")  # what no word of the rules has
Clean = Callable[[str], str]


def interpret(log: Log, game: Game, scenario: Scenario, module: Module | None = None) -> Reading:
    reading = reader.interpret(log, game, scenario, module)
    redactor = cache(lambda: secrets.redactor(log))  # it reads the whole log, and many hold nothing to clean

    def clean(text: str) -> str:
        return redactor().clean(text)

    reading.events = [_cleaned(event, clean) for event in reading.events]
    return reading


def _cleaned(event: Event, clean: Clean) -> Event:
    """Only free text changes: a password that is a word of the rules must not change a verdict."""
    match event:
        case ev.Said(text):
            return replace(event, text=clean(text))
        case ev.Unread(reason, text):
            return replace(event, reason=clean(reason), text=clean(text))
        case ev.Declared(value=value) if _FREE.search(value):
            return replace(event, value=clean(value))
        case ev.Rolled(reason=reason) if _FREE.search(reason):
            return replace(event, reason=clean(reason))
        case _:
            return event
