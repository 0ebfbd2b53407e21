"""Chapter 10.1: how many units partisans engage, and which."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.ftm.book import AXIS, RULES, SUPPLY
from validator.games.ftm.c09_supply import statuses
from validator.games.ftm.c10_partisans import (
    REACH,
    away,
    held_bases,
    may_be_engaged,
    number_due,
    partisan_dice,
)
from validator.games.ftm.state import Case
from validator.model.findings import Fault
from validator.model.position import names_of
from validator.procedures.supplymarks import OUT, out_of_supply


@RULES.rule("ftm-10.1")
@RULES.at_phase_end(SUPPLY)
def partisans_engage_as_many_as_they_rolled(case: Case) -> Faults:
    bases = held_bases(case)
    due = sum(number_due(case, roll.values[0]) for roll in partisan_dice(case))
    near = [u for u in case.position.on_map(AXIS) if may_be_engaged(u) and away(case, u) <= REACH]
    out = [unit for unit in near if out_of_supply(unit)]
    engaged = [unit for unit in out if all(s.status != OUT for _, _, s in statuses(case, unit))]
    if len(engaged) > due or (len(bases) == 1 and len(out) < min(due, len(near))):
        names = names_of(engaged)
        text = f"partisans engage {due} units, marked are {len(engaged)}"
        yield Fault("ftm-10.1", text, names, tuple(bases))
        return
    farthest = max((away(case, unit) for unit in engaged), default=0)
    passed = [unit.id for unit in near if unit not in out and away(case, unit) < farthest]
    if passed and len(bases) == 1:
        text = f"partisans engage the nearest units first: {passed[0]} is nearer and is not marked"
        yield Fault("ftm-10.1", text, names_of(engaged), tuple(bases))
