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
from validator.model.position import Unit, names_of
from validator.procedures.faults import first_that_holds, of_rule
from validator.procedures.supplymarks import OUT, out_of_supply


@RULES.rule("ftm-10.1")
@RULES.at_phase_end(SUPPLY)
def partisans_engage_as_many_as_they_rolled(case: Case) -> Faults:
    bases, due = held_bases(case), sum(number_due(case, roll.values[0]) for roll in partisan_dice(case))
    near = [u for u in case.position.on_map(AXIS) if may_be_engaged(u) and away(case, u) <= REACH]
    out = list(filter(out_of_supply, near))
    engaged = [unit for unit in out if not _may_be_out(case, unit)]
    farthest = max((away(case, unit) for unit in engaged), default=0)
    passed = [unit.id for unit in near if unit not in out and away(case, unit) < farthest]
    one_base = len(bases) == 1
    too_few = one_base and len(out) < min(due, len(near))
    rows = (
        (
            len(engaged) > due or too_few,
            f"partisans engage {due} units, marked are {len(engaged)}",
        ),
        (
            one_base and passed,
            f"partisans engage the nearest units first: {''.join(passed[:1])} is nearer and is not marked",
        ),
    )
    yield from first_that_holds(of_rule("ftm-10.1", rows), "", names_of(engaged), tuple(bases))


def _may_be_out(case: Case, unit: Unit) -> bool:
    """Whether its line may be why it is out of supply."""
    return any(status.status == OUT for _, _, status in statuses(case, unit))
