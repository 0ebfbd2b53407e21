"""Chapters 4.2 and 5.1 to 5.4: the price of a march, and the rule that stands in its way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validator.core.board import HexId, Mask, minus
from validator.core.costs import ONE
from validator.core.movement import BUDGET, LEAVE_ZONE, MoveRules, PathVerdict, Way
from validator.core.prices import Item
from validator.games.wfm.book import (
    AXIS,
    ENEMY,
    SOVIET,
    is_allied,
    is_stranger_to,
    rivers_are_ignored,
)
from validator.games.wfm.field import SNOW, Field, field_at_phase_start
from validator.games.wfm.state import Case
from validator.model.events import Moved
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.faults import first_true
from validator.procedures.field import printed
from validator.procedures.marches import STRATEGIC, UNMOVED, dearest, excess, leaving, trip_of
from validator.procedures.supplymarks import allowance, out_of_supply
from validator.procedures.transport import SEA

PHASES = {"axis-move": AXIS, "sov-move": ENEMY[AXIS], "ger-mech": AXIS}
LEAVING = 3 * ONE
BOTH_WAYS = "moves in both its phases, in one of them by strategic movement"

# What the search calls a rule, and where the rulebook has it.
KEYS = {
    "enemy": "wfm-5.32a",
    "zone-to-zone": "wfm-4.26b",
    "escort": "wfm-4.28",
    "never-zone": "wfm-5.28b",
    "other-ally": "wfm-4.15a",
    "off-line": "wfm-5.28a",
    "hexside:ice-road": "wfm-5.26a",
    "hexside:causeway": "wfm-9.44",
    "too-near": "wfm-5.62",
    "out-of-supply": "wfm-5.67",
}


def modes_of(case: Case, unit: Unit) -> set[str]:
    """The ways a unit moved in this turn's movement phases."""
    return {mode for _, mode in case.in_turn.modes.get(unit.id, ())}


def modes_before(case: Case, unit: Unit) -> set[str]:
    """Those of the turn's other movement phase."""
    return {mode for phase, mode in case.in_turn.modes.get(unit.id, ()) if phase != case.phase}


# --- what binds a unit -----------------------------------------------------------------------


def move_rules(case: Case, field: Field, unit: Unit, together: Iterable[Unit] = ()) -> MoveRules:
    """All that binds a unit in ordinary movement now."""
    trip = trip_of(case, unit)
    zones = field.enemy_zones(unit.side)
    panzer = unit.has("panzer")
    free_rivers = rivers_are_ignored(case) and unit.has("german")
    costs = field.ground.costs(unit, field.season, free_rivers)
    return MoveRules(
        costs=costs,
        budget=(3 if unit.has("rail-only") else allowance(unit)) * ONE - trip.spent,
        enemy=field.occupied(ENEMY[unit.side]),
        zone=zones.mask,
        forbidden=dict(_closed(field, unit, list(together))),
        leave_zone=LEAVING,
        zone_to_zone=panzer,
        between_zones=0 if case.option("panzer-disengage") == "on" else -LEAVING,
        one_hex=_may_always_step(case, field, unit),
        moved=trip is not UNMOVED,
    )


def _may_always_step(case: Case, field: Field, unit: Unit) -> bool:
    """5.24: one hex for a unit that began the phase beside the enemy, not in mechanized movement."""
    begun = case.phase_start.units[unit.id]
    here = field.id(begun.spot)
    zones = field_at_phase_start(case).enemy_zones(unit.side)
    return case.phase != "ger-mech" and here is not None and zones.holds(here)


def _closed(field: Field, unit: Unit, together: list[Unit]) -> Iterator[tuple[str, Mask]]:
    """Hexes a unit may not enter, by the rule that closes them."""
    if unit.has("never-ezoc"):
        yield "never-zone", field.enemy_zones(unit.side).mask
    elif unit.has("escorted") and not any(field.has_zone(other) for other in together):
        held = field.board.mask(field.places_of(unit.side, field.has_zone))
        yield "escort", minus(field.enemy_zones(unit.side).mask, held)
    yield "other-ally", strangers(field, unit)


