"""Limits of processor time in the pace of this machine: a slow or busy one is given more.

What would take minutes needs no such care: there a limit of many seconds is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

QUIET = 0.0027
"""Seconds that `_work` takes on an idle processor of the kind for which limits are written."""


def slowness() -> float:
    """How many times as long as on that processor work takes here and now; at least 1."""
    return max(1.0, min(_seconds(_work) for _ in range(10)) / QUIET)


def best(work: Callable[[], object], within: float) -> bool:
    """Whether the quickest of some runs takes no more seconds than these, in the pace of this machine."""
    for _ in range(8):
        before = slowness()
        seconds = _seconds(work)
        if seconds <= within * max(before, slowness()):
            return True
    return False


def _seconds(work: Callable[[], object]) -> float:
    started = process_time()
    work()
    return process_time() - started


def _work() -> None:
    table = {}
    for number in range(20_000):
        table[number % 97, number % 41] = number, str(number)
