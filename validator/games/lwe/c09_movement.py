"""Chapter 9.1 to 9.21 and 9.31: who moves, when and together; by land or by sea.

What a march costs is in `c09_march`, voyages are in `c09_sea`, mobile assaults in `c09_mobile_assault`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.engine.rulebook import APPLIED, JUDGED, Faults
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
from validator.games.lwe.c09_sea import SEA, by_sea, sea_load
from validator.games.lwe.control import LEFT_AGAIN, give_back
from validator.games.lwe.field import Field, field_at_phase_start, field_of
from validator.games.lwe.lines import OUT, german_lines, soviet_lines
from validator.games.lwe.state import Case, Trip, trip_of
from validator.model.events import Moved, Placed, Removed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, lacking
from validator.procedures.moves import movers, past_entry, way_of

STATIC, SEA_ONLY = "static", "sea-only"


# --- who may move, and when (9.1, 9.3) -----------------------------------------------------------


@RULES.rule("lwe-5.1a", "lwe-9.1b")
@RULES.before(Moved, by_land=True, ends_elsewhere=True)
def units_move_in_their_own_movement_phase(case: Case, event: Moved) -> Faults:
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
@RULES.before(Moved, ends_elsewhere=True)
def static_units_stay(case: Case, event: Moved) -> Faults:
    """Retreats are judged in chapter 11; the coastal army goes by sea and in no other way."""
    if event.mode == "retreat" or any(isinstance(s, str) for s in event.path):
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
@RULES.before(Moved, phases=MOVING, by_land=True)
def stacks_move_one_after_another(case: Case, event: Moved) -> Faults:
    """Doubtful rather than illegal: the opponent may have allowed it, and often nothing hangs on it."""
    book, origins = case.in_phase, _origins(case, event)
    if len(origins) > 1:
        text = f"{'+'.join(event.units)} move as one stack but began the phase in different hexes"
        yield Fault("lwe-9.5a", text, event.units, (), {}, Verdict.WARNING)
        return
    (origin,) = origins
    for unit in movers(case, event):
        trip = book.trips.get(unit.id)
        if trip is None or origin not in book.finished or trip.entry is not None:
            continue
        dropped = sum(other.origin == trip.origin for other in book.trips.values()) > 1
        rule = "lwe-9.6a" if dropped else "lwe-9.2c"
        text = f"{unit.id} moves on after another stack has moved"
        yield Fault(rule, text, (unit.id,), (), {}, Verdict.WARNING)


def _origins(case: Case, event: Moved) -> set[HexId | None]:
    """Where the units of a move began the phase."""
    before = field_at_phase_start(case)
    return {before.id(case.phase_start.units[name].spot) for name in event.units}


@RULES.track(Moved, when=JUDGED, phases=MOVING, by_land=True)
def note_the_stack_that_moves(case: Case, event: Moved) -> None:
    origins = _origins(case, event)
    if len(origins) == 1:
        case.in_phase.goes_on_with(origins.pop())


# --- onto the edge of the map (3.5, 8.3) ----------------------------------------------------------


@RULES.track(Placed, Moved, phases=[GERMAN_MOVE])
def entering_is_part_of_the_move(case: Case, event: Placed | Moved) -> None:
    """Who comes from the reserve pays for the first hex; who waited beside the map enters it for nothing."""
    field = field_of(case)
    for unit, hex_, box in coming(case, event):
        hex_id = field.id(hex_)
        if unit.side == GERMAN and box in (RESERVE, ASTERISK) and hex_id is not None:
            new = Trip(hex_id, german_lines(case).state(hex_id))
            trip = case.in_phase.trips.setdefault(unit.id, new)
            trip.entered = box
            trip.spent = field.costs_for(unit).ground_price(hex_id) if box == RESERVE else 0


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
    if not event.by_land:
        return
    field = field_of(case)
    way = way_of(field, event)
    if way is None:
        yield Fault("lwe-9.21a", f"{'+'.join(event.units)} leaves the map in play", event.units)
        return
    for leg in legs(case, event):
        yield from leg.faults


@dataclass(frozen=True)
class Leg:
    """What one unit of a move did, and the trip that makes of it; None if it is as if it had not moved.

    `left_again` counts the spots at the start of the path that it was dragged back from by hand.
    """

    unit: Unit
    faults: list[Fault]
    trip: Trip | None
    sails: bool = False
    left_again: int | None = None


def legs(case: Case, event: Moved) -> list[Leg]:
    """Of the part of a move that is made on the map."""
    return case.about("legs", lambda: list(_legs(case, event)))


def _legs(case: Case, event: Moved) -> Iterator[Leg]:
    field = field_of(case)
    way = way_of(field, event) or []
    for unit in movers(case, event) if len(way) > 1 else ():
        if MOVING[case.phase] == unit.side and not unit.has(STATIC) and not unit.has("aircraft"):
            yield _leg(case, field, unit, way, event)


@RULES.track(Moved, when=JUDGED, phases=MOVING)
def note_the_move(case: Case, event: Moved) -> None:
    event, book = _on_the_map(event), case.in_phase
    for leg in legs(case, event) if event.by_land else ():
        if leg.left_again is not None:
            case.about(LEFT_AGAIN, lambda back=leg.left_again: back)  # type: ignore[misc]
            case.forgive(leg.unit.id)
            if leg.unit.id in book.trips:
                give_back(case, leg.unit.id)
        if leg.trip is None:
            book.trips.pop(leg.unit.id, None)
        else:
            book.trips[leg.unit.id] = leg.trip
        if leg.sails:
            book.ships.book(sea_load(leg.unit))


def _leg(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Leg:
    known = case.in_phase.trips.get(unit.id)
    if known is not None and known.entry is not None:
        way = past_entry(way, known.entry)  # the step that its assault paid for (9.28)
        known = replace(known, entry=None)
    if len(way) < 2 or (known is not None and known.ended and event.mode != SEA):
        return Leg(unit, [], known)  # judged under 9.27
    if unit.has(SEA_ONLY) and not _sails(case, event):
        return Leg(unit, [], known)
    if event.mode == SEA or unit.has(SEA_ONLY):
        return _voyage(case, field, unit, way, event, known)
    may_sail = unit.side == SOVIET and _sails(case, event)
    sailed = _voyage(case, field, unit, way, event, known) if may_sail else None
    return _march(case, field, unit, way, event, known, sailed)


def _voyage(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved, known: Trip | None) -> Leg:
    trip = replace(known or Trip(way[0]), mode=SEA)
    return Leg(unit, list(by_sea(case, field, unit, way, event)), trip, sails=True)


def _march(
    case: Case,
    field: Field,
    unit: Unit,
    way: list[HexId],
    event: Moved,
    known: Trip | None,
    sailed: Leg | None,
) -> Leg:
    """A march; or the voyage that the same move may be, if that is legal and the march is not."""
    state = supply_at_start(case, field, unit)
    if state == OUT and known is None and not _one_step_allowed(case, way):
        text = f"{unit.id} is out of supply and may not move: {german_lines(case).why_out(way[0])}"
        fault = Fault("lwe-7.7a", text, (unit.id,), (field.board.hexes[way[0]],))
        return Leg(unit, [fault], _gone(field, known, way, 0, state))
    if known is not None and known.mode == SEA:
        text = f"{unit.id} moved by sea in this phase and goes no farther"
        return Leg(unit, [Fault("lwe-9.17b", text, (unit.id,))], _gone(field, known, way, 0, state))
    verdict, extra = best_way(case, field, unit, way, event)
    faults = []
    if not verdict.legal and sailed is not None and not sailed.faults:
        return sailed
    if not verdict.legal:
        anew = _dragged_back(case, field, unit, way, event, known)
        if anew is not None:
            return anew
        faults = [fault_of_way(case, field, unit, verdict, event, way)]
    gone = list(verdict.way.path) if verdict.way else way
    trip = _gone(field, known, gone, verdict.cost or 0, state)
    trip.faulty = trip.faulty or not verdict.legal
    trip.extra |= extra
    trip.crossed |= _crossed(field, gone)
    trip.whole |= verdict.minimum or trip.crossed
    if verdict.minimum:
        trip.spent = min(trip.spent, allowance(case, field, unit) * ONE)
    return Leg(unit, faults, trip)


def _dragged_back(
    case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved, known: Trip | None
) -> Leg | None:
    """The move read as one that was put right: dragged back to where the phase began, and from there anew.

    None if that reading is against the rules too, or if nothing was dragged back.
    """
    origin = known.origin if known else way[0]
    returns = [index for index, hex_id in enumerate(way) if hex_id == origin]
    if not returns or (known is None and returns == [0]) or (known and (known.assaults or known.entered)):
        return None
    rest, trip = way[returns[-1] :], None
    if len(rest) > 1:
        trips = {name: one for name, one in case.in_phase.trips.items() if name != unit.id}
        unmoved = replace(case, in_phase=replace(case.in_phase, trips=trips))
        verdict, extra = best_way(unmoved, field, unit, rest, event)
        if not verdict.legal:
            return None
        state = supply_at_start(unmoved, field, unit)
        trip = _gone(field, None, rest, verdict.cost or 0, state)
        trip.extra, trip.whole = extra, verdict.minimum or _crossed(field, rest)
    where = field.ground.wording.hex(origin)
    text = f"{unit.id} is dragged back to {where} and goes on as if it had not moved"
    fault = Fault("lwe-9.2c", text, (unit.id,), verdict=Verdict.WARNING)
    return Leg(unit, [fault], trip, left_again=returns[-1])


def _one_step_allowed(case: Case, way: list[HexId]) -> bool:
    return case.option("one-hex-unsupplied") == "on" and len(way) == 2


def _crossed(field: Field, way: list[HexId]) -> bool:
    steps = (field.board.step(a, b) for a, b in pairwise(way))
    return any(step >= 0 and field.ground.crossings[step] for step in steps)


def _gone(field: Field, known: Trip | None, way: list[HexId], cost: int, state: str) -> Trip:
    """The trip of a unit when it has gone on by a way."""
    trip = known or Trip(way[0], state)
    lines = field.board.line_of
    along_road = all(field.board.are_adjacent(a, b) and "rollbahn" in lines(a, b) for a, b in pairwise(way))
    return replace(trip, way=tuple(way), spent=trip.spent + cost, on_road=trip.on_road and along_road)


# --- where a move ends (7.16, 9.31), and leaving the map (9.21) ---------------------------------------


@RULES.track(Moved, phases=[GERMAN_MOVE])
def note_supply_on_roads_ahead(case: Case, event: Moved) -> None:
    """A cut-off Rollbahn hex that a unit takes becomes the nearest (7.3): what was before leaves a doubt."""
    field = field_of(case)
    taken = (h for h in field.ids(event.path[1:]) if field.ground.roads[h] and field.holder(h) != GERMAN)
    case.in_phase.roads_ahead = {hex_id for hex_id in taken if _fed_so_far(case, field, hex_id)}


def _fed_so_far(case: Case, field: Field, hex_id: HexId) -> bool:
    """By a line; of a Soviet city, which no line enters, by one that reaches a hex beside it."""
    lines = german_lines(case)
    beside = field.board.adjacent[hex_id] if field.board.has_place(hex_id, "city") else ()
    return lines.supplied(hex_id) or any(lines.supplied(near) for near in beside)


@RULES.rule("lwe-7.16a")
@RULES.after(Moved, phases=[GERMAN_MOVE], by_land=True, ends_elsewhere=True)
def germans_do_not_go_out_of_supply(case: Case, event: Moved) -> Faults:
    """Where a move ends; on the way too, if it is played so and the way is shown."""
    field = field_of(case)
    ends = event.path[1:] if case.option("no-entry-unsupplied") == "every-hex" else event.path[-1:]
    for unit in movers(case, event):
        if unit.side != GERMAN or unit.has("aircraft") or trip_of(case, unit).supply == OUT:
            continue
        for hex_id in field.ids(ends):
            if not (field.occupied(SOVIET)[hex_id] or german_lines(case).supplied(hex_id)):
                text = f"{unit.id} moves out of supply: {german_lines(case).why_out(hex_id)}"
                doubt = Verdict.ILLEGAL
                if hex_id in case.in_phase.roads_ahead:
                    text, doubt = f"{text}; it was in supply until it was entered", Verdict.WARNING
                yield Fault("lwe-7.16a", text, (unit.id,), (field.board.hexes[hex_id],), verdict=doubt)
                return


@RULES.track(Moved, when=APPLIED, phases=[GERMAN_MOVE], by_land=True)
def take_what_the_way_has_opened(case: Case, event: Moved) -> None:
    """A move shown by its ends: lines and cities on the way that was found were entered, if that feeds it."""
    field = field_of(case)
    for unit, end in field.standing(movers(case, event)):
        trip = trip_of(case, unit)
        short = len(trip.way) <= len(event.path) or trip.way[-1] != end or trip.supply == OUT
        if short or unit.side != GERMAN or german_lines(case).supplied(end):
            continue
        hexes = {field.board.hexes[h] for h in trip.way if field.ground.barriers[h]}
        position = case.position.supposing(dict.fromkeys(hexes, GERMAN))
        if german_lines(case, Field(field.ground, case, position)).supplied(end):
            for hex_ in hexes:
                case.position.take(hex_, GERMAN)
            return


@RULES.rule("lwe-9.31a")
@RULES.at_phase_end(GERMAN_MOVE)
def satellites_end_in_the_southern_sector(case: Case) -> Faults:
    field = field_of(case)
    for unit, hex_id in field.standing(having(case.units(case.in_phase.trips), "satellite")):
        if not field.ground.southern[hex_id]:
            text = f"{unit.id} ends its move in {case.label(unit.hex)}, north of the sector line"
            yield Fault("lwe-9.31a", text, (unit.id,))


@RULES.rule("lwe-9.21a")
@RULES.before(Removed, Moved, phases=(*MOVING, *ASSAULTING), comes_to=(str, None))
def nobody_leaves_the_map_at_will(case: Case, event: Removed | Moved) -> Faults:
    """But for what battle, overstacking or the opponent's count takes off."""
    in_battle = isinstance(event, Removed) and event.battle is not None
    if in_battle or event.comes_to == "okh-reserve":
        return  # judged in chapters 11 and 3.5
    field = field_of(case)
    for unit, hex_id in field.standing(lacking(case.units(event.concerned), "aircraft")):
        if _fought(case, unit):
            continue
        over = load_of(field.units(hex_id, unit.side)) > LIMIT
        if not over and hex_id not in case.in_phase.cut_down:
            doubt = Verdict.WARNING if _undeclared(case) else Verdict.ILLEGAL
            rule, text = "lwe-9.21a", f"{unit.id} leaves the map"
            if unit.side == SOVIET and field.course.dd3 is False and not soviet_lines(case).supplied(hex_id):
                rule, doubt = "lwe-7.12d", Verdict.WARNING
                text = f"{unit.id} is removed for lack of supply before the Supply Check Phase"
            yield Fault(rule, text, (unit.id,), (unit.hex,), verdict=doubt)


def _undeclared(case: Case) -> bool:
    """A battle was rolled for in this phase and never declared: what follows may come of it."""
    rolled = any(isinstance(e, Rolled) and e.reason.lower() in FIGHT for e in case.in_phase.events)
    return rolled and not any(battle.rolled for battle in battles(case))


def _fought(case: Case, unit: Unit) -> bool:
    return any(battle.party(unit.id) for battle in battles(case))
