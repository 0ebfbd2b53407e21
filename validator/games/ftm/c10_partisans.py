"""Chapter 10: partisans, where they are set, and what they do to German supply."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex, distance
from validator.engine.rulebook import Faults
from validator.games.ftm.book import AXIS, RULES, SUPPLY
from validator.games.ftm.state import Case
from validator.model.events import Marked, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, any_has, having
from validator.procedures import lastingmarkers
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.strengthchits import entry_turn
from validator.procedures.supplymarks import MARKER, OUT, out_of_supply

PARTISAN, PARTISANS = "partisan", "partisans"
REACH = 4


def is_partisan(case: Case, marker: str) -> bool:
    return case.game.marker[marker].kind == PARTISAN


def partisans(case: Case) -> list[tuple[str, Hex]]:
    return markers_on_hexes(case, PARTISAN)


def has_base(case: Case, hex_: object) -> bool:
    return isinstance(hex_, Hex) and any_has(case.position.at(hex_), "supply-base")


# --- their effect (10.1) ----------------------------------------------------------------------------


def partisan_dice(case: Case) -> list[Rolled]:
    return [e for e in case.in_phase.events if isinstance(e, Rolled) and PARTISANS in e.reason]


def number_due(case: Case, die: int) -> int:
    return int(case.game.table[PARTISANS].cell(str(min(max(die, 1), 6)), "units"))


def held_bases(case: Case) -> list[Hex]:
    """Hexes of bases that had partisans when the phase began."""
    starts = case.in_phase.partisans_at_start.values()
    based = {unit.spot for unit in having(case.phase_start.on_map(AXIS), "supply-base")}
    return [hex_ for hex_ in starts if hex_ in based]


def may_be_engaged(unit: Unit) -> bool:
    """German combat units only."""
    return unit.has("german") and unit.has("combat")


def marks_by_partisans(case: Case, unit: Unit) -> bool:
    """Whether a unit stands near partisans who may have marked it in this phase."""
    due = any(number_due(case, roll.values[0]) for roll in partisan_dice(case))
    return due and away(case, unit) <= REACH and may_be_engaged(unit)


def away(case: Case, unit: Unit) -> int:
    """Hexes to the nearest base that had partisans when the phase began."""
    return min((distance(unit.hex, hex_) for hex_ in held_bases(case) if unit.on_map), default=REACH + 1)


def engaged(case: Case, unit: Unit) -> bool:
    """Partisans marked it last turn, and it is judged anew (option)."""
    known = unit.id in case.in_game.engaged or (case.position.partial and may_be_engaged(unit))
    return known and case.option("partisan-status") == "one-turn"


@RULES.track_start(SUPPLY)
def note_where_partisans_are(case: Case) -> None:
    case.in_phase.partisans_at_start.update(dict(partisans(case)))


@RULES.rule("ftm-10.1")
@RULES.at_phase_end(SUPPLY)
def each_base_with_partisans_rolls_once(case: Case) -> Faults:
    bases, rolls = len(held_bases(case)), len(partisan_dice(case))
    if rolls != bases:
        text = f"{bases} supply bases have partisans, {rolls} dice were rolled for them"
        yield Fault("ftm-10.1", text)


@RULES.rule("ftm-10.1")
@RULES.before(Marked, phases=[SUPPLY])
def partisans_engage_german_combat_units(case: Case, event: Marked) -> Faults:
    """After the die; what is marked Out of Supply by its line is judged at the phase's end."""
    unit = case.position.units.get(str(event.on))
    marked = (event.marker, event.face) == (MARKER, OUT) and bool(partisan_dice(case))
    if unit is None or not marked or out_of_supply(unit) or may_be_engaged(unit):
        return
    if away(case, unit) <= REACH and unit.side == AXIS:
        text = f"{unit.id} is marked Out of Supply; partisans engage German combat units only"
        yield Fault("ftm-10.1", text, (unit.id,), verdict=Verdict.WARNING)


def marked_now(case: Case) -> list[str]:
    """Units marked Out of Supply in this phase after partisans rolled."""
    events = case.in_phase.events
    first = next((i for i, e in enumerate(events) if e in partisan_dice(case)), len(events))
    marks = (e for e in events[first:] if isinstance(e, Marked) and e.marker == MARKER and e.face == OUT)
    units = (case.position.units[e.on] for e in marks if isinstance(e.on, str))
    return [unit.id for unit in units if unit.on_map and may_be_engaged(unit)]


@RULES.track_end(SUPPLY)
def note_who_is_engaged(case: Case) -> None:
    case.in_game.engaged = set(marked_now(case))


# --- where they are set (10.2) -------------------------------------------------------------------------


@RULES.rule("ftm-10.2a", "ftm-10.2b")
@RULES.before(Marked)
def partisans_are_set_on_supply_bases(case: Case, event: Marked) -> Faults:
    hex_ = event.on
    if not isinstance(hex_, Hex) or not is_partisan(case, event.marker):
        return
    for rule, reason in _wrong_place(case, event.marker, hex_):
        yield Fault(rule, f"{event.marker} is set in {case.label(hex_)}: {reason}", (), (hex_,))
        return


def _wrong_place(case: Case, marker: str, hex_: Hex) -> Iterator[tuple[str, str]]:
    values, due = case.game.marker[marker].values, entry_turn(case, marker)
    if case.phase != SUPPLY:
        yield "ftm-10.2a", "partisans are set in the supply phase"
    if not has_base(case, hex_):
        yield "ftm-10.2a", "no German supply base is there"
    if case.turn < due:
        yield "ftm-10.2a", f"it arrives in turn {due}"
    for other, where in partisans(case):
        if other != marker and distance(where, hex_) < int(values["apart"]):
            yield "ftm-10.2a", f"{other} is {distance(where, hex_)} hexes away, less than five"
    start = case.in_phase.partisans_at_start.get(marker)
    if start is not None and has_base(case, start) and distance(start, hex_) > int(values["shift"]):
        yield "ftm-10.2b", f"it comes from {case.label(start)}, {distance(start, hex_)} hexes away"


lastingmarkers.register(RULES, PARTISAN, SUPPLY, "ftm-10.5.1")
