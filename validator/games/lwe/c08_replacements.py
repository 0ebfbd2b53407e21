"""Chapters 8.6 to 8.10: German steps, Soviet units that come back, the coastal army, the pool."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.board import HexId
from validator.engine.referee import Case
from validator.engine.rulebook import Faults
from validator.games.lwe import tracks
from validator.games.lwe.book import GERMAN, GERMAN_ENTRY, RULES, SOVIET, SOVIET_ENTRY
from validator.games.lwe.c08_arrivals import coastal_doubt, coming, returns
from validator.games.lwe.c08_pools import arrived, losing_phases
from validator.games.lwe.field import Field, field_at_phase_start, field_of, printed
from validator.games.lwe.lines import OUT, soviet_lines, state_of
from validator.model.events import Event, Moved, Placed, Removed, StepChanged
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.corrections import puts_back

POOL, DEAD = "replacement-pool", "soviet-eliminated"
NAMED = ("cavalry-group", "guards", "airborne", "nkvd", "militia")  # excluded by name (8.7)


# --- German steps (8.6) ----------------------------------------------------------------------------------


def steps_spent(case: Case) -> list[str]:
    """Divisions that were given a step, in the whole game as far as the log shows."""
    return case.in_game.note("steps-spent", list[str])


def steps_left(case: Case) -> int:
    """Of the steps of the whole game; a log that begins within one is told by the track what was spent."""
    return case.in_game.note("steps-at-start", lambda: _steps_at_start(case)) - len(steps_spent(case))


def _steps_at_start(case: Case) -> int:
    allotment = int(case.game.table["german-pools"].cell("replacement-steps", "value"))
    shown = tracks.steps_shown(case.position)
    return allotment if shown is None else min(shown, allotment)


@RULES.at_phase_start()
def look_at_the_track(case: Case) -> Faults:
    steps_left(case)
    yield from ()


@RULES.rule("lwe-8.6a")
@RULES.at_phase_end(GERMAN_ENTRY)
def the_track_shows_the_steps_left(case: Case) -> Faults:
    """Where its markers were moved."""
    shown, left = tracks.steps_shown(case.position), max(steps_left(case), 0)
    if shown is not None and shown != left and tracks.were_set(case, *tracks.STEPS):
        text = f"the track shows {shown} replacement steps; {left} are left"
        yield Fault("lwe-8.6a", text, verdict=Verdict.WARNING)


@RULES.rule("lwe-8.6a", "lwe-8.6b", "lwe-8.6c")
@RULES.before(StepChanged)
def german_divisions_are_filled_up(case: Case, event: StepChanged) -> Faults:
    unit = case.position.units[event.unit]
    if unit.side != GERMAN or puts_back(case, event):
        return
    if event.new > event.old:
        if case.phase == GERMAN_ENTRY and _given_now(case, unit):
            steps_spent(case).remove(unit.id)
            text = f"{unit.id} is given a step, which is taken back at once"
            yield Fault("lwe-8.6c", text, (unit.id,), verdict=Verdict.WARNING)
        elif case.phase == GERMAN_ENTRY:
            text = f"{unit.id} is reduced: a step once given is not taken back"
            yield Fault("lwe-8.6c", text, (unit.id,))
        return
    if unit.has("refits") and case.phase != GERMAN_ENTRY:
        return  # chapter 8.11 tells
    for rule, text in _wrong_step(case, unit):
        yield Fault(rule, f"{unit.id}: {text}", (unit.id,))
        break
    steps_spent(case).append(unit.id)


def _given_now(case: Case, unit: Unit) -> bool:
    """It got its step in this phase, and nobody else any since: a slip of the hand."""
    last = next((e for e in reversed(case.in_phase.events) if isinstance(e, StepChanged)), None)
    return last is not None and last.unit == unit.id and unit.id in steps_spent(case)


def _wrong_step(case: Case, unit: Unit) -> Iterator[tuple[str, str]]:
    if not unit.has("step-replaced"):
        yield "lwe-8.6a", "replacement steps are for non-mechanized German divisions"
    if case.phase != GERMAN_ENTRY:
        yield "lwe-8.6b", "replacement steps are given in the New Unit Entry Phase"
    if state_of(case, unit) == OUT:
        yield "lwe-8.6b", "is out of supply"
    if steps_left(case) <= 0:
        yield "lwe-8.6a", "the replacement steps are used up"


# --- Soviet units that come back (8.7, 8.8) ------------------------------------------------------------


def came_back(case: Case) -> list[str]:
    found: list[str] = case.in_phase.notes.setdefault("came-back", [])
    return found


@RULES.rule("lwe-7.16b", "lwe-8.7b", "lwe-8.7c", "lwe-8.7d", "lwe-8.7f", "lwe-8.7h", "lwe-8.9a")
@RULES.before(Placed, Moved)
def soviet_units_come_back(case: Case, event: Event) -> Faults:
    if case.phase == "turn-start":
        return
    for unit, hex_, box in coming(case, event):
        if unit.side != SOVIET or not returns(case, unit, box) or unit.has("coastal-army"):
            continue
        if unit.on_map:
            case.take_back(unit.id)
        for rule, text in _wrong_return(case, unit, hex_, box):
            doubt = coastal_doubt(case, rule, hex_)
            yield Fault(rule, f"{unit.id}: {text}", (unit.id,), (hex_,), verdict=doubt)
            break
        else:
            if unit.id not in came_back(case):
                came_back(case).append(unit.id)
        arrived(case)[unit.id] = "replacement"


@RULES.before(Removed, phases=[SOVIET_ENTRY])
def who_is_put_back_has_not_come(case: Case, event: Removed) -> Faults:
    """Into the box it came from, in the same phase."""
    if event.unit in came_back(case) and event.box == DEAD:
        came_back(case).remove(event.unit)
        arrived(case).pop(event.unit, None)
    yield from ()


def _wrong_return(case: Case, unit: Unit, hex_: Hex, box: str | None) -> Iterator[tuple[str, str]]:
    if not unit.has("replaceable"):
        rule = "lwe-8.7d" if any(unit.has(trait) for trait in NAMED) else "lwe-8.7b"
        yield rule, f"its type does not come back: {unit.type.name}"
    if case.phase != SOVIET_ENTRY:
        yield "lwe-8.7f", "replacements come in the Soviet New Unit Entry Phase"
    if box == POOL and unit.spot == POOL:
        yield "lwe-8.7h", "is still in the replacement pool: no rifle corps has released it"
    field = field_of(case)
    hex_id = field.id(hex_)
    if hex_id is not None:
        yield from _wrong_place(case, field, hex_id)


def _wrong_place(case: Case, field: Field, hex_id: HexId) -> Iterator[tuple[str, str]]:
    words, lines = field.ground.wording, soviet_lines(case, field)
    if not field.board.has_place(hex_id, "large-town", "city"):
        yield "lwe-8.7c", f"{words.hex(hex_id)} is no large town or city"
    elif not field.may_hold(SOVIET, hex_id):
        yield "lwe-8.7c", f"{words.hex(hex_id)} is not Soviet"
    elif not lines.regular(hex_id) and not (lines.supplied(hex_id) and case.option("coastal-entry") == "on"):
        yield "lwe-7.16b", f"{words.hex(hex_id)} is not in regular supply"


def rate(case: Case, turn: int) -> int:
    """Steps for each centre (8.8)."""
    rows = case.game.table["replacement-rates"].rows
    return next((int(row.cells[0]) for row in reversed(rows) if int(row.id) <= turn), 0)


def centres(case: Case, field: Field, *, supplied: bool = True) -> int:
    """Replacement centres that are Soviet, and in regular supply."""
    lines = soviet_lines(case, field)
    hexes = field.board.with_feature("replacement-center")
    held = [h for h in hexes if field.may_hold(SOVIET, h)]
    return len([h for h in held if lines.regular(h)] if supplied else held)


@RULES.rule("lwe-8.7a", "lwe-8.7e", "lwe-8.7g", "lwe-8.8a", "lwe-8.9b")
@RULES.at_phase_end(SOVIET_ENTRY)
def no_more_come_back_than_the_centres_give(case: Case) -> Faults:
    field = field_at_phase_start(case)
    flips = flipped_armies(case)
    spent = len(came_back(case)) + sum(cost for _, cost in flips)
    count, each = centres(case, field), rate(case, case.turn)
    saved = case.in_game.notes.get("unused-steps", (0, 0))
    case.in_game.notes["unused-steps"] = (case.turn, max(count * each - spent, 0))
    if spent <= count * each:
        return
    over = spent - count * each
    rule = "lwe-8.7a"
    if flips and len(came_back(case)) <= count * each:
        rule = "lwe-8.9b"
    elif saved[0] == case.turn - 1 and saved[1] >= over:
        rule = "lwe-8.7e"
    elif spent <= each * centres(case, field, supplied=False):
        rule = "lwe-8.7g"
    elif count and spent in {count * other for other in range(each + 1, 9)}:
        rule = "lwe-8.8a"
    gives = "gives" if count == 1 else "give"
    text = f"{say.counted(spent, 'replacement step')} used; {say.counted(count, 'center')} {gives} "
    text += f"{each} each, {count * each} in all"
    yield Fault(rule, text, tuple(came_back(case)[-over:]))


# --- the coastal army (8.9) ---------------------------------------------------------------------------------


def flipped_armies(case: Case) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = case.in_phase.notes.setdefault("flipped", [])
    return found


@RULES.rule("lwe-8.9b", "lwe-8.13d", "lwe-3.4e")
@RULES.before(StepChanged)
def soviet_units_are_filled_up(case: Case, event: StepChanged) -> Faults:
    """The coastal army alone, in a coastal town, for five steps."""
    unit = case.position.units[event.unit]
    if unit.side != SOVIET or puts_back(case, event):
        return
    if event.new > event.old:
        if unit.type.steps < 2:
            yield Fault("lwe-3.4e", f"{unit.id} has one step: it is removed, not reduced", (unit.id,))
        return
    if not unit.has("coastal-army"):
        rule = "lwe-8.13d" if unit.has("guards") else "lwe-3.4e"
        yield Fault(rule, f"{unit.id} never gets a step back", (unit.id,))
        return
    flipped_armies(case).append((unit.id, int(unit.type.values.get("flip-cost", 5))))
    field = field_of(case)
    hex_id = field.id(unit.spot)
    if case.phase != SOVIET_ENTRY:
        text = f"{unit.id} gets its step back in the Soviet New Unit Entry Phase"
        yield Fault("lwe-8.9b", text, (unit.id,))
    elif hex_id is None or not soviet_lines(case, field).coastal(hex_id):
        text = f"{unit.id} gets its step back in a coastal town or city only"
        yield Fault("lwe-8.9b", text, (unit.id,))


# --- the replacement pool (8.10) ----------------------------------------------------------------------------


def due_from_pool(case: Case) -> list[tuple[str, int]]:
    """Rifle corps lost in this phase and the divisions each releases."""
    found: list[tuple[str, int]] = case.in_phase.notes.setdefault("corps-lost", [])
    return found


@RULES.before(Removed, phases=losing_phases())
def note_lost_corps(case: Case, event: Removed) -> Faults:
    unit = case.position.units[event.unit]
    if unit.has("rifle-corps") and unit.on_map:
        number = 0 if unit.has("headquarters-corps") else printed(unit, "attack")
        due_from_pool(case).append((unit.id, number))
    yield from ()


@RULES.before(Placed, Moved, phases=losing_phases())
def note_released_divisions(case: Case, event: Event) -> Faults:
    names = event.units if isinstance(event, Moved) else (event.unit,) if isinstance(event, Placed) else ()
    end = event.end if isinstance(event, Moved) else event.spot if isinstance(event, Placed) else None
    released: list[str] = case.in_phase.notes.setdefault("released", [])
    released += [n for n in names if end == DEAD and case.position.units[n].counter.setup == "RP"]
    yield from ()


@RULES.rule("lwe-8.10a")
@RULES.at_phase_end(*losing_phases())
def lost_corps_release_their_divisions(case: Case) -> Faults:
    lost, released = due_from_pool(case), case.in_phase.notes.get("released", [])
    wanted = sum(number for _, number in lost)
    names = tuple(name for name, _ in lost)
    if len(released) > wanted:
        text = f"{say.counted(len(released), 'division')} from the pool, {wanted} due"
        yield Fault("lwe-8.10a", text, (*names, *released))
    elif len(released) < wanted:
        if len(case.phase_start.at(POOL)) < wanted:
            case.not_checked("divisions that a pool not shown releases")
            return
        verdict = Verdict.ILLEGAL if released else Verdict.WARNING
        text = f"{'+'.join(names)} lost: {say.counted(wanted, 'division')} of the pool to the dead pile"
        yield Fault("lwe-8.10a", f"{text}, not {len(released)}", names, verdict=verdict)
