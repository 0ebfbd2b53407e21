"""Chapter 10.1: how many units partisans engage, and which."""

from __future__ import annotations

from fieldpost.hexes import Hex, distance
from validator.engine.rulebook import Faults
from validator.games.ftm.book import AXIS, RULES, SUPPLY
from validator.games.ftm.c09_supply import statuses
from validator.games.ftm.c10_partisans import _held_bases, _rolls, may_be_engaged, number_due
from validator.games.ftm.state import Case
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.supplymarks import OUT, out_of_supply

REACH = 4


def _near(case: Case, bases: list[Hex]) -> list[Unit]:
    """German combat units that partisans may engage."""
    able = (unit for unit in case.position.on_map(AXIS) if may_be_engaged(unit))
    return [unit for unit in able if _away(unit, bases) <= REACH]


def _away(unit: Unit, bases: list[Hex]) -> int:
    return min((distance(unit.hex, hex_) for hex_ in bases), default=REACH + 1)


@RULES.rule("ftm-10.1")
@RULES.at_phase_end(SUPPLY)
def partisans_engage_as_many_as_they_rolled(case: Case) -> Faults:
    bases = _held_bases(case)
    due = sum(number_due(case, roll.values[0]) for roll in _rolls(case))
    near = _near(case, bases)
    out = [unit for unit in near if out_of_supply(unit)]
    engaged = [unit for unit in out if all(s.status != OUT for _, _, s in statuses(case, unit))]
    if len(engaged) > due or (len(bases) == 1 and len(out) < min(due, len(near))):
        names = tuple(unit.id for unit in engaged)
        text = f"partisans engage {due} units, marked are {len(engaged)}"
        yield Fault("ftm-10.1", text, names, tuple(bases))
        return
    farthest = max((_away(unit, bases) for unit in engaged), default=0)
    passed = [unit.id for unit in near if unit not in out and _away(unit, bases) < farthest]
    if passed and len(bases) == 1:
        text = f"partisans engage the nearest units first: {passed[0]} is nearer and is not marked"
        yield Fault("ftm-10.1", text, tuple(unit.id for unit in engaged), tuple(bases))
