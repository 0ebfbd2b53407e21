"""Moves of a movement phase: whose they are, by what mode, at what price, in what order.

A game states its rules of movement as a `March`; `register` gives its rulebook the judges and reducers.
Its phase remembers `trips` by unit and the `stage` that the kinds of movement have come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.core.movement import LEAVE_ZONE, MoveRules, PathVerdict, Way, explain
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, LAST, Faults, Rulebook
from validator.model.events import Moved, Placed, Spot
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.field import Field, printed
from validator.procedures.moves import movers, note_the_way, past_entry, way_of

MARCH = "march"
Judge = Callable[[Any, Any, Unit, list[HexId], Moved], Iterator[Fault]]


@dataclass
class Trip:
    """The movement of one unit in one phase."""

    origin: HexId
    mode: str
    spent: int = 0  # twelfths of a movement point
    ended: bool = False  # by an overrun
    overran: bool = False  # it has won an overrun, and not moved since
    entry: HexId | None = None  # the hex an overrun emptied, to be entered for nothing


@dataclass(frozen=True)
class March:
    """The movement of a game. Rules it names: `side`, the other side moves; `off_map`; `immobile`, a unit
    without movement points; `together`, a stack that did not begin in one hex. `bars` gives the rule by which
    a unit of the moving side does not move in a phase, and why.

    `modes` are the ways of moving besides marching, each with its judge, in the order in which a move that
    declares nothing is tried. `stage_of` is the place of a move among the kinds of movement, `late` the rule
    that a move after a later kind breaks, with its verdict.
    """

    phases: Mapping[str, str]
    field_of: Callable[[Any], Any]
    rules_of: Callable[[Any, Any, Unit, list[Unit]], MoveRules]
    fault_of: Callable[[Any, Any, Unit, PathVerdict, list[Unit]], Fault]
    forbids: Judge  # what is wrong with marching at all, or beside the price
    modes: Mapping[str, Judge]
    side: str
    off_map: str
    immobile: str
    together: str
    stage_of: Callable[[Any, Unit, str], int]
    late: Callable[[Any, Unit, int, Moved], Fault | None]
    others: tuple[str, ...] = ()  # rules that modes, prices and prohibitions may break
    booked: Callable[[Any, Leg], None] = lambda case, leg: None  # a leg became part of the phase
    bars: Callable[[Any, Unit], tuple[str, str] | None] = lambda case, unit: None


@dataclass(frozen=True)
class Leg:
    """What one unit of a move did."""

    unit: Unit
    way: list[HexId]
    mode: str
    faults: list[Fault]
    spent: int  # twelfths of a movement point


UNMOVED = Trip(-1, MARCH)  # of all who have not moved in the phase: to compare with, never to change


def trip_of(case: AnyCase, unit: Unit) -> Trip:
    found: Trip = case.in_phase.trips.get(unit.id, UNMOVED)
    return found


def begun(case: AnyCase, unit: Unit) -> Spot | None:
    """Where a unit stood when the moving began; arrivals are placed before."""
    placed = [e.spot for e in case.in_phase.events if isinstance(e, Placed) and e.unit == unit.id]
    return placed[-1] if placed else case.phase_start.units[unit.id].spot


def paid_way(case: AnyCase, units: tuple[str, ...], way: list[HexId]) -> list[HexId]:
    """The way without the step into the hex that an overrun of these units emptied: it costs nothing."""
    trips = (case.in_phase.trips.get(name) for name in units)
    entries = {trip.entry for trip in trips if trip is not None and trip.entry is not None}
    return past_entry(way, entries.pop()) if len(entries) == 1 and way else way


def register(rules: Rulebook, of: March) -> Callable[[Any, Moved], list[Leg]]:
    """Gives a rulebook its movement; what is returned gives the legs of a move while it is judged."""

    @rules.rule(of.side)
    @rules.before(Moved, phases=of.phases, by_land=True)
    def only_the_phasing_side_moves(case: AnyCase, event: Moved) -> Faults:
        for unit in movers(case, event):
            wrong = _rests(of, case, unit)
            if wrong is not None:
                rule, reason = wrong
                yield Fault(rule, f"{unit.id} {reason}", (unit.id,))

    @rules.rule(of.immobile)
    @rules.before(Moved, phases=of.phases, by_land=True)
    def units_without_movement_points_stay(case: AnyCase, event: Moved) -> Faults:
        for unit in movers(case, event):
            if not _can_move(unit):
                text = f"{unit.id} has 0 movement points and never moves"
                yield Fault(of.immobile, text, (unit.id,))

    @rules.rule(of.together)
    @rules.before(Moved, phases=of.phases, by_land=True)
    def a_stack_began_in_one_hex(case: AnyCase, event: Moved) -> Faults:
        if len({begun(case, unit) for unit in movers(case, event)}) > 1:
            text = f"{'+'.join(event.units)} move as one stack but began the phase in different hexes"
            yield Fault(of.together, text, event.units)

    @rules.rule(of.off_map, *of.others)
    @rules.before(Moved, phases=of.phases, by_land=True)
    def the_way_is_open_and_affordable(case: AnyCase, event: Moved) -> Faults:
        """As declared; a move that declares nothing may be of any mode."""
        if way_of(of.field_of(case), event) is None:
            yield Fault(of.off_map, f"{'+'.join(event.units)} leaves the map in play", event.units)
        elif not any(_rests(of, case, unit) for unit in movers(case, event)):
            for leg in legs(case, event):
                yield from leg.faults

    def legs(case: AnyCase, event: Moved) -> list[Leg]:
        return case.about("legs", lambda: list(_legs(of, case, event)))

    @rules.track(Moved, when=JUDGED, phases=of.phases, by_land=True)
    def note_the_move(case: AnyCase, event: Moved) -> None:
        if way_of(of.field_of(case), event) is None:
            return
        done = legs(case, event)
        for name in event.units:
            if name in case.in_phase.trips:
                case.in_phase.trips[name].entry = None
        for leg in done:
            trip = case.in_phase.trips.setdefault(leg.unit.id, Trip(leg.way[0], leg.mode))
            trip.mode, trip.spent, trip.overran = leg.mode, trip.spent + leg.spent, False
            of.booked(case, leg)

    @rules.after(Moved, phases=of.phases, by_land=True)
    def kinds_of_movement_keep_their_order(case: AnyCase, event: Moved) -> Faults:
        for unit in movers(case, event) if not _is_blamed(case) else ():
            stage = _stage(of, case, unit)
            fault = of.late(case, unit, stage, event) if stage < case.in_phase.stage else None
            if fault is not None:
                yield fault

    @rules.track(Moved, when=LAST, phases=of.phases, by_land=True)
    def note_the_kind_of_movement(case: AnyCase, event: Moved) -> None:
        if not _is_blamed(case):
            stages = [_stage(of, case, unit) for unit in movers(case, event)]
            case.in_phase.stage = max([case.in_phase.stage, *stages])

    return legs


def dearest(over: int, prices: Mapping[str, int], otherwise: str) -> str:
    """The rule of the price without which a way that is too dear could be paid, the first of several."""
    return next((rule for rule, price in prices.items() if price >= over), otherwise)


def excess(way: Way, kind: str) -> int:
    """What a kind of ground costs on a way beyond one point a hex."""
    items = (item for step in way.steps for item in step.items)
    return sum(item.price - ONE for item in items if item.subject == kind)


def leaving(way: Way) -> int:
    """What leaving zones costs on a way."""
    return sum(item.price for step in way.steps for item in step.items if item.key == LEAVE_ZONE)


def ground_price(way: Way) -> int:
    """What hexes beyond one point each, and hexsides, cost on a way."""
    hexes = ONE * len(way.steps)
    return max(way.cost - leaving(way) - hexes, 0)


def _rests(of: March, case: AnyCase, unit: Unit) -> tuple[str, str] | None:
    """The rule by which a unit does not move in this phase, and why."""
    if unit.side != of.phases[case.phase]:
        return of.side, "moves in the other side's phase"
    return of.bars(case, unit)


def _can_move(unit: Unit) -> bool:
    return printed(unit, "movement") > 0 or unit.has("rail-only")


def _is_blamed(case: AnyCase) -> bool:
    """A move that was found wrong: what follows from it is not reported again."""
    return _forbidden(case.faults)


def _stage(of: March, case: AnyCase, unit: Unit) -> int:
    return of.stage_of(case, unit, trip_of(case, unit).mode)


def _legs(of: March, case: AnyCase, event: Moved) -> Iterator[Leg]:
    field = of.field_of(case)
    way = paid_way(case, event.units, way_of(field, event) or [])
    for unit in movers(case, event) if len(way) > 1 else ():
        if _can_move(unit):
            mode, faults, spent = _best_mode(of, case, field, unit, way, event)
            yield Leg(unit, way, mode, faults, spent)


def _best_mode(
    of: March, case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> tuple[str, list[Fault], int]:
    """How a unit moved, and what is wrong with it: the first way of moving that fits, else the likeliest."""
    if event.mode in of.modes:
        return event.mode, list(of.modes[event.mode](case, field, unit, way, event)), 0
    marched, spent = _marching(of, case, field, unit, way, event)
    tries = {} if event.mode == MARCH or not _forbidden(marched) else of.modes
    for mode, judge in tries.items():
        found = list(judge(case, field, unit, way, event))
        if not _forbidden(found):
            return mode, found, 0
    return MARCH, marched, spent


def _marching(
    of: March, case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> tuple[list[Fault], int]:
    """What is wrong with a march, and what it cost; put right by hand, it counts from where it began."""
    found, spent = _marched(of, case, field, unit, way, event)
    anew = _put_back(case, unit, event, way, field) if _forbidden(found) else None
    if anew is not None:
        trip = trip_of(case, unit)
        unmoved = {name: one for name, one in case.in_phase.trips.items() if name != unit.id}
        afresh = replace(case, in_phase=replace(case.in_phase, trips=unmoved), of_event={})
        found, cost = _marched(of, afresh, field, unit, anew, event) if len(anew) > 1 else ([], 0)
        return found, cost - (trip.spent if trip else 0)
    return found, spent


def _put_back(case: AnyCase, unit: Unit, event: Moved, way: list[HexId], field: Field) -> list[HexId] | None:
    """What follows where a counter that was moved by hand came back to where the phase found it."""
    origin = field.id(begun(case, unit))
    fought = any(battle.party(unit.id) is not None for battle in case.in_phase.battles)
    returned = origin in way if trip_of(case, unit) is not None else origin in way[1:]
    if not event.dragged or not case.by_hand or fought or not returned:
        return None
    return way[max(index for index, hex_id in enumerate(way) if hex_id == origin) :]


def _marched(
    of: March, case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> tuple[list[Fault], int]:
    """The march as the way shows it; it cost all there was, if there is no legal way."""
    found = list(of.forbids(case, field, unit, way, event))
    rules = replace(of.rules_of(case, field, unit, movers(case, event)), exact=not event.dragged)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    note_the_way(case, field, unit, rules, way, verdict)
    if not verdict.legal and not _forbidden(found):
        found.append(of.fault_of(case, field, unit, verdict, movers(case, event)))
    spent = rules.budget if verdict.cost is None or verdict.minimum else verdict.cost
    return found, max(spent, 0)


def _forbidden(faults: Iterable[Fault]) -> bool:
    return any(fault.verdict is Verdict.ILLEGAL for fault in faults)
