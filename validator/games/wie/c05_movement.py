"""Chapter 5: movement of ground units and headquarters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.core.movement import MoveRules, PathVerdict, explain
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    BLITZ,
    CLEAR,
    DROP,
    ENEMY,
    EXPLOIT,
    MOVE,
    MUD,
    REDEPLOY,
    RULES,
    SNOW,
    SOVIET,
    TRANSPORT,
    both,
    side_of,
)
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import Field, field_at_phase_start, field_of
from validator.games.wie.lines import commanded, cut_from_command, in_red_city, is_out, reconnected
from validator.games.wie.state import Case, Trip
from validator.games.wie.units import (
    CLASS_1,
    MOTORIZED,
    PARTISAN,
    RAIL_GUN,
    ROCKET,
    is_air,
    is_hq,
    printed_move,
)
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.moves import note_the_way, way_of

MOVING = both(MOVE)
HQ_MOVE, BOOSTED = 6, 3
STAY = (
    (RAIL_GUN, "wie-unit.8", "moves by strategic redeployment only"),
    (ROCKET, "wie-sr.6", "moves by strategic redeployment only"),
    (PARTISAN, "wie-opt.5", "are partisans and do not move"),
)
"""Who never moves in action 3."""
KEYS = {"enemy": "wie-gnd.3", "strait": "wie-gnd.5", "budget": "wie-gnd.1"}


def ploesti_lost(field: Field) -> bool:
    """The oil fields of Ploesti are in Soviet hands (7)."""
    hexes = field.board.with_feature("ploesti")
    return bool(hexes) and all(field.holder(h) == SOVIET for h in hexes)


def marching(case: Case, event: Moved) -> list[Unit]:
    """Ground units of the side whose turn it is that go by themselves."""
    flown = event.mode in (DROP, TRANSPORT) and case.phase in MOVING
    units = [] if flown else case.units(event.units)
    return [unit for unit in units if unit.side == side_of(case.phase) and not is_air(unit)]


def allowance(case: Case, field: Field, unit: Unit, *, boosted: bool = False) -> int:
    """Movement points of a ground unit, by weather, supply and Ploesti; -1 for one hex, whatever it costs."""
    points = HQ_MOVE if is_hq(unit) else printed_move(unit)
    if points == 0:
        return 0  # rail guns, launchers, partisans
    points = max(points, BOOSTED) if boosted else points
    weather = CLEAR if is_hq(unit) else kindest(case)
    points = {MUD: points - 1, SNOW: -1}.get(weather, points)
    return max(points - 1, 1) if points > 0 and unit.side == AXIS and ploesti_lost(field) else points


def near_headquarters(case: Case, field: Field, unit: Unit) -> bool:
    """In combat supply now, or as movement began."""
    known = case.in_turn.by(unit.side).range_at_start
    return commanded(case, field, unit) or known is None or unit.id in known


def cut_as_it_began(case: Case, unit: Unit) -> bool:
    """In range of headquarters now and as movement began, and across zones of enemy armor each time."""
    began = field_at_phase_start(case)
    then, now = case.phase_start.units[unit.id], case.position.units[unit.id]
    return cut_from_command(case, began, then) and cut_from_command(case, field_of(case), now)


def move_rules(case: Case, field: Field, unit: Unit, *, boosted: bool = False) -> MoveRules:
    """What binds a unit in action 3; what it has moved already counts."""
    trip = case.in_turn.by(unit.side).trips.get(unit.id)
    points = 0 if out_and_bound(case, field, unit) else allowance(case, field, unit, boosted=boosted)
    far = points > 0 and not near_headquarters(case, field, unit)
    return walking(field, unit, -1 if far else points, trip.spent if trip else 0)


def walking(field: Field, unit: Unit, points: int, spent: int = 0) -> MoveRules:
    """With so many points, of which some are spent; with -1 one hex, whatever it costs."""
    return MoveRules(
        field.ground.closed if straits_closed(field, unit.side) else field.ground.costs,
        abs(points) * ONE - spent,
        field.occupied(ENEMY[unit.side]),
        field.board.mask(),
        one_hex=points < 0,
        moved=spent > 0,
    )


def out_and_bound(case: Case, field: Field, unit: Unit) -> bool:
    """Without general supply, and so without movement (7)."""
    return is_out(case, unit) and not is_hq(unit)


def straits_closed(field: Field, side: str) -> bool:
    """No Axis unit crosses while Sevastopol with its port is the enemy's; the Soviets begin with it."""
    ports = field.board.with_feature("sevastopol-port")
    return side == AXIS and not all(field.holder(h) == side for h in ports)


