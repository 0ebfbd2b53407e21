"""Where a unit may go, in games whose units march, use strategic movement and go by sea.

A game states its `Ways`; `reach` is what its module of queries offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fieldpost.hexes import Hex
from validator.core.board import Board, HexId
from validator.core.movement import MoveRules
from validator.core.sea import SeaRules
from validator.engine.case import AnyCase
from validator.model.events import Moved
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.marches import MARCH, STRATEGIC, has_points, trip_of
from validator.procedures.overruns import Overruns
from validator.procedures.supplymarks import NAMES, status_of
from validator.procedures.transport import SEA, Reason
from validator.procedures.zonedfield import ZonedField
from validator.queries import answers
from validator.queries.answers import Asked, Reach, SupplyLine
from validator.queries.targets import with_targets

MODES = (MARCH, STRATEGIC, SEA)


@dataclass(frozen=True)
class Ways:
    """`phases` are those in which a unit may move, with their sides; `stays` says why it does not march in
    this one, `shut` why nobody goes by sea; both say nothing if it may. `overruns` are shown beside the ways
    of a march, but of units that `never_attacks`."""

    field_of: Callable[[Any], Any]
    phases: Callable[[Any, Unit], Mapping[str, str]]
    is_played: Callable[[Any, int, str], bool]
    stays: Callable[[Any, Unit], str]
    march: Callable[[Any, Any, Unit, list[Unit]], MoveRules]
    not_strategic: Callable[[Any, Unit], Iterable[Reason]]
    strategic: Callable[[Any, Any, Unit], MoveRules]
    voyage: Callable[[Any, Any, Unit, list[HexId], Moved], Iterable[Fault]]
    sea: Callable[[Any, Any, Unit], SeaRules]
    shut: Callable[[Any], str] = lambda case: ""
    overruns: Overruns | None = None
    never_attacks: Callable[[Any, Unit], bool] = lambda case, unit: False


def zones(field_of: Callable[[Any], ZonedField], case: AnyCase, side: str) -> set[Hex]:
    """The hexes in a side's zones as the position stands."""
    return field_of(case).zone_hexes(side)


def supply(
    now: Callable[[Any], Any], line: Callable[[Any, Unit, HexId], SupplyLine], case: AnyCase
) -> list[SupplyLine]:
    """Every unit on the map, as it would be judged now."""
    state, sides = now(case), (side.id for side in case.game.sides)
    return [line(state, unit, hex_id) for hex_id, unit in state.field.of_sides(*sides)]


def marked_line(unit: Unit, board: Board, line: Iterable[HexId], **found: Any) -> SupplyLine:
    """Of a unit that shows its supply by a marker; `found` is the rest of the answer."""
    return SupplyLine(
        unit=unit.id,
        side=unit.side,
        hex=unit.hex,
        marked=NAMES[status_of(unit)],
        line=tuple(board.hexes[h] for h in line),
        **found,
    )


def reach(of: Ways, case: AnyCase, unit: str, mode: str, target: Hex | None) -> Reach:
    """Where a unit may go: in the present phase if that is its own, else as its next one begins."""
    phases = of.phases(case, case.position.units[unit])
    asked = answers.ask(case, of.field_of, phases, unit, target, of.is_played)
    reach_by = {MARCH: _march, STRATEGIC: _strategic, SEA: _sea}[mode]
    return replace(reach_by(of, asked), leaves_out=(answers.STACKING, answers.ALONE))


def _march(of: Ways, asked: Asked[Any]) -> Reach:
    case, unit = asked.case, asked.unit
    trip = trip_of(case, unit)
    if not has_points(unit):
        return asked.nowhere(MARCH, f"{unit.id} has no movement points and never moves")
    if why := of.stays(case, unit):
        return asked.nowhere(MARCH, f"{unit.id} {why}")
    if trip is not None and (trip.ended or trip.mode != MARCH):
        return asked.nowhere(MARCH, f"{unit.id} has finished its movement in this phase")
    found = answers.searched(asked, MARCH, of.march(case, asked.field, unit, [unit]))
    if of.overruns is None or of.never_attacks(case, unit):
        return found
    return with_targets(of.overruns, asked, found)


def _strategic(of: Ways, asked: Asked[Any]) -> Reach:
    for _, reason in of.not_strategic(asked.case, asked.unit):
        return asked.nowhere(STRATEGIC, f"{asked.unit.id} {reason}")
    return answers.searched(asked, STRATEGIC, of.strategic(asked.case, asked.field, asked.unit))


def _sea(of: Ways, asked: Asked[Any]) -> Reach:
    case, field, unit = asked.case, asked.field, asked.unit
    if why := of.shut(case):
        return asked.nowhere(SEA, why)

    def faults(end: HexId) -> list[str]:
        way = [asked.start, end]
        event = Moved((unit.id,), asked.hexes(way), SEA)
        return [fault.message for fault in of.voyage(case, field, unit, way, event)]

    return answers.voyages(asked, SEA, of.sea(case, field, unit), faults)
