"""Chapter 10: partisans, where they are set, and what they do to German supply."""

from __future__ import annotations

from fieldpost.hexes import Hex, distance
from validator.engine.case import Memory
from validator.engine.rulebook import Faults
from validator.games.ftm.book import AXIS, RULES, SUPPLY
from validator.games.ftm.state import Case
from validator.model.events import Marked, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, any_has, having, names_of, on_map
from validator.procedures import lastingmarkers
from validator.procedures.ask_each import each, units_of
from validator.procedures.faults import Wrong, first_of, those_that_hold
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.moves import spot_of
from validator.procedures.strengthchits import entry_turn
from validator.procedures.supplymarks import MARKER, OUT, out_of_supply

PARTISAN, PARTISANS = "partisan", "partisans"
REACH = 4


def partisans(case: Case) -> list[tuple[str, Hex]]:
    return markers_on_hexes(case, PARTISAN)


def has_base(case: Case, hex_: object) -> bool:
    return isinstance(hex_, Hex) and any_has(case.position.at(hex_), "supply-base")


# --- their effect (10.1) ----------------------------------------------------------------------------


def partisan_dice(case: Case) -> list[Rolled]:
    return [roll for roll in case.in_phase.of(Rolled) if PARTISANS in roll.reason]


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
@RULES.before(Marked, phases=[SUPPLY], marker=MARKER, face=OUT, side=AXIS)
@each(units_of)
def partisans_engage_german_combat_units(case: Case, event: Marked, unit: Unit) -> Faults:
    """After the die; what is marked Out of Supply by its line is judged at the phase's end."""
    barred = not may_be_engaged(unit) and not out_of_supply(unit)
    if barred and partisan_dice(case) and away(case, unit) <= REACH:
        text = f"{unit.id} is marked Out of Supply; partisans engage German combat units only"
        yield Fault("ftm-10.1", text, (unit.id,), verdict=Verdict.WARNING)


def marked_now(case: Case) -> list[str]:
    """Units marked Out of Supply in this phase after partisans rolled."""
    events, rolls = case.in_phase.events, partisan_dice(case)
    since = Memory(events[events.index(rolls[0]) :] if rolls else [])
    units = on_map(case.units(since.concerned(Marked, marker=MARKER, face=OUT)))
    return list(names_of(filter(may_be_engaged, units)))


@RULES.track_end(SUPPLY)
def note_who_is_engaged(case: Case) -> None:
    case.in_game.engaged = set(marked_now(case))


# --- where they are set (10.2) -------------------------------------------------------------------------


@RULES.rule("ftm-10.2a", "ftm-10.2b")
@RULES.before(Marked, kind=PARTISAN, on=Hex)
def partisans_are_set_on_supply_bases(case: Case, event: Marked) -> Faults:
    for hex_ in spot_of(event.on):
        where = f"{event.marker} is set in {case.label(hex_)}: "
        yield from first_of(_wrong_place(case, event.marker, hex_), where, (), (hex_,))


def _wrong_place(case: Case, marker: str, hex_: Hex) -> Wrong:
    values, due = case.game.marker[marker].values, entry_turn(case, marker)
    away = {other: distance(where, hex_) for other, where in partisans(case) if other != marker}
    start = case.in_phase.partisans_at_start.get(marker, hex_)
    shifted = distance(start, hex_)
    return those_that_hold(
        (case.phase != SUPPLY, "ftm-10.2a", "partisans are set in the supply phase"),
        (not has_base(case, hex_), "ftm-10.2a", "no German supply base is there"),
        (case.turn < due, "ftm-10.2a", f"it arrives in turn {due}"),
        *(
            (hexes < int(values["apart"]), "ftm-10.2a", f"{other} is {hexes} hexes away, less than five")
            for other, hexes in away.items()
        ),
        (
            shifted > int(values["shift"]) and has_base(case, start),
            "ftm-10.2b",
            f"it comes from {case.label(start)}, {shifted} hexes away",
        ),
    )


lastingmarkers.register(RULES, PARTISAN, SUPPLY, "ftm-10.5.1")
