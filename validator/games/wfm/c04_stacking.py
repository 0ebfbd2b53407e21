"""Chapter 4.1: stacking. Zones of control (4.2) are in `field` and, as they bind movement, in chapter 5."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from validator.core import explain as say
from validator.core.stacking import Piece, StackRules, StackVerdict, check_stack, mixing
from validator.engine.rulebook import Faults
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.field import field_at_phase_start, field_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked, Moved, Placed
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults, stack_limits
from validator.procedures.moves import spot_of
from validator.procedures.stack_limits import Limits

THIRD = Fraction(1, 3)
MINORS = ("rumanian", "hungarian", "italian", "finnish")
_AXIS = StackRules(2 + THIRD)
_SLOTS = StackRules(2 + THIRD, slots=(Fraction(1), Fraction(1), THIRD))
_NATIONS = StackRules(2 + THIRD, mixes=mixing("german", MINORS))
_SOVIET = StackRules(Fraction(1))
LIMITS = {AXIS: "wfm-4.12", SOVIET: "wfm-4.13"}


def stack_rules(case: Case, side: str) -> StackRules:
    """Two corps and a division; one army (4.12, 4.13)."""
    if side == SOVIET:
        return _SOVIET
    return _SLOTS if case.option("stack-sum") == "slots" else _AXIS


def piece(unit: Unit) -> Piece:
    group = "german" if unit.has("german") else unit.nationality
    return Piece(unit.id, unit.type.stacking, group if unit.side == AXIS else "soviet")


def _limit_rule(case: Case, verdict: StackVerdict) -> str:
    """4.11 with arrivals, else the limit's own."""
    unit = case.unit(verdict.sizes[0][0])
    return "wfm-4.11" if case.in_phase.of(Placed, spot=unit.hex) else LIMITS[unit.side]


STACKING = Limits(
    field_of=field_of,
    at_start=field_at_phase_start,
    rules_of=stack_rules,
    piece=lambda case, unit: piece(unit),
    rule_of=_limit_rule,
    lasting="wfm-4.18",
    others=("wfm-4.11", "wfm-4.12", "wfm-4.13"),
    told=lambda case: case.in_phase.overstacked,  # by chapter 8, at the end of a battle
)
stack_limits.register(RULES, STACKING)


def stack(case: Case, units: Iterable[Unit], side: str) -> StackVerdict:
    return stack_limits.stack(STACKING, case, units, side)


@RULES.rule("wfm-4.15a")
@RULES.after(Moved, side=AXIS)
def allies_of_two_nations_never_share_a_hex(case: Case, event: Moved) -> Faults:
    """At the end of a move; hexes passed on the way are the matter of the path (chapter 5)."""
    field = field_of(case)
    hex_id = field.id(event.end)
    pieces = [] if hex_id is None else [piece(unit) for unit in field.units(hex_id, AXIS)]
    for breach in (b for b in check_stack(_NATIONS, pieces).breaches if b.key == "nationality"):
        if set(breach.units) & set(event.units) and not _already_found(case, event):
            text = say.breach_text(field.ground.wording, breach)
            yield Fault("wfm-4.15a", text, breach.units, spot_of(event.end))


def _already_found(case: Case, event: Moved) -> bool:
    """Chapter 5 closes such hexes to ordinary and strategic movement."""
    return event.mode in ("", "march", "strategic") and case.phase in ("axis-move", "sov-move", "ger-mech")


@RULES.rule("wfm-4.17")
@RULES.before(Attacked, overrun=True)
def no_overrun_starts_from_an_overstacked_hex(case: Case, event: Attacked) -> Faults:
    field, units = field_of(case), case.units(event.units)
    for hex_id in set(field.where(units).values()):
        verdict = stack(case, field.units(hex_id), units[0].side)
        if verdict.load > verdict.limit:
            yield faults.overstacked(field, hex_id, verdict, "wfm-4.17")
