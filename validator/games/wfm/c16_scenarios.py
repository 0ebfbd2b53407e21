"""Chapters 16 to 19: set-up, length, playing area and special rules of the scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fieldpost.definition.scenariomodel import SpecialRule
from fieldpost.hexes import Hex
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES, special
from validator.games.wfm.field import field_at_phase_start
from validator.games.wfm.lines import MAIN_SHEET, MOSCOW
from validator.games.wfm.state import Case
from validator.model import position as positions
from validator.model.events import Attacked, Drawn, Moved, PhaseBegan, Placed, Replaced, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Position, Unit, any_has, names_of, on_map
from validator.procedures import faults
from validator.procedures.faults import of_units, unless
from validator.procedures.moves import spot_of

MOSCOW_ROLLS = ("surrender", "moscow falls")  # a word of sheets, and the button of the module
LENGTH = {
    "turning-point": "wfm-16.1",
    "fall-barbarossa": "wfm-17.1",
    "road-to-stalingrad": "wfm-18.1",
    "war-for-the-motherland": "wfm-19.1",
}


# --- the set-up (16.2, 2.6) ----------------------------------------------------------------------


@RULES.rule("wfm-16.2", "wfm-16.23", "wfm-16.32", "wfm-16.44")
@RULES.at_phase_start("supply")
def the_set_up_is_as_printed(case: Case) -> Faults:
    """Judged where a log begins with the scenario; any counter may stand for one with the same values."""
    if not case.scenario.set_up or case.turn != case.scenario.first_turn or case.in_game.events:
        return
    printed = positions.start(case.game, case.scenario)
    if not any(case.position.on_map()):
        return
    yield from _misplaced(case, printed)
    yield from _strength_markers(case, printed)
    yield from _cups(case, printed)


def _misplaced(case: Case, printed: Position) -> Iterator[Fault]:
    should, does = _census(printed), _census(case.position)
    rule = "wfm-16.2" if case.scenario.id == "turning-point" else "wfm-2.6a"
    strangers, missing = does - should, should - does
    for hex_, what in strangers:
        units = _worth(case.position, hex_, what)[: strangers[hex_, what]]
        depot = special(case, "only-extended-depots") and any_has(units, "depot")
        name = "wfm-16.32" if depot and any_has(printed.at(hex_), "depot") else rule
        yield from of_units(name, names_of(units), f"does not set up in {case.label(hex_)}", hexes=(hex_,))
    for hex_, what in missing:
        names = names_of(_worth(printed, hex_, what)[: missing[hex_, what]])
        filled = hex_ in {hex_ for hex_, _ in strangers}
        if not filled and not on_map(case.units(names)):
            yield from of_units(rule, names, f"is missing from {case.label(hex_)}", hexes=(hex_,))


def _worth(position: Position, hex_: Hex, what: tuple[str, ...]) -> list[Unit]:
    return [unit for unit in position.at(hex_) if _values(unit) == what]


def _census(position: Position) -> Counter[tuple[Hex, tuple[str, ...]]]:
    return Counter((unit.hex, _values(unit)) for unit in position.on_map())


def _values(unit: Unit) -> tuple[str, ...]:
    """What a counter is worth: another with the same may take its place (16.2)."""
    shown = unit.counter.steps[min(unit.step, len(unit.counter.steps)) - 1] if unit.counter.steps else ""
    return unit.type.id, unit.nationality, shown


def _strength_markers(case: Case, printed: Position) -> Iterator[Fault]:
    """62A alone has a strength marker, on its weaker side (16.23)."""
    for unit in case.position.on_map():
        should = _chits(case, printed.units[unit.id])
        does = _chits(case, unit)
        if should != does:
            wanted = ", ".join(f"{m} on side {face}" for m, face in should.items()) or "no strength marker"
            yield Fault("wfm-16.23", f"{unit.id} begins with {wanted}", (unit.id,), (unit.hex,))


def _chits(case: Case, unit: Unit) -> dict[str, int]:
    return {m: face for m, face in unit.marks.items() if case.game.marker[m].kind == "strength"}


def _cups(case: Case, printed: Position) -> Iterator[Fault]:
    """What the cups hold at the start (16.44)."""
    for deck, markers in printed.decks.items():
        extra = Counter(case.position.decks.get(deck, ())) - Counter(markers)
        if extra:
            yield Fault("wfm-16.44", f"{deck} holds {', '.join(sorted(extra))} at the start")


RULES.cannot_check(
    "wfm-2.6a",
    "The rules give the set-up of Turning Point only, which is 16.2; the codes on the counters of the other "
    "scenarios are not in the text. Where an owner adds a set-up, it is compared in the same way.",
)


# --- length and area --------------------------------------------------------------------------------


@RULES.rule("wfm-16.1", "wfm-17.1", "wfm-18.1", "wfm-19.1")
@RULES.before(PhaseBegan)
def a_scenario_has_its_turns(case: Case, event: PhaseBegan) -> Faults:
    first, last = case.scenario.first_turn, case.scenario.last_turn
    if not first <= event.turn <= last:
        yield Fault(LENGTH[case.scenario.id], f"{case.scenario.title} is played from turn {first} to {last}")


@RULES.rule("wfm-16.1", "wfm-17.1", "wfm-18.1", "wfm-19.1")
@RULES.before(Placed, Replaced, comes_to=Hex)
def a_scenario_has_its_area(case: Case, event: Placed | Replaced) -> Faults:
    """Units come onto the scenario's own sheets only, and not onto sheet N if it is left out (19.45)."""
    spot = event.comes_to
    assert isinstance(spot, Hex)
    left_out = case.option("no-arctic") == "on" and case.game.map.lattice.sheet_of(spot).id == "N"
    if left_out or field_at_phase_start(case).id(spot) is None:
        units = (event.unit,) if isinstance(event, Placed) else ()
        rule = LENGTH[case.scenario.id]
        yield Fault(rule, f"{case.label(spot)} is not in play in {case.scenario.title}", units, (spot,))