# --- judged ---------------------------------------------------------------------------------------------


@RULES.track_start(*MOVING)
def who_is_near_headquarters(case: Case) -> None:
    side, field = side_of(case.phase), field_of(case)
    turn = case.in_turn.by(side)
    near = (unit.id for _, unit in field.of_side(side) if commanded(case, field, unit))
    turn.range_at_start = frozenset(near)


def helper(case: Case, unit: Unit, start: HexId, others: set[str]) -> bool:
    """Whether a motorized unit that stood with it is free to take it along; `others` are taken besides."""
    began = field_at_phase_start(case)
    there = [u for u in began.units(start, unit.side) if u.has(MOTORIZED)]
    taken = {*case.in_phase.boosted.get(start, []), *others}
    return unit.has(CLASS_1) and len(taken - {unit.id}) < len(there)


def takes_along(case: Case, unit: Unit, start: HexId) -> None:
    """Noted: a motorized unit of a hex takes it along."""
    case.in_phase.boosted.setdefault(start, []).append(unit.id)


@RULES.rule(
    *("wie-gnd.1", "wie-gnd.3", "wie-gnd.4", "wie-gnd.5", "wie-hq.7", "wie-hq.2", "wie-sup.3", "wie-sup.8"),
    *(
        "wie-air.6",
        "wie-sup.5",
        "wie-unit.2",
        "wie-unit.8",
        "wie-wx.4",
        "wie-ter.7",
        "wie-sup.7",
        "wie-plo.1",
        "wie-sr.6",
        "wie-opt.5",
        "wie-zoc.3",
    ),
)
@RULES.before(Moved, phases=MOVING)
def ground_units_move_within_their_means(case: Case, event: Moved) -> Faults:
    field = field_of(case)
    way = way_of(field, event)
    boosted: set[str] = set()  # of this event, by motorized units
    off = way is None and not any(isinstance(spot, str) for spot in event.path)
    for unit in marching(case, event):
        if off:
            yield Fault("wie-gnd.1", f"{unit.id} goes off the map", (unit.id,))
        elif way is not None:
            yield from _judge_way(case, field, unit, way, event, boosted)


def _judge_way(
    case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved, boosted: set[str]
) -> Faults:
    hexes = (field.board.hexes[way[0]], field.board.hexes[way[-1]])
    bound = [(rule, f"{unit.id} {why}") for trait, rule, why in STAY if unit.has(trait)]
    if bound:
        yield Fault(*bound[0], (unit.id,), hexes)
        return
    if out_and_bound(case, field, unit):
        rule = "wie-sup.7" if in_red_city(field, unit) else "wie-sup.3"
        if not near_headquarters(case, field, unit):
            rule = "wie-sup.8"
        text = f"{unit.id} was without general supply at the last check and may not move"
        in_city = rule == "wie-sup.7"  # the text forbids regular movement and permits combat movement
        again = reconnected(case, field, unit)
        sure = Verdict.WARNING if in_city or again else Verdict.ILLEGAL
        yield Fault("wie-sup.5" if again else rule, text, (unit.id,), hexes, verdict=sure)
        return
    if unit.id in case.in_turn.by(unit.side).transported:
        text = f"{unit.id} was carried by bombers in this turn, and marches besides"
        yield Fault("wie-air.6", text, (unit.id,), hexes, verdict=Verdict.WARNING)
    rules = replace(move_rules(case, field, unit), exact=not event.dragged)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    if verdict.legal:
        note_the_way(case, field, unit, rules, way, verdict)
        if len(verdict.way.path if verdict.way else way) > 2 and cut_as_it_began(case, unit):
            text = f"{unit.id} moves more than one hex, and enemy armor cut it off from every headquarters"
            yield Fault("wie-zoc.3", text, (unit.id,), hexes, verdict=Verdict.WARNING)
        return
    lifted = replace(move_rules(case, field, unit, boosted=True), exact=rules.exact)
    origin, rule = _origin(case, unit, way[0]), _rule(case, field, unit, verdict.key or "", verdict)
    carried = unit.has(CLASS_1) and verdict.key == "budget" and not rules.one_hex
    carried = carried and any(u.has(MOTORIZED) for u in field_at_phase_start(case).units(origin, unit.side))
    if not (carried and explain(field.board, lifted, way[0], way[-1], way[1:-1]).legal):
        again = is_hq(unit) and ploesti_lost(field)  # whether their six hexes are "land movement"
        free = again and explain(field.board, walking(field, unit, HQ_MOVE), way[0], way[-1], way[1:-1]).legal
        doubt = Verdict.WARNING if free and rule == "wie-hq.7" else Verdict.ILLEGAL
        yield faults.of_path(field, unit, verdict, "wie-plo.1" if free else rule, KEYS, doubt=doubt)
    elif helper(case, unit, origin, boosted):
        boosted.add(unit.id)
    else:
        text = f"{unit.id} moves with a motorized unit, and none began beside it that takes it along"
        yield Fault("wie-unit.2", text, (unit.id,), hexes)


