"""Chapter 9.1 to 9.21 and 9.31: who moves, when and together; by land or by sea.

What a march costs is in `c09_march`, voyages are in `c09_sea`, mobile assaults in `c09_mobile_assault`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.engine.referee import Case
from validator.engine.rulebook import Faults
from validator.games.lwe.battles import battles
from validator.games.lwe.book import (
    ASSAULTING,
    FIGHT,
    GERMAN,
    GERMAN_MOVE,
    MOVING,
    RULES,
    SOVIET,
)
from validator.games.lwe.c06_stacking import LIMIT, load_of
from validator.games.lwe.c08_arrivals import ASTERISK, RESERVE, coming
from validator.games.lwe.c09_march import (
    KEYS,
    allowance,
    best_way,
    fault_of_way,
    supply_at_start,
)
from validator.games.lwe.c09_sea import by_sea, sea_faults
from validator.games.lwe.control import TAKEN_BACK, give_back
from validator.games.lwe.field import Field, field_at_phase_start, field_of
from validator.games.lwe.lines import OUT, german_lines, soviet_lines
from validator.games.lwe.travel import SEA, Trip, journal, trip_of
from validator.model.events import Moved, Placed, Removed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.moves import by_land, movers, past_entry, way_of

STATIC, SEA_ONLY = "static", "sea-only"
ROADS_AHEAD = "roads-ahead"


# --- who may move, and when (9.1, 9.3) -----------------------------------------------------------


@RULES.rule("lwe-5.1a", "lwe-9.1b")
@RULES.before(Moved)
def units_move_in_their_own_movement_phase(case: Case, event: Moved) -> Faults:
    if not by_land(event) or event.start == event.end:
        return
    for unit in movers(case, event):
        if MOVING.get(case.phase) == unit.side or unit.has("aircraft"):
            continue
        own = case.phase.startswith(unit.side)
        if coming(case, event):
            continue  # it arrives in another hex than it was put down in
        rule = "lwe-5.1a" if own else "lwe-9.1b"
        fought = _fought(case, unit) or _undeclared(case)
        text = f"{unit.id} moves in the {case.phase_name()}"
        yield Fault(rule, text, (unit.id,), (), {}, Verdict.WARNING if fought else Verdict.ILLEGAL)


@RULES.rule("lwe-9.3c", "lwe-2.9a", "lwe-9.17f")
@RULES.before(Moved)
def static_units_stay(case: Case, event: Moved) -> Faults:
    """Chapter 11 tells of retreats; the coastal army goes by sea and in no other way."""
    if event.mode == "retreat" or event.start == event.end or any(isinstance(s, str) for s in event.path):
        return
    for unit in movers(case, event):
        if unit.has(STATIC):
            rule = "lwe-2.9a" if event.mode == "advance" else "lwe-9.3c"
            yield Fault(rule, f"{unit.id} is static and stays in its hex", (unit.id,))
        elif unit.has(SEA_ONLY) and (event.mode == "advance" or not _sails(case, event)):
            yield Fault("lwe-9.17f", f"{unit.id} moves by sea only", (unit.id,))


def _sails(case: Case, event: Moved) -> bool:
    """Declared, or from one port to another."""
    field = field_of(case)
    ends = (field.id(event.start), field.id(event.end))
    return event.mode == SEA or all(h is not None and field.board.has_feature(h, "port") for h in ends)


# --- one stack after another (9.2, 9.5, 9.6) ----------------------------------------------------


@RULES.rule("lwe-9.2c", "lwe-9.5a", "lwe-9.6a")
@RULES.before(Moved, phases=MOVING)
def stacks_move_one_after_another(case: Case, event: Moved) -> Faults:
    """Doubtful rather than illegal: the opponent may have allowed it, and often nothing hangs on it."""
    if not by_land(event):
        return
    book, before = journal(case), field_at_phase_start(case)
    origins = {before.id(case.phase_start.units[name].spot) for name in event.units}
    if len(origins) > 1:
        text = f"{'+'.join(event.units)} move as one stack but began the phase in different hexes"
        yield Fault("lwe-9.5a", text, event.units, (), {}, Verdict.WARNING)
        return
    origin = origins.pop()
    for unit in movers(case, event):
        trip = book.trips.get(unit.id)
        if trip is None or origin not in book.finished or trip.entry is not None:
            continue
        dropped = sum(other.origin == trip.origin for other in book.trips.values()) > 1
        rule = "lwe-9.6a" if dropped else "lwe-9.2c"
        text = f"{unit.id} moves on after another stack has moved"
        yield Fault(rule, text, (unit.id,), (), {}, Verdict.WARNING)
    if book.parent is not None and book.parent != origin:
        book.finished.add(book.parent)
    book.parent = origin


# --- onto the edge of the map (3.5, 8.3) ----------------------------------------------------------


@RULES.before(Placed, Moved, phases=[GERMAN_MOVE])
def entering_is_part_of_the_move(case: Case, event: Placed | Moved) -> Faults:
    """Who comes from the reserve pays for the first hex; who waited beside the map enters it for nothing."""
    field = field_of(case)
    for unit, hex_, box in coming(case, event):
        hex_id = field.id(hex_)
        if unit.side == GERMAN and box in (RESERVE, ASTERISK) and hex_id is not None:
            trip = trip_of(case, unit, hex_id, german_lines(case).state(hex_id))
            trip.entered = box
            trip.spent = field.costs_for(unit).ground_price(hex_id) if box == RESERVE else 0
    yield from ()


def _on_the_map(event: Moved) -> Moved:
    """The part of a move that is made on the map."""
    goes_on = isinstance(event.start, str) and len(event.path) > 2
    return replace(event, path=event.path[1:]) if goes_on else event


# --- the move itself -----------------------------------------------------------------------------

_COSTS = ("10a", "11a", "12a", "13a", "14a", "15a", "16a", "18a", "19a", "19b", "19c", "19d", "20a")
_WEATHER = ("4a", "5a", "5b", "6a", "7a", "7b", "7c", "10a")


@RULES.rule(*KEYS.values(), "lwe-9.1a", "lwe-9.2a", "lwe-9.3a", "lwe-9.7a", "lwe-2.9b")
@RULES.rule(*(f"lwe-9.{rule}" for rule in _COSTS))
@RULES.rule(*(f"lwe-10.{rule}" for rule in _WEATHER))
@RULES.rule("lwe-3.5c", "lwe-5.4c", "lwe-5.4d", "lwe-7.7a", "lwe-9.28a")
@RULES.rule(*(f"lwe-9.17{part}" for part in "abcde"))
@RULES.before(Moved, phases=MOVING)
def the_way_is_open_and_affordable(case: Case, event: Moved) -> Faults:
    """As declared; a move that declares nothing may be a march or a voyage."""
    event = _on_the_map(event)
    if not by_land(event):
        return
    field = field_of(case)
    way = way_of(field, event)
    if way is None:
        yield Fault("lwe-9.21a", f"{'+'.join(event.units)} leaves the map in play", event.units)
        return
    for unit in movers(case, event) if len(way) > 1 else ():
        if MOVING[case.phase] == unit.side and not unit.has(STATIC) and not unit.has("aircraft"):
            yield from _moving(case, field, unit, way, event)


def _moving(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    way = _from_entry(case, unit, way)
    if len(way) < 2:
        return
    if event.mode == SEA:
        yield from by_sea(case, field, unit, way)
        return
    if unit.has(SEA_ONLY) and not _sails(case, event):
        return
    trip = journal(case).trips.get(unit.id)
    if trip is not None and trip.repulsed:
        return  # 9.27 speaks
    if unit.has(SEA_ONLY):
        yield from by_sea(case, field, unit, way)
        return
    sails = unit.side == SOVIET and _sails(case, event) and not any(sea_faults(case, field, unit, way))
    marched = list(_marching(case, field, unit, way, event))
    if sails and any(_illegal(marched)):
        journal(case).trips.pop(unit.id)
        yield from by_sea(case, field, unit, way)
    else:
        yield from marched


def _illegal(faults: list[Fault]) -> Iterator[bool]:
    return (fault.verdict is not Verdict.JUDGEMENT for fault in faults)


def _from_entry(case: Case, unit: Unit, way: list[HexId]) -> list[HexId]:
    """The way without the step into the hex that the unit's assault cleared: that is paid for (9.28)."""
    trip = journal(case).trips.get(unit.id)
    if trip is None or trip.entry is None:
        return way
    entry, trip.entry = trip.entry, None
    return past_entry(way, entry)


