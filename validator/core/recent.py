"""What was worked out lately, kept for those who ask again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

K = TypeVar("K")

MOST = 12


def made(store: dict[K, T], key: K, make: Callable[[], T]) -> T:
    """What a store keeps under a key: made when it is first asked for."""
    if key not in store:
        store[key] = make()
    return store[key]


class Recent(Generic[T]):
    """The last few answers by what they were asked with; the one not asked for longest goes first."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._answers: dict[object, T] = {}

    def kept(self, key: object, make: Callable[[], T]) -> T:
        answer = self._answers.pop(key) if key in self._answers else make()
        self._answers[key] = answer
        if len(self._answers) > self.most:
            del self._answers[next(iter(self._answers))]
        return answer
