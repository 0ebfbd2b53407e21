"""Chapter 7: what supply allows and costs; Directive 3, the Paulus Pause, the supply concentration.

Where lines reach is in `lines`; claims of supply are judged in `c07_claims`.
"""

from __future__ import annotations

from collections.abc import Iterator

from validator.core import explain as say
from validator.core.sequence import Moment
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.lwe import tracks
from validator.games.lwe.book import (
    ABORT_PAUSE,
    ASSAULTING,
    CONCENTRATE,
    DECLARATION,
    END_CONCENTRATION,
    GERMAN,
    GERMAN_MOVE,
    PAUSE,
    RESCIND,
    RULES,
    SOVIET,
    SOVIET_SUPPLY,
    TURN_END,
    TURN_START,
    VICTORY,
    WEATHER,
)
from validator.games.lwe.course import FIRST_CHOICE, PAUSABLE, PAUSE_TURNS, Course, course_of
from validator.games.lwe.field import field_of
from validator.games.lwe.lines import (
    CONCENTRATION,
    OUT,
    concentrated,
    german_lines,
    soviet_lines,
    state_of,
    unmarked,
)
from validator.games.lwe.state import Case
from validator.model.events import (
    Attacked,
    Declared,
    Event,
    Marked,
    PhaseBegan,
    Pointed,
    Removed,
    StepChanged,
    Unmarked,
)
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, any_has, carrying, names_of, of_side, on_map
from validator.procedures import faults
from validator.procedures.ask_each import each

MARKERS = 18  # 7.6
GIVEN_AWAY = "gave away a concentration marker and is not eliminated"
OPENING = (TURN_START, WEATHER)  # of the next turn: the trackers of players run ahead


# --- Directive 3 (7.12) ---------------------------------------------------------------------------


@RULES.rule("lwe-7.12a")
@RULES.before(Declared, Pointed)
def directive_3_is_ended_at_the_start_of_a_turn(case: Case, event: Event) -> Faults:
    """Said, or shown by turning its marker; the weather ends it by itself."""
    ends = _ends_the_directive(case, event)
    rows = (
        (ends and case.turn < FIRST_CHOICE, f"may be ended from turn {FIRST_CHOICE} on"),
        (
            ends and case.phase != TURN_START,
            "is ended at the very start of a turn, before anything else",
        ),
    )
    yield from faults.first_that_holds(faults.of_rule("lwe-7.12a", rows), "Directive 3 ", ())


def _ends_the_directive(case: Case, event: Event) -> bool:
    said = isinstance(event, Declared) and event.what == RESCIND
    turned = isinstance(event, Pointed) and (event.marker, event.face) == (tracks.DIRECTIVE, tracks.ENDED)
    return said or (turned and course_of(case).dd3 is not False)


@RULES.track(Declared, Pointed, when=JUDGED)
def note_the_end_of_the_directive(case: Case, event: Event) -> None:
    if _ends_the_directive(case, event):
        course_of(case).dd3 = False
        case.in_game.rescinded = True


@RULES.rule("lwe-7.12e")
@RULES.before(Declared, what="eliminate-unsupplied")
def no_supply_check_under_directive_3(case: Case, event: Declared) -> Faults:
    if course_of(case).dd3:
        text = "while Directive 3 is in force no Soviet supply is checked"
        yield Fault("lwe-7.12e", text, event.units, verdict=Verdict.WARNING)


@RULES.rule("lwe-5.6c", "lwe-7.12d")
@RULES.before(Removed, phases=[SOVIET_SUPPLY], side=SOVIET)
def only_units_out_of_supply_are_lost(case: Case, event: Removed) -> Faults:
    unit, field = case.unit(event.unit), field_of(case)
    hex_id = field.id(unit.spot)
    if hex_id is None:
        return
    dd3 = course_of(case).dd3
    if dd3:
        text = f"{unit.id} is removed for lack of supply while Directive 3 is in force"
        yield Fault("lwe-5.6c", text, (unit.id,), (unit.hex,))
    elif case.position.partial:
        case.not_checked("whether a line of supply was open to a unit removed for lack of one")
    elif soviet_lines(case).supplied(hex_id):
        text = f"{unit.id} is in supply in {field.ground.wording.hex(hex_id)} and is removed"
        yield Fault("lwe-7.12d", text, (unit.id,), (unit.hex,))


