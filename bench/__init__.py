"""Speed, as ratios of things measured side by side in one run: `python -m bench`.

A module of this folder with `run() -> list[Result]` is a benchmark; it is found by being here.
One that can be run as a script prints what it likes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What took how long; `against` names the result of the same module it is to be seen beside."""

    name: str
    seconds: float
    against: str | None = None
    limit_seconds: float | None = None
    note: str = ""

    @property
    def within_limit(self) -> bool:
        return self.limit_seconds is None or self.seconds <= self.limit_seconds


def best_of(times: int, work: Callable[[], object]) -> float:
    """The shortest of several runs: what the work takes when nothing else is in the way."""
    return min(_seconds(work) for _ in range(times))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
