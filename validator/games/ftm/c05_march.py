"""Chapters 4.2, 5.1 and 5.4: the price of a march, and the rule that stands in its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from validator.core.board import HexId, Mask
from validator.core.costs import ONE
from validator.core.movement import BUDGET, ONE_HEX, MoveRules, PathVerdict, Way
from validator.games.ftm.book import AXIS, ENEMY, EXPLOITING, SNOW, barred_by
from validator.games.ftm.field import BRIDGE, ICE, WATER, Field, field_at_phase_start
from validator.games.ftm.state import Case
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, all_have, any_has
from validator.procedures import faults
from validator.procedures.field import printed
from validator.procedures.marches import UNMOVED, dearest, excess, ground_price, leaving, trip_of
from validator.procedures.moves import movers
from validator.procedures.supplymarks import allowance

LEAVING = 2 * ONE
JUDGE, ON = "judge", "on"

# What the search calls a rule, and where the rulebook has it.
KEYS = {
    "enemy": "ftm-5.2.2",
    "zone-to-zone": "ftm-4.2b",
    "never-zone": "ftm-4.2.3a",
    "closes-up": "ftm-5.4.1b",
    "soviet-closes-up": "ftm-5.4.2b",
    "off-line": "ftm-5.1.6",
    "germans": "ftm-6.2b",
    f"hexside:{ICE}": "ftm-5.1.7",
    f"hexside:{BRIDGE}": "ftm-9.2.2",
    "terrain:high-mountain": "ftm-5.1.5b",
    "hexside:strait": "ftm-5.1c",
    **{f"{kind}:{water}": "ftm-5.1c" for kind in ("terrain", "hexside") for water in WATER},
}
BROWN = {"1526/1625", "1625/1626", "1625/1726"}
COUNTRY = {"german": "ftm-5.2.1a", "allied": "ftm-5.2.1b"}


def begins_in_zone(case: Case, unit: Unit) -> bool:
    start = field_at_phase_start(case)
    return start.in_enemy_zone(case.phase_start.units[unit.id])


def closes_up(case: Case, unit: Unit) -> bool:
    """In exploitation others than panzers and tanks go one hex (5.4)."""
    return case.phase in EXPLOITING and not unit.has("exploits")


def move_rules(case: Case, field: Field, unit: Unit, together: Sequence[Unit] = ()) -> MoveRules:
    """All that binds a unit in ordinary movement now."""
    trip = trip_of(case, unit)
    points = len(field.board) if unit.has("rail-only") else allowance(unit)
    panzers = all_have((unit, *together), "panzer")
    budget = points * ONE - trip.spent
    return MoveRules(
        costs=field.ground.costs(unit, field.season),
        budget=ONE_HEX if closes_up(case, unit) else budget,
        enemy=field.occupied(ENEMY[unit.side]),
        zone=field.enemy_zones(unit.side).mask,
        forbidden=dict(_closed(case, field, unit)),
        leave_zone=LEAVING,
        zone_to_zone=panzers and case.phase == "axis-move",
        one_hex=_may_always_step(case, field, unit),
        moved=trip is not UNMOVED,
    )


def _may_always_step(case: Case, field: Field, unit: Unit) -> bool:
    """5.1.3, and the one hex of exploitation; whether it pays for leaving a zone is an option."""
    if case.phase in EXPLOITING:
        return closes_up(case, unit) or case.option("one-hex-exploiting") == ON
    return not field.in_enemy_zone(unit) or case.option("one-hex-from-zone") in (ON, JUDGE)


def _closed(case: Case, field: Field, unit: Unit) -> Iterator[tuple[str, Mask]]:
    """Hexes a unit may not enter, by the rule that closes them."""
    closed = field.ground.closed_to(unit)
    if any(closed):
        yield "country", closed
    if unit.has("never-ezoc"):
        yield "never-zone", field.enemy_zones(unit.side).mask
    elif closes_up(case, unit) and case.option("exploit-into-zone") == "off":
        key = "closes-up" if unit.side == AXIS else "soviet-closes-up"
        yield key, field.enemy_zones(unit.side).mask
    if unit.has("allied") and case.option("allies-passing") == "off":
        yield "germans", field.board.mask(h for h, _ in field.of_side(AXIS, "corps", "kg"))


def forbids(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    """What bars a march whatever its price: the phase, earlier movement; what is left to judge."""
    earlier = (
        ("ftm-5.5c", case.in_turn.shipped, "exploit-after-sea", "went by sea"),
        ("ftm-5.3b", case.in_turn.railed, "exploit-after-rail", "used strategic movement"),
    )
    for rule, gone, option, what in earlier:
        verdict = barred_by(case, option) if case.phase in EXPLOITING else Verdict.ILLEGAL
        if unit.id in gone and verdict is not None:
            yield Fault(rule, f"{unit.id} {what} in this turn", (unit.id,), verdict=verdict)
    if closes_up(case, unit):
        yield from _of_closing_up(case, field, unit, way)
    elif _leaves_by_the_minimum(case, field, unit, way):
        text = f"{unit.id} goes its one hex out of an enemy zone, for which it has not the points"
        yield Fault("ftm-5.1.3", text, (unit.id,), verdict=Verdict.JUDGEMENT)


def _of_closing_up(case: Case, field: Field, unit: Unit, way: list[HexId]) -> Iterator[Fault]:
    rule = "ftm-5.4.1b" if unit.side == AXIS else "ftm-5.4.2b"
    one_hex = trip_of(case, unit) is UNMOVED and len(way) == 2 and field.board.are_adjacent(*way)
    rows = (
        (not unit.has("closes-up"), "does not move in this phase"),
        (begins_in_zone(case, unit), "began the phase in an enemy zone of control and does not move in it"),
        (not one_hex, "goes farther than one hex in this phase"),
    )
    yield from faults.first_that_holds(faults.of_rule(rule, rows), f"{unit.id} ", (unit.id,))


def _leaves_by_the_minimum(case: Case, field: Field, unit: Unit, way: list[HexId]) -> bool:
    """A first hex that can be paid, but not with leaving the zone (option); a railroad gun pays anything."""
    step = field.board.step(way[0], way[-1])
    first = trip_of(case, unit) is UNMOVED and case.phase not in EXPLOITING
    if step < 0 or not first or unit.has("rail-only") or not field.in_enemy_zone(unit):
        return False
    if field.enemy_zones(unit.side).holds(way[-1]) or field.occupied(ENEMY[unit.side])[way[-1]]:
        return False  # barred whatever it costs
    price = field.ground.costs(unit, field.season).step_price(step).price
    points = allowance(unit) * ONE
    return price <= points < price + LEAVING and case.option("one-hex-from-zone") == JUDGE


# --- the rule that stands in the way -----------------------------------------------------------------


def fault_of_path(
    case: Case, field: Field, unit: Unit, verdict: PathVerdict, way: list[HexId], event: Moved
) -> Fault:
    rule = rule_of(case, field, unit, verdict, movers(case, event))
    return faults.of_path(field, unit, verdict, rule, KEYS, field.zone_wording(unit.side))


def rule_of(case: Case, field: Field, unit: Unit, verdict: PathVerdict, together: Sequence[Unit]) -> str:
    key, obstacle = verdict.key or "", verdict.obstacle
    if key == BUDGET and obstacle is not None:
        return _too_dear(case, field, unit, obstacle.way, verdict.budget)
    between_zones, exploits = key == "zone-to-zone", case.phase in EXPLOITING and unit.has("exploits")
    stays = key == "never-zone" and unit.has("rail-only") and field.in_enemy_zone(unit)
    brown = key == "hexside:sea" and obstacle is not None and _brown(field, obstacle.way)
    return faults.first_true(
        (key == "country", country_rule(unit)),
        (between_zones and exploits, "ftm-5.4.1a" if unit.side == AXIS else "ftm-5.4.2a"),
        (between_zones and any_has(together, "panzer"), "ftm-5.1.4"),
        (stays, "ftm-4.2.3b"),
        (brown, "ftm-5.1.9"),
        otherwise=KEYS.get(key, "ftm-5.0a"),
    )


def country_rule(unit: Unit) -> str:
    """5.2.1"""
    return "ftm-5.2.1c" if unit.side != AXIS else COUNTRY["allied" if unit.has("allied") else "german"]


def _brown(field: Field, way: Way) -> bool:
    """Hexsides that brown shading makes sea (5.1.9)."""
    pairs = {"/".join(sorted(field.board.label(h) for h in (step.start, step.end))) for step in way.steps}
    return not pairs.isdisjoint(BROWN)


def _too_dear(case: Case, field: Field, unit: Unit, way: Way, budget: int) -> str:
    """Named by the price without which the way could be paid."""
    prices = {
        "ftm-9.5": (printed(unit, "movement") - allowance(unit)) * ONE,
        "ftm-4.2a": leaving(way),
        "ftm-5.1.5a": excess(way, "mountain") * (unit.has("infantry") and unit.has("german")),
        "ftm-5.1.8": excess(way, "swamp") * (field.season == SNOW),
        "ftm-5.1b": ground_price(way),
    }
    return dearest(way.cost - budget, prices, "ftm-5.0a")
