"""Ways of ground units: by their own means, or taken along by a motorized unit that began with them (5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.core.movement import MoveRules, PathVerdict
from validator.games.wie.book import DROP, MOVE, TRANSPORT, part_of
from validator.games.wie.field import Field, field_at_phase_start, field_of, ours
from validator.games.wie.state import Case
from validator.games.wie.units import CLASS_1, MOTORIZED, on_the_ground
from validator.model.events import Moved
from validator.model.position import Unit
from validator.procedures.moves import Journey, journeys


class RulesOf(Protocol):
    """What binds a unit; boosted, it moves as far as a motorized unit."""

    def __call__(self, case: Case, field: Field, unit: Unit, *, boosted: bool = False) -> MoveRules: ...


DoorsOf = Callable[[Case, Journey], Sequence[HexId]]
"""Hexes of which one must be on the way."""


@dataclass(frozen=True)
class Walk:
    """One unit's way, and whether it may go it."""

    journey: Journey
    rules: MoveRules
    verdict: PathVerdict
    through: bool = False  # a way through one of the doors is open
    carried: bool = False  # its verdict is that of a unit which a motorized one takes along
    unhelped: bool = False  # so it would be legal, and all motorized units that began with it take others

    @property
    def unit(self) -> Unit:
        return self.journey.unit

    @property
    def legal(self) -> bool:
        return self.verdict.legal or self.through

    @property
    def cost(self) -> int:
        """Of a way that is not open as it is shown: by the hexes that are left out; else of as many hexes."""
        loose = self.verdict if self.verdict.legal else self.journey.verdict(replace(self.rules, exact=False))
        return ONE * (len(self.journey.way) - 1) if loose.cost is None else loose.cost


def marchers(case: Case, event: Moved) -> list[Journey]:
    """Ground units of the side whose turn it is that go by themselves."""
    flown = event.mode == TRANSPORT or (event.mode == DROP and part_of(case.phase) == MOVE)
    walking = on_the_ground(ours(case, () if flown else case.units(event.units)))
    return [journey for journey in journeys(case, field_of(case), event) if journey.unit in walking]


def began(case: Case, unit: Unit, otherwise: HexId) -> HexId:
    """Where a unit stood as the phase began."""
    hex_id = field_of(case).id(case.phase_start.units[unit.id].spot)
    return otherwise if hex_id is None else hex_id


def carriers(case: Case, unit: Unit, start: HexId) -> list[Unit]:
    """Motorized units that began the phase with a unit which they can take along."""
    there = field_at_phase_start(case).units(start, unit.side) if unit.has(CLASS_1) else ()
    return [other for other in there if other.has(MOTORIZED)]


def is_helped(case: Case, unit: Unit, start: HexId, others: Iterable[str] = ()) -> bool:
    """Whether one of them is free to take it along; `others` are taken besides those of earlier moves."""
    taken = {*case.in_phase.boosted.get(start, []), *others} - {unit.id}
    return len(taken) < len(carriers(case, unit, start))


def takes_along(case: Case, walk: Walk) -> None:
    """Noted, if a motorized unit of its hex takes a unit along."""
    if walk.carried:
        start = began(case, walk.unit, walk.journey.start)
        case.in_phase.boosted.setdefault(start, []).append(walk.unit.id)


def walk_of(
    case: Case, journey: Journey, rules_of: RulesOf, doors: Sequence[HexId], others: Iterable[str]
) -> Walk:
    unit, start = journey.unit, began(case, journey.unit, journey.start)
    own = _attempt(journey, rules_of(case, field_of(case), unit), doors)
    if own.legal or not carriers(case, unit, start):
        return own
    lifted = _attempt(journey, rules_of(case, field_of(case), unit, boosted=True), doors)
    helped = is_helped(case, unit, start, others)
    return replace(lifted, carried=True) if lifted.legal and helped else replace(own, unhelped=lifted.legal)


def _attempt(journey: Journey, rules: MoveRules, doors: Sequence[HexId]) -> Walk:
    rules = replace(rules, exact=not journey.dragged)
    through = any(journey.verdict(rules, [door]).legal for door in doors)
    return Walk(journey, rules, journey.verdict(rules), through)


def no_doors(case: Case, journey: Journey) -> Sequence[HexId]:
    return ()


def walks_of(
    case: Case, walking: Iterable[Journey], rules_of: RulesOf, doors_of: DoorsOf = no_doors
) -> list[Walk]:
    """Those of one move, one after the other: a motorized unit takes only one along."""
    walks: list[Walk] = []
    for journey in walking:
        others = [walk.unit.id for walk in walks if walk.carried]
        walks.append(walk_of(case, journey, rules_of, doors_of(case, journey), others))
    return walks
