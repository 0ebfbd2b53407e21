"""Supply lines and reach of units, for players who ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import ONE, points
from validator.core.movement import MoveRules, explain
from validator.core.movement import reach as search
from validator.core.sea import destinations
from validator.events import Moved
from validator.games.wfm.book import AXIS, ENEMY
from validator.games.wfm.c05_march import PHASES, move_rules
from validator.games.wfm.c05_transport import by_sea, may_use_strategic, sea_rules, strategic_move_rules
from validator.games.wfm.c09_supply import NAMES, SUPPLIED, Status, Supply, end_text, line_text, supply_now
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.status import MARKER
from validator.games.wfm.travel import MARCH, SEA, STRATEGIC, journal
from validator.position import Unit
from validator.referee import Case, Memory
from validator.shows import Answer, Reach, Reached, SupplyLine

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
        marked=NAMES[unit.marks.get(MARKER, SUPPLIED)],
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


@dataclass(frozen=True)
class _Asked:
    """A unit, the case in which it is asked about, and where."""

    case: Case
    field: Field
    unit: Unit
    start: HexId
    target: HexId | None


def reach(case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
    """Where a unit may go: in the present phase if that is its own, else as its next one begins."""
    found = case.position.units[unit]
    case = _in_own_phase(case, found)
    asked = _asked(case, case.position.units[unit], target)
    ways: dict[str, Callable[[_Asked], Reach]] = {MARCH: _march, STRATEGIC: _strategic, SEA: _sea}
    return ways[mode](asked)


def _asked(case: Case, unit: Unit, target: Hex | None) -> _Asked:
    field = field_of(case)
    start = field.id(unit.spot)
    if start is None:
        raise FieldpostError(f"{unit.id} is not on the map", "Only units on the map can move.")
    goal = None
    if target is not None:
        goal = field.id(target)
        if goal is None:
            raise FieldpostError(f"{case.label(target)} is not in play in this scenario")
    return _Asked(case, field, unit, start, goal)


def _in_own_phase(case: Case, unit: Unit) -> Case:
    if PHASES.get(case.phase) == unit.side:
        return case
    position = case.position.copy()
    position.phase = "axis-move" if unit.side == AXIS else "sov-move"
    return replace(case, position=position, phase_start=position.copy(), in_phase=Memory(), cache={})


def _march(asked: _Asked) -> Reach:
    case, unit = asked.case, asked.unit
    if case.phase == "ger-mech" and not unit.has("panzer"):
        return _none(asked, MARCH, f"{unit.id} is no panzer unit and does not move in this phase")
    trip = journal(case).trips.get(unit.id)
    if trip is not None and (trip.ended or trip.mode != MARCH):
        return _none(asked, MARCH, f"{unit.id} has finished its movement in this phase")
    return _searched(asked, MARCH, move_rules(case, asked.field, unit, [unit]))


def _strategic(asked: _Asked) -> Reach:
    faults = list(may_use_strategic(asked.case, asked.unit))
    if faults:
        return _none(asked, STRATEGIC, faults[0].message)
    return _searched(asked, STRATEGIC, strategic_move_rules(asked.case, asked.field, asked.unit))


def _searched(asked: _Asked, mode: str, rules: MoveRules) -> Reach:
    found = search(asked.field.board, rules, asked.start)
    hexes = tuple(
        Reached(_hex(asked, h), points(found.costs[h]), _hexes(asked, found.path(h)), h in found.minimum)
        for h in found
        if h != asked.start
    )
    answer = None if asked.target is None else _explained(asked, rules, asked.target)
    return replace(_none(asked, mode, ""), budget=points(rules.budget), hexes=hexes, answer=answer)


def _explained(asked: _Asked, rules: MoveRules, target: HexId) -> Answer:
    verdict = explain(asked.field.board, rules, asked.start, target)
    return Answer(_hex(asked, target), verdict.legal, say.path_text(asked.field.ground.wording, verdict))


def _sea(asked: _Asked) -> Reach:
    case, field, unit = asked.case, asked.field, asked.unit
    if any(rule.id == "no-sea-movement" for rule in case.scenario.special_rules):
        return _none(asked, SEA, "no unit moves by sea in this scenario")
    ports = destinations(sea_rules(case, field, unit), asked.start)
    voyages = {h: _voyage_faults(asked, h) for h in ports}
    open_ = [h for h, faults in voyages.items() if not faults]
    hexes = tuple(Reached(_hex(asked, h), points(ONE), _hexes(asked, (asked.start, h))) for h in open_)
    reasons = [faults[0] for faults in voyages.values() if faults] or _voyage_faults(asked, asked.start)
    answer = None
    if asked.target is not None:
        faults = _voyage_faults(asked, asked.target)
        answer = Answer(_hex(asked, asked.target), not faults, faults[0] if faults else "a voyage by sea")
    reason = "" if hexes else (reasons or ["no other friendly port lies on this water"])[0]
    return replace(_none(asked, SEA, reason), hexes=hexes, answer=answer)


def _voyage_faults(asked: _Asked, end: HexId) -> list[str]:
    way = [asked.start, end]
    event = Moved((asked.unit.id,), _hexes(asked, way), SEA)
    return [fault.message for fault in by_sea(asked.case, asked.field, asked.unit, way, event)]


def _none(asked: _Asked, mode: str, reason: str) -> Reach:
    unit = asked.unit
    return Reach(unit.id, unit.side, unit.hex, mode, asked.case.phase, points(ONE), (), reason)


def _hex(asked: _Asked, hex_id: HexId) -> Hex:
    return asked.field.board.hexes[hex_id]


def _hexes(asked: _Asked, path: tuple[HexId, ...] | list[HexId]) -> tuple[Hex, ...]:
    return tuple(_hex(asked, h) for h in path)