def _marching(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    state = supply_at_start(case, field, unit)
    known = journal(case).trips.get(unit.id)
    if state == OUT and known is None and not _one_step_allowed(case, way):
        text = f"{unit.id} is out of supply and may not move: {german_lines(case).why_out(way[0])}"
        yield Fault("lwe-7.7a", text, (unit.id,), (field.board.hexes[way[0]],))
    elif known is not None and known.mode == SEA:
        yield Fault("lwe-9.17b", f"{unit.id} moved by sea in this phase and goes no farther", (unit.id,))
    else:
        verdict, extra = best_way(case, field, unit, way, movers(case, event))
        if not verdict.legal:
            if (amended := _taken_back(case, field, unit, way, event)) is not None:
                yield from amended
                return
            yield fault_of_way(case, field, unit, verdict, event, way)
            _trip(case, unit, way, state).faulty = True
        _record(case, field, unit, verdict.way.path if verdict.way else way, verdict.cost, state)
        trip = journal(case).trips[unit.id]
        trip.extra |= extra
        trip.crossed |= _crossed(field, list(verdict.way.path) if verdict.way else way)
        trip.whole |= verdict.minimum or trip.crossed
        if verdict.minimum:
            trip.spent = min(trip.spent, allowance(case, field, unit) * ONE)
        return
    _record(case, field, unit, way, 0, state)


def _trip(case: Case, unit: Unit, way: list[HexId], state: str) -> Trip:
    return trip_of(case, unit, way[0], state)


def _taken_back(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> list[Fault] | None:
    """The move read as one that was put right: dragged back to where the phase began, and from there anew.

    None if that reading is against the rules too, or if nothing was dragged back.
    """
    trips = journal(case).trips
    trip = trips.get(unit.id)
    origin = trip.origin if trip else way[0]
    returns = [index for index, hex_id in enumerate(way) if hex_id == origin]
    if not returns or (trip is None and returns == [0]) or (trip and (trip.assaults or trip.entered)):
        return None
    rest = way[returns[-1] :]
    if trip is not None:
        del trips[unit.id]
        give_back(case, unit.id)
    text = (
        f"{unit.id} is dragged back to {field.ground.wording.hex(origin)} and goes on as if it had not moved"
    )
    if len(rest) > 1:
        verdict, extra = best_way(case, field, unit, rest, movers(case, event))
        if not verdict.legal:
            if trip is not None:
                trips[unit.id] = trip
            return None
        _record(case, field, unit, rest, verdict.cost, supply_at_start(case, field, unit))
        trips[unit.id].extra, trips[unit.id].whole = extra, verdict.minimum or _crossed(field, rest)
    case.in_phase.notes[TAKEN_BACK] = returns[-1]
    case.take_back(unit.id)
    return [Fault("lwe-9.2c", text, (unit.id,), verdict=Verdict.WARNING)]


def _one_step_allowed(case: Case, way: list[HexId]) -> bool:
    return case.option("one-hex-unsupplied") == "on" and len(way) == 2


def _crossed(field: Field, way: list[HexId]) -> bool:
    steps = (field.board.step(a, b) for a, b in pairwise(way))
    return any(step >= 0 and field.ground.crossings[step] for step in steps)


def _record(
    case: Case,
    field: Field,
    unit: Unit,
    way: tuple[HexId, ...] | list[HexId],
    cost: int | None,
    state: str,
) -> None:
    trip = trip_of(case, unit, way[0], state)
    trip.way = tuple(way)
    trip.spent += cost if cost is not None else 0
    lines = field.board.line_of
    trip.on_road = trip.on_road and all(
        field.board.are_adjacent(a, b) and "rollbahn" in lines(a, b) for a, b in pairwise(way)
    )


# --- where a move ends (7.16, 9.31), and leaving the map (9.21) ---------------------------------------


@RULES.before(Moved, phases=[GERMAN_MOVE])
def note_supply_on_roads_ahead(case: Case, event: Moved) -> Faults:
    """A cut-off Rollbahn hex that a unit takes becomes the nearest (7.3): what was before leaves a doubt."""
    field, noted = field_of(case), case.in_phase.note(ROADS_AHEAD, set[HexId])
    noted.clear()
    for hex_id in field.ids(event.path[1:]):
        if field.ground.roads[hex_id] and field.holder(hex_id) != GERMAN and _fed_so_far(case, field, hex_id):
            noted.add(hex_id)
    yield from ()


def _fed_so_far(case: Case, field: Field, hex_id: HexId) -> bool:
    """By a line; of a Soviet city, which no line enters, by one that reaches a hex beside it."""
    lines = german_lines(case)
    beside = field.board.adjacent[hex_id] if field.board.has_place(hex_id, "city") else ()
    return lines.supplied(hex_id) or any(lines.supplied(near) for near in beside)


@RULES.rule("lwe-7.16a")
@RULES.after(Moved, phases=[GERMAN_MOVE])
def germans_do_not_go_out_of_supply(case: Case, event: Moved) -> Faults:
    """Where a move ends; on the way too, if it is played so and the way is shown."""
    if not by_land(event) or event.start == event.end:
        return
    field = field_of(case)
    ends = event.path[1:] if case.option("no-entry-unsupplied") == "every-hex" else event.path[-1:]
    for unit in movers(case, event):
        trip = journal(case).trips.get(unit.id)
        if unit.side != GERMAN or unit.has("aircraft") or (trip is not None and trip.supply == OUT):
            continue
        for hex_id in (field.id(spot) for spot in ends):
            if hex_id is None or field.occupied(SOVIET)[hex_id]:
                continue
            if not german_lines(case).supplied(hex_id) and not _opened_on_the_way(case, trip, event, hex_id):
                text = f"{unit.id} moves out of supply: {german_lines(case).why_out(hex_id)}"
                doubt = Verdict.ILLEGAL
                if hex_id in case.in_phase.note(ROADS_AHEAD, set[HexId]):
                    text, doubt = f"{text}; it was in supply until it was entered", Verdict.WARNING
                yield Fault("lwe-7.16a", text, (unit.id,), (field.board.hexes[hex_id],), verdict=doubt)
                return


def _opened_on_the_way(case: Case, trip: Trip | None, event: Moved, end: HexId) -> bool:
    """A move shown by its ends: lines and cities on the way that was found were entered, if that feeds it."""
    if trip is None or len(trip.way) <= len(event.path) or trip.way[-1] != end:
        return False
    field = field_of(case)
    hexes = {field.board.hexes[h] for h in trip.way if field.ground.barriers[h]}
    position = case.position.copy()
    position.control.update(dict.fromkeys(hexes, GERMAN))
    if not german_lines(case, Field(field.ground, case, position)).supplied(end):
        return False
    case.position.control.update(dict.fromkeys(hexes, GERMAN))
    case.position.version += 1
    return True


@RULES.rule("lwe-9.31a")
@RULES.at_phase_end(GERMAN_MOVE)
def satellites_end_in_the_southern_sector(case: Case) -> Faults:
    field = field_of(case)
    for name in journal(case).trips:
        unit = case.position.units[name]
        hex_id = field.id(unit.spot)
        if unit.has("satellite") and hex_id is not None and not field.ground.southern[hex_id]:
            where = case.label(unit.hex)
            yield Fault("lwe-9.31a", f"{name} ends its move in {where}, north of the sector line", (name,))


@RULES.rule("lwe-9.21a")
@RULES.before(Removed, Moved, phases=(*MOVING, *ASSAULTING))
def nobody_leaves_the_map_at_will(case: Case, event: Removed | Moved) -> Faults:
    """But for what battle, overstacking or the opponent's count takes off."""
    if isinstance(event, Moved):
        names = event.units if isinstance(event.end, str) else ()
    else:
        names = (event.unit,) if event.battle is None else ()
    if "okh-reserve" in (event.end if isinstance(event, Moved) else event.box,):
        return  # chapter 3.5 tells
    field = field_of(case)
    for unit in (case.position.units[name] for name in names):
        hex_id = field.id(unit.spot)
        if hex_id is None or unit.has("aircraft") or _fought(case, unit):
            continue
        cut_down = load_of(field.units(hex_id, unit.side)) > LIMIT or hex_id in case.in_phase.notes.get(
            "cut-down", ()
        )
        if not cut_down:
            doubt = Verdict.WARNING if _undeclared(case) else Verdict.ILLEGAL
            rule, text = "lwe-9.21a", f"{unit.id} leaves the map"
            if unit.side == SOVIET and field.course.dd3 is False and not soviet_lines(case).supplied(hex_id):
                rule, doubt = "lwe-7.12d", Verdict.WARNING
                text = f"{unit.id} is removed for want of supply before the Supply Check Phase"
            yield Fault(rule, text, (unit.id,), (unit.hex,), verdict=doubt)


def _undeclared(case: Case) -> bool:
    """A battle was rolled for in this phase and never declared: what follows may come of it."""
    rolled = any(isinstance(e, Rolled) and e.reason.lower() in FIGHT for e in case.in_phase.events)
    return rolled and not any(battle.rolled for battle in battles(case))


def _fought(case: Case, unit: Unit) -> bool:
    return any(battle.party(unit.id) for battle in battles(case))
