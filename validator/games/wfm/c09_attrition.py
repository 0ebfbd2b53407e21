"""Chapter 9.9: isolated units, their dice and what they lose."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.definition.model import TableRow
from validator.core.board import HexId
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c09_markers import judged
from validator.games.wfm.c09_supply import LEAVES_THE_MAP, line_text
from validator.games.wfm.field import SNOW, field_at_phase_start
from validator.games.wfm.state import Case
from validator.model.position import Unit
from validator.procedures import attrition
from validator.procedures.attrition import Attrition, Place
from validator.procedures.strengthchits import steps_left

ATTRITION = "attrition"
NATION_MODIFIERS = ("finnish", "rumanian", "italian", "hungarian")
CITIES = {"major-city": "major-city", "fortress": "major-city", "minor-city": "minor-city"}


def loss_due(case: Case, unit: Unit, die: int) -> tuple[int, list[str]]:
    """Steps an isolated unit loses by a die (no more than it has), and the modifiers."""
    table = case.game.table[ATTRITION]
    start = case.phase_start.units[unit.id]
    hex_id = field_at_phase_start(case).id(start.spot)
    rows = {row.id: row for row in table.modifiers}
    applied = [rows[key] for key in _modifiers(case, start, hex_id) if key in rows]
    total = die + sum(int(row.cells[0]) for row in applied)
    numbers = [int(row.id) for row in table.rows]
    row = str(min(max(total, min(numbers)), max(numbers)))
    return min(int(table.cell(row, "loss")), steps_left(case, start)), [_modifier_text(m) for m in applied]


def _modifier_text(row: TableRow) -> str:
    return f"{row.cells[0]} {(row.label or row.id).lower()}"


def _modifiers(case: Case, unit: Unit, hex_id: HexId | None) -> Iterator[str]:
    """9.91, 9.92: ground, nationality, weather."""
    if hex_id is not None:
        yield from _ground(case, hex_id)
    if unit.side == SOVIET:
        yield SOVIET
    elif unit.nationality in NATION_MODIFIERS:
        yield unit.nationality
    if unit.side == AXIS and unit.nationality != "finnish" and case.season == SNOW:
        yield SNOW


def _ground(case: Case, hex_id: HexId) -> Iterator[str]:
    board = field_at_phase_start(case).board
    cities = [CITIES[p.kind] for p in board.places.get(hex_id, ()) if p.kind in CITIES]
    destroyed = "destroyed" in case.phase_start.marks.get(board.hexes[hex_id], {})
    if cities:
        yield "minor-city" if destroyed else min(cities)
    elif board.terrain[hex_id] == "mountain":
        yield "mountain"
    elif board.terrain[hex_id] == "swamp" and case.season != SNOW:
        yield "swamp"


# --- who checks, and what it costs ----------------------------------------------------------------


def _isolated(case: Case, unit: Unit) -> list[bool]:
    return [status.isolated for _, _, status in judged(case).of(unit)]


def _why(case: Case, place: Place) -> str:
    unit = case.position.units[str(place)]
    for supply, hex_id, _ in judged(case).of(unit):
        return line_text(supply, unit, hex_id)
    return "it is not on the map"


def _spared(case: Case, place: Place) -> str:
    """Who is always in supply, or saved by a factory, does not check."""
    unit = case.position.units[str(place)]
    if unit.has("always-supplied"):
        return "wfm-9.25" if unit.has("depot") else "wfm-9.33"
    in_factory = any(status.by == "factory" for _, _, status in judged(case).of(unit))
    return "wfm-9.34" if in_factory else "wfm-9.58"


def _suffers(unit: Unit) -> bool:
    return not any(map(unit.has, (*LEAVES_THE_MAP, "always-supplied")))


attrition.register(
    RULES,
    Attrition(
        checks="wfm-9.58",
        costs="wfm-9.91",
        phase="supply",
        reason=ATTRITION,
        place_of=lambda unit: unit.id,
        isolated=_isolated,
        due=lambda case, place, die: loss_due(case, case.position.units[str(place)], die),
        steps_left=steps_left,
        suffers=_suffers,
        spared=_spared,
        why=_why,
        others=("wfm-9.25", "wfm-9.33", "wfm-9.34"),
    ),
)
