"""Chapter 9.1 to 9.20: what binds a march, what it costs, and which rule stands in its way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from validator.core.board import HexId, Mask, minus
from validator.core.costs import ONE, CostTable, Prices
from validator.core.movement import BUDGET, MoveRules, PathVerdict, Way, explain, find_way
from validator.core.paths import WHOLE
from validator.games.lwe.book import DRY, ENEMY, FROST, GERMAN, MUD, RAIN, SNOW, SOVIET
from validator.games.lwe.c06_stacking import LIMIT, load_of, strangers
from validator.games.lwe.c08_arrivals import RESERVE
from validator.games.lwe.course import NORTH, RIVERLESS, SOUTH, may_be
from validator.games.lwe.field import ROAD, Field, field_at_phase_start, field_of, mechanized, printed
from validator.games.lwe.lines import concentrated, german_lines, state_of, unmarked
from validator.games.lwe.state import Case, Trip, trip_of
from validator.model.events import Moved
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.marches import has_moved
from validator.procedures.moves import movers, note_the_way

ROMANIA = "romania"
FIRST_TURN = {True: 14, False: 7}  # 5.4: mechanized, and the others
RAIN_LOSS = {True: 2, False: 1}  # 10.4
ROAD_EXTRA = {True: 2, False: 1}  # 9.19
ONE_HEX = "one-hex"
CHAPTER_6 = frozenset({"overfull", "nations"})

# What the search calls a rule, and where the rulebook has it.
KEYS = {
    "enemy": "lwe-9.4a",
    "frozen": "lwe-5.4a",
    "romania": "lwe-5.4b",
    "overfull": "lwe-6.2a",
    "nations": "lwe-6.3a",
    "terrain:sea": "lwe-9.15a",
    "terrain:lake": "lwe-9.15a",
    "hexside:sea": "lwe-9.15a",
    "hexside:lake": "lwe-9.15a",
    "hexside:sivash": "lwe-9.16a",
    "hexside:strait": "lwe-9.16a",
    ONE_HEX: "lwe-7.6c",
}

# In weather in which players may have thought it open.
IN_WEATHER = {
    ("hexside:lake", FROST): "lwe-10.7b",
    ("terrain:lake", FROST): "lwe-10.7b",
    ("hexside:sivash", FROST): "lwe-10.6a",
    ("hexside:strait", FROST): "lwe-10.6a",
    ("hexside:sivash", SNOW): "lwe-10.7c",
    ("hexside:strait", SNOW): "lwe-10.7c",
}
BY_ROAD = {
    True: "lwe-9.19d",
    False: "lwe-9.19c",
}  # the extra hexes do not suffice: mechanized, and the others


# --- movement points ---------------------------------------------------------------------------


def full_allowance(case: Case, unit: Unit, turn: int) -> int:
    """What is printed; 14 or 7 for Germans in turn 1 (5.4)."""
    points = printed(unit, "movement")
    favored = turn == 1 and points > 0 and unit.has("german") and not _left_out(case, unit)
    return max(FIRST_TURN[mechanized(unit)], points) if favored else points


def _left_out(case: Case, unit: Unit) -> bool:
    """By choice the reserve has what is printed, and of the others all but infantry."""
    from_reserve = trip_of(case, unit).entered == RESERVE and case.option("turn-1-reserve") == "off"
    unfit = not (mechanized(unit) or unit.type.symbol == "infantry")
    return from_reserve or (unfit and case.option("turn-1-infantry") == "infantry")


def rain_loss(case: Case, field: Field, unit: Unit) -> int:
    """10.4, by the weather where the unit began the phase."""
    origin = _began(case, unit)
    wet = origin is not None and unit.side == GERMAN and field.weather(origin) == RAIN
    return RAIN_LOSS[mechanized(unit)] if wet else 0


def allowance(case: Case, field: Field, unit: Unit) -> int:
    return max(full_allowance(case, unit, case.turn) - rain_loss(case, field, unit), 0)


def _began(case: Case, unit: Unit) -> HexId | None:
    field = field_at_phase_start(case)
    trip = trip_of(case, unit)
    return field.id(unit.spot) if not has_moved(case, unit) else trip.origin


def supply_at_start(case: Case, field: Field, unit: Unit) -> str:
    """The state a German-side unit began its move in (7.7); nothing for Soviet units."""
    early = case.option("supply-moment") == "phase-start"
    noted = trip_of(case, unit).supply
    if noted or unit.side == SOVIET:
        return noted
    return state_of(case, unit, field_at_phase_start(case) if early else field)


def begins(case: Case, unit: Unit, origin: HexId) -> Trip:
    return Trip(origin, supply=supply_at_start(case, field_of(case), unit))


# --- what binds a unit -------------------------------------------------------------------------


def move_rules(case: Case, field: Field, unit: Unit, together: Sequence[Unit] = ()) -> MoveRules:
    """All that binds a unit in a march now."""
    trip = trip_of(case, unit)
    return MoveRules(
        costs=field.costs_for(unit),
        budget=allowance(case, field, unit) * ONE - trip.spent,
        enemy=field.occupied(ENEMY[unit.side]),
        zone=field.board.nowhere,
        forbidden=dict(_closed(case, field, unit, together or [unit])),
        one_hex=not has_moved(case, unit),
        whole=field.ground.crossings,
        moved=has_moved(case, unit),
    )


def _closed(case: Case, field: Field, unit: Unit, together: Sequence[Unit]) -> Iterator[tuple[str, Mask]]:
    """Hexes a unit may not enter, by the rule that closes them."""
    board, ground, here = field.board, field.ground, _began(case, unit)
    yield "overfull", _full(field, unit, together)
    if case.option("nations-in-passing") == "off":
        yield "nations", strangers(case, field, together)
    if case.turn == 1:
        home = ground.in_country(ROMANIA)
        began_at_home = unit.side == GERMAN and here is not None and home[here]
        closed = {SOVIET: home, GERMAN: ground.outside(ROMANIA) if began_at_home else board.nowhere}
        yield "romania" if unit.side == SOVIET else "frozen", closed[unit.side]
    if here is not None and unit.side == GERMAN and concentrated(case) and unmarked([unit]):
        new = unit.id in case.in_turn.arrived and case.option("concentration-entry") == "entry-only"
        yield ONE_HEX, minus(bytes([1]) * len(board), board.near([here], 0 if new else 1))


def _full(field: Field, unit: Unit, together: Sequence[Unit]) -> Mask:
    """Hexes with no room to pass; where a move ends is chapter 6's matter."""
    room = LIMIT - load_of(together)
    full = field.occupancy.fuller_than(unit.side, room)
    for hex_id in set(field.where(together).values()):
        others = [other for other in field.units(hex_id, unit.side) if other not in together]
        full[hex_id] = load_of(others) > room
    return full


