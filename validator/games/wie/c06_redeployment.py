"""Chapter 6: non-combat movement, and strategic redeployment by rail."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from validator.core.board import HexId, Mask, minus
from validator.core.costs import ONE
from validator.core.movement import MoveRules, PathVerdict, reach
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    CLEAR,
    MUD,
    NON_COMBAT,
    REDEPLOY,
    RULES,
    SNOW,
    SOVIET,
    STRATEGIC,
    both,
    side_of,
)
from validator.games.wie.c05_movement import (
    allowance,
    walking,
    without_the_loss_of_oil,
)
from validator.games.wie.c07_finland import german_hexes_near
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import FINLAND, Field, field_of, straits_closed
from validator.games.wie.lines import is_out, reconnected
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, RAIL_GUN, ROCKET, but_headquarters, light_grey
from validator.games.wie.walks import Walk, began, marchers, takes_along, walks_of
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each
from validator.procedures.moves import Journey, note_the_way

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


def is_strategic(event: Moved, unit: Unit) -> bool:
    """By its mode; a unit that has moved, or a rail gun, has no other way."""
    return event.mode == STRATEGIC or unit.has(RAIL_GUN) or unit.has(ROCKET)


def not_held(field: Field, side: str) -> bytes:
    return minus(field.ground.everywhere, field.held(side))


def rules_of(case: Case, field: Field, unit: Unit, *, strategic: bool, boosted: bool = False) -> MoveRules:
    """Only through hexes of one's own, those just captured among them."""
    rules = walking(field, unit, allowance(case, field, unit, boosted=boosted))
    forbidden: dict[str, Mask] = {"ahead": not_held(field, unit.side)}
    if strategic:
        cut = field.partisans("rail") if unit.side == AXIS else field.board.mask()
        hexes = rail_hexes(case, unit.side) * ONE
        rails = field.ground.closed_rails if straits_closed(field, unit.side) else field.ground.rails
        rules = replace(rules, costs=rails, budget=hexes, one_hex=False)
        forbidden["partisans"] = cut
    return replace(rules, forbidden=forbidden)


def non_combat_rules(case: Case, field: Field, unit: Unit, *, boosted: bool = False) -> MoveRules:
    return rules_of(case, field, unit, strategic=False, boosted=boosted)


@dataclass(frozen=True)
class Train:
    """A unit that goes by rail, and those of its side that did so before in the turn."""

    journey: Journey
    earlier: list[Unit]


def trains(case: Case, event: Moved) -> list[Train]:
    by_rail = [j for j in marchers(case, event) if not j.unit.has(PARTISAN) and is_strategic(event, j.unit)]
    before = case.units(case.in_turn.by(side_of(case.phase)).rail)
    units = [*before, *(journey.unit for journey in by_rail)]
    return [Train(journey, units[: len(before) + number]) for number, journey in enumerate(by_rail)]


def non_combat_moves(case: Case, event: Moved) -> list[Walk]:
    """What has moved in this phase begins where it began it."""
    others = (journey for journey in marchers(case, event) if not is_strategic(event, journey.unit))
    ways = [replace(j, way=[began(case, j.unit, j.start), *j.way[1:]]) for j in others]
    return case.about(non_combat_moves, lambda: walks_of(case, ways, non_combat_rules))


@RULES.rule("wie-opt.5")
@RULES.before(Moved, phases=REDEPLOYING, having=PARTISAN)
@each(marchers)
def partisans_stay(case: Case, event: Moved, journey: Journey) -> Faults:
    if journey.unit.has(PARTISAN):
        name = journey.unit.id
        yield Fault("wie-opt.5", f"{name} are partisans and do not move", (name,), journey.hexes)


def moved_before(case: Case, unit: Unit) -> bool:
    """In action 3: it changed its hex, also by advance or exploitation."""
    turn = case.in_turn.by(unit.side)
    return unit.id in turn.trips or unit.id in turn.exploited


@RULES.rule("wie-ncm.1", "wie-ncm.3", "wie-sr.9", "wie-sup.3", "wie-gnd.3", "wie-gnd.5")
@RULES.before(Moved, phases=REDEPLOYING)
@each(non_combat_moves)
def who_has_not_moved_may_move(case: Case, event: Moved, walk: Walk) -> Faults:
    """Through hexes of one's own, before any redeployment by rail."""
    field, unit = field_of(case), walk.unit
    if unit.has(PARTISAN):
        return
    hexes, plain = field.hexes(field.ids((event.start, event.end))), not event.mode
    if moved_before(case, unit):
        text = f"{unit.id} moved in action 3 and goes on by strategic redeployment only"
        yield Fault("wie-ncm.1", text, (unit.id,), hexes, verdict=faults.unless(plain))
        return
    if case.in_turn.by(unit.side).redeploying and event.mode:
        text = f"{unit.id} makes a non-combat move after strategic redeployment has begun"
        yield Fault("wie-sr.9", text, (unit.id,), hexes, verdict=Verdict.WARNING)
    if walk.legal and not walk.carried:
        note_the_way(case, field, unit, walk.rules, walk.journey.way, walk.verdict)
    elif not walk.legal:
        by_rail = walk.journey.verdict(rules_of(case, field, unit, strategic=True)).legal
        free = walk.journey.verdict(without_the_loss_of_oil(case, field, unit, walk.rules)).legal
        rule, doubt = (
            KEYS.get(walk.verdict.key or "", "wie-ncm.1"),
            faults.unless(free or (plain and by_rail)),
        )
        yield faults.of_path(field, unit, walk.verdict, rule, KEYS, doubt=doubt)


