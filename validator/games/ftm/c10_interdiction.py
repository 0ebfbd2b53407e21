"""Chapter 10.1: how many units partisans engage, and which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product

from fieldpost.hexes import Hex, distance
from validator.engine.rulebook import Faults
from validator.games.ftm.book import AXIS, RULES, SUPPLY
from validator.games.ftm.c09_supply import statuses
from validator.games.ftm.c10_partisans import REACH, held_bases, may_be_engaged, number_due, partisan_dice
from validator.games.ftm.state import Case
from validator.model.events import Replaced
from validator.model.findings import Fault
from validator.model.position import Unit, names_of
from validator.procedures.supplymarks import OUT, out_of_supply

MOST = 5000  # readings of who engaged whom
Numbers = Sequence[int]


@dataclass(frozen=True)
class Marked:
    """The units near bases with partisans, by base how far they are; who of them is Out of Supply, and who
    of those may be so by its line."""

    near: Sequence[Mapping[str, int]]
    out: frozenset[str]
    by_line: frozenset[str]

    @property
    def engaged(self) -> list[str]:
        """Marked by partisans, for their lines are open."""
        return sorted({unit for near in self.near for unit in near} & self.out - self.by_line)

    def wrong(self, base: int, due: int, chosen: Sequence[str]) -> str | None:
        """What is wrong with the units that the partisans of a base engage."""
        near = self.near[base]
        marked = len(chosen) + len(self.by_line & near.keys())
        if len(chosen) > due or marked < min(due, len(near)):
            return f"partisans engage {due} units, marked are {len(chosen)}"
        farthest = max((near[unit] for unit in chosen), default=0)
        passed = [unit for unit in near if near[unit] < farthest and unit not in self.out]
        if passed:
            return f"partisans engage the nearest units first: {passed[0]} is nearer and is not marked"
        return None


@RULES.rule("ftm-10.1")
@RULES.at_phase_end(SUPPLY)
def partisans_engage_as_many_as_they_rolled(case: Case) -> Faults:
    """Of several bases in the way that fits best: nothing shows which engaged whom."""
    bases = held_bases(case)
    marked = _marked(case, bases)
    readings = (
        [text for base, due in enumerate(numbers) if (text := marked.wrong(base, due, chosen[base]))]
        for numbers in _numbers(case, bases)
        for chosen in _shares(marked)
    )
    best = min(readings, key=len, default=[])
    if best:
        yield Fault("ftm-10.1", best[0], tuple(marked.engaged), tuple(bases))


def _marked(case: Case, bases: Sequence[Hex]) -> Marked:
    able = [unit for unit in case.position.on_map(AXIS) if may_be_engaged(unit)]
    out = [unit for unit in able if out_of_supply(unit)]
    near = [
        {unit.id: hexes for unit in able if (hexes := distance(unit.hex, base)) <= REACH} for base in bases
    ]
    by_line = (unit.id for unit in out if _may_be_out(case, unit))
    return Marked(near, frozenset(names_of(out)), frozenset(by_line))


def _numbers(case: Case, bases: Sequence[Hex]) -> Iterator[Numbers]:
    """How many units the partisans of each base engage; dice that name no base may be for any."""
    named: dict[Hex, int] = {}
    others: list[int] = []
    for roll in partisan_dice(case):
        base = case.phase_start.units[roll.about].spot if roll.about else None
        number = number_due(case, roll.values[0])
        if isinstance(base, Hex) and base in bases and base not in named:
            named[base] = number
        else:
            others.append(number)
    open_ = [base for base in bases if base not in named]
    others += [0] * (len(open_) - len(others))
    for dealt in set(permutations(others, len(open_))):
        by_base = {**named, **dict(zip(open_, dealt, strict=True))}
        yield [by_base[base] for base in bases]


def _shares(marked: Marked) -> Iterator[list[list[str]]]:
    """The units that each base may have engaged."""
    engaged = marked.engaged
    reached = [[base for base, near in enumerate(marked.near) if unit in near] for unit in engaged]
    for chosen in islice(product(*reached), MOST):
        yield [
            [unit for unit, by in zip(engaged, chosen, strict=True) if by == base]
            for base in range(len(marked.near))
        ]


def _may_be_out(case: Case, unit: Unit) -> bool:
    """Whether its line may be why it is out of supply, or that of the unit that attrition made it of."""
    before = (event.old[0] for event in case.in_phase.of(Replaced) if unit.id in event.comers)
    lines = (statuses(case, each) for each in (unit, *case.units(before)))
    return any(status.status == OUT for found in lines for _, _, status in found)
