"""A battle worked out from strengths to result, kept as a worksheet that people can follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fieldpost.definition.model import Table
from validator.core.odds import Column, Columns, Ladder, Shift, best_for_defender
from validator.core.results import Grammar, Modifier, Result, Roll, look_up, modified
from validator.core.strength import Force

Scale = Columns | Ladder


@dataclass(frozen=True)
class CombatRules:
    """The results table, its grammar, and between which ends a modified die is held."""

    table: Table
    grammar: Grammar
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True)
class Worksheet:
    """Strengths, column, die and result. Without a die yet, there is no result, unless it is automatic."""

    attack: Force
    defense: Force
    column: Column
    modifiers: tuple[Modifier, ...] = ()
    roll: Roll | None = None
    cell: str | None = None
    result: Result | None = None


def prepare(
    rules: CombatRules,
    attack: Force,
    defense: Force,
    scales: Sequence[Scale],
    shifts: Sequence[Shift] = (),
    modifiers: Sequence[Modifier] = (),
) -> Worksheet:
    """Everything before the die. Of several scales, the one best for the defender is used."""
    column = best_for_defender(scale.find(attack.value, defense.value, shifts) for scale in scales)
    sheet = Worksheet(attack, defense, column, tuple(modifiers))
    if column.automatic is None:
        return sheet
    return replace(sheet, cell=column.automatic, result=rules.grammar.read(column.automatic))


def resolve(rules: CombatRules, sheet: Worksheet, die: int) -> Worksheet:
    """The worksheet with its die and result; an automatic result stands without one."""
    if sheet.column.automatic is not None:
        return sheet
    roll = modified(die, sheet.modifiers, rules.low, rules.high)
    cell = look_up(rules.table, roll, sheet.column.id)
    return replace(sheet, roll=roll, cell=cell, result=rules.grammar.read(cell))
