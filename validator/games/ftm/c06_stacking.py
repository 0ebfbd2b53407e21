"""Chapter 6: how many units a hex holds when a phase ends."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from validator.core.stacking import Piece, StackRules, StackVerdict, mixing
from validator.games.ftm.book import AXIS, RULES, TURNED
from validator.games.ftm.field import field_at_phase_start, field_of
from validator.games.ftm.state import Case
from validator.model.events import Placed
from validator.model.position import Unit, all_have
from validator.procedures import stack_limits
from validator.procedures.faults import first_true
from validator.procedures.stack_limits import Limits

ONE_EACH = {"air-base": 1, "supply-base": 1, "railroad-gun": 1, "fortress": 1, "offensive-support": 1}
ARMIES = ("combined-arms", "elite")
ONE_ARMY = {**ONE_EACH, "economic-asset": 1, **dict.fromkeys(ARMIES, 1)}
AXIS_RULES = StackRules(Fraction(3), most=ONE_EACH, mixes=mixing("", ("german", "allied")))
EARLY, LATER = StackRules(Fraction(1), most=ONE_ARMY), StackRules(Fraction(2), most=ONE_ARMY)


def rules_of(case: Case, side: str) -> StackRules:
    return AXIS_RULES if side == AXIS else EARLY if case.turn < TURNED else LATER


def piece(case: Case, unit: Unit) -> Piece:
    """6.1 to 6.4: the place that a unit fills; bases and guns go with anybody."""
    place = str(unit.type.values.get("stack", ""))
    group = "" if not unit.type.zoc or unit.side != AXIS else "allied" if unit.has("allied") else "german"
    besides = unit.has("tank") and case.turn < TURNED and case.option("early-tanks") == "besides"
    army = Fraction(place in ARMIES and not besides)
    return Piece(unit.id, unit.type.stacking if unit.side == AXIS else army, group, frozenset({place}))


def rule_of(case: Case, verdict: StackVerdict) -> str:
    placed = case.in_phase.concerned(Placed)
    units = [case.position.units[name] for breach in verdict.breaches for name in breach.units]
    names = {unit.id for unit in units}
    arrived = names.intersection(placed) and names.isdisjoint(case.in_phase.trips)
    return first_true(
        (arrived, "ftm-6.0a"),
        (units[0].side != AXIS, "ftm-6.3" if case.turn < TURNED else "ftm-6.4"),
        ("nationality" in {breach.key for breach in verdict.breaches}, "ftm-6.2b"),
        (all_have(units, "allied"), "ftm-6.2a"),
        otherwise="ftm-6.1",
    )


LIMITS = Limits(
    field_of=field_of,
    at_start=field_at_phase_start,
    rules_of=rules_of,
    piece=piece,
    rule_of=rule_of,
    lasting="ftm-6.0b",
    others=("ftm-6.0a", "ftm-6.1", "ftm-6.2a", "ftm-6.2b", "ftm-6.3", "ftm-6.4"),
)
stack_limits.register(RULES, LIMITS)


def stack(case: Case, units: Iterable[Unit], side: str) -> StackVerdict:
    return stack_limits.stack(LIMITS, case, units, side)
