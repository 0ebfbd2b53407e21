"""Chapter 5: movement of ground units and headquarters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from fieldpost.hexes import Hex
from validator.core.board import minus
from validator.core.costs import ONE, CostTable
from validator.core.movement import MoveRules, PathVerdict
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
from validator.games.wie.field import Field, field_at_phase_start, field_of, ours, straits_closed
from validator.games.wie.lines import (
    commanded,
    cut_from_command,
    in_red_city,
    is_out,
    may_be_commanded,
    reconnected,
)
from validator.games.wie.state import Case, Trip
from validator.games.wie.units import (
    MOTORIZED,
    PARTISAN,
    RAIL_GUN,
    ROCKET,
    is_air,
    is_hq,
    light_grey,
    on_the_ground,
    printed_move,
)
from validator.games.wie.walks import Walk, marchers, takes_along, walks_of
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each, units_of
from validator.procedures.moves import note_the_way, way_of

MOVING = both(MOVE)
HQ_MOVE, BOOSTED = 6, 3
STAY = (
    (RAIL_GUN, "wie-unit.8", "moves by strategic redeployment only"),
    (ROCKET, "wie-sr.6", "moves by strategic redeployment only"),
    (PARTISAN, "wie-opt.5", "are partisans and do not move"),
)
"""Who never moves in action 3."""
KEYS = {"enemy": "wie-gnd.3", "strait": "wie-gnd.5", "budget": "wie-gnd.1", "vacant": "wie-gnd.3"}


def ploesti_lost(field: Field) -> bool:
    """The oil fields of Ploesti are in Soviet hands (7)."""
    hexes = field.board.with_feature("ploesti")
    return bool(hexes) and all(field.holder(h) == SOVIET for h in hexes)


def german_without_oil(field: Field, unit: Unit) -> bool:
    return unit.side == AXIS and ploesti_lost(field)


def allowance(case: Case, field: Field, unit: Unit, *, boosted: bool = False) -> int:
    """Movement points of a ground unit, by weather, supply and Ploesti; -1 for one hex, whatever it costs."""
    printed = HQ_MOVE if is_hq(unit) else printed_move(unit)
    if printed == 0:
        return 0  # rail guns, launchers, partisans
    points = max(printed, BOOSTED) if boosted else printed
    weather = weather_for(case, unit)
    if weather == SNOW:
        return -1
    if weather == MUD:
        points -= 1
    return max(points - 1, 1) if points > 0 and german_without_oil(field, unit) else points


def weather_for(case: Case, unit: Unit) -> str:
    """The weather that a unit moves in: whether it slows headquarters the text leaves open."""
    spared = is_hq(unit) and case.option("hq-movement") == "six"
    return CLEAR if spared else kindest(case)


def without_the_loss_of_oil(case: Case, field: Field, unit: Unit, rules: MoveRules) -> MoveRules:
    """Ploesti slows Germans: whether also headquarters and light grey units the text leaves open."""
    printed = (HQ_MOVE if is_hq(unit) else printed_move(unit)) - (weather_for(case, unit) == MUD)
    spared = german_without_oil(field, unit) and (is_hq(unit) or light_grey(unit)) and not rules.one_hex
    more = printed - allowance(case, field, unit) if spared else 0
    return replace(rules, budget=rules.budget + more * ONE)


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
    rules = walking(field, unit, -1 if far else points, trip.spent if trip else 0)
    if unit.has("blitz") or case.option("vacant-hexes") == "all":
        return rules
    return replace(rules, forbidden={"vacant": minus(field.ground.everywhere, field.held(unit.side))})


def walking(field: Field, unit: Unit, points: int, spent: int = 0) -> MoveRules:
    """With so many points, of which some are spent; with -1 one hex, whatever it costs."""
    return MoveRules(
        costs_for(field, unit.side),
        abs(points) * ONE - spent,
        field.occupied(ENEMY[unit.side]),
        field.board.mask(),
        one_hex=points < 0,
        moved=spent > 0,
    )


def out_and_bound(case: Case, field: Field, unit: Unit) -> bool:
    """Without general supply, and so without movement (7)."""
    return is_out(case, unit) and not is_hq(unit)


def costs_for(field: Field, side: str) -> CostTable:
    """What steps cost a side, and which are closed to it."""
    return field.ground.closed if straits_closed(field, side) else field.ground.costs


# --- judged ---------------------------------------------------------------------------------------------


@RULES.track_start(*MOVING)
def who_is_near_headquarters(case: Case) -> None:
    side, field = side_of(case.phase), field_of(case)
    turn = case.in_turn.by(side)
    near = (unit.id for _, unit in field.of_side(side) if commanded(case, field, unit))
    turn.range_at_start = frozenset(near)


def marches(case: Case, event: Moved) -> list[Walk]:
    return case.about(marches, lambda: walks_of(case, marchers(case, event), move_rules))


@RULES.rule("wie-gnd.1")
@RULES.before(Moved, phases=MOVING)
def nobody_goes_off_the_map(case: Case, event: Moved) -> Faults:
    if way_of(field_of(case), event) is None and all(isinstance(spot, Hex) for spot in event.path):
        units = () if event.mode in (DROP, TRANSPORT) else case.units(event.units)
        for unit in on_the_ground(ours(case, units)):
            yield Fault("wie-gnd.1", f"{unit.id} goes off the map", (unit.id,))


@RULES.rule("wie-gnd.1", "wie-gnd.3", "wie-gnd.4", "wie-gnd.5", "wie-hq.7", "wie-hq.2", "wie-zoc.3")
@RULES.rule("wie-sup.3", "wie-sup.5", "wie-sup.7", "wie-sup.8", "wie-air.6", "wie-unit.2", "wie-unit.8")
@RULES.rule("wie-wx.4", "wie-ter.7", "wie-plo.1", "wie-sr.6", "wie-opt.5")
@RULES.before(Moved, phases=MOVING)
@each(marches)
def ground_units_move_within_their_means(case: Case, event: Moved, walk: Walk) -> Faults:
    field, unit, hexes = field_of(case), walk.unit, walk.journey.hexes
    bound = [*_bound(case, field, walk)]
    yield from bound
    if bound:
        return
    if unit.id in case.in_turn.by(unit.side).transported:
        text = f"{unit.id} was carried by bombers in this turn, and marches besides"
        yield Fault("wie-air.6", text, (unit.id,), hexes, verdict=Verdict.WARNING)
    if not walk.legal:
        yield _no_way(case, field, walk)
    elif not walk.carried:
        note_the_way(case, field, unit, walk.rules, walk.journey.way, walk.verdict)
        far = walk.verdict.way is not None and len(walk.verdict.way.path) > 2
        if far and cut_as_it_began(case, unit):
            text = f"{unit.id} moves more than one hex, and enemy armor cut it off from every headquarters"
            yield Fault("wie-zoc.3", text, (unit.id,), hexes, verdict=Verdict.WARNING)


def _bound(case: Case, field: Field, walk: Walk) -> Faults:
    """Who does not march at all; of a city that is cut off the text permits combat movement."""
    unit, hexes = walk.unit, walk.journey.hexes
    for trait, rule, why in STAY:
        if unit.has(trait):
            yield Fault(rule, f"{unit.id} {why}", (unit.id,), hexes)
            return
    if out_and_bound(case, field, unit):
        rule = _rule_of_supply(case, field, unit)
        verdict = Verdict.WARNING if rule in ("wie-sup.5", "wie-sup.7") else Verdict.ILLEGAL
        text = f"{unit.id} was without general supply at the last check and may not move"
        yield Fault(rule, text, (unit.id,), hexes, verdict=verdict)


def _rule_of_supply(case: Case, field: Field, unit: Unit) -> str:
    if reconnected(case, field, unit):
        return "wie-sup.5"
    if not near_headquarters(case, field, unit):
        return "wie-sup.8"
    return "wie-sup.7" if in_red_city(field, unit) else "wie-sup.3"


def _no_way(case: Case, field: Field, walk: Walk) -> Fault:
    unit, verdict = walk.unit, walk.verdict
    if walk.unhelped:
        text = f"{unit.id} moves with a motorized unit, and none began beside it that takes it along"
        return Fault("wie-unit.2", text, (unit.id,), walk.journey.hexes)
    rule = _rule(case, field, unit, verdict)
    free = walk.journey.verdict(without_the_loss_of_oil(case, field, unit, walk.rules)).legal
    if rule == "wie-hq.2" and _may_be_in_command(case, field, walk):
        return faults.of_path(field, unit, verdict, rule, KEYS, doubt=Verdict.WARNING)
    return faults.of_path(
        field, unit, verdict, "wie-plo.1" if free else rule, KEYS, doubt=faults.unless(free)
    )


def _may_be_in_command(case: Case, field: Field, walk: Walk) -> bool:
    """Whether only a headquarters that is in supply again since the check stands against the way."""
    unit = walk.unit
    whole = replace(walk.rules, budget=allowance(case, field, unit) * ONE, one_hex=False)
    return may_be_commanded(case, field, unit) and walk.journey.verdict(whole).legal


def _rule(case: Case, field: Field, unit: Unit, verdict: PathVerdict) -> str:
    """The rule that stands in the way: of the budget, the one that made it so small."""
    if verdict.key != "budget":
        return KEYS.get(verdict.key or "", "wie-gnd.1")
    trip, obstacle = case.in_turn.by(unit.side).trips.get(unit.id), verdict.obstacle
    if trip is not None and trip.spent:
        return "wie-gnd.4"
    if is_hq(unit):
        return "wie-hq.7"
    if obstacle is not None and len(obstacle.way.steps) * ONE <= verdict.budget:
        return "wie-ter.7"
    if not near_headquarters(case, field, unit):
        return "wie-hq.2"
    if kindest(case) != CLEAR:
        return "wie-wx.4"
    return "wie-plo.1" if german_without_oil(field, unit) else "wie-gnd.1"


@RULES.track(Moved, when=JUDGED, phases=MOVING)
@note_each(marches)
def note_the_trip(case: Case, event: Moved, walk: Walk) -> None:
    unit, way, trips = walk.unit, walk.journey.way, case.in_turn.by(walk.unit.side).trips
    trip = trips.setdefault(unit.id, Trip(way[0]))
    if way[-1] == trip.origin and len(way) == 2:
        del trips[unit.id]  # put back by hand
        for names in case.in_phase.boosted.values():
            names[:] = [name for name in names if name != unit.id]
        return
    takes_along(case, walk)
    trip.spent += walk.cost


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
            text = f"{'+'.join(names)} moved as motorized units do, and not as many of them went along"
            hexes = (began.board.hexes[start],)
            yield Fault("wie-unit.2", text, tuple(names), hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-unit.3")
@RULES.before(Moved, phases=MOVING, mode=BLITZ)
@each(units_of)
def armor_alone_blitzes(case: Case, event: Moved, unit: Unit) -> Faults:
    if not unit.has("blitz"):
        text = f"{unit.id} is no armor and does not blitz"
        yield Fault("wie-unit.3", text, (unit.id,), verdict=Verdict.WARNING)


@RULES.rule("wie-gnd.3")
@RULES.before(Moved, phases=both(REDEPLOY))
@each(units_of)
def nobody_enters_an_enemy_hex(case: Case, event: Moved, unit: Unit) -> Faults:
    field = field_of(case)
    for end in () if is_air(unit) else field.ids((event.end,)):
        if field.occupied(ENEMY[unit.side])[end]:
            text = f"{unit.id} enters {case.label(event.end)}, where enemy units stand"
            yield Fault("wie-gnd.3", text, (unit.id,), field.hexes((end,)))
