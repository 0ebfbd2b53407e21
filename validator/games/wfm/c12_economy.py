"""Chapter 12: the Soviet war economy. Economic assets, support groups, evacuation, strategic ports."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import RULES, SOVIET, special
from validator.games.wfm.c09_supply import rail_line, supplied_mask
from validator.games.wfm.field import field_at_phase_start, field_of
from validator.games.wfm.state import Case
from validator.model.events import Event, Moved, Placed, Removed
from validator.model.findings import Fault
from validator.model.position import Unit

DESTROYED, EVACUATED = "destroyed-economic-assets", "evacuated-factories"
MOST_EVACUATED = 3


def production(case: Case) -> int | None:
    """The turn's production number; None in turns without production (12.21)."""
    turn = case.game.turn.get(case.turn)
    return turn.production if turn else None


def _out_of_time(case: Case) -> str:
    if production(case) is None:
        return f"turn {case.turn} is no production turn"
    return "that is done in the Administrative Phase"


# --- economic assets (12.1) ------------------------------------------------------------------------


@RULES.rule("wfm-12.11", "wfm-12.12")
@RULES.before(Removed)
def assets_leave_for_their_boxes_only(case: Case, event: Removed) -> Faults:
    unit = case.position.units[event.unit]
    if not unit.has("economic-asset"):
        return
    if event.box == EVACUATED:
        if not unit.has("evacuates"):
            text = f"{unit.id} is evacuated; only factories are"
            yield Fault("wfm-12.11", text, (unit.id,))
    elif event.box != DESTROYED:
        text = (
            f"{unit.id} is eliminated and does not go to the Destroyed Economic Assets box, where it counts"
        )
        yield Fault("wfm-12.12", text, (unit.id,))


@RULES.rule("wfm-12.12", "wfm-12.32")
@RULES.before(Moved, Placed)
def assets_stay_in_their_boxes(case: Case, event: Event) -> Faults:
    names = event.units if isinstance(event, Moved) else (event.unit,) if isinstance(event, Placed) else ()
    for unit in (case.position.units[name] for name in names):
        if unit.has("economic-asset") and unit.spot in (DESTROYED, EVACUATED):
            rule = "wfm-12.12" if unit.spot == DESTROYED else "wfm-12.32"
            yield Fault(
                rule, f"{unit.id} leaves its box, where it stays for the rest of the game", (unit.id,)
            )


# --- evacuation (12.3) --------------------------------------------------------------------------------


@RULES.rule("wfm-12.21", "wfm-12.32")
@RULES.before(Removed)
def factories_are_evacuated_by_rail(case: Case, event: Removed) -> Faults:
    """Up to three in the administrative phase of a production turn, along an open railway to a source."""
    unit = case.position.units[event.unit]
    if event.box != EVACUATED or not unit.has("evacuates") or not isinstance(unit.spot, Hex):
        return
    if case.phase != "admin" or production(case) is None:
        yield Fault("wfm-12.21", f"{unit.id} is evacuated: {_out_of_time(case)}", (unit.id,))
        return
    number = len(case.in_phase.evacuated) + 1
    if number > MOST_EVACUATED:
        text = f"{unit.id} is factory number {number} evacuated in this phase, {MOST_EVACUATED} may be"
        yield Fault("wfm-12.32", text, (unit.id,))
    start = field_at_phase_start(case)
    hex_id = start.id(unit.spot)
    if hex_id is None:
        return
    if start.enemy_zones(SOVIET).holds(hex_id):
        yield Fault(
            "wfm-12.32", f"{unit.id} begins the phase in an Axis zone of control", (unit.id,), (unit.spot,)
        )
    elif not rail_line(case, hex_id):
        text = f"{unit.id} has no open railway to a Soviet supply source"
        yield Fault("wfm-12.32", text, (unit.id,), (unit.spot,))


@RULES.track(Removed, when=JUDGED, phases=["admin"])
def note_the_evacuation(case: Case, event: Removed) -> None:
    unit = case.position.units[event.unit]
    if event.box == EVACUATED and unit.has("evacuates") and unit.on_map and production(case) is not None:
        case.in_phase.evacuated.append(unit.id)


# --- offensive support groups (12.2) ---------------------------------------------------------------------


