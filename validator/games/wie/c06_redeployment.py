"""Chapter 6: non-combat movement, and strategic redeployment by rail."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from validator.core.board import HexId, Mask, minus
from validator.core.costs import ONE
from validator.core.movement import MoveRules, PathVerdict, explain
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    CLEAR,
    MUD,
    REDEPLOY,
    RULES,
    SNOW,
    SOVIET,
    STRATEGIC,
    both,
    side_of,
)
from validator.games.wie.c05_movement import allowance, helper, marching, takes_along, walking
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import FINLAND, Field, field_at_phase_start, field_of
from validator.games.wie.lines import is_out, reconnected
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, RAIL_GUN, ROCKET, is_hq
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.moves import note_the_way, way_of

REDEPLOYING = both(REDEPLOY)
CAPACITY = {AXIS: 9, SOVIET: 6}
HEXES = {CLEAR: 8, MUD: 6, SNOW: 4}
GAUGE = {CLEAR: 6, MUD: 4, SNOW: 2}
GAUGE_TURNS = 3
HALF = Fraction(1, 2)
KEYS = {"ahead": "wie-ncm.3", "enemy": "wie-gnd.3", "budget": "wie-ncm.1", "strait": "wie-gnd.5"}
RAIL_KEYS = {
    "partisans": "wie-opt.6",
    "ahead": "wie-sr.5",
    "enemy": "wie-sr.5",
    "budget": "wie-sr.1",
    "strait": "wie-gnd.5",
}


def points_of(unit: Unit) -> Fraction:
    """SS and panzer grenadiers take half a point."""
    return HALF if unit.has("half-rail") else Fraction(1)


def rail_hexes(case: Case, side: str) -> int:
    early = side == AXIS and case.turn <= GAUGE_TURNS
    return (GAUGE if early else HEXES)[kindest(case)]


def is_strategic(case: Case, event: Moved, unit: Unit) -> bool:
    """By its mode; a unit that has moved, or a rail gun, has no other way."""
    return event.mode == STRATEGIC or unit.has(RAIL_GUN) or unit.has(ROCKET)


def not_held(field: Field, side: str) -> bytes:
    return minus(bytes([1]) * len(field.board), field.held(side))


def rules_of(case: Case, field: Field, unit: Unit, *, strategic: bool, boosted: bool = False) -> MoveRules:
    """Only through hexes of one's own, those just captured among them."""
    rules = walking(field, unit, allowance(case, field, unit, boosted=boosted))
    forbidden: dict[str, Mask] = {"ahead": not_held(field, unit.side)}
    if strategic:
        cut = field.partisans("rail") if unit.side == AXIS else field.board.mask()
        hexes = rail_hexes(case, unit.side) * ONE
        rules = replace(rules, costs=field.ground.rails, budget=hexes, one_hex=False)
        forbidden["partisans"] = cut
    return replace(rules, forbidden=forbidden)


@RULES.rule(
    *(
        "wie-ncm.1",
        "wie-ncm.2",
        "wie-ncm.3",
        "wie-sr.1",
        "wie-sr.2",
        "wie-sr.3",
        "wie-sr.5",
        "wie-sr.8",
    ),
    *(
        "wie-opt.6",
        "wie-sup.5",
        "wie-sr.9",
        "wie-unit.13",
        "wie-sup.3",
        "wie-opt.5",
        "wie-sr.6",
    ),
)
@RULES.before(Moved, phases=REDEPLOYING)
def units_redeploy_by_rule(case: Case, event: Moved) -> Faults:
    field = field_of(case)
    way = way_of(field, event) or []
    earlier: list[Unit] = []  # of this event, by rail
    boosted: set[str] = set()  # of this event, by motorized units
    for unit in marching(case, event) if way else ():
        if unit.has(PARTISAN):
            text = f"{unit.id} are partisans and do not move"
            yield Fault("wie-opt.5", text, (unit.id,), field.hexes((way[0], way[-1])))
        elif is_strategic(case, event, unit):
            yield from _by_rail(case, field, unit, way, event, earlier)
            earlier.append(unit)
        else:
            yield from _non_combat(case, field, unit, way, event, boosted)


def moved_before(case: Case, unit: Unit) -> bool:
    """In action 3: it changed its hex, also by advance or exploitation."""
    turn = case.in_turn.by(unit.side)
    return unit.id in turn.trips or unit.id in turn.exploited


