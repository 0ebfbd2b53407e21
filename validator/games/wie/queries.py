"""Supply and reach of units, for players who ask."""

from __future__ import annotations

from dataclasses import replace

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.costs import points
from validator.core.movement import MoveRules
from validator.games.wie.book import MARCH, MOVE, NON_COMBAT, REDEPLOY, SIDES, STRATEGIC, both, side_of
from validator.games.wie.c05_air import range_of
from validator.games.wie.c05_movement import move_rules, out_and_bound
from validator.games.wie.c06_redeployment import rules_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.lines import Supply, commanded, hq_range, is_out, supply_of
from validator.games.wie.state import Case
from validator.games.wie.units import RAIL_GUN, ROCKET, is_air, is_hq
from validator.model.position import Unit
from validator.procedures import faults
from validator.queries import answers
from validator.queries.answers import Answer, Asked, Reach, Reached, SupplyLine

FLIGHT = "ground-support"
MODES = (MARCH, NON_COMBAT, STRATEGIC, FLIGHT)
SUPPLIED, UNSUPPLIED, NO_COMMAND = "supplied", "out of supply", "outside the range of headquarters"
MARKED = {1: UNSUPPLIED, 2: UNSUPPLIED}
PHASES = {
    MARCH: {phase: side_of(phase) for phase in both(MOVE)},
    FLIGHT: {phase: side_of(phase) for phase in both(MOVE)},
    NON_COMBAT: {phase: side_of(phase) for phase in both(REDEPLOY)},
    STRATEGIC: {phase: side_of(phase) for phase in both(REDEPLOY)},
}


def zones(case: Case, side: str) -> set[Hex]:
    """The zones of a side's armor, which cut supply."""
    field = field_of(case)
    return {hex_ for hex_, held in zip(field.board.hexes, field.zones(side), strict=True) if held}


# --- supply -------------------------------------------------------------------------------------------------


def supply(case: Case) -> list[SupplyLine]:
    """Every unit on the map, as a check would find it now; and whether a headquarters is near."""
    field = field_of(case)
    return [
        _line(case, field, supply_of(case, field, side), hex_id, unit)
        for side in SIDES
        for hex_id, unit in field.of_side(side)
    ]


def _line(case: Case, field: Field, supply: Supply, hex_id: HexId, unit: Unit) -> SupplyLine:
    has = supply.has(hex_id)
    path = supply.line(hex_id) if has else ()
    by = _source(field, unit, path)
    near = commanded(case, field, unit)
    status = faults.first_true((not has, UNSUPPLIED), (not near, NO_COMMAND), otherwise=SUPPLIED)
    return SupplyLine(
        unit=unit.id,
        side=unit.side,
        hex=unit.hex,
        status=status,
        supplied=has,
        marked=MARKED.get(unit.marks.get("out-of-supply", 0), ""),
        by=by,
        length=points(12 * (len(path) - 1)) if by in ("city", "edge") else None,
        limit=points(12 * supply.limit),
        line=field.hexes(path),
        text=_text(case, field, supply, path or (hex_id,), unit, by),
    )


def _source(field: Field, unit: Unit, path: tuple[HexId, ...]) -> str:
    """What a line ends in; empty without one."""
    if not path:
        return ""
    edge = path[-1] in field.ground.edge(unit.side)
    return faults.first_true((field.city(path[-1]), "city"), (edge, "edge"), otherwise="chain")


def _text(case: Case, field: Field, supply: Supply, path: tuple[HexId, ...], unit: Unit, by: str) -> str:
    words = field.ground.wording
    if not by:
        free = Supply(field, unit.side, supply.weather, zones=False)
        zones_cut = free.has(path[0])
        why = "zones of enemy armor cut every line" if zones_cut else "no friendly city or own edge is near"
        return f"{why}, and no chain of units reaches one"
    length = len(path) - 1
    end = field.ground.named_place(field.board.hexes[path[-1]])
    distance = f"{length} of {supply.limit} hexes to "
    said = {
        "city": distance + end,
        "edge": distance + "the edge of the map",
        "chain": f"in a chain of units that is in supply at {words.hex(path[0])}",
    }[by]
    if is_hq(unit):
        return said
    near = "a headquarters is" if commanded(case, field, unit) else "no headquarters is"
    return f"{said}; {near} within {hq_range(case)} hexes"


# --- reach --------------------------------------------------------------------------------------------------


def reach(case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
    """Where a unit may go: in the present phase if that is its own, else as its next one begins."""
    asked = answers.ask(case, field_of, PHASES[mode], unit, target)
    why = _why_not(asked, mode)
    if why:
        return asked.nowhere(mode, f"{unit} {why}")
    return _flight(asked) if is_air(asked.unit) else answers.searched(asked, mode, _rules(asked, mode))


def _why_not(asked: Asked[Field], mode: str) -> str:
    """Why a unit does not move so at all; planes fly, which is also their own way of moving."""
    air, unit = is_air(asked.unit), asked.unit
    by_rail = unit.has(RAIL_GUN) or unit.has(ROCKET)
    out = {STRATEGIC: is_out, MARCH: out_of_march}.get(mode, never_out)(asked.case, unit)
    return faults.first_true(
        (air and mode not in (FLIGHT, MARCH), "flies"),
        (mode == FLIGHT and not air, "does not fly"),
        (by_rail and mode != STRATEGIC, "moves by strategic redeployment only"),
        (out and not air, "was without general supply at the last check"),
        otherwise="",
    )


def out_of_march(case: Case, unit: Unit) -> bool:
    return out_and_bound(case, field_of(case), unit)


def never_out(case: Case, unit: Unit) -> bool:
    return False


def _rules(asked: Asked[Field], mode: str) -> MoveRules:
    if mode == MARCH:
        return move_rules(asked.case, asked.field, asked.unit)
    return rules_of(asked.case, asked.field, asked.unit, strategic=mode == STRATEGIC)


def _flight(asked: Asked[Field]) -> Reach:
    """As far as its range goes; any hex of the board."""
    board, most = asked.field.board, range_of(asked.case, asked.field, asked.unit)
    near = [h for h in board.within(asked.start, most) if h != asked.start]
    hexes = tuple(
        Reached(asked.hex(h), points(12 * board.distance(asked.start, h)), asked.hexes((asked.start, h)))
        for h in sorted(near)
    )
    answer = None
    if asked.target is not None:
        far = board.distance(asked.start, asked.target)
        answer = Answer(asked.hex(asked.target), far <= most, f"{far} hexes, and {most} is its range")
    found = asked.nowhere(FLIGHT, "")
    return replace(
        found, budget=points(12 * most), hexes=hexes, answer=answer, leaves_out=(answers.STACKING,)
    )
