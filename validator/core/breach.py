"""A rule that something breaks: the one form in which every module of the core says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from validator.core.board import HexId


@dataclass(frozen=True, slots=True)
class Breach:
    """The rule's key, where it is broken and by whom; where it is a matter of numbers, which."""

    key: str
    hexes: tuple[HexId, ...] = ()
    units: tuple[str, ...] = ()
    needed: Fraction | int | None = None
    available: Fraction | int | None = None
    detail: str = ""  # a kind, a name, a nearer reason; never a sentence


def broken_where(*rows: tuple[object, Breach]) -> tuple[Breach, ...]:
    """Of the conditions that hold, the breaches that stand beside them."""
    return tuple(breach for holds, breach in rows if holds)


def merged(breaches: Iterable[Breach]) -> list[Breach]:
    """Breaches that differ in their units alone, as one with all of them; in the order they came."""
    by_rule: dict[Breach, tuple[str, ...]] = {}
    for breach in breaches:
        bare = replace(breach, units=())
        by_rule[bare] = (*by_rule.get(bare, ()), *breach.units)
    return [replace(bare, units=units) for bare, units in by_rule.items()]
