"""Which rule a player forgot: sums with one thing wrong, and the search for the one that fits.

A game lists its mistakes as pairs of a rule and a sum, the likeliest first; common ones are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from validator.core.strength import Fighter
from validator.procedures.battle.odds import S

SIDES = ("attack", "defense")


Mistake = tuple[str, S]
"""The rule that is misread, and the sum as it comes out then."""


def first_that_fits(mistakes: Iterable[Mistake[S]], fits: Callable[[S], bool]) -> Mistake[S] | None:
    return next((mistake for mistake in mistakes if fits(mistake[1])), None)


def with_fighters(sum_: S, side: str, fighters: Iterable[Fighter]) -> S:
    chosen = tuple(fighters)
    return replace(sum_, attack=chosen) if side == "attack" else replace(sum_, defense=chosen)


def changes_forgotten(sum_: S) -> Iterator[tuple[str, S]]:
    """A change of strengths left out, for all units of a side or for one; its key is the rule."""
    for side in SIDES:
        fighters: tuple[Fighter, ...] = getattr(sum_, side)
        for key in dict.fromkeys(change.key for one in fighters for change in one.changes):
            yield key, with_fighters(sum_, side, (_without(one, key) for one in fighters))
            for left in fighters:
                some = (_without(one, key) if one is left else one for one in fighters)
                yield key, with_fighters(sum_, side, some)


def _without(one: Fighter, key: str) -> Fighter:
    return replace(one, changes=tuple(change for change in one.changes if change.key != key))


def forgotten(sum_: S, rules: Mapping[str, str]) -> Iterator[tuple[str, S]]:
    """Shifts and modifiers left out, of the keys that have a rule."""
    for key, rule in rules.items():
        if key in sum_.keys:
            yield rule, sum_.without(key)


def defenders_left_out(sum_: S) -> Iterator[tuple[set[str], S]]:
    """The units left out, few first."""
    for number in range(len(sum_.defense) - 1, 0, -1):
        for some in combinations(sum_.defense, number):
            gone = {one.unit for one in sum_.defense if one not in some}
            yield gone, replace(sum_, defense=some)


def attackers_used_in_part(sum_: S) -> Iterator[S]:
    """Only a part of one attacker's strength."""
    for i, one in enumerate(sum_.attack):
        for less in range(1, int(one.printed)):
            part = replace(one, printed=less)
            yield replace(sum_, attack=(*sum_.attack[:i], part, *sum_.attack[i + 1 :]))