def _origin(case: Case, unit: Unit, start: HexId) -> HexId:
    trip = case.in_turn.by(unit.side).trips.get(unit.id)
    return trip.origin if trip else start


def _rule(case: Case, field: Field, unit: Unit, key: str, verdict: PathVerdict) -> str:
    """The rule that stands in the way: of the budget, the one that made it so small."""
    if key != "budget":
        return KEYS.get(key, "wie-gnd.1")
    trip = case.in_turn.by(unit.side).trips.get(unit.id)
    if trip is not None and trip.spent:
        return "wie-gnd.4"
    if is_hq(unit):
        return "wie-hq.7"
    if verdict.obstacle is not None and len(verdict.obstacle.way.steps) * ONE <= verdict.budget:
        return "wie-ter.7"
    if not near_headquarters(case, field, unit):
        return "wie-hq.2"
    if kindest(case) in (SNOW, MUD):
        return "wie-wx.4"
    return "wie-plo.1" if unit.side == AXIS and ploesti_lost(field) else "wie-gnd.1"


@RULES.track(Moved, when=JUDGED, phases=MOVING)
def note_the_trip(case: Case, event: Moved) -> None:
    field = field_of(case)
    way = way_of(field, event) or []
    turn = case.in_turn.by(side_of(case.phase))
    for unit in marching(case, event) if way else ():
        trip = turn.trips.setdefault(unit.id, Trip(way[0]))
        if way[-1] == trip.origin and len(way) == 2:
            del turn.trips[unit.id]  # put back by hand
            for names in case.in_phase.boosted.values():
                names[:] = [name for name in names if name != unit.id]
            continue
        verdict = explain(field.board, move_rules(case, field, unit), way[0], way[-1], way[1:-1])
        if not verdict.legal and unit.has(CLASS_1):
            lifted = move_rules(case, field, unit, boosted=True)
            verdict = explain(field.board, lifted, way[0], way[-1], way[1:-1])
            if verdict.legal:
                takes_along(case, unit, trip.origin)
        trip.spent += verdict.cost if verdict.cost is not None else ONE * (len(way) - 1)


@RULES.rule("wie-unit.2")
@RULES.at_phase_end(*both(MOVE, EXPLOIT, REDEPLOY))
def motorized_units_go_along(case: Case) -> Faults:
    """Infantry travels with the motorized unit: where none has gone the same way, that is doubtful."""
    began, units = field_at_phase_start(case), case.position.units
    for start, names in case.in_phase.boosted.items():
        motorized = [u for u in began.units(start, side_of(case.phase)) if u.has(MOTORIZED)]
        gone = (units[unit.id] for unit in motorized if units[unit.id].spot != unit.spot)
        there = Counter(unit.spot for unit in gone)
        lost = there.pop(None, 0)
        alone = Counter(units[name].spot for name in names if units[name].on_map) - there
        if alone.total() > lost:
            text = (
                f"{'+'.join(names)} moved three hexes, and not as many motorized units went there with them"
            )
            hexes = (began.board.hexes[start],)
            yield Fault("wie-unit.2", text, tuple(names), hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-unit.3")
@RULES.before(Moved, phases=MOVING, mode=BLITZ)
def armor_alone_blitzes(case: Case, event: Moved) -> Faults:
    for unit in case.units(event.units):
        if not unit.has("blitz"):
            text = f"{unit.id} is no armor and does not blitz"
            yield Fault("wie-unit.3", text, (unit.id,), verdict=Verdict.WARNING)


@RULES.rule("wie-gnd.3")
@RULES.before(Moved, phases=[*both("redeploy")])
def nobody_enters_an_enemy_hex(case: Case, event: Moved) -> Faults:
    field, ends = field_of(case), field_of(case).ids((event.end,))
    for unit in case.units(event.units):
        if not is_air(unit) and any(field.occupied(ENEMY[unit.side])[end] for end in ends):
            text = f"{unit.id} enters {case.label(event.end)}, where enemy units stand"
            yield Fault("wie-gnd.3", text, (unit.id,), field.hexes(ends))
