"""Moves of a movement phase: whose they are, by what mode, at what price, in what order.

A game states its rules of movement as a `March`; `register` gives its rulebook the judges and reducers.
Its phase remembers `trips` by unit; if the kinds of movement keep an order, the `stage` they have come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
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
from validator.procedures.moves import movers, note_the_way, on_the_map, past_entry, way_of

MARCH, STRATEGIC = "march", "strategic"
Judge = Callable[[Any, Any, Unit, list[HexId], Moved], Iterator[Fault]]
FaultOfPath = Callable[[Any, Any, Unit, PathVerdict, list[HexId], Moved], Fault]
BestWay = Callable[[Any, Any, Unit, list[HexId], Moved], PathVerdict]


@dataclass
class Trip:
    """The movement of one unit in one phase. A game that remembers more derives its own."""

    origin: HexId
    mode: str = MARCH
    spent: int = 0  # twelfths of a movement point
    ended: bool = False  # by an overrun
    overran: bool = False  # it has won an overrun, and not moved since
    entry: HexId | None = None  # the hex an overrun emptied, to be entered for nothing
    overruns: int = 0  # made in the phase


@dataclass
class Stages:
    """How far the kinds of movement have come in a phase: of units that moved, the place of their kind."""

    stages: dict[str, int] = field(default_factory=dict)

    @property
    def stage(self) -> int:
        return max(self.stages.values(), default=0)


def has_points(unit: Unit) -> bool:
    return printed(unit, "movement") > 0 or unit.has("rail-only")


@dataclass(frozen=True)
class Leg:
    """What one unit of a move did, on the part of its way that counts. `verdict` is that of a march.

    `put_right` is set where the unit was first brought back to where it began: the spots of the path before.
    """

    unit: Unit
    way: list[HexId]
    mode: str
    faults: list[Fault]
    spent: int = 0  # twelfths of a movement point
    verdict: PathVerdict | None = None
    put_right: int | None = None

    @property
    def hexes(self) -> tuple[HexId, ...]:
        """The hexes of the cheapest legal way, if it marched and there is one."""
        way = self.verdict.way if self.verdict is not None else None
        return () if way is None else way.path

    @property
    def minimum(self) -> bool:
        """Its one hex, for which it had not the points."""
        return self.verdict is not None and self.verdict.minimum


def _undone_by_hand(case: AnyCase, unit: Unit, event: Moved) -> bool:
    """Dragged in a log of counters moved by hand, by a unit that has not fought."""
    fought = any(battle.party(unit.id) is not None for battle in case.in_phase.battles)
    return event.dragged and case.by_hand and not fought


@dataclass(frozen=True)
class Order:
    """The order of the kinds of movement: `stage_of` is the place of a move in it, `late` the fault of a move
    after a later kind. The phase remembers the `stage` it has come to (`Stages`)."""

    stage_of: Callable[[Any, Unit, str], int]
    late: Callable[[Any, Unit, int, Moved], Fault | None]


@dataclass(frozen=True)
class March:
    """The movement of a game. Rules it names: `side`, the other side moves; `off_map`; `immobile`, a unit
    without movement points (if it is none, the game judges it); `together`, a stack that did not begin in one
    hex; `back`, a unit brought back to where it began, which goes on as if it had not moved (if it is none,
    that is no fault). `bars` gives the rule by which a unit does not move in a phase, and why; `doubt` how
    sure that is; where `in_all_phases`, it is asked in phases without movement too.

    `modes` are the ways of moving besides marching, each with its judge, in the order in which a move that
    declares nothing is tried; `mode_of` is what a move declares, or the only way its unit has.
    """

    phases: Mapping[str, str]
    field_of: Callable[[Any], Any]
    best_way: BestWay
    fault_of: FaultOfPath
    forbids: Judge  # what is wrong with marching at all, or beside the price
    modes: Mapping[str, Judge]
    side: str
    off_map: str
    together: str
    immobile: str = ""
    back: str = ""
    order: Order | None = None
    others: tuple[str, ...] = ()  # rules that modes, prices and prohibitions may break
    begins: Callable[[Any, Unit, HexId], Trip] = lambda case, unit, origin: Trip(origin)
    booked: Callable[[Any, Leg], None] = lambda case, leg: None  # a leg became part of the phase
    undone: Callable[[Any, Leg], None] = lambda case, leg: None  # what came before a leg was put right
    may_undo: Callable[[Any, Unit, Moved], bool] = _undone_by_hand
    bars: Callable[[Any, Unit, Moved], tuple[str, str] | None] = lambda case, unit, event: None
    doubt: Callable[[Any, Unit], Verdict] = lambda case, unit: Verdict.ILLEGAL
    in_all_phases: bool = False
    can_move: Callable[[Unit], bool] = has_points
    mode_of: Callable[[Any, Unit, Moved], str] = lambda case, unit, event: event.mode


UNMOVED = Trip(-1)  # of all who have not moved in the phase: to compare with, never to change


def trip_of(case: AnyCase, unit: Unit) -> Trip:
    trip: Trip = case.in_phase.trips.get(unit.id, UNMOVED)
    return trip


def has_moved(case: AnyCase, unit: Unit) -> bool:
    """In this phase."""
    return unit.id in case.in_phase.trips


def begun(case: AnyCase, *units: Unit) -> set[Spot | None]:
    """Where units stood when the moving began; arrivals are placed before."""
    placed = {event.unit: event.spot for event in case.in_phase.events if isinstance(event, Placed)}
    return {placed.get(unit.id, case.phase_start.units[unit.id].spot) for unit in units}


def by_rules(rules_of: Callable[[Any, Any, Unit, list[Unit]], MoveRules]) -> BestWay:
    """The best way by one set of rules: what binds a unit, with those it moves with."""

    def best_way(case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved) -> PathVerdict:
        rules = replace(rules_of(case, field, unit, movers(case, event)), exact=not event.dragged)
        verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
        note_the_way(case, field, unit, rules, way, verdict)
        return verdict

    return best_way


def register(rules: Rulebook, of: March) -> Callable[[Any, Moved], list[Leg]]:
    """Gives a rulebook its movement; what is returned gives the legs of a move while it is judged."""

    @rules.rule(of.side)
    @rules.before(Moved, phases=None if of.in_all_phases else of.phases, by_land=True, ends_elsewhere=True)
    def only_the_phasing_side_moves(case: AnyCase, event: Moved) -> Faults:
        for unit in filter(of.field_of(case).stands, movers(case, event)):
            wrong = _rests(of, case, unit, event)
            if wrong is not None:
                rule, reason = wrong
                fault = Fault(rule, f"{unit.id} {reason}", (unit.id,), verdict=of.doubt(case, unit))
                once = (rule, unit.side) if rule == of.side else None  # one line was forgotten
                yield replace(fault, once=once, alike=reason)

    @rules.rule(of.together)
    @rules.before(Moved, phases=of.phases, by_land=True)
    def a_stack_began_in_one_hex(case: AnyCase, event: Moved) -> Faults:
        if len(event.units) > 1 and len(begun(case, *movers(case, event))) > 1:
            text = f"{'+'.join(event.units)} move as one stack but began the phase in different hexes"
            yield Fault(of.together, text, event.units)

    @rules.rule(of.off_map, *filter(None, (of.back, *of.others)))
    @rules.before(Moved, phases=of.phases)
    def the_way_is_open_and_affordable(case: AnyCase, event: Moved) -> Faults:
        """As declared; a move that declares nothing may be of any mode."""
        event = on_the_map(event)
        if not event.by_land:
            return
        if way_of(of.field_of(case), event) is None:
            yield Fault(of.off_map, f"{'+'.join(event.units)} leaves the map in play", event.units)
        elif not any(_rests(of, case, unit, event) for unit in movers(case, event)):
            for leg in legs(case, event):
                yield from (replace(fault, alike=leg.mode) for fault in leg.faults)

    def legs(case: AnyCase, event: Moved) -> list[Leg]:
        return case.about(legs, lambda: list(_legs(of, case, on_the_map(event))))

    @rules.track(Moved, when=JUDGED, phases=of.phases)
    def note_the_move(case: AnyCase, event: Moved) -> None:
        for leg in legs(case, event):
            _book(of, case, leg)

    if of.immobile:
        _register_immobile(rules, of)
    if of.order is not None:
        _register_order(rules, of, of.order)
    return legs


def _register_immobile(rules: Rulebook, of: March) -> None:
    @rules.rule(of.immobile)
    @rules.before(Moved, phases=of.phases, by_land=True)
    def units_without_movement_points_stay(case: AnyCase, event: Moved) -> Faults:
        for unit in movers(case, event):
            if not of.can_move(unit):
                text = f"{unit.id} has 0 movement points and never moves"
                yield Fault(of.immobile, text, (unit.id,))


def _register_order(rules: Rulebook, of: March, order: Order) -> None:
    @rules.after(Moved, phases=of.phases, by_land=True)
    def kinds_of_movement_keep_their_order(case: AnyCase, event: Moved) -> Faults:
        for unit in movers(case, event) if not _is_blamed(case) else ():
            stage = _stage(order, case, unit)
            fault = order.late(case, unit, stage, event) if stage < case.in_phase.stage else None
            if fault is not None:
                yield fault

    @rules.track(Moved, when=LAST, phases=of.phases, by_land=True)
    def note_the_kind_of_movement(case: AnyCase, event: Moved) -> None:
        if not _is_blamed(case):
            for unit in movers(case, event):
                stage = 0 if _is_back(of, case, unit, event) else _stage(order, case, unit)
                case.in_phase.stages[unit.id] = stage


def _is_back(of: March, case: AnyCase, unit: Unit, event: Moved) -> bool:
    """It stands where it began, by a hand that may have slipped."""
    return of.may_undo(case, unit, event) and begun(case, unit) == {unit.spot}


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


def _rests(of: March, case: AnyCase, unit: Unit, event: Moved) -> tuple[str, str] | None:
    """The rule by which a unit does not move in this phase, and why."""
    if of.phases.get(case.phase, unit.side) != unit.side:
        return of.side, "moves in the other side's phase"
    return of.bars(case, unit, event)


def _is_blamed(case: AnyCase) -> bool:
    """A move that was found wrong: what follows from it is not reported again."""
    return _forbidden(case.faults)


def _stage(order: Order, case: AnyCase, unit: Unit) -> int:
    return order.stage_of(case, unit, trip_of(case, unit).mode)


def _book(of: March, case: AnyCase, leg: Leg) -> None:
    """For reducers: a leg becomes part of the phase."""
    trips, name = case.in_phase.trips, leg.unit.id
    if leg.put_right is not None:
        of.undone(case, leg)
        case.forgive(name)
        trips.pop(name, None)
    if name in trips:
        trips[name].entry = None
    if len(leg.way) > 1:
        trip = trips[name] if name in trips else of.begins(case, leg.unit, leg.way[0])
        trip.mode, trip.spent, trip.overran = leg.mode, trip.spent + leg.spent, False
        trips[name] = trip
        of.booked(case, leg)


# --- what a unit did ---------------------------------------------------------------------------------------


def _legs(of: March, case: AnyCase, event: Moved) -> Iterator[Leg]:
    field = of.field_of(case)
    shown = way_of(field, event) if event.by_land else None
    for unit in movers(case, event) if shown else ():
        if shown and of.can_move(unit) and field.stands(unit):
            yield _leg(of, case, field, unit, past_entry(shown, trip_of(case, unit).entry), event)


def _leg(of: March, case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Leg:
    """How a unit moved, and what is wrong with it: the first way of moving that fits, else the likeliest."""
    mode = of.mode_of(case, unit, event)
    if len(way) < 2:
        return Leg(unit, way, mode, [])
    if mode in of.modes:
        before = _way_before(case, field, unit, mode, event)
        afresh = _unmoved(case, unit) if before else case
        judged = of.modes[mode](afresh, field, unit, [*before, *way], event)
        return Leg(unit, way, mode, list(judged))
    marched = _marched(of, case, field, unit, way, event)
    if _fits(marched):
        return marched
    others = _readings(of, case, field, unit, way, event)
    fitting = next((leg for leg in others if _fits(leg)), None)
    return fitting or _with_reason(of, case, field, marched, event)


def _readings(
    of: March, case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[Leg]:
    """What else a move may be that is no legal march: put right by hand, or made in another mode."""
    yield from _put_right(of, case, field, unit, way, event)
    for mode, judge in of.modes.items() if event.mode != MARCH else ():
        yield Leg(unit, way, mode, list(judge(case, field, unit, way, event)))


def _put_right(
    of: March, case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[Leg]:
    """The unit was brought back to where it began, and goes on from there as if it had not moved."""
    moved = has_moved(case, unit)
    origin = trip_of(case, unit).origin if moved else way[0]
    back = max((index for index, hex_id in enumerate(way) if hex_id == origin), default=-1)
    if back < (0 if moved else 1) or not of.may_undo(case, unit, event):
        return
    rest = way[back:]
    leg = Leg(unit, rest, MARCH, [])
    if len(rest) > 1:
        leg = _marched(of, _unmoved(case, unit), field, unit, rest, event)
    where = field.ground.wording.hex(origin)
    text = f"{unit.id} is dragged back to {where} and goes on as if it had not moved"
    warned = [Fault(of.back, text, (unit.id,), verdict=Verdict.WARNING)] if of.back else []
    yield replace(leg, faults=[*warned, *leg.faults], put_right=back)


def _unmoved(case: AnyCase, unit: Unit) -> AnyCase:
    """The case as if the unit had not moved in this phase."""
    trips = {name: trip for name, trip in case.in_phase.trips.items() if name != unit.id}
    return replace(case, in_phase=replace(case.in_phase, trips=trips), of_event={})


def _way_before(case: AnyCase, field: Field, unit: Unit, mode: str, event: Moved) -> list[HexId]:
    """The hexes of a strategic move that this drag goes on with; a log may end between two of its drags."""
    trip = trip_of(case, unit)
    if mode != STRATEGIC or trip.mode != mode or not event.dragged:
        return []
    paths = [move.path for move in case.in_phase.of(Moved) if unit.id in move.units]
    way = field.ids([spot for path in paths for spot in path[:-1]])
    return way if way[:1] == [trip.origin] and paths[-1][-1] == event.start else []


def _marched(of: March, case: AnyCase, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Leg:
    """The march as the way shows it; it cost all there was, if there is no legal way."""
    faults = list(of.forbids(case, field, unit, way, event))
    verdict = of.best_way(case, field, unit, way, event)
    spent = verdict.budget if verdict.cost is None or verdict.minimum else verdict.cost
    return Leg(unit, way, MARCH, faults, max(spent, 0), verdict)


def _fits(leg: Leg) -> bool:
    legal = leg.verdict is None or leg.verdict.legal
    return legal and not _forbidden(leg.faults)


def _with_reason(of: March, case: AnyCase, field: Field, leg: Leg, event: Moved) -> Leg:
    """A march with the reason why its way is not legal: worked out last, because it takes long."""
    if leg.verdict is None or leg.verdict.legal or _forbidden(leg.faults):
        return leg
    reason = of.fault_of(case, field, leg.unit, leg.verdict, leg.way, event)
    return replace(leg, faults=[*leg.faults, reason])


def _forbidden(faults: Iterable[Fault]) -> bool:
    return any(fault.verdict is Verdict.ILLEGAL for fault in faults)