@RULES.rule("lwe-7.12c", "lwe-7.12d")
@RULES.at_phase_end(SOVIET_SUPPLY)
def units_out_of_supply_are_lost(case: Case) -> Faults:
    yield from _survivors(case)


@RULES.track_end(SOVIET_SUPPLY)
def note_the_supply_check(case: Case) -> None:
    case.in_turn.supply_checked = True


@RULES.before(PhaseBegan)
def the_supply_check_is_not_left_out(case: Case, event: PhaseBegan) -> Faults:
    """A log may pass over the phase when nobody is out of supply."""
    if not case.in_turn.supply_checked and Moment(case.turn, SOVIET_SUPPLY) in case.passed_by(event):
        yield from _survivors(case)


def _survivors(case: Case) -> Iterator[Fault]:
    """Ended by weather, the directive may have been thought in force (7.12)."""
    course, field, lines = course_of(case), field_of(case), soviet_lines(case)
    if course.dd3 is None:
        case.not_checked("whether Directive 3 is in force")
    lifted = course.dd3 is False
    lost = [(h, unit) for h, unit in field.of_side(SOVIET) if lifted and not lines.supplied(h)]
    where = say.listed(sorted({field.ground.wording.hex(h) for h, _ in lost}))
    rule = "lwe-7.12c" if course.dd3_by_weather else "lwe-7.12d"
    text, hexes = f"out of supply in {where} and not eliminated", field.hexes(h for h, _ in lost)
    yield from faults.of_units(rule, names_of(unit for _, unit in lost), text, hexes=hexes)


@RULES.rule("lwe-7.7c")
@RULES.before(Removed, StepChanged, phases=[SOVIET_SUPPLY], side=GERMAN)
def germans_are_never_lost_for_want_of_supply(case: Case, event: Removed | StepChanged) -> Faults:
    yield Fault("lwe-7.7c", f"{event.unit}: supply never costs the German side a step", (event.unit,))


# --- attacks and supply (7.7) ----------------------------------------------------------------------


def _german_attackers(case: Case, event: Attacked) -> list[Unit]:
    return [unit for unit in of_side(case.units(event.units), GERMAN) if field_of(case).stands(unit)]


@RULES.rule("lwe-7.7a", "lwe-7.6d")
@RULES.before(Attacked, phases=ASSAULTING)
@each(_german_attackers)
def units_out_of_supply_do_not_attack(case: Case, event: Attacked, unit: Unit) -> Faults:
    """As it is when the assault begins: an earlier one may have opened a line."""
    for hex_id in field_of(case).ids([unit.spot]) if state_of(case, unit) == OUT else ():
        rule = "lwe-7.6d" if CONCENTRATION in unit.marks else "lwe-7.7a"
        why = german_lines(case).why_out(hex_id)
        yield Fault(rule, f"{unit.id} is out of supply and may not attack: {why}", (unit.id,))


# --- the Paulus Pause (7.5) -------------------------------------------------------------------------


@RULES.rule("lwe-7.5a")
@RULES.before(Declared, what=PAUSE)
def a_pause_begins_at_the_end_of_a_turn(case: Case, event: Declared) -> Faults:
    turn = _turn_of_pause(case)
    if not _pause_in_time(case):
        text = f"a pause begins at the end of turn {PAUSABLE[0]}, 3, 4 or {PAUSABLE[-1]}"
        yield Fault("lwe-7.5a", f"{text}; this is turn {case.turn}, {case.phase_name()}")
    elif case.phase in (*OPENING, SOVIET_SUPPLY):
        text = f"the pause is declared in the {case.phase_name()}, and counted from the end of turn {turn}"
        yield Fault("lwe-7.5a", text, verdict=Verdict.WARNING)


