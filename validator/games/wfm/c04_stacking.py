"""Chapter 4.1: stacking. Zones of control (4.2) are in `field` and, as they bind movement, in chapter 5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.stacking import Piece, StackRules, StackVerdict, check_stack, mixing
from validator.engine.rulebook import Faults
from validator.games.wfm.book import AXIS, ENEMY, RULES, SOVIET
from validator.games.wfm.field import Field, field_at_phase_start, field_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked, Moved, Placed
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults

THIRD = Fraction(1, 3)
MINORS = ("rumanian", "hungarian", "italian", "finnish")
_AXIS = StackRules(2 + THIRD, mixes=mixing("german", MINORS))
_SLOTS = StackRules(2 + THIRD, slots=(Fraction(1), Fraction(1), THIRD), mixes=mixing("german", MINORS))
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


def stack(case: Case, units: Iterable[Unit], side: str) -> StackVerdict:
    return check_stack(stack_rules(case, side), [piece(unit) for unit in units if unit.side == side])


@RULES.rule("wfm-4.11", "wfm-4.12", "wfm-4.13", "wfm-4.18")
@RULES.at_phase_end()
def no_hex_is_overstacked_when_a_phase_ends(case: Case) -> Faults:
    field = field_of(case)
    for side in ENEMY:
        told = case.in_phase.overstacked  # by chapter 8, at the end of a battle
        for hex_id, verdict in _overfull(case, field, side):
            if hex_id not in told and not _accused_before(case, hex_id, verdict):
                yield faults.overstacked(field, hex_id, verdict, _limit_rule(case, hex_id, side))


def _overfull(case: Case, field: Field, side: str) -> Iterator[tuple[HexId, StackVerdict]]:
    for hex_id in {h for h, _ in field.of_side(side)}:
        verdict = stack(case, field.units(hex_id), side)
        if verdict.load > verdict.limit or any(b.key == "stacking-slots" for b in verdict.breaches):
            yield hex_id, verdict


def _accused_before(case: Case, hex_id: HexId, verdict: StackVerdict) -> bool:
    """The same units in the same hex, in the phase before: one fault is told once."""
    return {unit for unit, _ in verdict.sizes} <= case.in_game.overstacked.get(hex_id, frozenset())


@RULES.track_end()
def note_what_is_overstacked(case: Case) -> None:
    field = field_of(case)
    for side in ENEMY:
        for hex_id, verdict in _overfull(case, field, side):
            case.in_game.overstacked[hex_id] = frozenset(unit for unit, _ in verdict.sizes)


def _limit_rule(case: Case, hex_id: HexId, side: str) -> str:
    """4.18 if it was overfull when the phase began, 4.11 with arrivals, else the limit's own."""
    before = field_at_phase_start(case)
    verdict = stack(case, before.units(hex_id), side)
    if verdict.load > verdict.limit:
        return "wfm-4.18"
    hex_ = before.board.hexes[hex_id]
    arrived = any(isinstance(e, Placed) and e.spot == hex_ for e in case.in_phase.events)
    return "wfm-4.11" if arrived else LIMITS[side]


@RULES.rule("wfm-4.15a")
@RULES.after(Moved)
def allies_of_two_nations_never_share_a_hex(case: Case, event: Moved) -> Faults:
    """At the end of a move; hexes passed on the way are the matter of the path (chapter 5)."""
    field = field_of(case)
    hex_id = field.id(event.end)
    if hex_id is None or case.position.units[event.units[0]].side != AXIS:
        return
    pieces = [piece(unit) for unit in field.units(hex_id) if unit.side == AXIS]
    for breach in (b for b in check_stack(_AXIS, pieces).breaches if b.key == "nationality"):
        if set(breach.units) & set(event.units) and not _already_found(case, event):
            text = say.breach_text(field.ground.wording, breach)
            yield Fault("wfm-4.15a", text, breach.units, (field.board.hexes[hex_id],))


def _already_found(case: Case, event: Moved) -> bool:
    """Chapter 5 closes such hexes to ordinary movement."""
    return event.mode in ("", "march") and case.phase in ("axis-move", "sov-move", "ger-mech")


@RULES.rule("wfm-4.17")
@RULES.before(Attacked)
def no_overrun_starts_from_an_overstacked_hex(case: Case, event: Attacked) -> Faults:
    if not event.overrun:
        return
    field = field_of(case)
    for hex_id in {field.id(case.position.units[name].spot) for name in event.units}:
        if hex_id is None:
            continue
        side = case.position.units[event.units[0]].side
        verdict = stack(case, field.units(hex_id), side)
        if verdict.load > verdict.limit:
            yield faults.overstacked(field, hex_id, verdict, "wfm-4.17")
