"""Judges and reducers that are asked about each thing an event holds: each unit of it, each leg of a move.

    @RULES.rule("wie-unit.3")
    @RULES.before(Moved, mode=BLITZ)
    @each(units_of)
    def armor_alone_blitzes(case: Case, event: Moved, unit: Unit) -> Faults:

What gives the things (`units_of`) may give none: then the judge is not asked.
At the end of a phase the things are asked for without an event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from validator.engine.case import AnyCase
from validator.engine.rulebook import Faults
from validator.model.events import Event
from validator.model.position import Unit

Things = Callable[..., Iterable[Any]]


def each(things: Things) -> Callable[[Callable[..., Faults]], Callable[..., Faults]]:
    """The judge below is asked with the case, the event if there is one, and each of the things."""

    def asking(judge: Callable[..., Faults]) -> Callable[..., Faults]:
        @wraps(judge)
        def asked(case: AnyCase, *event: Event) -> Faults:
            for thing in things(case, *event):
                yield from judge(case, *event, thing)

        return asked

    return asking


def note_each(things: Things) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The reducer below is run with each of the things."""

    def running(reducer: Callable[..., None]) -> Callable[..., None]:
        @wraps(reducer)
        def run(case: AnyCase, *event: Event) -> None:
            for thing in things(case, *event):
                reducer(case, *event, thing)

        return run

    return running


def units_of(case: AnyCase, event: Event) -> list[Unit]:
    """The units that an event is about."""
    return case.units(event.concerned)