# --- special rules --------------------------------------------------------------------------------------


@RULES.rule("wfm-16.41")
@RULES.before(Moved, mode="sea")
def turning_point_has_no_sea_movement(case: Case, event: Moved) -> Faults:
    if special(case, "no-sea-movement"):
        text = f"{'+'.join(event.units)} moves by sea; in this scenario no unit does"
        yield Fault("wfm-16.41", text, event.units)


@RULES.rule("wfm-16.41")
@RULES.before(Placed, having="osg", comes_to=Hex)
def turning_point_has_no_new_groups(case: Case, event: Placed) -> Faults:
    if special(case, "no-osg-production"):
        text = f"{event.unit} is produced; in this scenario no group is"
        yield Fault("wfm-16.41", text, (event.unit,), event.entered)


@RULES.rule("wfm-16.45")
@RULES.before(Moved, Attacked, side=AXIS)
def the_axis_waits_in_the_first_turn(case: Case, event: Moved | Attacked) -> Faults:
    """Turning Point, turn 22: no Axis movement and no Axis combat phase."""
    if not is_played(case, case.turn, case.phase):
        text = "acts; in turn 22 the Axis has no movement and no combat phase"
        yield from of_units("wfm-16.45", event.units, text)


def is_played(case: Case, turn: int, phase: str) -> bool:
    """Whether a scenario plays a phase of a turn."""
    rule = special(case, "no-axis-opening")
    return rule is None or turn != rule.values["turn"] or phase not in _texts(rule, "phases")


def _texts(rule: SpecialRule, name: str) -> tuple[str, ...]:
    value = rule.values.get(name, ())
    return value if isinstance(value, tuple) else (str(value),)


@RULES.rule("wfm-17.42")
@RULES.before(Moved, Attacked, Replaced)
def frozen_fronts_stay(case: Case, event: Moved | Attacked | Replaced) -> Faults:
    """Turn 1: units set up in Finland and Rumania neither move, attack nor break down."""
    rule = special(case, "frozen-fronts")
    if rule is None or case.turn != rule.values.get("turn", 1):
        return
    free = ("retreat", "advance") if case.option("frozen-advance") == "on" else ("retreat",)
    if isinstance(event, Moved) and event.mode in free:
        return
    countries, frozen = case.game.map.grid["country"].values, _texts(rule, "countries")
    for name in event.old if isinstance(event, Replaced) else event.units:
        start = spot_of(case.phase_start.units[name].spot)
        if any(countries.get(hex_) in frozen for hex_ in start):
            text = f"{name} was set up in Finland or Rumania and neither moves nor attacks in turn 1"
            yield Fault("wfm-17.42", text, (name,), start)


# --- Moscow (19.43) --------------------------------------------------------------------------------------


@RULES.rule("wfm-19.43")
@RULES.before(Rolled, reason=MOSCOW_ROLLS)
def moscow_is_rolled_for_once(case: Case, event: Rolled) -> Faults:
    """One die when an Axis unit first enters Moscow, and never again."""
    rows = (
        (case.in_game.moscow_rolled, "the die for Moscow was rolled before"),
        (not case.in_game.moscow_entered, "no Axis unit has entered Moscow"),
    )
    if special(case, "moscow-falls") is not None:
        yield from faults.first_that_holds(faults.of_rule("wfm-19.43", rows), "", ())


@RULES.rule("wfm-19.43")
@RULES.at_phase_end()
def the_first_entry_of_moscow_is_rolled_for(case: Case) -> Faults:
    hex_ = case.game.map.lattice.hex(MOSCOW, MAIN_SHEET)
    begun = case.phase_start
    first = begun.control.get(hex_) != AXIS and "destroyed" not in begun.marks.get(hex_, {})
    owed = special(case, "moscow-falls") is not None and not case.in_game.moscow_rolled
    if owed and first and case.in_phase.entered.get(hex_) == AXIS:
        text = "an Axis unit entered Moscow for the first time, and no die was rolled"
        yield Fault("wfm-19.43", text, (), (hex_,), verdict=unless(case.position.partial))


@RULES.track(Rolled, when=JUDGED, reason=MOSCOW_ROLLS)
def note_the_die_for_moscow(case: Case, event: Rolled) -> None:
    case.in_game.moscow_rolled = True


@RULES.track(Moved, when=APPLIED, side=AXIS)
def note_the_entry_of_moscow(case: Case, event: Moved) -> None:
    if case.game.map.lattice.hex(MOSCOW, MAIN_SHEET) in event.path[1:]:
        case.in_game.moscow_entered = True


@RULES.rule("wfm-16.44")
@RULES.before(Drawn)
def chits_come_out_of_what_the_cups_hold(case: Case, event: Drawn) -> Faults:
    deck = case.position.decks.get(event.deck, [])
    if deck and event.marker not in deck and case.scenario.id == "turning-point":
        text = f"{event.marker} is not in {event.deck}"
        yield Fault("wfm-16.44", text, (event.unit,) if event.unit else (), (), {}, Verdict.ILLEGAL)
