"""How strong a force is: printed factors, halved and doubled, rounded as the game says, as a worksheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import ceil, floor, prod

HALF = Fraction(1, 2)


class Round(Enum):
    UP = "up"
    DOWN = "down"
    NONE = "none"


class Per(Enum):
    """What is rounded: each unit, units reduced alike together, or the force."""

    UNIT = "unit"
    GROUP = "group"
    FORCE = "force"


@dataclass(frozen=True, slots=True)
class Change:
    """A reason a strength changes: multiplied, replaced (`set_to`), or added to."""

    key: str
    subject: str = ""
    times: Fraction | int = 1
    plus: Fraction | int = 0
    set_to: Fraction | int | None = None


@dataclass(frozen=True, slots=True)
class Fighter:
    unit: str
    printed: Fraction | int
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Rounding:
    """How a game rounds. Halving and doubling are multiplied out first, so half of a double is the whole.

    `at_least`: no unit, group or force (whichever is rounded) with a strength falls below this.
    `total_last`: multipliers of the total multiply the rounded sum, so half of 3 doubled is 4.
    """

    how: Round = Round.UP
    per: Per = Per.UNIT
    at_least: Fraction | int = 0
    total_last: bool = False

    def of(self, exact: Fraction) -> Fraction:
        if self.how is Round.NONE:
            rounded = exact
        else:
            rounded = Fraction(ceil(exact) if self.how is Round.UP else floor(exact))
        return max(rounded, Fraction(self.at_least)) if exact > 0 else rounded


@dataclass(frozen=True, slots=True)
class Share:
    """One line of a worksheet: units counted together, what changed them, what they count."""

    units: tuple[str, ...]
    printed: Fraction
    changes: tuple[Change, ...]
    value: Fraction


@dataclass(frozen=True)
class Force:
    """A side's strength in a battle, line by line."""

    shares: tuple[Share, ...]
    changes: tuple[Change, ...] = field(default=())  # of the total
    value: Fraction = Fraction(0)


def total(fighters: Iterable[Fighter], rounding: Rounding, changes: Sequence[Change] = ()) -> Force:
    """Add up a force. Multipliers of the total reach every unit before rounding, unless the game applies
    them last; additions come last."""
    changes = tuple(changes)
    multipliers = () if rounding.total_last else tuple(c for c in changes if c.times != 1)
    shares = [_share(group, multipliers, rounding) for group in _together(fighters, rounding.per)]
    value = sum((share.value for share in shares), Fraction(0))
    if rounding.per is Per.FORCE:
        value = rounding.of(value)
    for change in changes:
        value *= change.times if rounding.total_last else 1
        value = Fraction(change.set_to) if change.set_to is not None else value + change.plus
    return Force(tuple(shares), changes, value)


def capped(force: Force, most: Fraction | int, key: str) -> Force:
    """The same force counting no more than this."""
    if force.value <= most:
        return force
    return Force(force.shares, (*force.changes, Change(key, set_to=most)), Fraction(most))


def _together(fighters: Iterable[Fighter], per: Per) -> list[list[Fighter]]:
    """Units to round together: those with the same changes, where the game rounds groups."""
    if per is not Per.GROUP:
        return [[fighter] for fighter in fighters]
    groups: dict[tuple[Change, ...], list[Fighter]] = {}
    for fighter in fighters:
        groups.setdefault(fighter.changes, []).append(fighter)
    return list(groups.values())


def _share(group: Sequence[Fighter], multipliers: tuple[Change, ...], rounding: Rounding) -> Share:
    changes = group[0].changes
    printed = sum((Fraction(fighter.printed) for fighter in group), Fraction(0))
    base = printed
    for change in changes:
        if change.set_to is not None:
            base = Fraction(change.set_to) * len(group)
        base += change.plus * len(group)
    exact = base * prod((Fraction(c.times) for c in (*changes, *multipliers)), start=Fraction(1))
    value = exact if rounding.per is Per.FORCE else rounding.of(exact)
    return Share(tuple(f.unit for f in group), printed, changes, value)