@RULES.rule("lwe-7.5a")
@RULES.before(Pointed, marker=tracks.PAUSE)
def markers_of_a_pause_are_laid_as_it_begins(case: Case, event: Pointed) -> Faults:
    """They tell a log that begins later of it."""
    turn, course = tracks.turn_of(event.box), course_of(case)
    lasts = course.pause is not None and turn in range(course.pause + 1, course.pause + PAUSE_TURNS + 1)
    if turn is not None and not lasts and not _pause_in_time(case):
        text = f"a marker of a pause is laid on turn {turn}, and none begins in the {case.phase_name()}"
        yield Fault("lwe-7.5a", f"{text} of turn {case.turn}", verdict=Verdict.WARNING)


@RULES.rule("lwe-7.5a")
@RULES.before(Declared, what=ABORT_PAUSE)
def only_a_pause_that_lasts_is_aborted(case: Case, event: Declared) -> Faults:
    course = course_of(case)
    if not course.pausing(case.turn) and course.pause_told:
        yield Fault("lwe-7.5a", "a pause is aborted, and none lasts", verdict=Verdict.WARNING)


def _turn_of_pause(case: Case) -> int:
    return case.turn - 1 if case.phase in OPENING else case.turn


def _pause_in_time(case: Case) -> bool:
    in_time = case.phase in (*OPENING, SOVIET_SUPPLY, VICTORY, TURN_END)
    return in_time and _turn_of_pause(case) in PAUSABLE


@RULES.track(Declared, when=JUDGED, what=ABORT_PAUSE)
def note_the_end_of_the_pause(case: Case, event: Declared) -> None:
    course = course_of(case)
    course.aborted = course.pausing(case.turn)


@RULES.track(Declared, when=JUDGED, what=PAUSE)
def note_the_pause(case: Case, event: Declared) -> None:
    course = course_of(case)
    if _pause_in_time(case):
        course.pause, course.aborted, course.pause_told = _turn_of_pause(case), False, True


@RULES.track(Pointed, when=APPLIED, marker=tracks.PAUSE)
def markers_tell_of_a_pause(case: Case, event: Pointed) -> None:
    """Laid on the three turns of it they say what a declaration says."""
    course, begun = course_of(case), tracks.pause_shown(case.position, PAUSABLE, PAUSE_TURNS)
    boxes = case.position.spread.get(tracks.PAUSE, frozenset()) - case.phase_start.spread.get(
        tracks.PAUSE, frozenset()
    )
    if len(boxes) == PAUSE_TURNS and course.pause is None:
        course.pause, course.pause_told = begun, True


@RULES.rule("lwe-7.5b", "lwe-7.5d", "lwe-7.5e")
@RULES.before(Attacked, side=GERMAN)
def no_attacks_in_a_pause(case: Case, event: Attacked) -> Faults:
    """But on a fortified zone, by prepared assault. Chapter 11 asks for the supply die where it is due."""
    course = course_of(case)
    if not course.pausing(case.turn):
        return
    held = [unit for hex_ in event.targets for unit in case.position.at(hex_)]
    if event.overrun or not any_has(held, "fortified-zone"):
        text = f"{'+'.join(event.units)} attacks in the pause declared in turn {course.pause}"
        yield Fault("lwe-7.5b", text, event.units, event.targets)


# --- the supply concentration (7.6) ------------------------------------------------------------------


@RULES.rule("lwe-7.6a")
@RULES.before(Declared, what=CONCENTRATE)
def a_concentration_is_declared_once(case: Case, event: Declared) -> Faults:
    again = course_of(case).concentrated_before
    rows = (_out_of_phase(case, event), (again, "a concentration that was ended is not declared again"))
    yield from faults.first_that_holds(faults.of_rule("lwe-7.6a", rows), "", ())


