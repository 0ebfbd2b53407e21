"""How many units may share a hex: exact sizes, limits by class, slots, and who may stand with whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from validator.core.breach import Breach, broken_where

OVERSTACKED, SLOTS, MIXED = "stacking", "stacking-slots", "nationality"


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit as stacking sees it. `group` is what rules of mixing go by, mostly its nationality."""

    unit: str
    size: Fraction
    group: str = ""
    classes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class StackRules:
    """What one hex holds of one side.

    `slots`: sizes that the units must fit into one by one, instead of the sum alone. `most` of a class in
    a hex; `free` of a class that do not count. `mixes` holds the pairs of groups that may share a hex
    (a group always may with itself); None lets all mix.
    """

    limit: Fraction
    slots: tuple[Fraction, ...] | None = None
    most: Mapping[str, int] = field(default_factory=dict)
    free: Mapping[str, int] = field(default_factory=dict)
    mixes: frozenset[frozenset[str]] | None = None


@dataclass(frozen=True)
class StackVerdict:
    load: Fraction
    limit: Fraction
    sizes: tuple[tuple[str, Fraction], ...]
    breaches: tuple[Breach, ...]

    @property
    def legal(self) -> bool:
        return not self.breaches


def mixing(center: str, others: Iterable[str]) -> frozenset[frozenset[str]]:
    """One group that stacks with each of the others, which do not stack with one another."""
    return frozenset(frozenset((center, other)) for other in others)


def check_stack(rules: StackRules, pieces: Sequence[Piece]) -> StackVerdict:
    """Whether the units may share a hex, with the size of each that counts."""
    counted = _counted(rules, pieces)
    load = sum((piece.size for piece in counted), Fraction(0))
    sizes = tuple((piece.unit, piece.size) for piece in counted)
    breaches = (*_overfull(rules, load, dict(sizes)), *_crowded(rules, pieces), *mixed(rules, pieces))
    return StackVerdict(load, rules.limit, sizes, breaches)


def _overfull(rules: StackRules, load: Fraction, sizes: Mapping[str, Fraction]) -> tuple[Breach, ...]:
    """More than the limit; or units that do not fit into the slots one by one."""
    too_much = load > rules.limit
    unfit = rules.slots is not None and not too_much and not fits(tuple(sizes.values()), rules.slots)
    return broken_where(
        (too_much, Breach(OVERSTACKED, units=tuple(sizes), needed=load, available=rules.limit)),
        (unfit, Breach(SLOTS, units=tuple(sizes))),
    )


def mixed(rules: StackRules, pieces: Sequence[Piece]) -> tuple[Breach, ...]:
    """Units that may not share a hex, even in passing."""
    if rules.mixes is None:
        return ()
    pairs = combinations(pieces, 2)
    foul = {p.unit: None for a, b in pairs if not _may_mix(rules.mixes, a.group, b.group) for p in (a, b)}
    return (Breach(MIXED, units=tuple(foul)),) if foul else ()


def smallest_removals(rules: StackRules, pieces: Sequence[Piece]) -> list[tuple[str, ...]]:
    """The smallest sets of units whose removal makes the stack legal."""
    for number in range(len(pieces) + 1):
        sets = [
            tuple(piece.unit for piece in gone)
            for gone in combinations(pieces, number)
            if check_stack(rules, [piece for piece in pieces if piece not in gone]).legal
        ]
        if sets:
            return sets
    return []


def _counted(rules: StackRules, pieces: Sequence[Piece]) -> list[Piece]:
    """The units that have a size here, without those of a class that are free."""
    left = dict(rules.free)
    counted = []
    for piece in sorted(pieces, key=lambda piece: piece.size, reverse=True):
        excused = next((c for c in sorted(piece.classes) if left.get(c, 0) > 0), None)
        if excused is not None:
            left[excused] -= 1
        elif piece.size:
            counted.append(piece)
    return counted


def _crowded(rules: StackRules, pieces: Sequence[Piece]) -> list[Breach]:
    crowds = {name: tuple(p.unit for p in pieces if name in p.classes) for name in rules.most}
    return [
        Breach(f"class:{name}", units=units, needed=len(units), available=rules.most[name])
        for name, units in crowds.items()
        if len(units) > rules.most[name]
    ]


def _may_mix(mixes: Collection[frozenset[str]], a: str, b: str) -> bool:
    return a == b or frozenset((a, b)) in mixes


def fits(sizes: Sequence[Fraction], slots: Sequence[Fraction]) -> bool:
    """Whether the sizes can be dealt out to the slots without overflowing one."""
    if not sizes:
        return True
    largest, *rest = sorted(sizes, reverse=True)
    for i, room in enumerate(slots):
        if room in slots[:i] or room < largest:
            continue
        if fits(rest, (*slots[:i], room - largest, *slots[i + 1 :])):
            return True
    return False
