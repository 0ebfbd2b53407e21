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
from validator.games.lwe.c06_stacking import is_cut_down
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
from validator.procedures import marches
from validator.procedures.ask_each import each, units_of
from validator.procedures.faults import all_that_hold, unless
from validator.procedures.marches import Leg, March, has_moved
from validator.procedures.moves import movers

STATIC, STAYS = "static", "is static and stays in its hex"


# --- who may move, and when (9.1, 9.3) -----------------------------------------------------------


def bars(case: Case, unit: Unit, event: Moved) -> tuple[str, str] | None:
    """Units move in the movement phase of their side; those that arrive may be put in another hex."""
    if case.phase in MOVING or coming(case, event):
        return None
    own = case.phase.startswith(unit.side)
    return "lwe-5.1a" if own else "lwe-9.1b", f"moves in the {case.phase_name()}"


def doubt(case: Case, unit: Unit) -> Verdict:
    return unless(_fought(case, unit) or _undeclared(case))


@RULES.rule("lwe-9.3c")
@RULES.before(Moved, by_land=True, ends_elsewhere=True, having=STATIC)
@each(units_of)
def static_units_stay(case: Case, event: Moved, unit: Unit) -> Faults:
    """Retreats are judged in chapter 11."""
    rows = ((unit.has(STATIC), "lwe-9.3c", STAYS),)
    yield from all_that_hold(rows, f"{unit.id} ", (unit.id,))


@RULES.rule("lwe-2.9a", "lwe-9.17f")
@RULES.before(Moved, mode="advance", ends_elsewhere=True, having=(STATIC, SEA_ONLY))
@each(units_of)
def static_units_and_the_coastal_army_do_not_advance(case: Case, event: Moved, unit: Unit) -> Faults:
    rows = ((unit.has(STATIC), "lwe-2.9a", STAYS), (unit.has(SEA_ONLY), "lwe-9.17f", BY_SEA_ONLY))
    yield from all_that_hold(rows, f"{unit.id} ", (unit.id,))


# --- one stack after another (9.2, 9.6) ----------------------------------------------------------


@RULES.rule("lwe-9.2c", "lwe-9.6a")
@RULES.before(Moved, phases=MOVING, by_land=True)
@each(units_of)
def stacks_move_one_after_another(case: Case, event: Moved, unit: Unit) -> Faults:
    """Units that began in one hex are a stack."""
    trip, trips = trip_of(case, unit), case.in_phase.trips.values()
    if trip.origin in case.in_phase.finished and trip.entry is None:
        dropped = [other.origin for other in trips].count(trip.origin) > 1
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


@RULES.track(Placed, Moved, phases=[GERMAN_MOVE], side=GERMAN)
def entering_is_part_of_the_move(case: Case, event: Placed | Moved) -> None:
    """Who comes from the reserve pays for the first hex; who waited beside the map enters it for nothing."""
    field = field_of(case)
    for unit, hex_, box in coming(case, event):
        hex_id = field.id(hex_)
        if box in (RESERVE, ASTERISK) and hex_id is not None:
            new = Trip(hex_id, supply=german_lines(case).state(hex_id))
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


