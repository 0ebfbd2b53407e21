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
from validator.model.position import Unit
from validator.procedures.faults import Wrong, first_of, those_that_hold

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
def the_die_decides_a_drop(case: Case) -> Faults:
    """The hex may be shown before the die or after it: who is on the map when the phase ends has landed."""
    rolls = [event for event in case.in_phase.of(Rolled) if "drop" in event.reason and event.values]
    for name, hex_ in case.in_phase.drops.items():
        unit = case.position.units[name]
        own = [e for e in rolls if e.about == name] or [e for e in rolls if e.about is None]
        if not own:
            if unit.on_map:
                yield Fault("wfm-13.43", f"{name} landed without a die", (name,), (hex_,))
        elif unit.on_map and len(case.in_phase.drops) == 1:
            yield from _landed(case, unit, hex_, own[0].values[0])
    for event in rolls if len(rolls) == 1 and case.season == CLEAR else ():
        corps = case.position.units.get(event.about or "")
        if corps is not None and corps.id not in case.in_phase.drops and event.values[0] + IN_ZONE <= SUCCESS:
            yield Fault("wfm-13.43", f"{corps.id} did not land, but its drop succeeded: die 1", (corps.id,))


@RULES.track_end("sov-move")
def note_who_has_dropped(case: Case) -> None:
    case.in_game.dropped.update(case.in_phase.drops)


def _landed(case: Case, unit: Unit, hex_: Hex, die: int) -> Iterator[Fault]:
    field = field_of(case)
    hex_id = field.id(hex_)
    parts = [f"die {die}"]
    if hex_id is not None and field.enemy_zones(SOVIET).holds(hex_id):
        parts, die = [*parts, "+1 for the Axis zone of control"], die + IN_ZONE
    rule = "wfm-13.43"
    if case.season != CLEAR:
        weather = -WEATHER if case.option("drop-weather") == "minus-3" else WEATHER
        parts, die, rule = [*parts, f"{weather:+d} for {case.season}"], die + weather, "wfm-11.13"
    if die > SUCCESS:
        text = f"{unit.id} landed with {', '.join(parts)}: {die} in all, {SUCCESS} or less lands"
        yield Fault(rule, text, (unit.id,), (hex_,))