def _non_combat(
    case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved, boosted: set[str]
) -> Faults:
    hexes = (field.board.hexes[way[0]], field.board.hexes[way[-1]])
    turn = case.in_turn.by(unit.side)
    if moved_before(case, unit):
        text = f"{unit.id} moved in action 3 and goes on by strategic redeployment only"
        sure = Verdict.ILLEGAL if event.mode else Verdict.WARNING
        yield Fault("wie-ncm.1", text, (unit.id,), hexes, verdict=sure)
        return
    if turn.redeploying and event.mode:
        text = f"{unit.id} makes a non-combat move after strategic redeployment has begun"
        yield Fault("wie-sr.9", text, (unit.id,), hexes, verdict=Verdict.WARNING)
    began = field_at_phase_start(case).id(case.phase_start.units[unit.id].spot)
    start = began if began is not None and way[0] != began else way[0]
    rules = replace(rules_of(case, field, unit, strategic=False), exact=not event.dragged)
    verdict = explain(field.board, rules, start, way[-1], way[1:-1])
    if verdict.legal:
        note_the_way(case, field, unit, rules, [start, *way[1:]], verdict)
        return
    if _taken_along(case, field, unit, start, way) and helper(case, unit, start, boosted):
        boosted.add(unit.id)
        return
    key = verdict.key or ""
    by_rail = explain(field.board, rules_of(case, field, unit, strategic=True), start, way[-1], way[1:-1])
    doubt = Verdict.ILLEGAL if event.mode or not by_rail.legal else Verdict.WARNING
    yield faults.of_path(field, unit, verdict, KEYS.get(key, "wie-ncm.1"), KEYS, doubt=doubt)


def _taken_along(case: Case, field: Field, unit: Unit, start: HexId, way: list[HexId]) -> bool:
    """Whether a motorized unit could take it that far."""
    lifted = rules_of(case, field, unit, strategic=False, boosted=True)
    return explain(field.board, lifted, start, way[-1], way[1:-1]).legal


def _by_rail(
    case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved, earlier: list[Unit]
) -> Faults:
    hexes = (field.board.hexes[way[0]], field.board.hexes[way[-1]])
    turn = case.in_turn.by(unit.side)
    if is_out(case, unit):
        text = f"{unit.id} was without general supply at the last check and may not redeploy"
        again = reconnected(case, field, unit)
        sure = Verdict.WARNING if again else Verdict.ILLEGAL
        yield Fault("wie-sup.5" if again else "wie-ncm.2", text, (unit.id,), hexes, verdict=sure)
        return
    carried = [*case.units(turn.rail), *earlier, unit]
    used = [points_of(other) for other in carried if not is_hq(other)]
    points, with_hq = sum(used, Fraction(0)), sum(map(points_of, carried), Fraction(0))
    if unit.id in turn.rail:
        yield Fault("wie-sr.2", f"{unit.id} is redeployed twice in this turn", (unit.id,), hexes)
    elif with_hq > CAPACITY[unit.side]:
        text = f"{float(with_hq):g} points are redeployed, and {CAPACITY[unit.side]} may be"
        whole = points > CAPACITY[unit.side] + HALF or HALF not in used
        sure = Verdict.ILLEGAL if points > CAPACITY[unit.side] else Verdict.WARNING  # for headquarters
        yield Fault("wie-sr.2" if whole else "wie-unit.13", text, (unit.id,), hexes, verdict=sure)
    if field.ground.country(way[-1]) == FINLAND and field.ground.country(way[0]) != FINLAND:
        return  # over the sea: chapter 7 has its limits
    rules = replace(rules_of(case, field, unit, strategic=True), exact=not event.dragged)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    if verdict.legal:
        note_the_way(case, field, unit, rules, way, verdict)
        return
    yield faults.of_path(field, unit, verdict, _rule_of_rail(case, field, unit, way, verdict), RAIL_KEYS)


def _rule_of_rail(case: Case, field: Field, unit: Unit, way: list[HexId], verdict: PathVerdict) -> str:
    """Of a way that is too long, the rule that makes it so."""
    rule, most = RAIL_KEYS.get(verdict.key or "", "wie-sr.1"), rail_hexes(case, unit.side)
    if rule == "wie-sr.1" and unit.side == AXIS and case.turn <= GAUGE_TURNS:
        return "wie-sr.3"
    near = field.board.distance(way[0], way[-1]) <= most
    costly = verdict.obstacle is not None and len(verdict.obstacle.way.path) - 1 <= most
    return "wie-sr.8" if rule == "wie-sr.1" and near and costly else rule


@RULES.track(Moved, when=JUDGED, phases=REDEPLOYING)
def note_redeployment(case: Case, event: Moved) -> None:
    field, side = field_of(case), side_of(case.phase)
    turn = case.in_turn.by(side)
    for unit in marching(case, event) if way_of(field, event) else ():
        if is_strategic(case, event, unit):
            turn.rail.add(unit.id)
            turn.redeploying = True
        else:
            _note_who_is_taken_along(case, field, unit, way_of(field, event) or [])


def _note_who_is_taken_along(case: Case, field: Field, unit: Unit, way: list[HexId]) -> None:
    began = field_at_phase_start(case).id(case.phase_start.units[unit.id].spot)
    start = way[0] if began is None else began
    own = explain(field.board, rules_of(case, field, unit, strategic=False), start, way[-1], way[1:-1])
    if not own.legal and _taken_along(case, field, unit, start, way) and helper(case, unit, start, set()):
        takes_along(case, unit, start)


RULES.cannot_check("wie-sr.4", "a permission: whoever moved or fought may be redeployed")
