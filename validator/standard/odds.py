"""A battle worked out: strengths, what the ground does, column, die and result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fieldpost.definition import effects, results
from fieldpost.definition.model import BattlePlate, Game, PlateEffect, Table
from fieldpost.definition.rulesmodel import CombatRules
from validator.core.battle import all_across, sides_across
from validator.core.board import HexId
from validator.core.combat import Worksheet
from validator.core.odds import Column, Columns, Ladder, Shift
from validator.core.results import Modifier, Result, modified
from validator.core.strength import Change, Fighter, Force, Round, Rounding, total
from validator.model.position import Unit
from validator.standard.book import rules_of
from validator.standard.field import Field, factor, field_of
from validator.standard.outcome import result_of
from validator.standard.state import Battle, Case
from validator.standard.supply import wants

EXACT = Rounding(Round.NONE)
UNSUPPLIED = "out of supply"
DIFFERENT_GROUND = "combat: an attack on several hexes of different ground"
NO_STRENGTH = "combat: a counter that shows no strength"


@dataclass(frozen=True)
class Chart:
    """The table of results of a game, with what its rules and its battle plate say of it."""

    game: Game
    told: CombatRules
    table: Table
    plate: BattlePlate

    @property
    def cells(self) -> frozenset[str]:
        automatic = {cell for cell in (self.plate.below, self.plate.above) if cell is not None}
        return frozenset(cell for row in self.table.rows for cell in row.cells) | automatic

    def read(self, text: str) -> Result | None:
        return result_of(self.game, text, self.cells)


def chart_of(case: Case) -> Chart | None:
    """None for a game whose rules name no table of results."""
    return case.once(Chart, lambda: _chart(case.game))


def _chart(game: Game) -> Chart | None:
    told = rules_of(game).combat
    table = results.table_of(game, "combat-results", told.table) if told else None
    return None if told is None or table is None else Chart(game, told, table, effects.plate_of(game))


# --- before the die ---------------------------------------------------------------------------------------


def worksheet(case: Case, chart: Chart, battle: Battle) -> Worksheet | str:
    """Everything before the die; or why it cannot be worked out."""
    field = field_of(case)
    applying = [_applying(case, chart, field, battle, target) for target in battle.targets]
    if not applying or any(found != applying[0] for found in applying):
        return DIFFERENT_GROUND
    chosen = applying[0]
    attack = _force(case, battle.attacker.steps, chart.told.attack)
    defense = _force(case, battle.defender.steps, chart.told.defense, chosen)
    if attack is None or defense is None:
        return NO_STRENGTH
    shifts = [Shift(e.text, e.text, e.columns) for e in chosen if e.columns]
    shifts += [Shift(s, s, chart.told.support[s]) for s in battle.support if s in chart.told.support]
    column = _column(chart, field, battle, attack, defense, shifts)
    sheet = Worksheet(
        attack, defense, column, tuple(Modifier(e.text, e.text, e.die) for e in chosen if e.die)
    )
    if column.automatic is None:
        return sheet
    return replace(sheet, cell=column.automatic, result=chart.read(column.automatic))


def rolled(chart: Chart, sheet: Worksheet, die: int) -> Worksheet:
    """The worksheet with its die and result; an automatic result stands without one."""
    if sheet.column.automatic is not None:
        return sheet
    dice = [int(row.id) for row in chart.table.rows]
    roll = modified(die, sheet.modifiers, min(dice), max(dice))
    cell = chart.table.cell(str(roll.final), sheet.column.id)
    return replace(sheet, roll=roll, cell=cell, result=chart.read(cell))


def _force(case: Case, names: object, printed: str, applying: Sequence[PlateEffect] = ()) -> Force | None:
    """None where a counter shows another thing than a number; one without the factor has none."""
    assert isinstance(names, dict)
    units = case.units(names)
    fighters = []
    for unit in units:
        number = factor(unit, printed)
        if number is None and printed in unit.type.factors:
            return None
        fighters.append(Fighter(unit.id, number or 0, _weakened(case, unit, printed)))
    plus = sum(effect.plus for effect in applying)
    changes = [Change(effect.text, times=effect.times) for effect in applying if effect.times != 1]
    force = total(fighters, EXACT, changes)
    return _strengthened(force, plus) if plus else force


def _strengthened(force: Force, plus: int) -> Force:
    """By so much, which doubles it at most; multipliers count for what is added, too."""
    times = 1
    for change in force.changes:
        times *= int(change.times)
    printed = sum((share.printed for share in force.shares), start=EXACT.of(force.value * 0))
    added = min(printed, printed * 0 + plus) * times
    return replace(force, changes=(*force.changes, Change("support", plus=added)), value=force.value + added)


def _weakened(case: Case, unit: Unit, printed: str) -> tuple[Change, ...]:
    lacks, told = wants(case, unit), rules_of(case.game).combat
    if lacks is None or told is None:
        return ()
    share = lacks.attack if printed == told.attack else lacks.defense
    return (Change(UNSUPPLIED, times=share),) if share != 1 else ()


# --- what the ground does ---------------------------------------------------------------------------------


def _applying(
    case: Case, chart: Chart, field: Field, battle: Battle, target: HexId
) -> tuple[PlateEffect, ...]:
    """As the battle plate of the module works it out."""
    return tuple(e for e in chart.plate.effects if all(_conditions(case, field, battle, target, e)))


def _conditions(
    case: Case, field: Field, battle: Battle, target: HexId, effect: PlateEffect
) -> Iterator[bool]:
    board = field.board
    places = {place.kind for place in board.places.get(target, ())}
    stood = list(battle.attacker.stood.values())
    yield not effect.terrain or board.terrain[target] in effect.terrain
    yield not effect.places or bool(places.intersection(effect.places))
    yield not places.intersection(effect.without)
    yield not effect.turns or case.turn in effect.turns
    yield effect.overrun is None or battle.overrun is effect.overrun
    yield effect.attacker in (None, battle.attacker.side)
    crossed = [sides_across(board, start, [target]) for start in stood]
    yield not effect.across or all_across(board, stood, [target], effect.across)
    yield not effect.some_across or any(kinds.intersection(effect.some_across) for kinds in crossed)
    yield not any(kinds.intersection(effect.none_across) for kinds in crossed)
    yield effect.near is None or any(
        unit.has(effect.near) and board.distance(hex_id, target) <= effect.within
        for hex_id, unit in field.of_side(battle.attacker.side)
    )


# --- the column -------------------------------------------------------------------------------------------


def _column(
    chart: Chart, field: Field, battle: Battle, attack: Force, defense: Force, shifts: Sequence[Shift]
) -> Column:
    table, plate = chart.table, chart.plate
    if plate.round_down and not plate.rows:
        ladder = Ladder(table.columns[0], table.columns[-1], plate.below, plate.above)
        found = ladder.find(attack.value, defense.value, shifts)
        if found.automatic is not None or found.id in table.columns:
            return found
    cells = _row_of(chart, field, battle) or table.columns
    columns = Columns.from_cells(cells, table.columns)
    found = columns.find(attack.value, defense.value, shifts)
    wanted = found.index if not found.clamped else _wanted(columns, attack, defense, shifts)
    beyond = plate.below if wanted < 0 else plate.above if wanted >= len(columns.ids) else None
    return replace(found, automatic=beyond) if beyond is not None else found


def _wanted(columns: Columns, attack: Force, defense: Force, shifts: Sequence[Shift]) -> int:
    """Where the shifts lead, even beyond the ends."""
    start = columns.find(attack.value, defense.value)
    below = -1 if start.clamped else start.index
    return below + sum(shift.columns for shift in shifts)


def _row_of(chart: Chart, field: Field, battle: Battle) -> Sequence[str] | None:
    """The row of odds for the ground of the attacked hex; of places, the last that fits."""
    rows = chart.game.table.get(chart.plate.rows or "")
    if rows is None:
        return None
    target = battle.targets[0]
    places = {place.kind for place in field.board.places.get(target, ())}
    named = [row for row in rows.rows if row.id in places]
    ground = [row for row in rows.rows if row.id == field.board.terrain[target]]
    return (named or ground or rows.rows)[-1 if named else 0].cells
