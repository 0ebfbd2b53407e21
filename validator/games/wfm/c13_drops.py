"""Chapter 13.4: airborne corps enter by a drop."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c13_arrivals import supplied_headquarters
from validator.games.wfm.field import CLEAR, field_of
from validator.games.wfm.state import Case
from validator.model.events import Placed, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit, on_map
from validator.procedures.faults import Wrong, first_of, of_units, those_that_hold

SUCCESS = 2  # or less (13.43)
IN_ZONE, WEATHER = 1, 3

RULES.needs_judgement(
    "wfm-13.43b",
    "The text lets mud and snow help a drop although they should hinder it; the option drop-weather chooses "
    "a reading, and 11.13 is judged by it.",
)


@RULES.rule("wfm-13.42", "wfm-13.44")
@RULES.before(Placed, having="drop-only", comes_to=Hex)
def airborne_corps_enter_by_a_drop(case: Case, event: Placed) -> Faults:
    unit = case.unit(event.unit)
    if not unit.on_map:
        yield from first_of(_bad_drop(case, unit, event), f"{unit.id} ", (unit.id,), event.entered)


@RULES.track(Placed, when=JUDGED, having="drop-only", comes_to=Hex)
def note_the_drop(case: Case, event: Placed) -> None:
    if not case.unit(event.unit).on_map:
        case.in_phase.drops[event.unit] = event.entered[0]
        case.in_turn.arrived.add(event.unit)


def _bad_drop(case: Case, unit: Unit, event: Placed) -> Wrong:
    field = field_of(case)
    hex_id, reach = field.id(event.spot), int(unit.type.values.get("drop-range", 6))
    onto_enemies = hex_id is None or field.occupied(AXIS)[hex_id]
    nearest = field.board.nearest(hex_id, supplied_headquarters(field)) if hex_id is not None else None
    far = "without any" if nearest is None else f"{nearest} hexes from the nearest"
    return those_that_hold(
        (
            case.phase != "sov-move",
            "wfm-13.42",
            "drops; that is done in the Soviet Movement Phase",
        ),
        (
            case.in_phase.drops,
            "wfm-13.44",
            f"drops in the same phase as {', '.join(case.in_phase.drops)}; one corps may",
        ),
        (unit.id in case.in_game.dropped, "wfm-13.44", "has dropped before in this game"),
        (onto_enemies, "wfm-13.42", "drops onto an Axis unit or out of play"),
        (
            nearest is None or nearest > reach,
            "wfm-13.42",
            f"drops {far} supplied Soviet headquarters, within {reach} is asked",
        ),
    )


@RULES.rule("wfm-13.43", "wfm-11.13")
@RULES.at_phase_end("sov-move")
def the_die_lets_a_drop_land(case: Case) -> Faults:
    """The hex may be shown before the die or after it: who is on the map when the phase ends has landed."""
    for unit in on_map(case.units(case.in_phase.drops)):
        hex_, dice = case.in_phase.drops[unit.id], _dice_for(case, unit)
        if not dice:
            yield Fault("wfm-13.43", f"{unit.id} landed without a die", (unit.id,), (hex_,))
        elif len(case.in_phase.drops) == 1:
            yield from _landed(case, unit, hex_, dice[0])


@RULES.rule("wfm-13.43", "wfm-11.13")
@RULES.at_phase_end("sov-move")
def a_drop_that_succeeds_lands(case: Case) -> Faults:
    """Wherever it was to be: an enemy zone of control is taken into account."""
    rolls = _drop_rolls(case)
    for roll in rolls if len(rolls) == 1 else ():
        die, weather = roll.values[0], _weather(case)
        gone = [unit for unit in case.units(roll.concerned) if not unit.on_map]
        missing = (unit.id for unit in gone if unit.id not in case.in_phase.drops)
        if die + IN_ZONE + weather <= SUCCESS:
            text = f"did not land, but its drop succeeded: die {die}" + f", {weather} {case.season}" * bool(
                weather
            )
            yield from of_units("wfm-11.13" if weather else "wfm-13.43", missing, text)


def _drop_rolls(case: Case) -> list[Rolled]:
    return [roll for roll in case.in_phase.of(Rolled) if "drop" in roll.reason and roll.values]


def _dice_for(case: Case, unit: Unit) -> list[int]:
    """Of rolls for the unit; without any, of those that name none."""
    rolls = _drop_rolls(case)
    own = [roll.values[0] for roll in rolls if roll.about == unit.id]
    return own or [roll.values[0] for roll in rolls if roll.about is None]


def _weather(case: Case) -> int:
    """What mud and snow change of the die, by the option."""
    if case.season == CLEAR:
        return 0
    return -WEATHER if case.option("drop-weather") == "minus-3" else WEATHER


@RULES.track_end("sov-move")
def note_who_has_dropped(case: Case) -> None:
    case.in_game.dropped.update(case.in_phase.drops)


def _landed(case: Case, unit: Unit, hex_: Hex, die: int) -> Iterator[Fault]:
    field, weather = field_of(case), _weather(case)
    beset = any(map(field.enemy_zones(SOVIET).holds, field.ids([hex_])))
    changes = (
        (IN_ZONE * beset, f"{IN_ZONE:+d} for the Axis zone of control"),
        (weather, f"{weather:+d} for {case.season}"),
    )
    total = die + sum(change for change, _ in changes)
    if total > SUCCESS:
        parts = ", ".join([f"die {die}", *(text for change, text in changes if change)])
        text = f"{unit.id} landed with {parts}: {total} in all, {SUCCESS} or less lands"
        yield Fault("wfm-11.13" if weather else "wfm-13.43", text, (unit.id,), (hex_,))
