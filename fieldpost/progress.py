"""A progress bar for long work: on a terminal only, not before it has taken a while, gone when it is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from fieldpost.terminal import unfiltered_errors

T = TypeVar("T")
_WIDTH = 28
_EVERY_SECONDS = 0.1
_AFTER_SECONDS = 0.4


def track(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items again, with a bar on the terminal that tells how many have gone by."""
    if not sys.stderr.isatty() or total < 2:
        yield from items
        return
    due, drawn = time.monotonic() + _AFTER_SECONDS, False
    try:
        for done, item in enumerate(items):
            now = time.monotonic()
            if now >= due:
                due, drawn = now + _EVERY_SECONDS, True
                _draw(done, total, what)
            yield item
    finally:
        if drawn:
            _write("\r\x1b[K")


def _draw(done: int, total: int, what: str) -> None:
    filled = _WIDTH * done // total
    bar = "█" * filled + "·" * (_WIDTH - filled)
    _write(f"\r\x1b[K{bar} {done}/{total} {what}")


def _write(text: str) -> None:
    stream = unfiltered_errors()
    stream.write(text)
    stream.flush()
