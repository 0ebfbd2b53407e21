"""Chapter 3: who sets up where, the OKH reserve, and who holds a hex.

What is put down while the first turn opens is the set-up; a scenario's own deployment is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.battles import AIRCRAFT, ARTILLERY, ZONE
from validator.games.lwe.book import ENEMY, GERMAN, RULES, SOVIET, SOVIET_PA, TURN_START
from validator.games.lwe.control import controller
from validator.games.lwe.field import TOWNS, field_of
from validator.games.lwe.state import Case
from validator.model.events import Moved, Placed, Removed, Spot
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, lacking, names_of, on_map
from validator.procedures.arrivals import entry_turn
from validator.procedures.ask_each import each
from validator.procedures.faults import Wrong, first_of, of_units, those_that_hold
from validator.procedures.moves import spot_of

RESERVE = "okh-reserve"
MISSING = ("168ID", "297ID")  # 2.4
ROMANIA, GERMANY = "romania", "greater-germany"
OWN_BOXES = (RESERVE, "off-map", "special-entry", "airfield", "german-eliminated")


def setting_up(case: Case) -> bool:
    return case.phase == TURN_START and case.turn == 1


def put_down(case: Case, event: Placed | Moved) -> list[Unit]:
    """Units that an event of the set-up puts somewhere."""
    units = case.units(event.concerned) if setting_up(case) else []
    return lacking(units, AIRCRAFT)


@RULES.rule("lwe-3.1a", "lwe-3.4a", "lwe-3.4b", "lwe-3.4c", "lwe-3.4d", "lwe-3.4e", "lwe-3.5a", "lwe-3.5b")
@RULES.before(Placed, Moved, phases=[TURN_START])
def units_set_up_where_they_belong(case: Case, event: Placed | Moved) -> Faults:
    spot, wrong_place = event.comes_to, {SOVIET: _soviet, GERMAN: _german}
    for unit in put_down(case, event):
        wrong = wrong_place[unit.side](case, unit, spot)
        yield from first_of(wrong, f"{unit.id}: ", (unit.id,), spot_of(spot))
        yield from _in_order(case, unit)


def _in_order(case: Case, unit: Unit) -> Iterator[Fault]:
    """3.1: the Soviet side sets up first."""
    if unit.side == SOVIET and case.in_phase.german_set_up:
        text = f"{unit.id} is set up after German units"
        yield Fault("lwe-3.1a", text, (unit.id,), verdict=Verdict.WARNING, once="set-up-order")


@RULES.track(Placed, Moved, when=JUDGED, phases=[TURN_START])
def note_the_set_up(case: Case, event: Placed | Moved) -> None:
    case.in_phase.german_set_up |= GERMAN in {unit.side for unit in put_down(case, event)}


def _soviet(case: Case, unit: Unit, spot: Spot) -> Wrong:
    if not isinstance(spot, Hex):
        return iter(())
    code, label, due = unit.counter.setup or "", case.label(spot), entry_turn(case, unit)
    printed = code.split() if code[:4].isdigit() else [label]
    zones = {*names_of(having(case.position.at(spot), ZONE))} - {unit.id}
    astray = code.endswith("A") and spot not in area(case, code)
    return those_that_hold(
        (code == "RP", "lwe-3.4c", "is of the replacement pool and is not set up"),
        (due is not None, "lwe-3.4e", f"waits for turn {due}"),
        (unit.has(ZONE) and (label != code or zones), "lwe-3.4d", f"sets up at {code}, one in a hex"),
        (label not in printed, "lwe-3.4a", f"sets up at {' or '.join(printed)}, not at {label}"),
        (astray, "lwe-3.4b", f"{label} lies outside the deployment area {code}"),
    )


def area(case: Case, code: str) -> frozenset[Hex]:
    """The deployment area of an army (3.3); everywhere if the map has none of that name."""
    printed = case.game.map.area.get(f"deployment-{code.lower()}")
    return frozenset(printed.hexes) if printed else case.game.map.hexes


def _german(case: Case, unit: Unit, spot: Spot) -> Wrong:
    romanian = unit.nationality == "romanian" or unit.counter.setup == "R"
    foreign = romanian or unit.has("satellite")
    later = entry_turn(case, unit) is not None or unit.counter.setup in ("*", "**")
    wanted, there = ROMANIA if romanian else GERMANY, _country(case, spot)
    on_board = isinstance(spot, Hex) and not unit.has(ARTILLERY)
    astray = f"sets up in {_in_words(wanted)}, not in {_in_words(there) or 'no country'}"
    return those_that_hold(
        (
            spot == RESERVE and foreign,
            "lwe-3.5b",
            "is not of those that set up in Greater Germany; it may not be held in reserve",
        ),
        (on_board and later, "lwe-3.5a", "is not set up: it enters later"),
        (on_board and not later and there != wanted, "lwe-3.5a", astray),
    )


def _country(case: Case, spot: Spot) -> str:
    return "".join(map(field_of(case).ground.country, field_of(case).ids([spot])))


def _in_words(country: str) -> str:
    return country.replace("-", " ").title()


@RULES.rule("lwe-2.4a")
@RULES.at_phase_end(TURN_START)
def the_missing_divisions_are_there(case: Case) -> Faults:
    """The two that the printed sheet lacks belong to the starting order of battle, as themselves."""
    judged = setting_up(case) and case.scenario.id == "campaign" and any(case.position.on_map(GERMAN))
    missing = (unit.id for unit in case.units(MISSING) if judged and unit.spot is None)
    yield from of_units("lwe-2.4a", missing, "is not set up; it begins in Greater Germany or the OKH reserve")


# --- the OKH reserve (3.5) ---------------------------------------------------------------------------------


@RULES.rule("lwe-3.5d")
@RULES.before(Moved, Removed, Placed, comes_to=RESERVE)
def nobody_returns_to_the_reserve(case: Case, event: Moved | Removed | Placed) -> Faults:
    if not setting_up(case):
        back = names_of(on_map(case.units(event.concerned)))
        yield from of_units("lwe-3.5d", back, "goes back to the OKH reserve")


@RULES.rule("lwe-3.5d")
@RULES.at_phase_start(SOVIET_PA)
def the_reserve_is_on_the_map_by_turn_2(case: Case) -> Faults:
    left = names_of(case.position.at(RESERVE)) if case.turn == 2 else ()
    yield from of_units("lwe-3.5d", left, "did not enter by turn 2 and is eliminated")


# --- control (3.6) -------------------------------------------------------------------------------------


def _mismarked(case: Case) -> list[Hex]:
    field, marks = field_of(case), case.position.marks
    entered = {h for event in case.in_phase.of(Moved) for h in field.ids(event.path[1:])}
    towns = field.hexes(h for h in entered if field.board.has_place(h, *TOWNS))
    wrong = (hex_ for hex_ in towns if _loser(case, hex_) in marks.get(hex_, {}))
    return sorted(wrong, key=case.label)


def _loser(case: Case, hex_: Hex) -> str:
    """The marker of the side that does not hold a hex."""
    return f"{ENEMY.get(controller(case.position, hex_))}-control"


@RULES.rule("lwe-3.6a")
@RULES.at_phase_end()
@each(_mismarked)
def no_marker_shows_the_wrong_holder(case: Case, hex_: Hex) -> Faults:
    """Of towns entered in this phase: a marker of the side that lost them is taken off."""
    place, holder = field_of(case).ground.place_name(hex_), controller(case.position, hex_).title()
    text = f"{place} is held by the {holder} side, and the other's marker lies there"
    yield Fault("lwe-3.6a", text, hexes=(hex_,))