@RULES.rule("lwe-7.6a")
@RULES.before(Declared, what=END_CONCENTRATION)
def a_concentration_ends_in_a_later_turn(case: Case, event: Declared) -> Faults:
    early, none = case.in_turn.concentrated, not (course_of(case).concentrated or concentrated(case))
    rows = (
        _out_of_phase(case, event),
        (early, "a concentration is ended in a later turn than it was declared in"),
    )
    wrong = list(faults.first_that_holds(faults.of_rule("lwe-7.6a", rows), "", ()))
    yield from wrong
    if none and not wrong:
        yield Fault("lwe-7.6a", "a concentration is ended, and none was declared", verdict=Verdict.WARNING)


def _out_of_phase(case: Case, event: Declared) -> tuple[bool, str]:
    what = event.what.replace("-", " ")
    return case.phase != DECLARATION, f"{what}: that is declared at the start of a German player turn"


@RULES.track(Declared, when=JUDGED, what=CONCENTRATE)
def note_the_concentration(case: Case, event: Declared) -> None:
    course_of(case).concentrated = case.in_turn.concentrated = True


@RULES.track(Declared, when=JUDGED, what=END_CONCENTRATION)
def note_the_end_of_the_concentration(case: Case, event: Declared) -> None:
    course = course_of(case)
    course.concentrated_before |= course.concentrated or concentrated(case)
    course.concentrated = False


@RULES.rule("lwe-7.6b")
@RULES.before(Marked, Unmarked, kind="concentration")
def markers_are_laid_at_the_start_of_the_turn(case: Case, event: Marked | Unmarked) -> Faults:
    ended = isinstance(event, Unmarked) and _is_ended(course_of(case))
    if case.phase == DECLARATION or ended:
        return
    for unit in on_map(case.units(event.concerned)):
        text = f"{unit.id}: markers are laid and moved at the start of a turn"
        yield Fault("lwe-7.6b", text, (unit.id,))


@RULES.rule("lwe-7.6b")
@RULES.at_phase_end(DECLARATION)
def eighteen_units_keep_their_markers(case: Case) -> Faults:
    marked, before = _marked(case.position.on_map(GERMAN)), _marked(case.phase_start.on_map(GERMAN))
    lost = sorted(before - marked)
    if case.in_turn.concentrated and not marked:
        text = f"a concentration was declared, and no unit has one of its {MARKERS} markers"
        yield Fault("lwe-7.6b", text, verdict=Verdict.WARNING)
    if not marked or _is_ended(course_of(case)):
        return
    if lost:
        yield from faults.of_units("lwe-7.6b", lost, GIVEN_AWAY)
    elif len(marked) != MARKERS:
        few = len(marked) < MARKERS and before  # of a unit since lost: its marker may be given on
        text = f"{say.counted(len(marked), 'unit')} with a concentration marker; {MARKERS} are to have one"
        yield Fault("lwe-7.6b", text, tuple(sorted(marked)), verdict=faults.unless(few))


def _is_ended(course: Course) -> bool:
    """A concentration was, and is none any more."""
    return course.concentrated_before and not course.concentrated


def _marked(units: Iterator[Unit]) -> set[str]:
    return {*names_of(carrying(units, CONCENTRATION))}


@RULES.rule("lwe-7.6c")
@RULES.before(Attacked, phases=(*ASSAULTING, GERMAN_MOVE))
def unmarked_units_do_not_attack(case: Case, event: Attacked) -> Faults:
    """While supply is concentrated; chapter 9 holds them to one hex of movement."""
    for unit in unmarked(_german_attackers(case, event)) if concentrated(case) else ():
        yield Fault("lwe-7.6c", f"{unit.id} has no marker of the supply concentration", (unit.id,))
