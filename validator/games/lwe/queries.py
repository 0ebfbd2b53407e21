"""Supply lines and reach of units, for players who ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fieldpost.hexes import Hex
from validator.core.board import HexId, Mask
from validator.core.costs import ONE, points, points_text
from validator.core.movement import MoveRules
from validator.core.movement import reach as search
from validator.core.supply import Lines
from validator.games.lwe.book import ENEMY, GERMAN, MOVING, SOVIET
from validator.games.lwe.c07_claims import why_cut
from validator.games.lwe.c08_refits import MARKER as REFIT
from validator.games.lwe.c09_march import ONE_HEX, move_rules, road_rules, supply_at_start
from validator.games.lwe.c09_movement import STATIC
from validator.games.lwe.c09_sea import BY_SEA_ONLY, SEA, SEA_ONLY, by_sea, sea_rules
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.lines import ATTENUATED, OUT, RANGE, german_lines, soviet_lines, state_of
from validator.games.lwe.state import Case, trip_of
from validator.model.events import Moved
from validator.model.position import Unit
from validator.procedures.faults import all_true
from validator.procedures.marches import MARCH, has_moved
from validator.queries import answers
from validator.queries.answers import Asked, Reach, SupplyLine

MODES = (MARCH, SEA)
SUPPLIED, UNSUPPLIED = "supplied", "unsupplied"
MARKER = "out-of-supply"  # nobody needs to lay it; its other face is attenuated supply
MARKED = {1: OUT, 2: ATTENUATED}


def zones(case: Case, side: str) -> set[Hex]:
    """There are no zones of control in this game."""
    return set()


# --- supply ------------------------------------------------------------------------------------


def supply(case: Case) -> list[SupplyLine]:
    """Every unit on the map, as it would be judged now."""
    field = field_of(case)
    ask = {GERMAN: _german, SOVIET: _soviet}
    return [ask[side](case, field, hex_id, unit) for side in ENEMY for hex_id, unit in field.of_side(side)]


def _german(case: Case, field: Field, hex_id: HexId, unit: Unit) -> SupplyLine:
    """Straight to a source; or to a Rollbahn (7.3)."""
    lines, state = german_lines(case, field), state_of(case, unit, field)
    status = state if state in (OUT, ATTENUATED) else SUPPLIED
    if state == OUT:
        return _without_line(unit, OUT, "", lines.why_out(hex_id))
    if lines.direct.reaches(hex_id):
        return _along(field, unit, status, "source", lines.direct)
    return _along(field, unit, status, "Rollbahn", lines.to_roads(hex_id))


def _soviet(case: Case, field: Field, hex_id: HexId, unit: Unit) -> SupplyLine:
    lines = soviet_lines(case, field)
    if lines.regular(hex_id):
        return _along(field, unit, SUPPLIED, "source", lines.lines)
    if lines.coastal(hex_id):
        return _without_line(unit, SUPPLIED, "sea", "by sea: a town on its coast")
    if lines.oranienbaum(hex_id):
        return _without_line(unit, SUPPLIED, "Leningrad", "Leningrad is held and supplied")
    why = why_cut(case, hex_id)[1]
    if field.course.dd3 is not False:
        return _without_line(unit, SUPPLIED, "Directive 3", f"by Directive 3 alone: {why}")
    return _without_line(unit, OUT, "", why)


def _without_line(unit: Unit, status: str, by: str, text: str) -> SupplyLine:
    marked = MARKED.get(unit.marks.get(MARKER, 0), "")
    return SupplyLine(unit.id, unit.side, unit.hex, status, status != OUT, marked, by, None, None, (), text)


def _along(field: Field, unit: Unit, status: str, by: str, lines: Lines) -> SupplyLine:
    path = lines.path(field.board.id_of[unit.hex])
    length = lines.length(path[0]) or 0
    limit = RANGE * ONE if unit.side == GERMAN else None
    allowed = f" of {points_text(limit)}" if limit else ""
    beyond = ", beyond the GAS Line" if status == ATTENUATED else ""
    text = f"{points_text(length)}{allowed} hexes to {by} {field.ground.wording.hex(path[-1])}{beyond}"
    return replace(
        _without_line(unit, status, by, text),
        length=points(length),
        limit=points(limit) if limit else None,
        line=field.hexes(path),
    )


# --- reach -------------------------------------------------------------------------------------


def reach(case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
    """Where a unit may go: in the present phase if that is its own, else as its next one begins."""
    asked = answers.ask(case, field_of, MOVING, unit, target)
    stays = next(_stays(asked, mode), "")
    return asked.nowhere(mode, f"{unit} {stays}") if stays else {MARCH: _march, SEA: _sea}[mode](asked)


def _stays(asked: Asked[Field], mode: str) -> Iterator[str]:
    """Why a unit does not move at all."""
    case, unit = asked.case, asked.unit
    trip = trip_of(case, unit)
    finished = trip.ended or trip.whole or SEA in (trip.mode, mode)
    return all_true(
        (unit.has("aircraft"), "flies and does not move from hex to hex"),
        (unit.has(STATIC), "is static and stays in its hex"),
        (unit.has(SEA_ONLY) and mode != SEA, BY_SEA_ONLY),
        (REFIT in unit.marks, "carries a refit marker"),
        (unit.id in case.in_turn.by_town, "entered in a Rollbahn town this turn"),
        (has_moved(case, unit) and finished, "has finished its movement in this phase"),
    )


def _march(asked: Asked[Field]) -> Reach:
    case, field, unit = asked.case, asked.field, asked.unit
    rules = move_rules(case, field, unit)
    if unit.side == SOVIET:
        return answers.searched(asked, MARCH, rules)
    if supply_at_start(case, field, unit) == OUT:
        if case.option("one-hex-unsupplied") == "off":
            why = german_lines(case, field).why_out(asked.start)
            return asked.nowhere(MARCH, f"{unit.id} is out of supply and may not move: {why}")
        near = field.board.near([asked.start], 1)
        return answers.searched(asked, MARCH, _shut(rules, ONE_HEX, bytes(not inside for inside in near)))
    along = [_shut_out_of_supply(asked, road_rules(case, field, unit, rules))] if field.roads_open else []
    return answers.searched(asked, MARCH, _ending_in_supply(asked, rules), *along)


def _ending_in_supply(asked: Asked[Field], rules: MoveRules) -> MoveRules:
    """Germans do not go out of supply; whether they may pass there is open (7.16)."""
    if asked.case.option("no-entry-unsupplied") == "every-hex":
        return _shut_out_of_supply(asked, rules)
    return replace(rules, no_end={UNSUPPLIED: _unsupplied(asked, rules)})


def _shut_out_of_supply(asked: Asked[Field], rules: MoveRules) -> MoveRules:
    return _shut(rules, UNSUPPLIED, _unsupplied(asked, rules))


def _shut(rules: MoveRules, key: str, mask: Mask) -> MoveRules:
    return replace(rules, forbidden={**rules.forbidden, key: mask})


def _unsupplied(asked: Asked[Field], rules: MoveRules) -> Mask:
    """Of the hexes in question only: to ask for all of them would take long."""
    lines, board = german_lines(asked.case, asked.field), asked.field.board
    near = {*search(board, rules, asked.start), *([] if asked.target is None else [asked.target])}
    return board.mask(h for h in near if h != asked.start and not lines.supplied(h))


def _sea(asked: Asked[Field]) -> Reach:
    def faults(end: HexId) -> list[str]:
        way = [asked.start, end]
        event = Moved((asked.unit.id,), asked.hexes(way), SEA)
        return [fault.message for fault in by_sea(asked.case, asked.field, asked.unit, way, event)]

    return answers.voyages(asked, SEA, sea_rules(asked.field), faults)
