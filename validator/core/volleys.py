"""Battles of many rounds with a die for each unit: hits, help by supporters, pairings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

K = TypeVar("K")
T = TypeVar("T")


@dataclass(frozen=True)
class Shot:
    """The dice of one unit."""

    unit: str
    values: tuple[int, ...]
    hits: int

    @property
    def highest(self) -> int:
        return max(self.values)


def shots(units: Sequence[str], values: Sequence[int], dice: Callable[[str], int], hit: int) -> list[Shot]:
    """The dice dealt out to the units in their order; the last ones get none if there are too few."""
    left = iter(values)
    dealt = []
    for unit in units:
        shown = tuple(islice(left, dice(unit)))
        if shown:
            dealt.append(Shot(unit, shown, sum(value <= hit for value in shown)))
    return dealt


def room_for_help(supporters: Mapping[str, int]) -> int:
    """How many units some supporters help: each as many as it can."""
    return sum(supporters.values())


def matched(wanted: Mapping[K, Iterable[T]]) -> dict[K, T]:
    """A partner for each, no two the same, for as many as can be: `wanted` names those that each may have."""
    holds: dict[T, K] = {}

    def place(one: K, tried: set[T]) -> bool:
        for partner in wanted[one]:
            if partner in tried:
                continue
            tried.add(partner)
            if partner not in holds or place(holds[partner], tried):
                holds[partner] = one
                return True
        return False

    for one in wanted:
        place(one, set())
    return {one: partner for partner, one in holds.items()}