def road_rules(case: Case, field: Field, unit: Unit, rules: MoveRules) -> MoveRules:
    """Along a Rollbahn from where the phase began, one or two hexes more (9.19)."""
    trip = trip_of(case, unit)
    extra = ROAD_EXTRA[mechanized(unit)] if trip.on_road and not trip.overruns else 0
    costs = _road_table(case, field, unit)
    return replace(rules, costs=costs, budget=rules.budget + extra * ONE, one_hex=False, whole=None)


def _road_table(case: Case, field: Field, unit: Unit) -> CostTable:
    prices = replace(field.costs_for(unit).prices, only_along=(ROAD,))
    key = (_road_table, prices.only_along, tuple(prices.terrain.items()))
    return case.once(key, lambda: CostTable(field.board, prices))


# --- judging a way -----------------------------------------------------------------------------


def best_way(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> PathVerdict:
    """The ordinary way or that along a Rollbahn; in weather that the log does not show, the cheapest."""
    if field.course.known:
        return _best_way(case, field, unit, way, event)
    verdicts = [_best_way(case, supposed, unit, way, event) for supposed in _suppositions(case, field)]
    legal = [verdict for verdict in verdicts if verdict.legal]
    return min(legal, key=lambda verdict: verdict.cost or 0) if legal else verdicts[0]


def _suppositions(case: Case, field: Field) -> Iterator[Field]:
    """Of weather that adds nothing to the cost, the mildest does for all."""
    mild = (DRY, RAIN, MUD)
    north, south = (
        [*[weather for weather in mild if weather in weathers][:1], *sorted(weathers - {*mild})]
        for weathers in (may_be(case, NORTH), may_be(case, SOUTH))
    )
    return (field.supposing(n, s, field.intact_lines) for n in north for s in south)


def _best_way(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> PathVerdict:
    """The ordinary way; or, if it fails, the one along a Rollbahn with its extra hexes."""
    rules = _shown(move_rules(case, field, unit, movers(case, event)), way[-1], event)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    if field is field_of(case):
        note_the_way(case, field, unit, rules, way, verdict)
    if verdict.legal or unit.side != GERMAN or not field.roads_open:
        return verdict
    along = explain(field.board, road_rules(case, field, unit, rules), way[0], way[-1], way[1:-1])
    if along.way is None:
        return along if _too_far_by_road(verdict, along) else verdict
    return along if _fed_all_along(case, field, along.way) else verdict


def _too_far_by_road(verdict: PathVerdict, along: PathVerdict) -> bool:
    """The road is the cheapest way, and its extra hexes do not suffice."""
    dear = [v.obstacle.way.cost for v in (verdict, along) if v.key == BUDGET and v.obstacle is not None]
    return len(dear) == 2 and dear[0] == dear[1]


def _fed_all_along(case: Case, field: Field, way: Way) -> bool:
    """In each hex as it is entered: what the unit has taken on its way is held by then."""
    position = case.position.supposing({field.board.hexes[h]: GERMAN for h in way.path})
    lines = german_lines(case, Field(field.ground, case, position))
    return all(lines.supplied(h) for h in way.path)


def _shown(rules: MoveRules, end: HexId, event: Moved) -> MoveRules:
    """As the log shows the move; whether it may end where it does is judged in chapter 6."""
    forbidden = {**rules.forbidden}
    for key in CHAPTER_6.intersection(forbidden):
        closed = bytearray(forbidden[key])
        closed[end] = 0
        forbidden[key] = closed
    return replace(rules, forbidden=forbidden, exact=not event.dragged)


def fault_of_way(
    case: Case, field: Field, unit: Unit, verdict: PathVerdict, way: list[HexId], event: Moved
) -> Fault:
    rule = rule_of(case, field, unit, verdict, way, event)
    return faults.of_path(field, unit, verdict, rule, KEYS)


def rule_of(
    case: Case, field: Field, unit: Unit, verdict: PathVerdict, way: list[HexId], event: Moved
) -> str:
    """The rule a way breaks: of points miscounted, the one by which they would have sufficed."""
    key, over = verdict.key or "", verdict.key == BUDGET
    if unit.has("airborne") and _as_if_flown(verdict):
        return "lwe-2.9b"
    if over and verdict.budget > move_rules(case, field, unit).budget:
        return BY_ROAD[mechanized(unit)]
    if over and verdict.obstacle is not None:
        return _miscounted(case, field, unit, verdict, way, event)
    weathers = {field.course.weather(NORTH), field.course.weather(SOUTH)}
    of_weather = (IN_WEATHER.get((key, weather)) for weather in (SNOW, FROST) if weather in weathers)
    return next(filter(None, of_weather), KEYS.get(key, "lwe-9.1a"))


def _as_if_flown(verdict: PathVerdict) -> bool:
    """Over what nobody walks over, or twice as far as it could have walked."""
    if verdict.key == BUDGET:
        return verdict.obstacle is not None and verdict.obstacle.way.cost > 2 * verdict.budget
    return verdict.key != "overfull"


def _miscounted(
    case: Case, field: Field, unit: Unit, verdict: PathVerdict, way: list[HexId], event: Moved
) -> str:
    rules = _shown(move_rules(case, field, unit, movers(case, event)), way[-1], event)
    assert verdict.obstacle is not None
    first, second = verdict.obstacle.way.path[:2]
    by_road = ROAD in field.board.line_of(first, second)
    for rule, wrong in _misreadings(case, field, unit, rules, movers(case, event), by_road=by_road):
        if find_way(field.board, wrong, way[0], way[-1], way[1:-1]) is not None:
            return rule
    return _of_plain_way(rules, verdict.obstacle.way)


def _of_plain_way(rules: MoveRules, way: Way) -> str:
    first, longer = way.steps[0], len(way.steps) > 1
    plain = all(step.price == ONE for step in way.steps)
    return faults.first_true(
        (longer and any(item.key == WHOLE for item in first.items), "lwe-9.16a"),
        (longer and first.price > rules.budget, "lwe-9.3a"),  # its one hex took all
        (plain and way.cost == rules.budget + ONE, "lwe-9.10a"),
        otherwise="lwe-9.1a",
    )


Misreading = tuple[str, MoveRules]


def _misreadings(
    case: Case, field: Field, unit: Unit, rules: MoveRules, stack: Sequence[Unit], *, by_road: bool
) -> Iterator[Misreading]:
    """The rules as a player might take them who forgot one of ours, and that one."""
    trip = trip_of(case, unit)
    if has_moved(case, unit):
        yield _spent_rule(trip), replace(rules, budget=rules.budget + trip.spent)
    yield from _of_allowance(case, field, unit, rules, stack)
    yield from _of_roads(field, unit, rules, by_road=by_road)
    yield from _of_weather(field, unit, rules)
    yield from _of_rivers(case, field, unit, rules)
    yield from _of_terrain(field, rules)


def _spent_rule(trip: Trip) -> str:
    return faults.first_true(
        (trip.overruns, "lwe-9.28a"),
        (trip.entered, "lwe-3.5c"),
        (trip.whole and trip.crossed, "lwe-9.16a"),
        (trip.whole, "lwe-9.3a"),
        otherwise="lwe-9.2a",
    )


def _of_allowance(
    case: Case, field: Field, unit: Unit, rules: MoveRules, stack: Sequence[Unit]
) -> Iterator[Misreading]:
    now = allowance(case, field, unit)
    lost, first = rain_loss(case, field, unit), FIRST_TURN[mechanized(unit)]
    fastest = max(allowance(case, field, other) for other in stack)
    ally = case.turn == 1 and unit.has("satellite")
    favored = unit.side == GERMAN and (case.turn == 2 or ally)
    more = (
        ("lwe-10.4a", lost),
        ("lwe-5.4d", (first - now) * favored),
        ("lwe-9.7a", fastest - now),
    )
    for rule, points in more:
        if points > 0:
            yield rule, replace(rules, budget=rules.budget + points * ONE)


def _of_roads(field: Field, unit: Unit, rules: MoveRules, *, by_road: bool) -> Iterator[Misreading]:
    """Only a unit that sets out along a Rollbahn can have been meant to go the extra hexes."""
    with_roads = field.ground.costs(unit.type.mobility, field.course, roads=True)
    if unit.side == SOVIET:
        yield "lwe-9.19b", replace(rules, costs=with_roads)
        return
    if not field.roads_open:
        yield "lwe-10.10a", replace(rules, costs=with_roads)
        return
    hexes_alike = CostTable(
        field.board,
        rules.costs.prices,
        regions=[(field.ground.roads, Prices(hexsides=_only_bans(rules.costs.prices.hexsides)))],
    )
    yield "lwe-9.19a", replace(rules, costs=hexes_alike)
    if by_road:
        extra = ROAD_EXTRA[mechanized(unit)] * ONE
        yield BY_ROAD[mechanized(unit)], replace(rules, budget=rules.budget + extra)


def _only_bans(hexsides: Mapping[str, int | None]) -> dict[str, int | None]:
    return {kind: price if price is None else 0 for kind, price in hexsides.items()}


def _of_weather(field: Field, unit: Unit, rules: MoveRules) -> Iterator[Misreading]:
    weathers = {field.course.weather(NORTH), field.course.weather(SOUTH)}
    prices = rules.costs.prices
    dry = Prices.from_table(field.ground.table, field.board, unit.type.mobility, "dry")
    if MUD in weathers:
        rivers = replace(prices, hexsides={**prices.hexsides, "river": dry.hexsides.get("river")})
        yield "lwe-10.5b", replace(rules, costs=CostTable(field.board, rivers))
        ground = replace(prices, terrain=dry.terrain, places=dry.places, other=dry.other)
        yield "lwe-10.5a", replace(rules, costs=CostTable(field.board, ground))
    if SNOW in weathers:
        frost = Prices.from_table(field.ground.table, field.board, unit.type.mobility, FROST)
        ground = replace(prices, terrain=frost.terrain, places=frost.places)
        yield "lwe-10.7a", replace(rules, costs=CostTable(field.board, ground))


def _of_rivers(case: Case, field: Field, unit: Unit, rules: MoveRules) -> Iterator[Misreading]:
    prices = rules.costs.prices
    river = prices.hexsides.get("river")
    if not river:
        return
    soviet_early = unit.side == SOVIET and case.turn in RIVERLESS
    free = CostTable(field.board, prices.hexsides_at({"river": 0}))
    rule = "lwe-5.4c" if soviet_early else "lwe-9.14a"
    open_way = replace(rules, costs=free)
    if not soviet_early:
        yield "lwe-9.20a", replace(rules, costs=_either(field, prices))
    yield rule, open_way


def _either(field: Field, prices: Prices) -> CostTable:
    """As if hexes of dear terrain were entered without their river."""
    dear = field.board.mask(
        h for h, t in enumerate(field.board.terrain) if (prices.terrain.get(t) or 0) > ONE
    )
    return CostTable(field.board, prices, regions=[(dear, prices.hexsides_at({"river": 0}))])


def _of_terrain(field: Field, rules: MoveRules) -> Iterator[Misreading]:
    prices = rules.costs.prices
    clear = prices.terrain.get("clear", ONE)
    towns = field.board.mask(field.board.with_place("small-town", "large-town"))
    rough = ("forest", "hills", "marsh")
    in_towns = prices.terrain_at(dict.fromkeys(rough, clear))
    yield "lwe-9.18a", replace(rules, costs=CostTable(field.board, prices, regions=[(towns, in_towns)]))
    for rule, kind in (("lwe-9.13a", "marsh"), ("lwe-9.12a", "hills"), ("lwe-9.11a", "forest")):
        alike = prices.alike({kind: "clear"})
        yield rule, replace(rules, costs=CostTable(field.board, alike))
