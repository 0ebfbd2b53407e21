"""Chapters 4.2 and 5: zones of control in movement, movement by land, strategic and sea movement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from validator.core import explain as say
from validator.core.board import HexId, Mask, minus
from validator.core.capacity import Load
from validator.core.costs import ONE, Item, points_text
from validator.core.movement import BUDGET, LEAVE_ZONE, MoveRules, PathStep, PathVerdict, Way, explain
from validator.core.sea import SeaRules, check_voyage
from validator.core.strategic import strategic_rules
from validator.events import Moved
from validator.findings import Fault, Verdict
from validator.games.wfm import travel
from validator.games.wfm.book import AXIS, ENEMY, RULES, SOVIET
from validator.games.wfm.c09_supply import supplied_mask
from validator.games.wfm.control import friendly_ports
from validator.games.wfm.field import MUD, SNOW, Field, field_at_phase_start, field_of, printed
from validator.games.wfm.partisans import AIR_FLEET, hindering, markers_on_hexes
from validator.games.wfm.status import out_of_supply, unsupplied
from validator.games.wfm.travel import LAST, MARCH, SEA, STRATEGIC, Trip, journal, record
from validator.position import Unit
from validator.referee import Case
from validator.registry import Faults

PHASES = {"axis-move": AXIS, "sov-move": ENEMY[AXIS], "ger-mech": AXIS}
LEAVING = 3 * ONE

# What the search calls a rule, and where the rulebook has it.
KEYS = {
    "enemy": "wfm-5.32a",
    "zone-to-zone": "wfm-4.26b",
    "escort": "wfm-4.28",
    "never-zone": "wfm-5.28b",
    "nationality": "wfm-4.15a",
    "off-line": "wfm-5.28a",
    "hexside:ice-road": "wfm-5.26a",
    "hexside:causeway": "wfm-9.44",
    "too-near": "wfm-5.62",
    "out-of-supply": "wfm-5.67",
}


def by_land(event: Moved) -> bool:
    """A move from hex to hex that is no retreat and no advance."""
    return event.mode not in travel.AFTER_COMBAT and not any(isinstance(spot, str) for spot in event.path)


def movers(case: Case, event: Moved) -> list[Unit]:
    return [case.position.units[name] for name in event.units]


# --- who may move, and when --------------------------------------------------------------------


@RULES.rule("wfm-5.31")
@RULES.before(Moved, phases=PHASES)
def only_the_phasing_side_moves(case: Case, event: Moved) -> Faults:
    for unit in movers(case, event) if by_land(event) else ():
        if unit.side != PHASES[case.phase]:
            yield Fault("wfm-5.31", f"{unit.id} moves in the other side's phase", (unit.id,))


@RULES.rule("wfm-5.35")
@RULES.before(Moved, phases=["ger-mech"])
def only_panzers_move_in_the_mechanized_phase(case: Case, event: Moved) -> Faults:
    for unit in movers(case, event) if by_land(event) else ():
        if unit.side == AXIS and not unit.has("panzer"):
            yield Fault("wfm-5.35", f"{unit.id} is no panzer unit", (unit.id,))


@RULES.rule("wfm-5.14")
@RULES.before(Moved)
def units_without_movement_points_stay(case: Case, event: Moved) -> Faults:
    for unit in movers(case, event):
        if printed(unit, "movement") == 0 and not isinstance(event.end, str):
            yield Fault("wfm-5.14", f"{unit.id} has no movement points", (unit.id,))


@RULES.rule("wfm-5.12a", "wfm-5.12b", "wfm-5.16")
@RULES.before(Moved, phases=PHASES)
def a_stack_moves_once_and_together(case: Case, event: Moved) -> Faults:
    """Only units that began in one hex go as a stack; a unit let go, or dropped, has finished."""
    if not by_land(event):
        return
    book = journal(case)
    units = movers(case, event)
    begun = {case.phase_start.units[unit.id].spot for unit in units}
    if len(begun) > 1:
        yield Fault("wfm-5.12a", "units that began in different hexes move as one stack", event.units)
    for unit in units:
        trip = book.trips.get(unit.id)
        if trip is None or (trip.overran and not trip.ended):
            continue
        if trip.ended:
            continue  # the overrun's own rule speaks
        if unit.id in book.last_moved and len(book.last_moved) > len(units):
            continue  # the stack goes on and drops units on the way
        if unit.id not in book.last_moved:
            rule = "wfm-5.12b" if _was_dropped(book.trips, unit.id) else "wfm-5.16"
            yield Fault(rule, f"{unit.id} had finished its movement and moves again", (unit.id,))


def _was_dropped(trips: dict[str, Trip], name: str) -> bool:
    return sum(trip.origin == trips[name].origin for trip in trips.values()) > 1


@RULES.rule("wfm-3.0c", "wfm-5.33")
@RULES.after(Moved, phases=PHASES)
def kinds_of_movement_keep_their_order(case: Case, event: Moved) -> Faults:
    """Sea, strategic, ordinary movement, and last the airbases or support groups."""
    if not by_land(event) or case.phase == "ger-mech":
        return
    book = journal(case)
    for unit in movers(case, event):
        mode = (
            LAST if unit.has("moves-last") else book.trips[unit.id].mode if unit.id in book.trips else MARCH
        )
        stage = travel.STAGES[mode]
        if stage < book.stage:
            rule = "wfm-5.33" if book.stage == travel.STAGES[LAST] else "wfm-3.0c"
            later, now = travel.STAGE_NAMES[book.stage], travel.STAGE_NAMES[stage]
            yield Fault(rule, f"{unit.id}: {now} after {later} had begun", (unit.id,))
        book.stage = max(book.stage, stage)


# --- the move itself ----------------------------------------------------------------------------


@RULES.rule(
    *KEYS.values(), "wfm-5.11", "wfm-4.26a", "wfm-4.27", "wfm-5.21", "wfm-5.22a", "wfm-5.22b", "wfm-5.24"
)
@RULES.rule("wfm-5.25", "wfm-5.27", "wfm-5.41", "wfm-5.64", "wfm-5.66", "wfm-9.52", "wfm-9.53", "wfm-11.23")
@RULES.rule(
    "wfm-5.51", "wfm-5.53a", "wfm-5.53b", "wfm-5.54", "wfm-5.57a", "wfm-5.57b", "wfm-5.58", "wfm-5.61"
)
@RULES.before(Moved, phases=PHASES)
def the_way_is_open_and_affordable(case: Case, event: Moved) -> Faults:
    """As declared; a move that declares nothing may be ordinary, strategic or by sea."""
    if not by_land(event):
        return
    field = field_of(case)
    path = [field.id(spot) for spot in event.path]
    if any(hex_id is None for hex_id in path):
        yield Fault("wfm-5.22b", f"{'+'.join(event.units)} leaves the map in play", event.units)
        return
    way = travel.entered(case, event.units, [hex_id for hex_id in path if hex_id is not None])
    able = [unit for unit in movers(case, event) if printed(unit, "movement")]
    for unit in able if len(way) > 1 else ():
        mode, faults = _best_mode(case, field, unit, way, event)
        yield from faults
        spent = _spent(case, field, unit, way, event) if mode == MARCH else 0
        record(case, unit, way[0], mode, spent)
        if mode == SEA:
            journal(case).ships.book(_load(unit, way))
    journal(case).last_moved = event.units


def _best_mode(
    case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> tuple[str, list[Fault]]:
    """How a unit moved, and what is wrong with it: the first way of moving that fits, else the likeliest."""
    known = {SEA: by_sea, STRATEGIC: strategically}
    if event.mode in known:
        return event.mode, list(known[event.mode](case, field, unit, way, event))
    marched = list(marching(case, field, unit, way, event))
    if not marched or event.mode == MARCH:
        return MARCH, marched
    for mode, judge in known.items():
        if not list(judge(case, field, unit, way, event)):
            return mode, []
    return MARCH, marched


# --- by land ---


def allowance(unit: Unit) -> int:
    """Movement points now: halved, rounded up, for want of supply (9.52, 9.53)."""
    full = printed(unit, "movement")
    return -(-full // 2) if unsupplied(unit) else full


def move_rules(case: Case, field: Field, unit: Unit, together: Iterable[Unit] = ()) -> MoveRules:
    """All that binds a unit in ordinary movement as things stand."""
    trip = journal(case).trips.get(unit.id)
    zones = field.enemy_zones(unit.side)
    panzer = unit.has("panzer")
    free_rivers = case.turn == 1 and unit.has("german") and "rivers-ignored" in _special(case)
    costs = field.ground.costs(unit, field.season, free_rivers)
    return MoveRules(
        costs=costs,
        budget=(3 if unit.has("rail-only") else allowance(unit)) * ONE - (trip.spent if trip else 0),
        enemy=field.occupied(ENEMY[unit.side]),
        zone=zones.mask,
        forbidden=dict(_closed(field, unit, list(together))),
        leave_zone=LEAVING,
        zone_to_zone=panzer,
        one_hex=_may_always_step(case, field, unit),
        moved=trip is not None,
    )


def _special(case: Case) -> set[str]:
    return {rule.id for rule in case.scenario.special_rules}


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
        held = field.board.mask(h for h, other in field.of_side(unit.side) if field.has_zone(other))
        yield "escort", minus(field.enemy_zones(unit.side).mask, held)
    if unit.side == AXIS and not unit.has("german"):
        strangers = (h for h, other in field.of_side(AXIS) if _stranger(unit, other))
        yield "nationality", field.board.mask(strangers)


def _stranger(unit: Unit, other: Unit) -> bool:
    return not other.has("german") and other.nationality != unit.nationality


def marching(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    rules = move_rules(case, field, unit, movers(case, event))
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    if not verdict.legal:
        yield _fault(case, field, unit, verdict)
    trip = journal(case).trips.get(unit.id)
    if trip is not None and trip.mode in (SEA, STRATEGIC):
        rule = "wfm-5.53b" if trip.mode == SEA else "wfm-5.61"
        yield Fault(rule, f"{unit.id} moved by {trip.mode} movement in this phase already", (unit.id,))
    elif STRATEGIC in travel.modes_of_turn(case).get(unit.id, ()) and case.phase == "ger-mech":
        yield from _panzer_twice(case, unit)


def _panzer_twice(case: Case, unit: Unit) -> Iterator[Fault]:
    if case.option("strategic-panzer") == "turn":
        text = f"{unit.id} used strategic movement in its other phase"
        yield Fault("wfm-5.61b", text, (unit.id,), verdict=Verdict.WARNING)


def _fault(case: Case, field: Field, unit: Unit, verdict: PathVerdict) -> Fault:
    """The rule that stands in the way, with the way that shows it."""
    words = field.ground.wording
    obstacle = verdict.obstacle
    evidence: dict[str, object] = {"available": points_text(verdict.budget)}
    if obstacle is not None:
        evidence |= {
            "path": [field.board.hexes[h] for h in obstacle.way.path],
            "steps": say.way_text(words, obstacle.way).split("; "),
            "breaks": [KEYS.get(key, key) for key in obstacle.keys],
        }
    ends = (field.board.hexes[verdict.start], field.board.hexes[verdict.target])
    rule = _rule_of(case, field, unit, verdict)
    return Fault(rule, f"{unit.id}: {say.path_text(words, verdict)}", (unit.id,), ends, evidence)


def _rule_of(case: Case, field: Field, unit: Unit, verdict: PathVerdict) -> str:
    key = verdict.key
    if key is None:
        return "wfm-5.22b"
    if key == "hexside:ice-road" and field.season == SNOW and unit.side == SOVIET:
        return "wfm-11.23"
    if key == BUDGET and verdict.obstacle is not None:
        halved = printed(unit, "movement") - allowance(unit)
        if case.phase == "ger-mech" and len(verdict.obstacle.way.steps) == 1:
            return "wfm-5.24"
        if verdict.obstacle.way.cost <= verdict.budget + halved * ONE:
            return "wfm-9.52" if out_of_supply(unit) else "wfm-9.53"
        return _dearest(case, field, unit, verdict.obstacle.way, verdict.budget)
    return KEYS.get(key, "wfm-5.22b")


def _dearest(case: Case, field: Field, unit: Unit, way: Way, budget: int) -> str:
    """Too dear a way is named by the price without which it could be paid."""
    over = way.cost - budget
    items = [(step, item) for step in way.steps for item in step.items]
    exits = [step for step, item in items if item.key == LEAVE_ZONE]
    if len(exits) * LEAVING >= over:
        if len(exits) > 1:
            return "wfm-5.41"
        return "wfm-4.27" if exits[0] is way.steps[0] else "wfm-4.26a"
    prices = {
        "wfm-5.22a": sum(item.price for _, item in items if item.key in ("hexside", "opened")),
        "wfm-5.27": sum(item.price for _, item in items if item.key == "doubled"),
        "wfm-5.25": _above_one(items, ("mountain",)),
        "wfm-5.21": _above_one(items, None),
    }
    return next((rule for rule, price in prices.items() if price >= over), "wfm-5.11")


def _above_one(items: Sequence[tuple[PathStep, Item]], kinds: tuple[str, ...] | None) -> int:
    """What terrain costs beyond one point a hex."""
    chosen = (item for _, item in items if item.key == "terrain" and (kinds is None or item.subject in kinds))
    return sum(max(item.price - ONE, 0) for item in chosen)


def _spent(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> int:
    """What the cheapest way cost; all there was, if there is no legal one."""
    rules = move_rules(case, field, unit, movers(case, event))
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    return rules.budget if verdict.cost is None or verdict.minimum else verdict.cost


# --- strategic movement (5.6) ---

STRATEGIC_HEXES = 25


def strategically(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    yield from may_use_strategic(case, unit)
    rules = strategic_move_rules(case, field, unit)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    if not verdict.legal:
        fault = _fault(case, field, unit, verdict)
        keys = verdict.obstacle.keys if verdict.obstacle else ()
        rule = next((KEYS[key] for key in ("too-near", "out-of-supply") if key in keys), "wfm-5.64")
        yield Fault(rule, fault.message, fault.units, fault.hexes, fault.evidence)


def strategic_move_rules(case: Case, field: Field, unit: Unit) -> MoveRules:
    """25 hexes, away from the enemy and in supply all the way (5.62 to 5.67)."""
    table = field.ground.rail_table if unit.has("rail-only") else field.ground.strategic_table
    closed = {"out-of-supply": minus(field.board.mask(range(len(field.board))), supplied_mask(case, unit))}
    enemies = _distance_units(case, field, unit)
    return strategic_rules(table, STRATEGIC_HEXES, enemies, _distance(case), closed)


def may_use_strategic(case: Case, unit: Unit) -> Iterator[Fault]:
    used = travel.modes_of_turn(case).get(unit.id, set())
    if unit.id in journal(case).trips:
        yield Fault("wfm-5.61", f"{unit.id} has moved in this phase already", (unit.id,))
    elif used and case.phase == "ger-mech" and case.option("strategic-panzer") == "turn":
        yield Fault("wfm-5.61", f"{unit.id} has moved in its other phase already", (unit.id,))
    if not (unit.has("strategic") or (unit.has("strategic-mud") and case.season == MUD)):
        yield Fault("wfm-5.66", f"{unit.id} may not use strategic movement", (unit.id,))
    if unsupplied(unit):
        yield Fault("wfm-5.67", f"{unit.id} is out of supply", (unit.id,))


def _distance(case: Case) -> int:
    return int(case.option("strategic-distance"))


def _distance_units(case: Case, field: Field, unit: Unit) -> list[HexId]:
    """The enemies that distance is kept from; fleets and partisans that are felt count too (9.84, 10.24)."""
    all_units = case.option("distance-units") == "all"
    hexes = [h for h, other in field.of_side(ENEMY[unit.side]) if all_units or field.has_zone(other)]
    if unit.side == AXIS:
        return [*hexes, *hindering(case, field)]
    fleets = (field.id(hex_) for _, hex_ in markers_on_hexes(case, AIR_FLEET))
    return [*hexes, *(h for h in fleets if h is not None)]


# --- sea movement (5.5) ---


def sea_rules(case: Case, field: Field, unit: Unit) -> SeaRules:
    return SeaRules(
        field.ground.ports(case.option("azov-ports") == "on"),
        friendly_ports(case, field, unit.side),
        {"wfm-5.57b": field.ground.winter_ports} if case.season == SNOW else {},
    )


def by_sea(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    if case.phase == "ger-mech":
        yield Fault("wfm-5.51", "no unit moves by sea in mechanized movement", (unit.id,))
    if not unit.has("sea-transport"):
        yield Fault("wfm-5.54", f"{unit.id} may not move by sea", (unit.id,))
    if unit.id in journal(case).trips:
        yield Fault("wfm-5.53b", f"{unit.id} has moved in this phase already", (unit.id,))
    rules = sea_rules(case, field, unit)
    breaches = check_voyage(rules, way[0], way[-1])
    if breaches:
        breach = breaches[0]
        black = "black-sea" in rules.ports.get(way[0], ())
        found = {"other-sea": "wfm-5.58" if black else "wfm-5.57a", "wfm-5.57b": "wfm-5.57b"}
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        text = f"{unit.id}: {say.breach_text(field.ground.wording, breach)}"
        yield Fault(found.get(breach.key, "wfm-5.53a"), text, (unit.id,), hexes)
    for breach in journal(case).ships.check(_load(unit, way)):
        text = f"{'+'.join(breach.units)}: one unit a phase moves by sea"
        yield Fault("wfm-5.51", text, breach.units)


def _load(unit: Unit, way: list[HexId]) -> Load:
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)), (way[0], way[-1]))