TAKEN_AHEAD = "; it was in supply until it was entered"
_COSTS = ("10a", "11a", "12a", "13a", "14a", "15a", "16a", "18a", "19a", "19b", "19c", "19d", "20a")
OTHERS = (
    *KEYS.values(),
    *(f"lwe-9.{rule}" for rule in _COSTS),
    *(f"lwe-9.17{part}" for part in "abcdef"),
    *(f"lwe-10.{rule}" for rule in ("4a", "5a", "5b", "6a", "7a", "7b", "7c", "10a")),
    *("lwe-9.1a", "lwe-9.2a", "lwe-9.3a", "lwe-9.7a", "lwe-9.27a", "lwe-9.28a", "lwe-2.9b", "lwe-3.5c"),
    *("lwe-5.1a", "lwe-5.4c", "lwe-5.4d", "lwe-7.7a"),
)
marches.register(
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
    return any(map(lines.supplied, (hex_id, *beside)))


@RULES.rule("lwe-7.16a")
@RULES.after(Moved, phases=[GERMAN_MOVE], by_land=True, ends_elsewhere=True, side=GERMAN)
def germans_do_not_go_out_of_supply(case: Case, event: Moved) -> Faults:
    """Where a move ends; on the way too, if it is played so and the way is shown."""
    field, lines = field_of(case), german_lines(case)
    ends = event.path[1:] if case.option("no-entry-unsupplied") == "every-hex" else event.path[-1:]
    fed = [unit for unit in lacking(movers(case, event), "aircraft") if trip_of(case, unit).supply != OUT]
    hexes = (h for h in field.ids(ends) if not field.occupied(SOVIET)[h]) if fed else ()
    cut = next((h for h in hexes if not lines.supplied(h)), None)
    if cut is not None:
        ahead = cut in case.in_phase.roads_ahead
        text = f"{fed[0].id} moves out of supply: {lines.why_out(cut)}{TAKEN_AHEAD * ahead}"
        yield Fault("lwe-7.16a", text, (fed[0].id,), field.hexes([cut]), verdict=unless(ahead))


@RULES.track(Moved, when=APPLIED, phases=[GERMAN_MOVE], by_land=True, side=GERMAN)
def take_what_the_way_has_opened(case: Case, event: Moved) -> None:
    """A move shown by its ends: lines and cities on the way that was found were entered, if that feeds it."""
    field = field_of(case)
    for unit, end in field.standing(movers(case, event)):
        trip = trip_of(case, unit)
        longer = len(trip.way) > len(event.path) and trip.way[-1] == end
        if longer and trip.supply != OUT and not german_lines(case).supplied(end):
            _take_if_it_feeds(case, field, end, {h for h in trip.way if field.ground.barriers[h]})


def _take_if_it_feeds(case: Case, field: Field, end: HexId, barriers: set[HexId]) -> None:
    hexes = field.hexes(barriers)
    position = case.position.supposing(dict.fromkeys(hexes, GERMAN))
    if german_lines(case, Field(field.ground, case, position)).supplied(end):
        for hex_ in hexes:
            case.position.take(hex_, GERMAN)


@RULES.rule("lwe-9.31a")
@RULES.at_phase_end(GERMAN_MOVE)
def satellites_end_in_the_southern_sector(case: Case) -> Faults:
    field = field_of(case)
    moved = field.standing(having(case.units(case.in_phase.trips), "satellite"))
    for unit in (unit for unit, hex_id in moved if not field.ground.southern[hex_id]):
        text = f"{unit.id} ends its move in {case.label(unit.hex)}, north of the sector line"
        yield Fault("lwe-9.31a", text, (unit.id,))


LOST_EARLY = "is removed for lack of supply before the Supply Check Phase"


def _who_leave(case: Case, event: Removed | Moved) -> list[tuple[Unit, HexId]]:
    """But for what battle, overstacking or the opponent's count takes off, or goes into the reserve (3.5)."""
    field = field_of(case)
    if event.battle is not None or event.comes_to == RESERVE:
        return []
    gone = field.standing(lacking(case.units(event.concerned), "aircraft"))
    return [(unit, h) for unit, h in gone if not (_fought(case, unit) or is_cut_down(case, h, unit.side))]


@RULES.rule("lwe-9.21a")
@RULES.before(Removed, Moved, phases=(*MOVING, *ASSAULTING), comes_to=(str, None))
@each(_who_leave)
def nobody_leaves_the_map_at_will(case: Case, event: Removed | Moved, gone: tuple[Unit, HexId]) -> Faults:
    unit, hex_id = gone
    lifted = field_of(case).course.dd3 is False
    hungry = lifted and unit.side == SOVIET and not soviet_lines(case).supplied(hex_id)
    rule, text = ("lwe-7.12d", LOST_EARLY) if hungry else ("lwe-9.21a", "leaves the map")
    doubt = unless(hungry or _undeclared(case))
    yield Fault(rule, f"{unit.id} {text}", (unit.id,), (unit.hex,), verdict=doubt)


def _undeclared(case: Case) -> bool:
    """A battle was rolled for in this phase and never declared: what follows may come of it."""
    rolled = any(isinstance(e, Rolled) and e.reason.lower() in FIGHT for e in case.in_phase.events)
    return rolled and not any(battle.rolled for battle in battles(case))


def _fought(case: Case, unit: Unit) -> bool:
    return any(battle.party(unit.id) for battle in battles(case))
