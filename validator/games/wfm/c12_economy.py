"""Chapter 12: the Soviet war economy. Economic assets, support groups, evacuation, strategic ports."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import RULES, SOVIET, special
from validator.games.wfm.c09_supply import rail_line, supplied_mask
from validator.games.wfm.field import field_at_phase_start, field_of
from validator.games.wfm.state import Case
from validator.model.events import Moved, Placed, Removed
from validator.model.findings import Fault
from validator.model.position import Unit, having
from validator.procedures.faults import Wrong, first_of, of_units, those_that_hold
from validator.procedures.wareconomy import Evacuation, register_evacuation

DESTROYED, EVACUATED = "destroyed-economic-assets", "evacuated-factories"


def production(case: Case) -> int | None:
    """The turn's production number; None in turns without production (12.21)."""
    turn = case.game.turn.get(case.turn)
    return turn.production if turn else None


def _out_of_time(case: Case) -> str:
    late = f"turn {case.turn} is no production turn"
    return late if production(case) is None else "that is done in the Administrative Phase"


# --- economic assets (12.1) ------------------------------------------------------------------------


@RULES.rule("wfm-12.12")
@RULES.before(Removed, having="economic-asset")
def assets_leave_for_their_boxes_only(case: Case, event: Removed) -> Faults:
    if event.box not in (EVACUATED, DESTROYED):
        text = "is eliminated and does not go to the Destroyed Economic Assets box, where it counts"
        yield Fault("wfm-12.12", f"{event.unit} {text}", (event.unit,))


@RULES.rule("wfm-12.12", "wfm-12.32")
@RULES.before(Moved, Placed, having="economic-asset")
def assets_stay_in_their_boxes(case: Case, event: Moved | Placed) -> Faults:
    rules = {DESTROYED: "wfm-12.12", EVACUATED: "wfm-12.32"}
    for unit in having(case.units(event.concerned), "economic-asset"):
        if unit.spot in rules:
            text = f"{unit.id} leaves its box, where it stays for the rest of the game"
            yield Fault(rules[str(unit.spot)], text, (unit.id,))


# --- evacuation (12.3) --------------------------------------------------------------------------------

register_evacuation(
    RULES,
    Evacuation(
        side=SOVIET,
        phase="admin",
        box=EVACUATED,
        most=3,
        at_start=field_at_phase_start,
        rail_line=rail_line,
        only="wfm-12.11",
        time="wfm-12.21",
        way="wfm-12.32",
    ),
)


# --- offensive support groups (12.2) ---------------------------------------------------------------------


@RULES.rule("wfm-12.21", "wfm-12.22", "wfm-12.23", "wfm-12.24")
@RULES.before(Placed, having="osg", comes_to=Hex)
def groups_are_produced_when_and_where_they_may(case: Case, event: Placed) -> Faults:
    unit = case.unit(event.unit)
    if not special(case, "no-osg-production"):
        yield from first_of(_wrong_production(case, unit, event), unit.id, (unit.id,), event.entered)


@RULES.track(Placed, when=JUDGED, phases=["admin"], having="osg", comes_to=Hex)
def note_the_production(case: Case, event: Placed) -> None:
    barred = special(case, "no-osg-production") is not None
    case.in_phase.produced += not barred and production(case) is not None


def _wrong_production(case: Case, unit: Unit, event: Placed) -> Wrong:
    """12.23: a hex in Soviet supply, out of Axis zones whoever stands there."""
    field = field_of(case)
    hex_id = field.id(event.spot)
    out_of_time = case.phase != "admin" or production(case) is None
    beset = hex_id is None or field.enemy_zones(SOVIET).holds(hex_id)
    return those_that_hold(
        (out_of_time, "wfm-12.21", f" is produced: {_out_of_time(case)}"),
        (
            not _may_produce(case) or case.in_phase.produced,
            "wfm-12.22",
            f": {_count_text(case)}",
        ),
        (
            _groups(case) >= int(unit.type.values.get("maximum", 10)),
            "wfm-12.24",
            " is the eleventh group on the map",
        ),
        (beset, "wfm-12.23", " is placed in an Axis zone of control"),
        (
            hex_id is not None and not supplied_mask(case, unit)[hex_id],
            "wfm-12.23",
            " is placed in a hex without Soviet supply",
        ),
    )


def _may_produce(case: Case) -> bool:
    number = production(case)
    return number is not None and len(case.position.at(DESTROYED)) < number


def _count_text(case: Case) -> str:
    destroyed = len(case.position.at(DESTROYED))
    return f"{destroyed} assets destroyed, production number {production(case)}, one group a turn"


def _groups(case: Case) -> int:
    return len(having(case.position.on_map(SOVIET), "osg"))


@RULES.rule("wfm-12.22")
@RULES.at_phase_end("admin")
def a_group_that_is_due_is_not_put_off(case: Case) -> Faults:
    if special(case, "no-osg-production") or case.in_phase.produced or not _may_produce(case):
        return
    waiting = [u for u in having(case.position.units.values(), "osg") if not u.on_map]
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
    for hex_id, unit in field.of_side(SOVIET, "strategic-port"):
        if not rail_line(case, hex_id):
            text = f"{unit.id} has no open railway to a Soviet supply source and is still on the map"
            yield Fault("wfm-12.41", text, (unit.id,), (field.board.hexes[hex_id],))


@RULES.rule("wfm-12.41")
@RULES.before(Removed, phases=["admin"], having="strategic-port")
def ports_with_a_railway_stay(case: Case, event: Removed) -> Faults:
    where = field_of(case).where(case.units(event.concerned))
    linked = (name for name, hex_id in where.items() if rail_line(case, hex_id))
    yield from of_units(
        "wfm-12.41", linked, "is taken off, but has an open railway to a Soviet supply source"
    )
