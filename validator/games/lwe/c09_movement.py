"""Chapter 9.1 to 9.21 and 9.31: who moves, when and together; by land or by sea.

What a march costs is in `c09_march`, voyages are in `c09_sea`, mobile assaults in `c09_mobile_assault`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from validator.core.board import HexId
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
    begins,
    best_way,
    fault_of_way,
    supply_at_start,
)
from validator.games.lwe.c09_mobile_assault import repulsed
from validator.games.lwe.c09_sea import BY_SEA_ONLY, SEA, SEA_ONLY, by_sea, sea_load
from validator.games.lwe.control import LEFT_AGAIN, give_back
from validator.games.lwe.field import ROAD, Field, field_at_phase_start, field_of
from validator.games.lwe.lines import OUT, german_lines, soviet_lines
from validator.games.lwe.state import Case, Trip, trip_of
from validator.model.events import Attacked, Moved, Placed, Removed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, lacking
from validator.procedures import marching
from validator.procedures.marching import Leg, March, has_moved
from validator.procedures.moves import movers

STATIC = "static"


# --- who may move, and when (9.1, 9.3) -----------------------------------------------------------


def bars(case: Case, unit: Unit, event: Moved) -> tuple[str, str] | None:
    """Units move in the movement phase of their side; those that arrive may be put in another hex."""
    if case.phase in MOVING or coming(case, event):
        return None
    own = case.phase.startswith(unit.side)
    return "lwe-5.1a" if own else "lwe-9.1b", f"moves in the {case.phase_name()}"


def doubt(case: Case, unit: Unit) -> Verdict:
    return Verdict.WARNING if _fought(case, unit) or _undeclared(case) else Verdict.ILLEGAL


@RULES.rule("lwe-9.3c", "lwe-2.9a", "lwe-9.17f")
@RULES.before(Moved, ends_elsewhere=True)
def static_units_stay(case: Case, event: Moved) -> Faults:
    """Retreats are judged in chapter 11; the coastal army goes by sea and in no other way."""
    if event.mode == "retreat" or any(isinstance(s, str) for s in event.path):
        return
    advances = event.mode == "advance"
    for unit in movers(case, event):
        if unit.has(STATIC):
            rule = "lwe-2.9a" if advances else "lwe-9.3c"
            yield Fault(rule, f"{unit.id} is static and stays in its hex", (unit.id,))
        elif advances and unit.has(SEA_ONLY):
            yield Fault("lwe-9.17f", f"{unit.id} {BY_SEA_ONLY}", (unit.id,))


# --- one stack after another (9.2, 9.6) ----------------------------------------------------------


@RULES.rule("lwe-9.2c", "lwe-9.6a")
@RULES.before(Moved, phases=MOVING, by_land=True)
def stacks_move_one_after_another(case: Case, event: Moved) -> Faults:
    """Units that began in one hex are a stack."""
    trips, finished = case.in_phase.trips, case.in_phase.finished
    for unit in movers(case, event):
        trip = trip_of(case, unit)
        if trip.origin in finished and trip.entry is None:
            dropped = sum(other.origin == trip.origin for other in trips.values()) > 1
            rule = "lwe-9.6a" if dropped else "lwe-9.2c"
            yield Fault(rule, f"{unit.id} moves on after another stack has moved", (unit.id,))


@RULES.track(Moved, when=JUDGED, phases=MOVING, by_land=True)
@RULES.track(Attacked, when=JUDGED, phases=[GERMAN_MOVE], overrun=True)
def note_the_stack_that_moves(case: Case, event: Moved | Attacked) -> None:
    before = field_at_phase_start(case)
    units = lacking(case.units(event.units), "aircraft")
    origins = {before.id(case.phase_start.units[unit.id].spot) for unit in units}
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


# --- the move itself -----------------------------------------------------------------------------


def forbids(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    """What bars a march whatever its price."""
    trip = trip_of(case, unit)
    if trip.ended:
        yield from repulsed(case, unit, way)
    elif trip.mode == SEA:
        text = f"{unit.id} moved by sea in this phase and goes no farther"
        yield Fault("lwe-9.17b", text, (unit.id,))
    elif _stays_unsupplied(case, field, unit, way):
        text = f"{unit.id} is out of supply and may not move: {german_lines(case).why_out(way[0])}"
        yield Fault("lwe-7.7a", text, (unit.id,), (field.board.hexes[way[0]],))


def _stays_unsupplied(case: Case, field: Field, unit: Unit, way: list[HexId]) -> bool:
    out = not has_moved(case, unit) and supply_at_start(case, field, unit) == OUT
    return out and (case.option("one-hex-unsupplied") == "off" or len(way) > 2)


def may_undo(case: Case, unit: Unit, event: Moved) -> bool:
    trip = trip_of(case, unit)
    return not (trip.overruns or trip.entered)


def undone(case: Case, leg: Leg) -> None:
    """What a unit entered before it was brought back, it has not entered."""
    case.about(LEFT_AGAIN, lambda: leg.put_right)
    if has_moved(case, leg.unit):
        give_back(case, leg.unit.id)


def booked(case: Case, leg: Leg) -> None:
    if leg.mode == SEA:
        case.in_phase.ships.book(sea_load(leg.unit))
        return
    trip, field = trip_of(case, leg.unit), field_of(case)
    trip.way = leg.hexes
    trip.on_road &= bool(leg.hexes) and all(ROAD in field.board.line_of(a, b) for a, b in pairwise(leg.hexes))
    trip.crossed |= any(field.ground.crossings[field.board.step(a, b)] for a, b in pairwise(leg.hexes))
    trip.whole |= leg.minimum or trip.crossed


_COSTS = ("10a", "11a", "12a", "13a", "14a", "15a", "16a", "18a", "19a", "19b", "19c", "19d", "20a")
OTHERS = (
    *KEYS.values(),
    *(f"lwe-9.{rule}" for rule in _COSTS),
    *(f"lwe-9.17{part}" for part in "abcdef"),
    *(f"lwe-10.{rule}" for rule in ("4a", "5a", "5b", "6a", "7a", "7b", "7c", "10a")),
    *("lwe-9.1a", "lwe-9.2a", "lwe-9.3a", "lwe-9.7a", "lwe-9.27a", "lwe-9.28a", "lwe-2.9b", "lwe-3.5c"),
    *("lwe-5.1a", "lwe-5.4c", "lwe-5.4d", "lwe-7.7a"),
)
marching.register(
    RULES,
    March(
        phases=MOVING,
        field_of=field_of,
        best_way=best_way,
        fault_of=fault_of_way,
        forbids=forbids,
        modes={SEA: by_sea},
        side="lwe-9.1b",
        off_map="lwe-9.21a",
        together="lwe-9.5a",
        back="lwe-9.2c",
        others=OTHERS,
        begins=begins,
        booked=booked,
        undone=undone,
        may_undo=may_undo,
        bars=bars,
        doubt=doubt,
        in_all_phases=True,
        can_move=lambda unit: not unit.has(STATIC),
        mode_of=lambda case, unit, event: SEA if unit.has(SEA_ONLY) else event.mode,
    ),
)


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
