"""Supply lines and reach of units, for players who ask."""

from __future__ import annotations

from dataclasses import replace

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.games.ftm.book import ENEMY, EXPLOITING, MOVING
from validator.games.ftm.c05_march import begins_in_zone, closes_up, move_rules
from validator.games.ftm.c05_movement import SEA, STRATEGIC
from validator.games.ftm.c05_transport import by_sea, not_strategic, sea_rules, strategic_move_rules
from validator.games.ftm.field import Field, field_of
from validator.games.ftm.state import Case
from validator.games.ftm.supply import Supply, supply_now
from validator.model.events import Moved
from validator.model.position import Unit
from validator.procedures.marching import MARCH, trip_of
from validator.procedures.supplylines import shown_line
from validator.procedures.supplymarks import NAMES, status_of
from validator.queries import answers
from validator.queries.answers import Asked, Reach, SupplyLine

MODES = (MARCH, STRATEGIC, SEA)


def zones(case: Case, side: str) -> set[Hex]:
    """The hexes in a side's zones as the position stands."""
    field = field_of(case)
    return {hex_ for hex_, held in zip(field.board.hexes, field.zones(side).mask, strict=True) if held}


# --- supply ------------------------------------------------------------------------------------


def supply(case: Case) -> list[SupplyLine]:
    """Every unit on the map, as it would be judged now."""
    found = supply_now(case)
    units = ((hex_id, unit) for side in ENEMY for hex_id, unit in found.field.of_side(side))
    return [_line(found, unit, hex_id) for hex_id, unit in units]


def _line(found: Supply, unit: Unit, hex_id: HexId) -> SupplyLine:
    status, board = found.of(unit, hex_id, status_of(unit)), found.field.board
    length, limit, line = shown_line(status.net, hex_id)
    saved = "saved by a factory; " if status.by == "factory" else ""
    return SupplyLine(
        unit=unit.id,
        side=unit.side,
        hex=unit.hex,
        status=status.name,
        supplied=status.supplied,
        marked=NAMES[status_of(unit)],
        by=status.by,
        length=length,
        limit=limit,
        line=tuple(board.hexes[h] for h in line),
        text=saved + found.text(unit, hex_id, status),
    )


# --- reach -------------------------------------------------------------------------------------


def _is_played(case: Case, turn: int, phase: str) -> bool:
    return phase in case.sequence.of_turn(turn)


def reach(case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
    """Where a unit may go: in the present phase if that is its own, else as its next one begins."""
    exploits = case.position.units[unit].has("exploits")
    phases = {p: s for p, s in MOVING.items() if exploits or p == case.phase or p not in EXPLOITING}
    asked = answers.ask(case, field_of, phases, unit, target, _is_played)
    ways = {MARCH: _march, STRATEGIC: _strategic, SEA: _sea}
    return replace(ways[mode](asked), stacking=False)


def _march(asked: Asked[Field]) -> Reach:
    case, unit = asked.case, asked.unit
    if closes_up(case, unit) and (not unit.has("closes-up") or begins_in_zone(case, unit)):
        return asked.nowhere(MARCH, f"{unit.id} does not move in this phase")
    trip = trip_of(case, unit)
    if trip is not None and (trip.ended or trip.mode != MARCH):
        return asked.nowhere(MARCH, f"{unit.id} has finished its movement in this phase")
    return answers.searched(asked, MARCH, move_rules(case, asked.field, unit, [unit]))


def _strategic(asked: Asked[Field]) -> Reach:
    faults = list(not_strategic(asked.case, asked.unit))
    if faults:
        return asked.nowhere(STRATEGIC, f"{asked.unit.id} {faults[0][1]}")
    return answers.searched(asked, STRATEGIC, strategic_move_rules(asked.case, asked.field, asked.unit))


def _sea(asked: Asked[Field]) -> Reach:
    case, field, unit = asked.case, asked.field, asked.unit

    def faults(end: HexId) -> list[str]:
        way = [asked.start, end]
        event = Moved((unit.id,), asked.hexes(way), SEA)
        return [fault.message for fault in by_sea(case, field, unit, way, event)]

    return answers.voyages(asked, SEA, sea_rules(case, field, unit), faults)