def strangers(field: Field, unit: Unit) -> Mask:
    """Where allies of another nation stand, whose hexes a non-German Axis unit never enters (4.15)."""
    hexes = field.places_of(AXIS, is_stranger_to({unit.nationality})) if is_allied(unit) else ()
    return field.board.mask(hexes)


def forbids(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    """What bars a march whatever its price: earlier movement of another kind."""
    trip = trip_of(case, unit)
    if trip.mode in (SEA, STRATEGIC):
        rule = "wfm-5.53b" if trip.mode == SEA else "wfm-5.61"
        yield Fault(rule, f"{unit.id} moved by {trip.mode} movement in this phase already", (unit.id,))
    elif STRATEGIC in modes_of(case, unit) and case.option("strategic-panzer") == "turn":
        yield Fault("wfm-5.61b", f"{unit.id} {BOTH_WAYS}", (unit.id,))


def fault_of_path(
    case: Case, field: Field, unit: Unit, verdict: PathVerdict, way: list[HexId], event: Moved
) -> Fault:
    """The rule that stands in the way, with the way that shows it."""
    return faults.of_path(
        field, unit, verdict, _rule_of(case, field, unit, verdict), KEYS, field.zone_wording(unit.side)
    )


def _rule_of(case: Case, field: Field, unit: Unit, verdict: PathVerdict) -> str:
    key = verdict.key or ""
    if key == BUDGET and verdict.obstacle is not None:
        return _of_points(case, field, unit, verdict.obstacle.way, verdict.budget)
    ice = key == "hexside:ice-road" and field.season == SNOW and unit.side == SOVIET
    return "wfm-11.23" if ice else KEYS.get(key, "wfm-5.22b")


def _of_points(case: Case, field: Field, unit: Unit, way: Way, budget: int) -> str:
    """The rule without which the points would do."""
    halved = printed(unit, "movement") - allowance(unit)
    for_supply = way.cost <= budget + halved * ONE
    return faults.first_true(
        (unit.has("rail-only"), "wfm-5.28a"),
        (case.phase == "ger-mech" and len(way.steps) == 1, "wfm-5.24"),
        (for_supply and out_of_supply(unit), "wfm-9.52"),
        (for_supply, "wfm-9.53"),
        otherwise=_too_dear(case, field, unit, way, budget),
    )


def _too_dear(case: Case, field: Field, unit: Unit, way: Way, budget: int) -> str:
    """Named by the price without which the way could be paid."""
    items = [item for step in way.steps for item in step.items]
    prices = {
        _rule_of_leaving(way): leaving(way),
        "wfm-17.41" if _wants_free_rivers(case, unit) else "wfm-5.22a": _price_of(items, "hexside", "opened"),
        "wfm-5.27": _price_of(items, "doubled"),
        "wfm-5.25": excess(way, "mountain"),
        "wfm-5.21": sum(max(item.price - ONE, 0) for item in items if item.key == "terrain"),
    }
    return dearest(way.cost - budget, prices, "wfm-5.11")


def _rule_of_leaving(way: Way) -> str:
    """4.26, 4.27 and 5.41: of a zone left by the way, in which it began, or of several."""
    exits = [step for step in way.steps if any(item.key == LEAVE_ZONE for item in step.items)]
    return first_true(
        (len(exits) > 1, "wfm-5.41"),
        (exits[:1] == [*way.steps[:1]], "wfm-4.27"),
        otherwise="wfm-4.26a",
    )


def _price_of(items: Iterable[Item], *keys: str) -> int:
    return sum(item.price for item in items if item.key in keys)


def _wants_free_rivers(case: Case, unit: Unit) -> bool:
    """17.41 is for Germans only."""
    return rivers_are_ignored(case) and is_allied(unit)
