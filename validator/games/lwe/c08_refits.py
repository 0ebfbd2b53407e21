"""Chapter 8.11: reduced mechanized divisions refit behind the front."""

from __future__ import annotations

from collections.abc import Iterator

from validator.core import explain as say
from validator.core.sequence import Moment
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.book import GERMAN_ENTRY, REFIT, REFIT_END, RULES, SOVIET
from validator.games.lwe.field import field_at_phase_start
from validator.games.lwe.lines import REGULAR, state_of
from validator.games.lwe.state import Case
from validator.model.events import Attacked, Declared, Marked, Moved, PhaseBegan, Rolled, StepChanged
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, names_of
from validator.procedures.corrections import puts_back
from validator.procedures.faults import Wrong, first_of, first_that_holds, of_rule, those_that_hold
from validator.procedures.moves import must_rest

MARKER, REASON, BEGIN = "refit", "refit", "begin-refit"


def refits(case: Case, unit: Unit) -> bool:
    """Whether it carries a marker, or its refit was declared in this turn."""
    return MARKER in unit.marks or unit.id in case.in_turn.refits


@RULES.rule("lwe-8.11a", "lwe-8.11b", "lwe-10.9a")
@RULES.before(Marked, marker=MARKER)
def refits_begin_behind_the_front(case: Case, event: Marked) -> Faults:
    yield from _of_start(case, event)


@RULES.rule("lwe-8.11a", "lwe-8.11b", "lwe-10.9a")
@RULES.before(Declared, what=BEGIN, phases=[REFIT])
def refits_are_declared_behind_the_front(case: Case, event: Declared) -> Faults:
    if not event.units:
        case.not_checked("a refit declared for no unit")
    yield from _of_start(case, event)


@RULES.track(Declared, when=JUDGED, what=BEGIN, phases=[REFIT])
def note_the_declared_refit(case: Case, event: Declared) -> None:
    case.in_turn.refits.update(event.units)


def _of_start(case: Case, event: Marked | Declared) -> Iterator[Fault]:
    for unit in case.units(event.concerned):
        if not refits(case, unit):
            yield from first_of(_wrong_start(case, unit), f"{unit.id} cannot refit: ", (unit.id,))


def _wrong_start(case: Case, unit: Unit) -> Wrong:
    field = field_at_phase_start(case)
    hex_id, state = field.id(unit.spot), state_of(case, unit, field)
    adjacent = () if hex_id is None else field.board.adjacent[hex_id]
    near = [field.ground.wording.hex(h) for h in adjacent if field.occupied(SOVIET)[h]]
    return those_that_hold(
        (not unit.has("refits"), "lwe-8.11a", "only German mechanized divisions refit"),
        (unit.step == 1, "lwe-8.11a", "it is at full strength"),
        (field.course.broken, "lwe-10.9a", "mud or snow has ended refits"),
        (case.phase != REFIT, "lwe-8.11a", "markers are laid in the Mechanized Refit Start Phase"),
        (near, "lwe-8.11b", f"Soviet units are beside it in {say.listed(near)}"),
        (adjacent and state != REGULAR, "lwe-8.11b", f"its supply is {state}, not regular"),
    )


@RULES.rule("lwe-8.11c")
@RULES.before(Moved, Attacked)
def refitting_units_rest(case: Case, event: Moved | Attacked) -> Faults:
    tired = names_of(unit for unit in case.units(event.units) if refits(case, unit))
    yield from must_rest(event, tired, "lwe-8.11c", "refits")


@RULES.rule("lwe-8.11d")
@RULES.before(Rolled, phases=[REFIT_END], reason=REASON)
def refits_are_rolled_for(case: Case, event: Rolled) -> Faults:
    if event.about is None:
        case.not_checked("a refit die for no unit")
        return
    rows = (
        (not _began(case, event.about), "did not begin a refit"),
        (event.about in case.in_phase.refit_dice, "rolls a second time"),
        (not event.is_one(6), "rolls one six-sided die"),
    )
    wrong = of_rule("lwe-8.11d", rows)
    yield from first_that_holds(wrong, f"{event.about} ", (event.about,))


