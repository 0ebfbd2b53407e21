"""Isolated units: a die for each place of theirs, and the steps that it costs.

A game states its `Attrition`. What one die is for is a place: the hex of units that check together, or a unit
that checks alone (`place_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fieldpost.hexes import Hex
from validator.core.volleys import matched
from validator.engine.case import AnyCase
from validator.engine.rulebook import Faults, Rulebook
from validator.model.events import Replaced, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit, on_map
from validator.procedures.supplymarks import OUT, shown_statuses

Place = Hashable


@dataclass(frozen=True)
class Attrition:
    """Rules it names: `checks`, who rolls; `costs`, what a die takes. `isolated` says of a unit whether each
    moment it may have been judged at finds it isolated; `due` how many steps a place loses by a die, and what
    changed the die. `why` tells of a place what its supply is; `spared` is the rule of one that checks and
    is not isolated."""

    checks: str
    costs: str
    phase: str
    reason: str  # of its dice
    place_of: Callable[[Unit], Place]  # of a unit as the phase began
    isolated: Callable[[Any, Unit], list[bool]]
    due: Callable[[Any, Place, int], tuple[int, Sequence[str]]]
    steps_left: Callable[[Any, Unit], int]
    suffers: Callable[[Unit], bool]
    spared: Callable[[Any, Place], str]
    why: Callable[[Any, Place], str] = lambda case, place: ""
    others: tuple[str, ...] = ()


def register(rules: Rulebook, of: Attrition) -> None:
    @rules.rule(of.checks, of.costs, *of.others)
    @rules.at_phase_end(of.phase)
    def isolated_places_check_once_each(case: AnyCase) -> Faults:
        must, may = isolated(of, case)
        rolls = case.in_phase.of(Rolled, reason=of.reason)
        named = Counter(_place(of, case, roll) for roll in rolls if roll.about)
        nameless = len(rolls) - sum(named.values())
        waiting = sorted((place for place in must if not named[place]), key=str)
        for place in waiting[nameless:]:
            yield _fault(of, case, of.checks, place, "is isolated and has not checked")
        for place in named.keys() - may:
            yield _fault(of, case, of.spared(case, place), place, "is not isolated and checks")
        for place in (place for place in named.keys() & may if named[place] > 1):
            yield _fault(of, case, of.costs, place, f"checks {named[place]} times")
        if nameless > len(may - set(named)):
            yield Fault(of.checks, f"{nameless} attrition dice name no unit, more than are isolated")

    @rules.rule(of.costs)
    @rules.at_phase_end(of.phase)
    def attrition_costs_what_the_table_says(case: AnyCase) -> Faults:
        """Dice that name no unit are given to isolated places so that they fit what was lost."""
        must, may = isolated(of, case)
        lost, rolls = losses(of, case), case.in_phase.of(Rolled, reason=of.reason)
        named = {_place(of, case, roll) for roll in rolls if roll.about}
        for place in named & may:
            yield from _of_place(of, case, place, lost.get(place, 0))
        for place in {place for place, steps in lost.items() if steps > 0} - may:
            yield _fault(of, case, of.costs, place, "lost steps in the supply phase and is not isolated")
        dice = [roll.values[0] for roll in rolls if not roll.about]
        others = sorted(may - named, key=str)
        enough = len(must - named) <= len(dice) <= len(others)  # who checks is judged above
        if dice and enough and not _fits(of, case, dice, others, lost):
            parts = ", ".join(f"{_text(case, place)} lost {lost.get(place, 0)}" for place in others)
            text = f"attrition dice {', '.join(map(str, dice))} do not give these losses: {parts}"
            yield Fault(of.costs, text, tuple(name for place in others for name in _at(of, case, place)))


def isolated(of: Attrition, case: AnyCase) -> tuple[set[Place], set[Place]]:
    """Places that must check; and these with all that may have had to."""
    must, may = set(), set()
    for start in filter(of.suffers, case.phase_start.on_map()):
        unit = case.unit(start.id)
        isolations = of.isolated(case, unit)
        shown = not unit.on_map or OUT in shown_statuses(case, unit)  # else its marker is the fault
        may |= {of.place_of(start)} if any(isolations) else set()
        must |= {of.place_of(start)} if any(isolations) and all(isolations) and shown else set()
    return must, may


def losses(of: Attrition, case: AnyCase) -> dict[Place, int]:
    """Steps lost in the phase, by place; what took a unit's place counts for it."""
    heirs: dict[str, list[str]] = {}
    for event in case.in_phase.of(Replaced):
        heirs.setdefault(event.old[0], []).extend(event.comers)
    reused = set().union(*heirs.values())  # a counter that was lost may serve again
    lost: Counter[Place] = Counter()
    for start in filter(of.suffers, case.phase_start.on_map()):
        own = () if start.id in reused else (start.id,)
        units = case.units((*own, *heirs.get(start.id, ())))
        now = sum(of.steps_left(case, unit) for unit in on_map(units))
        lost[of.place_of(start)] += of.steps_left(case, start) - now
    return {place: steps for place, steps in lost.items() if steps}


def _place(of: Attrition, case: AnyCase, roll: Rolled) -> Place:
    return of.place_of(case.phase_start.units[str(roll.about)])


def _text(case: AnyCase, place: Place) -> str:
    return case.label(place) if isinstance(place, Hex) else str(place)


def _at(of: Attrition, case: AnyCase, place: Place) -> tuple[str, ...]:
    return tuple(unit.id for unit in case.phase_start.on_map() if of.place_of(unit) == place)


def _fault(of: Attrition, case: AnyCase, rule: str, place: Place, text: str) -> Fault:
    text = ": ".join(filter(None, (f"{_text(case, place)} {text}", of.why(case, place))))
    return Fault(rule, text, _at(of, case, place))


def _due(of: Attrition, case: AnyCase, place: Place, dice: Sequence[int]) -> int:
    """What dice cost a place, no more than it has."""
    units = (case.phase_start.units[name] for name in _at(of, case, place))
    most = sum(of.steps_left(case, unit) for unit in units if of.suffers(unit))
    return min(sum(of.due(case, place, die)[0] for die in dice), most)


def _of_place(of: Attrition, case: AnyCase, place: Place, lost: int) -> Iterator[Fault]:
    rolls = [roll for roll in case.in_phase.of(Rolled, reason=of.reason) if roll.about]
    dice = [roll.values[0] for roll in rolls if _place(of, case, roll) == place]
    due = _due(of, case, place, dice)
    if lost != due:
        sums = [" ".join([f"die {die}", *of.due(case, place, die)[1]]) for die in dice]
        text = f"{_text(case, place)} lost {lost} steps by attrition, {due} due: {', '.join(sums)}"
        evidence = {"due": due, "lost": lost, "dice": sums}
        yield Fault(of.costs, text, _at(of, case, place), evidence=evidence)


def _fits(
    of: Attrition, case: AnyCase, dice: Sequence[int], places: Sequence[Place], lost: Mapping[Place, int]
) -> bool:
    """Whether the dice can be given to places so that each lost what its die says, the others nothing."""
    given = [[die] for die in dice] + [[]] * (len(places) - len(dice))
    fitting = {
        number: [place for place in places if _due(of, case, place, each) == lost.get(place, 0)]
        for number, each in enumerate(given)
    }
    return len(matched(fitting)) == len(given)
