"""What was worked out lately, kept for those who ask again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 12


class Recent(Generic[T]):
    """The last few answers by what they were asked with; the one not asked for longest goes first."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._known: dict[object, T] = {}

    def kept(self, key: object, make: Callable[[], T]) -> T:
        found = self._known.pop(key) if key in self._known else make()
        self._known[key] = found
        if len(self._known) > self.most:
            del self._known[next(iter(self._known))]
        return found
