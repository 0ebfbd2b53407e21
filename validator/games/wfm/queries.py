"""Supply lines and reach of units, for players who ask."""

from __future__ import annotations

from dataclasses import replace

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.costs import points
from validator.games.wfm.book import AXIS, ENEMY
from validator.games.wfm.c05_march import PHASES, SEA, STRATEGIC, move_rules
from validator.games.wfm.c05_transport import by_sea, not_strategic, sea_rules, strategic_move_rules
from validator.games.wfm.c09_supply import Status, Supply, end_text, line_text, supply_now
from validator.games.wfm.c16_scenarios import is_played
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Moved
from validator.model.position import Unit
from validator.procedures.marching import MARCH, trip_of
from validator.procedures.supplymarks import NAMES, status_of
from validator.queries import answers
from validator.queries.answers import Asked, Reach, SupplyLine

MODES = (MARCH, STRATEGIC, SEA)


# --- zones of control ------------------------------------------------------------------------------


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
    status = found.of(unit, hex_id)
    board = found.field.board
    line = found.tracing[AXIS].depots.paths.get(hex_id, ()) if unit.has("depot") else status.line
    return SupplyLine(
        unit=unit.id,
        side=unit.side,
        hex=unit.hex,
        status=status.name,
        supplied=status.name == "supplied",
        marked=NAMES[status_of(unit)],
        by=status.by,
        length=None if status.length is None else points(status.length),
        limit=None if status.limit is None else points(status.limit),
        line=tuple(board.hexes[h] for h in line),
        text=_text(found, unit, hex_id, status),
    )


def _text(found: Supply, unit: Unit, hex_id: HexId, status: Status) -> str:
    if unit.has("depot"):
        linked = found.tracing[AXIS].linked(hex_id)
        return (
            f"always in supply; {_chain_text(found, unit, hex_id) if linked else 'in no chain to a source'}"
        )
    saved = {"factory": "saved by a factory; ", "air": "supplied by air; "}.get(status.by, "")
    by_sea_ = "by sea: " if status.by == "sea" else ""
    return f"{saved}{by_sea_}{line_text(found, unit, hex_id)}"


def _chain_text(found: Supply, unit: Unit, hex_id: HexId) -> str:
    if not found.tracing[AXIS].linked(hex_id):
        return "in no chain to a source"
    links = found.tracing[AXIS].depots.links(hex_id)
    if not links:
        return "at a source"
    ends = [end_text(found, unit, link[-1]) for link in links]
    return f"in the chain by {', '.join(ends)}"


# --- reach -------------------------------------------------------------------------------------


def reach(case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
    """Where a unit may go: in the present phase if that is its own, else as its next one begins."""
    panzer = case.position.units[unit].has("panzer")
    phases = {p: side for p, side in PHASES.items() if panzer or p in (case.phase, "axis-move", "sov-move")}
    asked = answers.ask(case, field_of, phases, unit, target, is_played)
    ways = {MARCH: _march, STRATEGIC: _strategic, SEA: _sea}
    return replace(ways[mode](asked), stacking=False)


def _march(asked: Asked[Field]) -> Reach:
    case, unit = asked.case, asked.unit
    if case.phase == "ger-mech" and not unit.has("panzer"):
        return asked.nowhere(MARCH, f"{unit.id} is no panzer unit and does not move in this phase")
    trip = trip_of(case, unit)
    if trip is not None and (trip.ended or trip.mode != MARCH):
        return asked.nowhere(MARCH, f"{unit.id} has finished its movement in this phase")
    return answers.searched(asked, MARCH, move_rules(case, asked.field, unit, [unit]))


def _strategic(asked: Asked[Field]) -> Reach:
    reasons = list(not_strategic(asked.case, asked.unit))
    if reasons:
        return asked.nowhere(STRATEGIC, f"{asked.unit.id} {reasons[0][1]}")
    rules = strategic_move_rules(asked.case, asked.field, asked.unit)
    return answers.searched(asked, STRATEGIC, rules)


def _sea(asked: Asked[Field]) -> Reach:
    case, field, unit = asked.case, asked.field, asked.unit
    if any(rule.id == "no-sea-movement" for rule in case.scenario.special_rules):
        return asked.nowhere(SEA, "no unit moves by sea in this scenario")

    def faults(end: HexId) -> list[str]:
        way = [asked.start, end]
        event = Moved((unit.id,), asked.hexes(way), SEA)
        return [fault.message for fault in by_sea(case, field, unit, way, event)]

    return answers.voyages(asked, SEA, sea_rules(case, field, unit), faults)
