"""Chapter 17 as far as we have it: when units come, and come back (3.1, 9.1.3, 9.1.1, 10.4)."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import APPLIED, FIRST, JUDGED, Faults
from validator.games.ftm.book import ADMIN, AXIS, ENEMY, MOVING, RULES
from validator.games.ftm.c10_partisans import has_base, partisans
from validator.games.ftm.c12_economy import WAITING
from validator.games.ftm.c15_admin import POOL
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.model.events import Event, Moved, Placed, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.arrivals import entry_turn
from validator.procedures.control import taken

ARRIVAL = {"axis-move": AXIS, "sov-move": ENEMY[AXIS]}
TRACK = "turn-"


def returns_after(unit: Unit) -> int | None:
    """Turns until a lost unit of this kind may come back; None if it is gone (9.1.3)."""
    turns = unit.type.values.get("returns")
    return None if turns is None else int(turns)


def box_turn(spot: object) -> int | None:
    """The turn of a space of the turn track."""
    if not isinstance(spot, str) or not spot.startswith(TRACK):
        return None
    return int(spot.removeprefix(TRACK))


# --- losses (9.1.3, 9.1.1) ---------------------------------------------------------------------------


@RULES.track(Removed, when=FIRST)
def note_the_loss(case: Case, event: Removed) -> None:
    if case.position.units[event.unit].on_map and event.box not in (WAITING, "evacuated-factories"):
        case.in_game.lost[event.unit] = case.turn


@RULES.rule("ftm-9.1.4")
@RULES.before(Removed)
def lost_units_are_laid_on_the_right_turn(case: Case, event: Removed) -> Faults:
    unit, laid = case.position.units[event.unit], box_turn(event.box)
    after = returns_after(unit)
    if laid is None or not unit.on_map:
        return
    if after is None:
        yield Fault("ftm-9.1.4", f"{unit.id} is laid on the turn track; such units do not return", (unit.id,))
    elif laid != case.turn + after:
        text = f"{unit.id} is laid on turn {laid}; it may return in turn {case.turn + after}"
        yield Fault("ftm-9.1.4", text, (unit.id,))


# --- arrivals (3.1, 17.0) --------------------------------------------------------------------------------


def arrives(case: Case, event: Placed) -> Unit | None:
    """The unit that comes onto the map by an event, if none of the other chapters speaks of it."""
    unit = case.position.units[event.unit]
    produced = case.phase == ADMIN and unit.has("offensive-support")
    put_back = case.phase_start.units[unit.id].on_map
    elsewhere = put_back or produced or unit.has("economic-asset") or unit.spot in (POOL, WAITING)
    return None if elsewhere or not isinstance(event.spot, Hex) or _takes_a_place(case, unit) else unit


def _takes_a_place(case: Case, unit: Unit) -> bool:
    """The third step of a corps or an allied army, put down by hand."""
    return unit.has("kg") or unit.has("star")


@RULES.rule("ftm-3.1k", "ftm-9.1.4", "ftm-10.4", "ftm-5.2.2")
@RULES.before(Placed)
def units_arrive_in_their_time(case: Case, event: Placed) -> Faults:
    unit = arrives(case, event)
    if unit is None or not isinstance(event.spot, Hex):
        return
    for rule, reason, verdict in _wrong(case, unit, event.spot):
        yield Fault(rule, f"{unit.id} {reason}", (unit.id,), (event.spot,), verdict=verdict)
        return


def _wrong(case: Case, unit: Unit, spot: Hex) -> Iterator[tuple[str, str, Verdict]]:
    sure, lost, due = Verdict.ILLEGAL, case.in_game.lost.get(unit.id), entry_turn(case, unit)
    after = returns_after(unit)
    if ARRIVAL.get(case.phase) != unit.side:
        yield "ftm-3.1k", "enters; units enter when their side's movement phase begins", sure
    if lost is not None and after is None:
        yield "ftm-9.1.4", "was lost and does not return", sure
    elif lost is not None and after is not None and case.turn < lost + after:
        yield "ftm-9.1.4", f"was lost in turn {lost} and returns in turn {lost + after}", sure
    elif lost is not None and case.option("returns-from-combat") == "off":
        yield "ftm-9.1.4", "was lost in combat and does not return", Verdict.WARNING
    elif lost is None and due is not None and due > case.turn:
        yield "ftm-3.1k", f"is due in turn {due}, and this is turn {case.turn}", sure
    yield from _wrong_place(case, unit, spot)
    if case.in_phase.trips:
        moved = ", ".join(list(case.in_phase.trips)[:3])
        yield "ftm-3.1k", f"enters after {moved} moved; reinforcements come first", Verdict.WARNING


def _wrong_place(case: Case, unit: Unit, spot: Hex) -> Iterator[tuple[str, str, Verdict]]:
    hex_id = field_of(case).id(spot)
    held = [marker for marker, hex_ in partisans(case) if hex_ == spot]
    if hex_id is None or field_of(case).occupied(ENEMY[unit.side])[hex_id]:
        yield "ftm-5.2.2", "enters in a hex with enemy units", Verdict.ILLEGAL
    if unit.side == AXIS and held and has_base(case, spot):
        yield "ftm-10.4", f"enters on a supply base with {held[0]}", Verdict.ILLEGAL


# --- control of what is entered -----------------------------------------------------------------------


@RULES.track(Moved, Placed, when=APPLIED)
def the_last_occupant_controls(case: Case, event: Event) -> None:
    side, hexes = taken(case.position, event)
    for hex_ in hexes:
        case.position.take(hex_, side)


@RULES.track(Placed, when=JUDGED)
def note_the_arrival(case: Case, event: Placed) -> None:
    if isinstance(event.spot, Hex) and case.phase in MOVING:
        case.in_game.lost.pop(event.unit, None)
