"""Chapters 8.6 to 8.10: German steps, Soviet units that come back, the coastal army, the pool."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe import tracks
from validator.games.lwe.book import GERMAN, GERMAN_ENTRY, RULES, SOVIET, SOVIET_ENTRY
from validator.games.lwe.c08_arrivals import coastal_doubt, coming, returns
from validator.games.lwe.c08_pools import losing_phases, supplied_for_entry
from validator.games.lwe.field import Field, field_at_phase_start, field_of, printed
from validator.games.lwe.lines import OUT, soviet_lines, state_of
from validator.games.lwe.state import Case
from validator.model.events import Event, Moved, Placed, Removed, StepChanged
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, names_of
from validator.procedures.corrections import puts_back
from validator.procedures.faults import Wrong, first_of, first_true, those_that_hold, unless

POOL, DEAD = "replacement-pool", "soviet-eliminated"
KEPT = "is reduced: a step once given is not taken back"
NAMED = ("cavalry-group", "guards", "airborne", "nkvd", "militia")  # excluded by name (8.7)


# --- German steps (8.6) ----------------------------------------------------------------------------------


def steps_left(case: Case) -> int:
    """Of the steps of the whole game; of a log that begins later the track shows what was spent."""
    start = case.in_game.steps_at_start
    return (_steps_at_start(case) if start is None else start) - len(case.in_game.steps_spent)


def _steps_at_start(case: Case) -> int:
    allotment = int(case.game.table["german-pools"].cell("replacement-steps", "value"))
    shown = tracks.steps_shown(case.position)
    return allotment if shown is None else min(shown, allotment)


@RULES.track_start()
def look_at_the_track(case: Case) -> None:
    if case.in_game.steps_at_start is None:
        case.in_game.steps_at_start = _steps_at_start(case)


@RULES.rule("lwe-8.6a")
@RULES.at_phase_end(GERMAN_ENTRY)
def the_track_shows_the_steps_left(case: Case) -> Faults:
    """Where its markers were moved."""
    shown, left = tracks.steps_shown(case.position), max(steps_left(case), 0)
    if shown is not None and shown != left and tracks.were_set(case, *tracks.STEPS):
        text = f"the track shows {shown} replacement steps; {left} are left"
        yield Fault("lwe-8.6a", text, verdict=Verdict.WARNING)


@RULES.rule("lwe-8.6a", "lwe-8.6b", "lwe-8.6c")
@RULES.before(StepChanged, side=GERMAN)
def german_divisions_are_filled_up(case: Case, event: StepChanged) -> Faults:
    unit = case.unit(event.unit)
    if _gets_a_step(case, event):
        yield from first_of(_wrong_step(case, unit), f"{unit.id}: ", (unit.id,))
    elif _is_reduced(case, event):
        at_once = _is_taken_back(case, event)
        text = "is given a step, which is taken back at once" if at_once else KEPT
        yield Fault("lwe-8.6c", f"{unit.id} {text}", (unit.id,), verdict=unless(at_once))


@RULES.track(StepChanged, when=JUDGED, side=GERMAN)
def note_the_step(case: Case, event: StepChanged) -> None:
    if _gets_a_step(case, event):
        case.in_game.steps_spent.append(event.unit)
    elif _is_taken_back(case, event):
        case.in_game.steps_spent.remove(event.unit)


def _gets_a_step(case: Case, event: StepChanged) -> bool:
    """Refits are judged in chapter 8.11."""
    refit = case.unit(event.unit).has("refits") and case.phase != GERMAN_ENTRY
    return event.new <= event.old and not refit and not puts_back(case, event)


def _is_reduced(case: Case, event: StepChanged) -> bool:
    return event.new > event.old and case.phase == GERMAN_ENTRY


def _is_taken_back(case: Case, event: StepChanged) -> bool:
    return _is_reduced(case, event) and _given_now(case, case.unit(event.unit))


def _given_now(case: Case, unit: Unit) -> bool:
    """It got its step in this phase, and nobody else any since: a mistake in handling the counters."""
    given = [event.unit for event in case.in_phase.of(StepChanged)][-1:]
    return given == [unit.id] and unit.id in case.in_game.steps_spent


def _wrong_step(case: Case, unit: Unit) -> Wrong:
    suits, supplied = unit.has("step-replaced"), state_of(case, unit) != OUT
    return those_that_hold(
        (not suits, "lwe-8.6a", "replacement steps are for non-mechanized German divisions"),
        (
            case.phase != GERMAN_ENTRY,
            "lwe-8.6b",
            "replacement steps are given in the New Unit Entry Phase",
        ),
        (not supplied, "lwe-8.6b", "is out of supply"),
        (steps_left(case) <= 0, "lwe-8.6a", "the replacement steps are used up"),
    )


# --- Soviet units that come back (8.7, 8.8) ------------------------------------------------------------


@RULES.rule("lwe-7.16b", "lwe-8.7b", "lwe-8.7c", "lwe-8.7d", "lwe-8.7f", "lwe-8.7h", "lwe-8.9a")
@RULES.before(Placed, Moved)
def soviet_units_come_back(case: Case, event: Event) -> Faults:
    for unit, hex_, box in _returning(case, event):
        wrong, doubt = _wrong_return(case, unit, hex_, box), partial(coastal_doubt, case, hex_)
        yield from first_of(wrong, f"{unit.id}: ", (unit.id,), (hex_,), doubt)


def _returning(case: Case, event: Event) -> Iterator[tuple[Unit, Hex, str | None]]:
    for unit, hex_, box in coming(case, event) if case.phase != "turn-start" else ():
        if unit.side == SOVIET and returns(case, unit, box) and not unit.has("coastal-army"):
            yield unit, hex_, box


@RULES.track(Placed, Moved, when=JUDGED)
def note_the_replacement(case: Case, event: Event) -> None:
    for unit, hex_, box in list(_returning(case, event)):
        if unit.on_map:
            case.forgive(unit.id)
        right = not any(_wrong_return(case, unit, hex_, box))
        if right and unit.id not in case.in_phase.came_back:
            case.in_phase.came_back.append(unit.id)
        case.in_turn.arrived[unit.id] = "replacement"


@RULES.track(Removed, phases=[SOVIET_ENTRY], box=DEAD)
def who_is_put_back_has_not_come(case: Case, event: Removed) -> None:
    """Into the box it came from, in the same phase."""
    if event.unit in case.in_phase.came_back:
        case.in_phase.came_back.remove(event.unit)
        case.in_turn.arrived.pop(event.unit, None)


def _wrong_return(case: Case, unit: Unit, hex_: Hex, box: str | None) -> Wrong:
    field, replaceable = field_of(case), unit.has("replaceable")
    named = any(map(unit.has, NAMED))
    late = case.phase != SOVIET_ENTRY
    wrong = those_that_hold(
        (
            not replaceable,
            "lwe-8.7d" if named else "lwe-8.7b",
            f"its type does not come back: {unit.type.name}",
        ),
        (late, "lwe-8.7f", "replacements come in the Soviet New Unit Entry Phase"),
        (
            box == POOL == unit.spot,
            "lwe-8.7h",
            "is still in the replacement pool: no rifle corps has released it",
        ),
        (
            _gave_way(case, unit, hex_),
            "lwe-8.13d",
            "stood on the map when the phase began, and does not come back in it",
        ),
        (
            box != POOL and case.phase_start.units[unit.id].spot == POOL and not _corps_gone(case),
            "lwe-8.7h",
            "was in the replacement pool when the phase began: no rifle corps has released it",
        ),
    )
    return chain(wrong, *(_wrong_place(case, field, hex_id) for hex_id in field.ids([hex_])))


def _gave_way(case: Case, unit: Unit, hex_: Hex) -> bool:
    """To Guards in this phase; a counter put back where it stood was taken off by mistake."""
    before = case.phase_start.units[unit.id]
    return before.on_map and not unit.on_map and before.spot != hex_


def _corps_gone(case: Case) -> bool:
    return bool(having(case.units(case.in_phase.concerned(Removed)), "rifle-corps"))


def _wrong_place(case: Case, field: Field, hex_id: HexId) -> Wrong:
    where = field.ground.wording.hex(hex_id)
    town = field.board.has_place(hex_id, "large-town", "city")
    return those_that_hold(
        (not town, "lwe-8.7c", f"{where} is no large town or city"),
        (not field.may_hold(SOVIET, hex_id), "lwe-8.7c", f"{where} is not Soviet"),
        (
            not supplied_for_entry(case, field, hex_id),
            "lwe-7.16b",
            f"{where} is not in regular supply",
        ),
    )


def rate(case: Case, turn: int) -> int:
    """Steps for each centre (8.8)."""
    rows = case.game.table["replacement-rates"].rows
    return next((int(row.cells[0]) for row in reversed(rows) if int(row.id) <= turn), 0)


def centres(case: Case, field: Field, *, supplied: bool = True) -> int:
    """Replacement centres that are Soviet, and in regular supply."""
    lines = soviet_lines(case, field)
    held = [h for h in field.board.with_feature("replacement-center") if field.may_hold(SOVIET, h)]
    return sum(map(lines.regular, held)) if supplied else len(held)


@RULES.rule("lwe-8.7a", "lwe-8.7e", "lwe-8.7g", "lwe-8.8a", "lwe-8.9b")
@RULES.at_phase_end(SOVIET_ENTRY)
def no_more_come_back_than_the_centres_give(case: Case) -> Faults:
    count, each = centres(case, field_at_phase_start(case)), rate(case, case.turn)
    spent, given = _spent(case), count * each
    if spent > given:
        gives = "gives" if count == 1 else "give"
        text = f"{say.counted(spent, 'replacement step')} used; {say.counted(count, 'center')} {gives} "
        text += f"{each} each, {given} in all"
        last = tuple(case.in_phase.came_back[given - spent :])
        yield Fault(_of_overspending(case, count, each), text, last)


def _of_overspending(case: Case, count: int, each: int) -> str:
    """The rule without which there would be steps enough."""
    came_back, (turn, saved) = len(case.in_phase.came_back), case.in_game.unused_steps
    spent, given = _spent(case), count * each
    unsupplied = centres(case, field_at_phase_start(case), supplied=False)
    later = range(each + 1, 9)  # rates of other turns
    return first_true(
        (case.in_phase.flipped and came_back <= given, "lwe-8.9b"),
        (turn == case.turn - 1 and saved >= spent - given, "lwe-8.7e"),
        (spent <= each * unsupplied, "lwe-8.7g"),
        (count and spent % count == 0 and spent // count in later, "lwe-8.8a"),
        otherwise="lwe-8.7a",
    )


def _spent(case: Case) -> int:
    return len(case.in_phase.came_back) + sum(cost for _, cost in case.in_phase.flipped)


@RULES.track_end(SOVIET_ENTRY)
def note_unused_steps(case: Case) -> None:
    given = centres(case, field_at_phase_start(case)) * rate(case, case.turn)
    case.in_game.unused_steps = (case.turn, max(given - _spent(case), 0))


# --- the coastal army (8.9) -------------------------------------------------------------------------------


@RULES.rule("lwe-8.9b", "lwe-8.13d", "lwe-3.4e")
@RULES.before(StepChanged, side=SOVIET)
def soviet_units_are_filled_up(case: Case, event: StepChanged) -> Faults:
    """The coastal army alone, in a coastal town, for five steps."""
    unit = case.unit(event.unit)
    if not puts_back(case, event):
        wrong = _wrong_loss(unit) if event.new > event.old else _wrong_gain(case, unit)
        yield from first_of(wrong, f"{unit.id} ", (unit.id,))


def _wrong_loss(unit: Unit) -> Wrong:
    return those_that_hold((unit.type.steps < 2, "lwe-3.4e", "has one step: it is removed, not reduced"))


def _wrong_gain(case: Case, unit: Unit) -> Wrong:
    army, guards, field = unit.has("coastal-army"), unit.has("guards"), field_of(case)
    on_the_coast = any(map(soviet_lines(case, field).coastal, field.ids([unit.spot])))
    return those_that_hold(
        (not army, "lwe-8.13d" if guards else "lwe-3.4e", "never gets a step back"),
        (
            case.phase != SOVIET_ENTRY,
            "lwe-8.9b",
            "gets its step back in the Soviet New Unit Entry Phase",
        ),
        (not on_the_coast, "lwe-8.9b", "gets its step back in a coastal town or city only"),
    )


@RULES.track(StepChanged, when=JUDGED, having="coastal-army")
def note_the_army_filled_up(case: Case, event: StepChanged) -> None:
    unit = case.unit(event.unit)
    if event.new <= event.old and not puts_back(case, event):
        case.in_phase.flipped.append((unit.id, int(unit.type.values.get("flip-cost", 5))))


# --- the replacement pool (8.10) --------------------------------------------------------------------------


@RULES.track(Removed, phases=losing_phases(), having="rifle-corps")
def note_lost_corps(case: Case, event: Removed) -> None:
    unit = case.unit(event.unit)
    if unit.on_map:
        number = 0 if unit.has("headquarters-corps") else printed(unit, "attack")
        case.in_phase.corps_lost.append((unit.id, number))


@RULES.track(Placed, Moved, phases=losing_phases(), comes_to=DEAD)
def note_released_divisions(case: Case, event: Moved | Placed) -> None:
    units = case.units(event.concerned)
    case.in_phase.released.extend(unit.id for unit in units if unit.counter.setup == "RP")


@RULES.rule("lwe-8.10a")
@RULES.before(Placed, Moved, comes_to=DEAD)
def the_pool_opens_when_a_corps_is_lost(case: Case, event: Moved | Placed) -> Faults:
    """In phases with losses the divisions are counted at the end; elsewhere a corps goes for want of room."""
    released = names_of(unit for unit in case.units(event.concerned) if unit.spot == POOL)
    if released and not _corps_gone(case) and case.phase not in losing_phases():
        text = f"{'+'.join(released)} leaves the pool, and no rifle corps was lost in this phase"
        yield Fault("lwe-8.10a", text, released, verdict=Verdict.WARNING)


@RULES.rule("lwe-8.10a")
@RULES.at_phase_end(*losing_phases())
def lost_corps_release_their_divisions(case: Case) -> Faults:
    lost, released = case.in_phase.corps_lost, case.in_phase.released
    due, names = sum(number for _, number in lost), tuple(name for name, _ in lost)
    divisions, short = say.counted(due, "division"), len(released) < due
    if len(released) > due:
        text = f"{say.counted(len(released), 'division')} from the pool, {due} due"
        yield Fault("lwe-8.10a", text, (*names, *released))
    elif short and len(case.phase_start.at(POOL)) < due:
        case.not_checked("divisions that a pool not shown releases")
    elif short:
        text = f"{'+'.join(names)} lost: {divisions} of the pool to the dead pile, not {len(released)}"
        yield Fault("lwe-8.10a", text, names, verdict=unless(not released))