@RULES.rule("wfm-12.21", "wfm-12.22", "wfm-12.23", "wfm-12.24")
@RULES.before(Placed)
def groups_are_produced_when_and_where_they_may(case: Case, event: Placed) -> Faults:
    unit = case.position.units[event.unit]
    if not unit.has("osg") or not isinstance(event.spot, Hex) or special(case, "no-osg-production"):
        return
    if case.phase != "admin" or production(case) is None:
        yield Fault("wfm-12.21", f"{unit.id} is produced: {_out_of_time(case)}", (unit.id,), (event.spot,))
        return
    if not _may_produce(case) or case.in_phase.produced:
        yield Fault("wfm-12.22", f"{unit.id}: {_count_text(case)}", (unit.id,), (event.spot,))
    elif _groups(case) >= int(unit.type.values.get("maximum", 10)):
        yield Fault("wfm-12.24", f"{unit.id} is the eleventh group on the map", (unit.id,), (event.spot,))
    else:
        yield from _badly_placed(case, unit, event.spot)


@RULES.track(Placed, when=JUDGED, phases=["admin"])
def note_the_production(case: Case, event: Placed) -> None:
    new_group = case.position.units[event.unit].has("osg") and isinstance(event.spot, Hex)
    if new_group and not special(case, "no-osg-production") and production(case) is not None:
        case.in_phase.produced += 1


def _may_produce(case: Case) -> bool:
    number = production(case)
    return number is not None and len(case.position.at(DESTROYED)) < number


def _count_text(case: Case) -> str:
    destroyed = len(case.position.at(DESTROYED))
    return f"{destroyed} assets destroyed, production number {production(case)}, one group a turn"


def _groups(case: Case) -> int:
    return sum(unit.has("osg") for unit in case.position.on_map(SOVIET))


def _badly_placed(case: Case, unit: Unit, spot: Hex) -> Iterator[Fault]:
    """12.23: a hex in Soviet supply, out of Axis zones whoever stands there."""
    field = field_of(case)
    hex_id = field.id(spot)
    if hex_id is None or field.enemy_zones(SOVIET).holds(hex_id):
        yield Fault("wfm-12.23", f"{unit.id} is placed in an Axis zone of control", (unit.id,), (spot,))
    elif not supplied_mask(case, unit)[hex_id]:
        yield Fault("wfm-12.23", f"{unit.id} is placed in a hex without Soviet supply", (unit.id,), (spot,))


@RULES.rule("wfm-12.22")
@RULES.at_phase_end("admin")
def a_group_that_is_due_is_not_put_off(case: Case) -> Faults:
    if special(case, "no-osg-production") or case.in_phase.produced or not _may_produce(case):
        return
    waiting = [u for u in case.position.units.values() if u.has("osg") and not u.on_map]
    if waiting and _groups(case) < int(waiting[0].type.values.get("maximum", 10)) and _room(case, waiting[0]):
        yield Fault("wfm-12.22", f"a group is due and was not placed: {_count_text(case)}")


def _room(case: Case, unit: Unit) -> bool:
    zones = field_of(case).enemy_zones(SOVIET).mask
    return any(ok and not zone for ok, zone in zip(supplied_mask(case, unit), zones, strict=True))


# --- strategic ports (12.4) ---------------------------------------------------------------------------------


@RULES.rule("wfm-12.41")
@RULES.at_phase_end("admin")
def strategic_ports_need_a_railway(case: Case) -> Faults:
    field = field_of(case)
    for hex_id, unit in list(field.of_side(SOVIET)):
        if unit.has("strategic-port") and not rail_line(case, hex_id):
            text = f"{unit.id} has no open railway to a Soviet supply source and is still on the map"
            yield Fault("wfm-12.41", text, (unit.id,), (field.board.hexes[hex_id],))


@RULES.rule("wfm-12.41")
@RULES.before(Removed, phases=["admin"])
def ports_with_a_railway_stay(case: Case, event: Removed) -> Faults:
    unit = case.position.units[event.unit]
    hex_id = field_of(case).id(unit.spot)
    if unit.has("strategic-port") and hex_id is not None and rail_line(case, hex_id):
        yield Fault(
            "wfm-12.41",
            f"{unit.id} is taken off, but has an open railway to a Soviet supply source",
            (unit.id,),
        )
