"""Chapter 6: stacking. Six divisions to a hex, and nations apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from validator.core import explain as say
from validator.core.board import HexId, Mask
from validator.core.breach import Breach
from validator.core.stacking import (
    Piece,
    StackRules,
    StackVerdict,
    check_stack,
    mixed,
    mixing,
    smallest_removals,
)
from validator.engine.case import fields_of, matches
from validator.engine.rulebook import JUDGED, LAST, Faults
from validator.games.lwe.book import ENEMY, GERMAN, GERMAN_MOVE, RULES, SOVIET, SOVIET_ENTRY, SOVIET_MOVE
from validator.games.lwe.field import Field, field_at_phase_start, field_of
from validator.games.lwe.lines import OUT, state_of
from validator.games.lwe.state import Case
from validator.model.events import Moved, Placed, Removed
from validator.model.findings import Fault
from validator.model.position import Unit, all_have, any_has, having, names_of
from validator.procedures import faults
from validator.procedures.ask_each import each
from validator.procedures.stack_limits import suspects

LIMIT = Fraction(6)
ZONE, ARTILLERY = "fortified-zone", "artillery-command"
GUESTS = ("hungarian-mobile", "italian-mobile", "romanian-mobile")
STACK_RULES = StackRules(LIMIT, most={ZONE: 1}, mixes=mixing("german", GUESTS))
RETREATS = fields_of({"mode": "retreat"})
_MOMENTS = (*("german-pa-first", GERMAN_MOVE, "german-pa"), "soviet-pa", SOVIET_MOVE)


def piece(unit: Unit) -> Piece:
    group = unit.side if unit.side == SOVIET or unit.has("german") else unit.nationality
    if unit.has("satellite") and unit.has("armor"):
        group = f"{unit.nationality}-mobile"
    classes = frozenset({ZONE}) if unit.has(ZONE) else frozenset[str]()
    return Piece(unit.id, unit.type.stacking, group, classes)


def load_of(units: Iterable[Unit]) -> Fraction:
    return sum((unit.type.stacking for unit in units), Fraction(0))


def stack(units: Iterable[Unit]) -> StackVerdict:
    return check_stack(STACK_RULES, [piece(unit) for unit in units])


def mixed_badly(units: Iterable[Unit]) -> tuple[Breach, ...]:
    """Nations that may not share a hex."""
    return mixed(STACK_RULES, [piece(unit) for unit in units])


def fits(field: Field, side: str, hex_id: HexId, more: Sequence[Unit]) -> bool:
    """Whether units may join those of their side in a hex."""
    there = [unit for unit in field.units(hex_id, side) if unit not in more]
    return load_of(there) + load_of(more) <= LIMIT


# --- six divisions (6.1, 6.2, 6.4) ----------------------------------------------------------------


def _limit_rule(case: Case, verdict: StackVerdict) -> str:
    """Markers weigh nothing; the artillery command is none."""
    units = case.position.units
    guns = sum(size for name, size in verdict.sizes if units[name].has(ARTILLERY))
    return "lwe-6.5a" if guns and verdict.load - guns <= LIMIT else "lwe-6.1a"


def _hexes_entered(case: Case, event: Moved | Placed) -> list[HexId]:
    """The hex whose limit is looked at once an event has happened, if any."""
    exempt = case.phase == SOVIET_ENTRY or matches(event, RETREATS)
    return [] if exempt else field_of(case).ids([event.comes_to])


@RULES.rule("lwe-6.1a", "lwe-6.4a", "lwe-6.5a")
@RULES.after(Moved, Placed)
@each(_hexes_entered)
def the_limit_holds_at_every_moment(case: Case, event: Moved | Placed, hex_id: HexId) -> Faults:
    """Of the hex entered; new Soviet units may be too many until their movement ends (8.1)."""
    field = field_of(case)
    units = field.units(hex_id, _side(case, event))
    zones = names_of(having(units, ZONE))
    if len(zones) > 1:
        where = field.ground.wording.hex(hex_id)
        text = f"{say.listed(zones)}: one fortified zone at most in {where}"
        yield Fault("lwe-6.4a", text, zones, field.hexes([hex_id]))
    if _overfull(case, event, hex_id):
        verdict = stack(units)
        yield faults.overstacked(field, hex_id, verdict, _limit_rule(case, verdict))


@RULES.track(Moved, Placed, when=LAST)
def note_what_was_told_overstacked(case: Case, event: Moved | Placed) -> None:
    entered = _hexes_entered(case, event)
    case.in_phase.overstacked.update(h for h in entered if _overfull(case, event, h))


def _side(case: Case, event: Moved | Placed) -> str:
    return case.unit(event.concerned[0]).side


def _overfull(case: Case, event: Moved | Placed, hex_id: HexId) -> bool:
    full = field_of(case).occupancy.load(_side(case, event), hex_id) > LIMIT
    return full and not _grace(case, hex_id, event.concerned)


def _grace(case: Case, hex_id: HexId, names: Sequence[str]) -> bool:
    """Overfull since the Soviet arrivals (8.1), and on its way to be sorted out."""
    before = field_at_phase_start(case).units(hex_id, SOVIET)
    overfull = case.phase == SOVIET_MOVE and load_of(before) > LIMIT
    return overfull and {*names} <= {*names_of(before)}


@RULES.rule("lwe-6.2c", "lwe-8.1d", "lwe-8.7i")
@RULES.at_phase_end(*_MOMENTS)
def no_hex_is_overstacked_when_a_phase_ends(case: Case) -> Faults:
    """The opponent may then remove as few units as are needed."""
    field = field_of(case)
    for side in ENEMY:
        for hex_id in set(suspects(field, side, StackRules(LIMIT))) - case.in_phase.overstacked:
            pieces = [piece(unit) for unit in field.units(hex_id, side)]
            fault = faults.overstacked(field, hex_id, check_stack(StackRules(LIMIT), pieces), "lwe-6.2c")
            least = smallest_removals(StackRules(LIMIT), pieces)
            goes = " or ".join("+".join(names) for names in least[:4])
            text = f"{fault.message}; the opponent may remove {goes}"
            rule = _after_arrivals(case, fault.units) or fault.rule
            yield Fault(rule, text, fault.units, fault.hexes, fault.evidence)


def _after_arrivals(case: Case, units: Sequence[str]) -> str | None:
    """Arrivals may overfill a hex until Soviet movement ends (8.1, 8.7)."""
    came = case.in_turn.arrived if case.phase == SOVIET_MOVE else {}
    kinds = {came[name] for name in units if name in came}
    return faults.first_true(("replacement" in kinds, "lwe-8.7i"), (kinds, "lwe-8.1d"), otherwise=None)


def is_cut_down(case: Case, hex_id: HexId, side: str) -> bool:
    """A hex from which units may be taken off, for there are or were too many (6.2)."""
    over = load_of(field_of(case).units(hex_id, side)) > LIMIT
    return over or hex_id in case.in_phase.cut_down


@RULES.before(Removed, phases=_MOMENTS, battle=None)
def no_more_units_go_than_needed(case: Case, event: Removed) -> Faults:
    """A removal outside battle from a stack that is within the limit, after one that was not."""
    field = field_of(case)
    unit = case.unit(event.unit)
    hex_id = field.id(unit.spot)
    if hex_id in case.in_phase.cut_down and load_of(field.units(hex_id, unit.side)) <= LIMIT:
        text = f"{event.unit} is removed from {field.ground.wording.hex(hex_id)}, which is not overstacked"
        yield Fault("lwe-6.2c", text, (event.unit,), (field.board.hexes[hex_id],))


@RULES.track(Removed, when=JUDGED, phases=_MOMENTS, battle=None)
def note_a_stack_cut_down(case: Case, event: Removed) -> None:
    field, unit = field_of(case), case.unit(event.unit)
    hex_id = field.id(unit.spot)
    if hex_id is not None and load_of(field.units(hex_id, unit.side)) > LIMIT:
        case.in_phase.cut_down.add(hex_id)
        case.in_phase.overstacked.add(hex_id)


# --- nations (6.3) --------------------------------------------------------------------------------


@RULES.rule("lwe-1.5a", "lwe-6.3a", "lwe-6.3b", "lwe-6.3c")
@RULES.after(Moved, Placed, side=GERMAN)
def nations_of_the_german_side_stand_apart(case: Case, event: Moved | Placed) -> Faults:
    """Unless all of them are out of supply; a mechanized satellite corps may stand with Germans."""
    field, names = field_of(case), event.concerned
    for hex_id in field.ids([event.comes_to]):
        breach = mixture(case, field, hex_id)
        if breach is not None and not {*names}.isdisjoint(breach.units):
            rule = faults.first_true(
                (OUT in _states_of_movers(case, names), "lwe-6.3b"),
                (all_have(_satellites(case, breach), "armor"), "lwe-6.3c"),
                (any_has(case.units(breach.units), "spanish"), "lwe-1.5a"),
                otherwise="lwe-6.3a",
            )
            text = f"{say.breach_text(field.ground.wording, breach)} in {field.ground.wording.hex(hex_id)}"
            yield Fault(rule, text, breach.units, field.hexes([hex_id]))


def _satellites(case: Case, breach: Breach) -> list[Unit]:
    return having(case.units(breach.units), "satellite")


def _states_of_movers(case: Case, names: Sequence[str]) -> set[str]:
    """The states they began to move in: together out of supply, they were allowed to mix."""
    trips = case.in_phase.trips
    return {trips[name].supply for name in names if name in trips}


def mixture(case: Case, field: Field, hex_id: HexId) -> Breach | None:
    """Nations that share a hex and may not."""
    units = field.units(hex_id, GERMAN)
    return mixed_badly(units)[0] if _may_not_share(case, field, units) else None


def strangers(case: Case, field: Field, units: Sequence[Unit]) -> Mask:
    """Hexes with units that these may not share a hex with: of other nations, unless all are unsupplied."""
    if not any(unit.side == GERMAN for unit in units):
        return field.board.nowhere
    stacks: dict[HexId, list[Unit]] = {}
    for hex_id, other in field.of_side(GERMAN):
        if other not in units:
            stacks.setdefault(hex_id, []).append(other)
    return field.board.mask(h for h, there in stacks.items() if _may_not_share(case, field, [*there, *units]))


def _may_not_share(case: Case, field: Field, units: Sequence[Unit]) -> bool:
    return bool(mixed_badly(units)) and any(state_of(case, unit, field) != OUT for unit in units)


@RULES.rule("lwe-6.3d")
@RULES.at_phase_end(GERMAN_MOVE)
def relieved_stacks_are_sorted_by_nation(case: Case) -> Faults:
    """By the end of the movement that found them in supply, or in which they came into it; whoever joined
    was judged then."""
    field, before, words = field_of(case), field_at_phase_start(case), field_of(case).ground.wording
    for hex_id in sorted({h for h, _ in field.of_side(GERMAN)}):
        breach = mixture(case, field, hex_id)
        if breach is not None and {*breach.units} <= {*names_of(before.units(hex_id))}:
            text = f"{say.breach_text(words, breach)} in {words.hex(hex_id)}: they are in supply again"
            yield Fault("lwe-6.3d", text, breach.units, field.hexes([hex_id]))