@RULES.rule("wie-ncm.2", "wie-sup.5", "wie-sr.1", "wie-sr.2", "wie-sr.3", "wie-sr.5", "wie-sr.6")
@RULES.rule("wie-sr.8", "wie-unit.13", "wie-opt.6", "wie-gnd.5")
@RULES.before(Moved, phases=REDEPLOYING)
@each(trains)
def units_go_by_rail_by_rule(case: Case, event: Moved, train: Train) -> Faults:
    field, journey, unit = field_of(case), train.journey, train.journey.unit
    if event.mode == NON_COMBAT:
        text = f"{unit.id} makes a non-combat move, and moves by strategic redeployment only"
        yield Fault("wie-sr.6", text, (unit.id,), journey.hexes, verdict=Verdict.WARNING)
    if is_out(case, unit):
        text = f"{unit.id} was without general supply at the last check and may not redeploy"
        again = reconnected(case, field, unit)
        rule = "wie-sup.5" if again else "wie-ncm.2"
        yield Fault(rule, text, (unit.id,), journey.hexes, verdict=faults.unless(again))
        return
    yield from _capacity(case, train)
    rules = replace(rules_of(case, field, unit, strategic=True), exact=not event.dragged)
    verdict = journey.verdict(rules)
    note_the_way(case, field, unit, rules, journey.way, verdict)
    if unit.side == AXIS and not verdict.legal and _goes_to_finland(field, journey):
        yield from _ferried(field, journey, rules)
    elif not verdict.legal:
        rule = _rule_of_rail(case, field, unit, journey.way, verdict)
        longer = replace(rules, budget=HEXES[kindest(case)] * ONE)
        free = light_grey(unit) and journey.verdict(longer).legal  # the gauge hinders "German units"
        yield faults.of_path(field, unit, verdict, rule, RAIL_KEYS, doubt=faults.unless(free))


def _goes_to_finland(field: Field, journey: Journey) -> bool:
    country = field.ground.country
    return country(journey.start) != FINLAND == country(journey.end)


def _ferried(field: Field, journey: Journey, rules: MoveRules) -> Faults:
    """To a hex of its side in Finland, over no connected hexes: from a German hex near it, reached by rail.

    How far that may be, and how many units come, chapter 7 tells.
    """
    unit, end = journey.unit, journey.end
    where = field.ground.wording.hex(end)
    if not field.held(AXIS)[end] or field.occupied(SOVIET)[end]:
        text = f"{unit.id} is redeployed to {where}, which the enemy holds"
        yield Fault("wie-sr.5", text, (unit.id,), journey.hexes)
        return
    reached = reach(field.board, replace(rules, exact=False), journey.start)
    if not any(hex_id in reached for hex_id in german_hexes_near(field, end)):
        text = f"{unit.id} is redeployed to {where}: no way by rail leads to a German hex near it"
        yield Fault("wie-sr.5", text, (unit.id,), journey.hexes, verdict=Verdict.WARNING)


def _capacity(case: Case, train: Train) -> Faults:
    """Each unit once; beyond the points of its nation, headquarters are doubtful."""
    unit, most = train.journey.unit, CAPACITY[train.journey.unit.side]
    carried = [*train.earlier, unit]
    used = list(map(points_of, but_headquarters(carried)))
    points, with_hq = sum(used, Fraction(0)), sum(map(points_of, carried), Fraction(0))
    whole = points > most + HALF or HALF not in used
    again = unit.id in case.in_turn.by(unit.side).rail
    number = f"{float(with_hq):g} points are redeployed, and {most} may be"
    rows: faults.Rows = [
        (again, "wie-sr.2", f"{unit.id} is redeployed twice in this turn"),
        (with_hq > most, "wie-sr.2" if whole else "wie-unit.13", number),
    ]
    only_hq = points <= most and not again
    doubt = faults.doubts({"wie-sr.2": only_hq, "wie-unit.13": only_hq})
    yield from faults.plainest_that_holds(rows, "", (unit.id,), train.journey.hexes, doubt)


def _rule_of_rail(case: Case, field: Field, unit: Unit, way: list[HexId], verdict: PathVerdict) -> str:
    """Of a way that is too long, the rule that makes it so."""
    rule, most = RAIL_KEYS.get(verdict.key or "", "wie-sr.1"), rail_hexes(case, unit.side)
    if rule == "wie-sr.1" and unit.side == AXIS and case.turn <= GAUGE_TURNS:
        return "wie-sr.3"
    near = field.board.distance(way[0], way[-1]) <= most
    costly = verdict.obstacle is not None and len(verdict.obstacle.way.path) - 1 <= most
    return "wie-sr.8" if rule == "wie-sr.1" and near and costly else rule


@RULES.track(Moved, when=JUDGED, phases=REDEPLOYING)
@note_each(trains)
def note_redeployment(case: Case, event: Moved, train: Train) -> None:
    turn = case.in_turn.by(train.journey.unit.side)
    turn.rail.add(train.journey.unit.id)
    turn.redeploying = True


@RULES.track(Moved, when=JUDGED, phases=REDEPLOYING)
@note_each(non_combat_moves)
def note_who_is_taken_along(case: Case, event: Moved, walk: Walk) -> None:
    takes_along(case, walk)


RULES.cannot_check("wie-sr.4", "a permission: whoever moved or fought may be redeployed")
