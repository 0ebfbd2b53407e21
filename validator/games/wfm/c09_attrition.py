"""Chapter 9.9: isolated units, their dice and what they lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fieldpost.definition.model import TableRow
from validator.core.board import HexId
from validator.engine.rulebook import Faults
from validator.games.wfm.battles import steps_left
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c09_markers import judged, shown_statuses
from validator.games.wfm.c09_supply import LEAVES_THE_MAP, line_text
from validator.games.wfm.field import SNOW, field_at_phase_start
from validator.games.wfm.state import Case
from validator.model.events import Replaced, Rolled
from validator.model.findings import Fault
from validator.model.position import Position, Unit
from validator.procedures.supplymarks import OUT

ATTRITION = "attrition"
NATION_MODIFIERS = ("finnish", "rumanian", "italian", "hungarian")
CITIES = {"major-city": "major-city", "fortress": "major-city", "minor-city": "minor-city"}


def isolated_units(case: Case) -> tuple[list[Unit], list[Unit]]:
    """Units that must check, and units that may have had to, as the supply phase began."""
    must, may = [], []
    for start in case.phase_start.on_map():
        unit = case.position.units[start.id]
        found = [status.isolated for _, _, status in judged(case).of(unit)]
        noticed = not unit.on_map or OUT in shown_statuses(case, unit)  # else its marker is the fault
        if found and all(found) and noticed:
            must.append(unit)
        elif any(found):
            may.append(unit)
    return must, may


def checks(case: Case) -> list[Rolled]:
    return case.in_phase.of(Rolled, reason=ATTRITION)


# --- who rolls -------------------------------------------------------------------------------


@RULES.rule("wfm-9.25", "wfm-9.33")
@RULES.before(Rolled, reason=ATTRITION, having="always-supplied")
def who_is_always_supplied_never_checks(case: Case, event: Rolled) -> Faults:
    for unit in case.units(event.concerned):
        rule = "wfm-9.25" if unit.has("depot") else "wfm-9.33"
        yield Fault(rule, f"{unit.id} is always in supply and checks for attrition", (unit.id,))


@RULES.rule("wfm-9.34", "wfm-9.58", "wfm-9.91")
@RULES.at_phase_end("supply")
def isolated_units_check_once_each(case: Case) -> Faults:
    rolls = checks(case)
    must, may = isolated_units(case)
    named = Counter(roll.about for roll in rolls if roll.about)
    nameless = len(rolls) - sum(named.values())
    waiting = [unit for unit in must if not named[unit.id]]
    for unit in waiting[nameless:]:
        yield Fault("wfm-9.58", f"{unit.id} is isolated and has not checked: {_why(case, unit)}", (unit.id,))
    if nameless > len(waiting) + len(may):
        text = f"attrition dice that name no unit: {nameless}; isolated units that owe one: {len(waiting)}"
        yield Fault("wfm-9.58", text)
    allowed = {unit.id for unit in (*must, *may)}
    for name, count in named.items():
        yield from _named_checks(case, case.position.units[name], count, name in allowed)


def _named_checks(case: Case, unit: Unit, count: int, isolated: bool) -> Faults:
    if unit.has("always-supplied"):
        return
    if not isolated:
        factory = any(status.by == "factory" for _, _, status in judged(case).of(unit))
        rule = "wfm-9.34" if factory else "wfm-9.58"
        yield Fault(rule, f"{unit.id} is not isolated and checks: {_why(case, unit)}", (unit.id,))
    elif count > 1:
        yield Fault("wfm-9.91", f"{unit.id} checks {count} times", (unit.id,))


def _why(case: Case, unit: Unit) -> str:
    found = next(judged(case).of(unit), None)
    return line_text(found[0], unit, found[1]) if found else "it is not on the map"


# --- what they lose --------------------------------------------------------------------------


@RULES.rule("wfm-9.91")
@RULES.at_phase_end("supply")
def attrition_costs_what_the_chart_says(case: Case) -> Faults:
    """Dice that name no unit are given to isolated units so that they fit what was lost, if they can be."""
    lost = dict(_losses(case))
    must, may = isolated_units(case)
    isolated = {unit.id: unit for unit in (*must, *may)}
    rolls = checks(case)
    named = {roll.about: roll for roll in rolls if roll.about}
    for name, roll in named.items():
        if name in isolated:
            yield from _paid(case, isolated[name], roll, lost.get(name, 0))
    nameless = [roll for roll in rolls if not roll.about]
    others = [unit for name, unit in isolated.items() if name not in named]
    due = sum(unit.id not in named for unit in must)  # fewer dice than that are the fault (9.58)
    if nameless and due <= len(nameless) <= len(others) and not _fits(case, nameless, others, lost):
        dice = ", ".join(str(roll.values[0]) for roll in nameless)
        parts = ", ".join(f"{unit.id} lost {lost.get(unit.id, 0)}" for unit in others)
        text = f"attrition dice {dice} do not give these losses: {parts}"
        yield Fault("wfm-9.91", text, tuple(unit.id for unit in others))
    for name, steps in lost.items():
        unit = case.position.units[name]
        leaves = any(map(unit.has, (*LEAVES_THE_MAP, "always-supplied")))
        if steps > 0 and name not in isolated and not leaves:
            yield Fault("wfm-9.91", f"{name} lost steps in the supply phase and is not isolated", (name,))


def _paid(case: Case, unit: Unit, roll: Rolled, lost: int) -> Faults:
    due, parts = loss_due(case, unit, roll.values[0])
    if lost != due:
        sum_ = " ".join([f"die {roll.values[0]}", *parts])
        text = f"{unit.id} lost {lost} steps by attrition, {due} due: {sum_}"
        yield Fault("wfm-9.91", text, (unit.id,), evidence={"due": due, "lost": lost, "die": parts})


def _fits(case: Case, rolls: Sequence[Rolled], units: Sequence[Unit], lost: dict[str, int]) -> bool:
    """Whether the dice can be given to units so that each lost what its die says, the others nothing."""
    dice = [roll.values[0] for roll in rolls] + [None] * (len(units) - len(rolls))
    explains = [
        [(0 if die is None else loss_due(case, unit, die)[0]) == lost.get(unit.id, 0) for unit in units]
        for die in dice
    ]
    taken: dict[int, int] = {}  # unit -> die

    def give(die: int, tried: set[int]) -> bool:
        for unit, fits in enumerate(explains[die]):
            if fits and unit not in tried:
                tried.add(unit)
                if unit not in taken or give(taken[unit], tried):
                    taken[unit] = die
                    return True
        return False

    return all(give(die, set()) for die in range(len(dice)))


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
    return min(int(table.cell(row, "loss")), steps_left(start)), [_modifier_text(m) for m in applied]


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


def _losses(case: Case) -> Iterator[tuple[str, int]]:
    """Steps that units lost in the phase; what took a unit's place counts for it."""
    heirs: dict[str, list[str]] = {}
    for event in case.in_phase.of(Replaced):
        heirs.setdefault(event.old[0], []).extend(name for name, _ in event.new)
    reused = {name for names in heirs.values() for name in names}  # a lost Kampfgruppe serves again (13.58)
    for start in case.phase_start.on_map():
        own = () if start.id in reused else (start.id,)
        now = sum(_left_of(case.position, name) for name in (*own, *heirs.get(start.id, ())))
        if now != steps_left(start):
            yield start.id, steps_left(start) - now


def _left_of(position: Position, name: str) -> int:
    unit = position.units[name]
    return steps_left(unit) if unit.on_map else 0
