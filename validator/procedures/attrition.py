"""Isolated units: a die for each place of theirs, and the steps that it costs.

A game states its `Attrition`. What one die is for is a place: the hex of units that check together, or a unit
that checks alone (`place_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.engine.rulebook import Faults, Rulebook
from validator.model.events import Replaced, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.supplymarks import OUT, shown_statuses

Place = Hashable


@dataclass(frozen=True)
class Attrition:
    """`found` tells of a unit whether each moment it may have been judged at finds it isolated."""

    rule: str
    phase: str
    reason: str  # of its dice
    place_of: Callable[[Unit], Place]  # of a unit as the phase began
    found: Callable[[Any, Unit], list[bool]]
    due: Callable[[Any, int], int]  # steps by a die
    steps_left: Callable[[Any, Unit], int]
    suffers: Callable[[Unit], bool]


def register(rules: Rulebook, of: Attrition) -> None:
    @rules.rule(of.rule)
    @rules.at_phase_end(of.phase)
    def isolated_places_check_once_each(case: AnyCase) -> Faults:
        must, may = isolated(of, case)
        named = Counter(_place(of, case, roll) for roll in _rolls(of, case) if roll.about)
        nameless = sum(not roll.about for roll in _rolls(of, case))
        waiting = sorted((place for place in must if not named[place]), key=str)
        for place in waiting[nameless:]:
            yield Fault(
                of.rule, f"{_text(case, place)} is isolated and has not checked", _at(of, case, place)
            )
        for place, count in named.items():
            if count > 1 or place not in may:
                why = f"checks {count} times" if place in may else "is not isolated and checks"
                yield Fault(of.rule, f"{_text(case, place)} {why}", _at(of, case, place))
        if nameless > len({*must, *may} - set(named)):
            yield Fault(of.rule, f"{nameless} attrition dice name no unit, more than are isolated")

    @rules.rule(of.rule)
    @rules.at_phase_end(of.phase)
    def attrition_costs_what_the_table_says(case: AnyCase) -> Faults:
        """By place where the dice name units; else in all."""
        lost, rolls = losses(of, case), _rolls(of, case)
        due = sum(of.due(case, roll.values[0]) for roll in rolls)
        if all(roll.about for roll in rolls):
            for place in {*lost, *(_place(of, case, roll) for roll in rolls)}:
                yield from _of_place(of, case, place, lost.get(place, 0))
        elif sum(lost.values()) > due:
            yield Fault(of.rule, f"{sum(lost.values())} steps lost by attrition, {due} due")


def isolated(of: Attrition, case: AnyCase) -> tuple[set[Place], set[Place]]:
    """Places that must check, and places that may have had to."""
    must, may = set(), set()
    for start in case.phase_start.on_map():
        unit = case.position.units[start.id]
        found = of.found(case, unit) if unit.on_map else []
        shown = unit.on_map and OUT in shown_statuses(case, unit)
        if not unit.on_map or (any(found) and shown):
            may.add(of.place_of(start))
        if found and all(found) and shown:
            must.add(of.place_of(start))
    return must, may


def losses(of: Attrition, case: AnyCase) -> dict[Place, int]:
    """Steps lost in the phase, by place; what took a unit's place counts for it."""
    heirs = {e.old[0]: e.new for e in case.in_phase.events if isinstance(e, Replaced) and e.old}
    reused = {name for new in heirs.values() for name, _ in new}
    found: Counter[Place] = Counter()
    for start in case.phase_start.on_map():
        names = [start.id, *(name for name, _ in heirs.get(start.id, ()))]
        units = [case.position.units[name] for name in names]
        now = sum(of.steps_left(case, unit) for unit in units if unit.on_map)
        if of.suffers(start) and start.id not in reused and now != of.steps_left(case, start):
            found[of.place_of(start)] += of.steps_left(case, start) - now
    return dict(found)


def _rolls(of: Attrition, case: AnyCase) -> list[Rolled]:
    return [e for e in case.in_phase.events if isinstance(e, Rolled) and e.reason == of.reason]


def _place(of: Attrition, case: AnyCase, roll: Rolled) -> Place:
    return of.place_of(case.phase_start.units[str(roll.about)])


def _text(case: AnyCase, place: Place) -> str:
    return case.label(place) if isinstance(place, Hex) else str(place)


def _at(of: Attrition, case: AnyCase, place: Place) -> tuple[str, ...]:
    return tuple(unit.id for unit in case.phase_start.on_map() if of.place_of(unit) == place)


def _of_place(of: Attrition, case: AnyCase, place: Place, lost: int) -> Iterator[Fault]:
    dice = [roll.values[0] for roll in _rolls(of, case) if _place(of, case, roll) == place]
    there = [unit for unit in case.phase_start.on_map() if of.place_of(unit) == place]
    most = sum(of.steps_left(case, unit) for unit in there if of.suffers(unit))
    due = min(sum(of.due(case, die) for die in dice), most)
    if lost != due:
        text = f"{_text(case, place)} lost {lost} steps by attrition, {due} due: die "
        text += ", ".join(map(str, dice)) or "none"
        yield Fault(of.rule, text, tuple(u.id for u in there), evidence={"due": due, "dice": dice})
