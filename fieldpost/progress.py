"""How far long work is: a bar on a terminal, or told to whoever listens (the page).

On a terminal only after it has taken a while, and gone when it is done.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from fieldpost.terminal import unfiltered_errors

T = TypeVar("T")
Listener = Callable[[str, float | None], None]
"""Gets words, such as "logs: 2 of 7, steps: 310 of 4,000", and the share done, None where nobody knows."""
_WIDTH = 28
_EVERY_SECONDS = 0.1
_AFTER_SECONDS = 0.4
_TOLD_EVERY_SECONDS = 0.3

_listeners: list[_Told] = []


def track(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items again; tells meanwhile how many have gone by."""
    if _listeners:
        yield from _listeners[-1].tracked(items, total, what)
        return
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


@contextlib.contextmanager
def doing(what: str) -> Iterator[None]:
    """Work of which nobody knows how far it is."""
    if _listeners:
        _listeners[-1].say(what)
    drawn = not _listeners and sys.stderr.isatty()
    if drawn:
        _write(f"\r\x1b[K{what} …")
    try:
        yield
    finally:
        if drawn:
            _write("\r\x1b[K")


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Whatever is done meanwhile tells the listener how far it is, instead of a terminal."""
    _listeners.append(_Told(listener))
    try:
        yield
    finally:
        _listeners.pop()


class _Told:
    """What goes on, the outermost first: logs, and in each of them steps."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._stages: list[tuple[str, int, int]] = []
        self._due = 0.0

    def say(self, what: str) -> None:
        self._due = time.monotonic() + _TOLD_EVERY_SECONDS
        self._listener(what, None)

    def tracked(self, items: Iterable[T], total: int, what: str) -> Iterator[T]:
        level = len(self._stages)
        try:
            for done, item in enumerate(items):
                self._stages[level:] = [(what, done, total)]
                self._tell()
                yield item
        finally:
            del self._stages[level:]

    def _tell(self) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _TOLD_EVERY_SECONDS
        words, share, part = [], 0.0, 1.0
        for what, done, total in self._stages:
            words.append(f"{what}: {min(done + 1, total):,} of {total:,}")
            share += part * min(done / max(total, 1), 1)
            part /= max(total, 1)
        self._listener(", ".join(words), share)


def _draw(done: int, total: int, what: str) -> None:
    filled = _WIDTH * done // total
    bar = "█" * filled + "·" * (_WIDTH - filled)
    _write(f"\r\x1b[K{bar} {done}/{total} {what}")


def _write(text: str) -> None:
    stream = unfiltered_errors()
    stream.write(text)
    stream.flush()