def _began(case: Case, name: str) -> bool:
    """By its marker now, by that of the phase's beginning, or by declaration."""
    return any(refits(case, position.units[name]) for position in (case.position, case.phase_start))


@RULES.track(Rolled, when=JUDGED, phases=[REFIT_END], reason=REASON)
def note_the_die_for_a_refit(case: Case, event: Rolled) -> None:
    if event.about is not None and _began(case, event.about) and event.is_one(6):
        case.in_phase.refit_dice.setdefault(event.about, event.values[0])


@RULES.rule("lwe-8.11d")
@RULES.before(StepChanged, having="refits")
def nobody_refits_outside_the_phase(case: Case, event: StepChanged) -> Faults:
    told_elsewhere = case.phase in (GERMAN_ENTRY, REFIT_END) or _unnamed(case)
    if event.new <= event.old and not told_elsewhere and not puts_back(case, event):
        yield Fault("lwe-8.11d", f"{event.unit} is flipped without a refit die", (event.unit,))


def succeeds(case: Case) -> int:
    return int(case.game.table["german-pools"].cell("refit-succeeds", "value"))


@RULES.rule("lwe-8.11d")
@RULES.at_phase_end(REFIT_END)
def refits_are_completed(case: Case) -> Faults:
    """Every marker has had its die, is gone, and the division is as its die left it."""
    dice = case.in_phase.refit_dice
    for name, value in dice.items():
        if value <= succeeds(case) and case.position.units[name].step > 1:
            yield Fault("lwe-8.11d", f"{name} rolled {value} and was not flipped", (name,))
    yield from _flipped_without_success(case)
    for unit in case.position.on_map("german"):
        marked, rolled = MARKER in unit.marks, unit.id in dice
        rows = (
            (marked and rolled, "keeps its refit marker"),
            (marked and not rolled, "has no die for its refit marker"),
            (not marked and _given_up(case, unit), "gives up its refit without a die"),
        )
        yield from first_that_holds(of_rule("lwe-8.11d", rows), f"{unit.id} ", (unit.id,))


@RULES.rule("lwe-8.11d")
@RULES.before(PhaseBegan)
def refits_are_not_passed_over(case: Case, event: PhaseBegan) -> Faults:
    if Moment(case.turn, REFIT_END) in case.passed_by(event):
        for unit in case.position.on_map("german"):
            if refits(case, unit):
                text = f"{unit.id} has no die for its refit: its phase was passed over"
                yield Fault("lwe-8.11d", text, (unit.id,), verdict=Verdict.WARNING)


@RULES.track_end(REFIT_END)
def declared_refits_are_over(case: Case) -> None:
    case.in_turn.refits.clear()


def _flipped_without_success(case: Case) -> Iterator[Fault]:
    """As the phase leaves them, in whatever order counter and die were handled."""
    changed = having(case.units(sorted(case.in_phase.concerned(StepChanged))), "refits")
    for unit in (unit for unit in changed if unit.step < case.phase_start.units[unit.id].step):
        rolled = case.in_phase.refit_dice.get(unit.id, 0)
        too_high = f"is flipped with a {rolled}; a refit succeeds up to {succeeds(case)}"
        rows = (
            (not rolled and not _unnamed(case), "is flipped without a refit die"),
            (rolled > succeeds(case), too_high),
        )
        yield from first_that_holds(of_rule("lwe-8.11d", rows), f"{unit.id} ", (unit.id,))


def _given_up(case: Case, unit: Unit) -> bool:
    """It had a marker, and neither a die nor anything that a die could have done."""
    before = case.phase_start.units[unit.id]
    quiet = refits(case, before) and before.step == unit.step and unit.id not in case.in_phase.refit_dice
    return quiet and not _unnamed(case)


def _unnamed(case: Case) -> bool:
    """Dice that do not say for whom they are."""
    return bool(case.in_phase.of(Rolled, about=None))
