"""Chapter 5: the turn and its order; the first turns; the attacks of Directive 3. 2.2: one place each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from validator.core import explain as say
from validator.core.board import HexId, minus
from validator.core.sequence import Moment
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.book import (
    GERMAN,
    GERMAN_PA,
    GERMAN_PA_FIRST,
    RULES,
    SOVIET,
    SOVIET_PA,
)
from validator.games.lwe.c09_march import ROMANIA
from validator.games.lwe.course import course_of
from validator.games.lwe.field import STRAITS, Field, field_at_phase_start, field_of, printed
from validator.games.lwe.state import Case
from validator.model.events import AFTER_COMBAT, Attacked, Declared, Moved, PhaseBegan, Placed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, any_has, names_of, of_side
from validator.procedures import turnorder
from validator.procedures.faults import first_true, of_units, unless

UNCROSSED = ("river", "sea", "lake", *STRAITS)  # hexsides nobody must attack across (5.6)
ZONE, NAVY = "fortified-zone", "naval-infantry"
EXEMPT = (ZONE, NAVY, "never-attacks")


# --- phases and their order (5.1 to 5.3) ------------------------------------------------------------


turnorder.follow(RULES, phases="lwe-5.2a", turns="lwe-5.2a", back_to={SOVIET_PA: "lwe-5.3b"})


@RULES.rule("lwe-5.3a")
@RULES.before(Attacked, phases=[GERMAN_PA_FIRST, GERMAN_PA])
def german_assaults_come_before_movement_or_after_it(case: Case, event: Attacked) -> Faults:
    """One order binds all units of the turn; the phase with the assaults shows which was chosen."""
    used = case.in_turn.assault_phases
    other = GERMAN_PA if case.phase == GERMAN_PA_FIRST else GERMAN_PA_FIRST
    if other in used and case.phase not in used:
        text = f"{'+'.join(event.units)} assaults after movement in a turn with assaults before it"
        yield Fault("lwe-5.3a", text, event.units, event.targets)


@RULES.track(Attacked, when=JUDGED, phases=[GERMAN_PA_FIRST, GERMAN_PA])
def note_the_phase_of_assaults(case: Case, event: Attacked) -> None:
    case.in_turn.assault_phases.add(case.phase)


@RULES.rule("lwe-5.1a")
@RULES.before(Declared, what=("begin-refit", "complete-refit"))
def declarations_have_their_phase(case: Case, event: Declared) -> Faults:
    """Of refits; other declarations are judged by their own rules."""
    where = case.sequence.where(event.what, GERMAN)
    if case.phase not in where:
        text = f"{event.what.replace('-', ' ')} belongs to the {' or '.join(map(case.phase_name, where))}"
        yield Fault("lwe-5.1a", text, event.units)


@RULES.rule("lwe-2.2a")
@RULES.before(Placed)
def a_counter_is_in_one_place(case: Case, event: Placed) -> Faults:
    """What is on the map already is not placed a second time."""
    unit = case.position.units[event.unit]
    if unit.on_map and event.spot != unit.spot:
        text = (
            f"{unit.id} is placed in {case.label(event.spot)} and stands in {case.label(unit.spot)} already"
        )
        yield Fault("lwe-2.2a", text, (unit.id,), (unit.hex,), {}, Verdict.WARNING)


# --- the first turn (5.4) ------------------------------------------------------------------------------


@RULES.rule("lwe-5.4a", "lwe-5.4b")
@RULES.before(Attacked)
def nobody_attacks_out_of_or_into_romania_in_turn_1(case: Case, event: Attacked) -> Faults:
    field = field_of(case)
    home = field.ground.in_country(ROMANIA) if case.turn == 1 else field.board.mask()
    germans = filter(field.stands, of_side(case.units(event.units), GERMAN))
    for name in (unit.id for unit, hex_id in field.standing(germans) if home[hex_id]):
        yield Fault("lwe-5.4a", f"{name} stands in Romania and may not attack in turn 1", (name,))
    soviets = names_of(of_side(case.units(event.units), SOVIET))
    there = any(home[h] for h in field.ids(event.targets))
    text = "attacks into Romania in turn 1"
    yield from of_units("lwe-5.4b", soviets if there else (), text, hexes=event.targets)


@RULES.rule("lwe-5.4b")
@RULES.before(Moved, mode=AFTER_COMBAT, side=SOVIET)
def soviets_do_not_advance_into_romania_in_turn_1(case: Case, event: Moved) -> Faults:
    field = field_of(case)
    for end in field.ids([event.end]):
        if case.turn == 1 and field.ground.country(end) == ROMANIA:
            text = f"{'+'.join(event.units)} enters Romania in turn 1"
            yield Fault("lwe-5.4b", text, event.units, field.hexes([end]))


# --- Directive 3 (5.6) -----------------------------------------------------------------------------------


@RULES.rule("lwe-5.6a", "lwe-5.6b", "lwe-11.24e")
@RULES.at_phase_end(SOVIET_PA)
def units_beside_the_enemy_have_attacked(case: Case) -> Faults:
    dd3 = course_of(case).dd3
    if dd3 is None:
        case.not_checked("whether Directive 3 is in force")
    elif dd3:
        yield from _idle(case, field_at_phase_start(case), {*case.in_phase.concerned(Attacked)})


@RULES.rule("lwe-11.1b")
@RULES.before(PhaseBegan)
def soviet_assaults_are_not_passed_over(case: Case, event: PhaseBegan) -> Faults:
    """A log may pass over the phase when nobody has to attack; one that leaves out turns proves nothing."""
    if course_of(case).dd3 and Moment(case.turn, SOVIET_PA) in case.passed_by(event):
        doubt = unless(event.turn > case.turn + 1)
        yield from (replace(f, rule="lwe-11.1b", verdict=doubt) for f in _idle(case, field_of(case), set()))


def _idle(case: Case, before: Field, attacked: set[str]) -> Iterator[Fault]:
    """Units that had to attack by how the phase began, and did not."""
    now, units = field_of(case), case.position.units
    rested = [(h, u) for h, u in before.of_side(SOVIET) if u.id not in attacked and units[u.id].on_map]
    for hex_id, unit in rested:
        targets = _must_attack(case, before, hex_id, unit)
        if targets and not _emptied(case, now, targets):
            where = say.listed([before.ground.wording.hex(h) for h in targets])
            text = f"{unit.id} began beside the enemy in {where} and did not attack (Directive 3)"
            yield Fault(_of_exemption(before, hex_id), text, (unit.id,), before.hexes([hex_id]))


def _must_attack(case: Case, field: Field, hex_id: HexId, unit: Unit) -> list[HexId]:
    """The hexes one of which the unit must attack; none if it is exempt."""
    exempt = any_has([unit], *EXEMPT) or printed(unit, "attack") == 0 or _exempt(case, field, hex_id)
    return [] if exempt else list(_forced(case, field, hex_id))


def _exempt(case: Case, field: Field, hex_id: HexId) -> bool:
    """Widely by 5.6; narrowly with a zone in a large town, or in Oranienbaum (11.1)."""
    if case.option("dd3-exempt") == "wide":
        return _exempt_widely(field, hex_id)
    exempt = (ZONE, NAVY) if field.board.has_place(hex_id, "large-town") else (NAVY,)
    return any_has(field.units(hex_id), *exempt)


def _of_exemption(field: Field, hex_id: HexId) -> str:
    """The rule that would have excused a unit by the wide reading, not by the narrow one."""
    zone = any_has(field.units(hex_id), ZONE)
    return first_true(
        (not _exempt_widely(field, hex_id), "lwe-5.6a"),
        (zone, "lwe-11.24e"),
        otherwise="lwe-5.6b",
    )


def _exempt_widely(field: Field, hex_id: HexId) -> bool:
    held = any_has(field.units(hex_id), ZONE, NAVY)
    return held or bool(field.intact_lines[hex_id]) or field.board.has_place(hex_id, "city")


def _forced(case: Case, field: Field, hex_id: HexId) -> Iterator[HexId]:
    """Beside Romania nobody must in turn 1: nobody may (5.4)."""
    closed = field.ground.in_country(ROMANIA) if case.turn == 1 else field.board.mask()
    open_ = minus(field.occupied(GERMAN), closed)
    beside = (near for near in field.board.adjacent[hex_id] if open_[near])
    return (near for near in beside if not {*UNCROSSED}.intersection(field.board.side_of(hex_id, near)))


def _emptied(case: Case, now: Field, targets: list[HexId]) -> bool:
    left = any(now.occupied(GERMAN)[h] for h in targets)
    return not left and case.option("dd3-emptied") == "excused"


# --- what only permits -----------------------------------------------------------------------------------

_PERMITS = "It only permits: what it allows is never accused, and nothing can break it."
for _rule in ("5.3d", "5.5a", "6.2b", "7.5c", "7.12b", "9.2b", "9.27b", "9.29a"):
    RULES.cannot_check(f"lwe-{_rule}", _PERMITS)
