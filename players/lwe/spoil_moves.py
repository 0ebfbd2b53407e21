"""Faults of movement: too far, into what is closed, by whom and when it may not be, by sea."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from players.faults import Edit
from players.lwe.mutations import CONCENTRATION, LIMIT, STRAITS, WATER, Place, fault
from players.lwe.supply import SupplyMap
from validator.core.board import HexId
from validator.games.lwe.book import ENEMY, GERMAN, GERMAN_MOVE, MOVING, SNOW, SOVIET
from validator.games.lwe.field import Field, printed
from validator.model.events import Moved, Placed, Removed
from validator.model.position import Unit

COSTS = tuple(f"9.{n}a" for n in (1, 2, 3, 7, 10, 11, 12, 13, 14, 15, 16, 19, 20, 28))
COSTS = (*COSTS, "9.19b", "9.19c", "9.19d", "2.9b", "5.4c", "5.4d")
WEATHER_COSTS = tuple(f"10.{rule}" for rule in ("4a", "5a", "5b", "6a", "7a", "7b", "7c", "10a"))
FOREST = (*COSTS, *WEATHER_COSTS)


def longest(place: Place, unit: Unit) -> int:
    """More hexes than any unit of its kind could go, on whatever ground."""
    fast = unit.type.mobility == "mechanized"
    points = printed(unit, "movement")
    if place.turn == 1 and unit.side == GERMAN:
        points = max(points, 14 if fast else 7)
    return points + ((2 if fast else 1) if unit.side == GERMAN else 0)


def idle(place: Place, wanted: Callable[[Unit], bool] = lambda unit: True) -> Iterator[Unit]:
    """Units of the side that moves, with nothing done, as the phase ends; out of no concentration."""
    side = place.mover()
    if side is None:
        return
    held = side == GERMAN and any(CONCENTRATION in u.marks for u in place.units(GERMAN))
    for unit in place.any(place.fresh(side)):
        if wanted(unit) and (not held or CONCENTRATION in unit.marks):
            yield unit


def steps(place: Place, unit: Unit) -> list[HexId]:
    """Plain ground beside a unit with room for it, still fed."""
    here = place.hex_id(unit)
    near = [h for h in place.beside(here) if place.free(h, unit.side, unit)]
    frozen = place.turn == 1 and place.field.ground.country(here) != "romania"
    near = [h for h in near if not (frozen and place.field.ground.country(h) == "romania")]
    return [h for h in near if unit.side == SOVIET or place.supply.fed(h)]


def first_step(place: Place, units: Iterator[Unit] | list[Unit]) -> Iterator[Edit]:
    """The first of some units that has a plain step to go, goes it."""
    for unit in units:
        near = steps(place, unit)
        if near:
            yield 0, [place.move(unit, place.random.choice(near))]


# --- too far, or into what is closed ---------------------------------------------------------------------


@fault(*FOREST, "7.6c", "7.16a", "6.2a")
def a_march_too_far(place: Place) -> Iterator[Edit]:
    for unit in idle(place):
        start, most, board = place.hex_id(unit), longest(place, unit), place.field.board
        ends = place.hexes(lambda h: most < board.distance(start, h) <= most + 3 and place.empty(h))  # noqa: B023
        if ends:
            yield 0, [place.move(unit, place.random.choice(ends))]


@fault("9.2a", "9.3a", "9.28a", "7.16a", "9.16a", *FOREST)
def a_second_march_with_points_long_spent(place: Place) -> Iterator[Edit]:
    """As many hexes again: both ways together are more than the unit has."""
    came = place.arrived()
    for event in place.case.in_phase.events if place.mover() else ():
        if not isinstance(event, Moved) or len(event.units) > 1 or event.units[0] in came:
            continue
        unit, board = place.position.units[event.units[0]], place.field.board
        start, here = place.field.id(event.start), place.field.id(unit.spot)
        if start is None or here is None or event.mode == "sea" or not printed(unit, "movement"):
            continue
        gone, most = board.distance(start, here), longest(place, unit)
        again = most - gone + 1
        ends = place.hexes(lambda h: board.distance(here, h) == again and place.empty(h))  # noqa: B023
        if gone * 2 >= most and ends:
            yield 0, [place.move(unit, place.random.choice(ends))]


@fault("9.4a", "2.9b")
def a_march_into_the_enemy(place: Place) -> Iterator[Edit]:
    for unit in idle(place):
        enemies = place.enemies(unit.side)
        near = [h for h in place.beside(place.hex_id(unit)) if h in enemies]
        if near:
            yield 0, [place.move(unit, place.random.choice(near))]


@fault("9.15a", "10.7b", "2.9b")
def a_march_over_water(place: Place) -> Iterator[Edit]:
    for unit in idle(place):
        board, here = place.field.board, place.hex_id(unit)
        if SNOW in (place.course.north, place.course.south):
            return
        dry = _walkable(place, here, longest(place, unit))
        over = [h for h in board.adjacent[here] if h not in dry and place.empty(h)]
        over = [h for h in over if not place.crossed(here, h) & STRAITS]
        if over:
            yield 0, [place.move(unit, place.random.choice(over))]


def _walkable(place: Place, start: HexId, most: int) -> set[HexId]:
    """Hexes that can be walked to over land alone, so many steps away at most."""
    board, found = place.field.board, {start}
    edge = found
    for _ in range(most):
        near = {(a, b) for a in edge for b in board.adjacent[a] if board.terrain[b] not in WATER}
        edge = {b for a, b in near if not place.crossed(a, b) & {*WATER, *STRAITS}} - found
        found = found | edge
    return found


@fault("9.16a", "10.6a", "10.7c", *COSTS)
def a_crossing_of_a_strait_on_the_way(place: Place) -> Iterator[Edit]:
    """The crossing is made from its hexes, as the whole move (9.16)."""
    board = place.field.board
    for unit in idle(place):
        here = place.hex_id(unit)
        if SNOW in (place.course.north, place.course.south):
            return
        for middle in steps(place, unit):
            far = [h for h in board.adjacent[middle] if place.crossed(middle, h) & STRAITS]
            dry = _walkable(place, middle, longest(place, unit)) if far else set()
            far = [h for h in far if h not in dry]
            if far and here not in far and place.empty(far[0]):
                yield 0, [place.move(unit, middle, far[0])]


@fault("6.1a", "6.2a", "6.2c", "6.5a")
def a_hex_too_full(place: Place) -> Iterator[Edit]:
    for unit in idle(place):
        for end in place.beside(place.hex_id(unit)):
            there = place.field.units(end, unit.side)
            alike = all(u.has("german") == unit.has("german") for u in there)
            full = place.load(end, unit.side) + unit.type.stacking > LIMIT
            if there and alike and full and (unit.side == SOVIET or place.supply.fed(end)):
                yield 0, [place.move(unit, end)]


@fault("6.2a")
def a_march_through_a_full_hex(place: Place) -> Iterator[Edit]:
    board = place.field.board
    for unit in idle(place, lambda u: printed(u, "movement") >= 4):
        here = place.hex_id(unit)
        for middle in place.beside(here):
            there = place.field.units(middle, unit.side)
            full = there and place.load(middle, unit.side) + unit.type.stacking > LIMIT
            ends = [h for h in place.beside(middle) if place.empty(h) and board.distance(here, h) == 2]
            ends = [h for h in ends if board.terrain[h] == board.terrain[middle] == "clear"]
            if full and ends:
                yield 0, [place.move(unit, middle, place.random.choice(ends))]


@fault("6.3a", "6.3c", "1.5a", "6.3b")
def nations_in_one_hex(place: Place) -> Iterator[Edit]:
    if place.phase != GERMAN_MOVE:
        return
    for unit in idle(place):
        for end in place.beside(place.hex_id(unit)):
            there = place.field.units(end, GERMAN)
            strangers = [u for u in there if u.has("satellite") and not u.has("armor")]
            room = place.load(end, GERMAN) + unit.type.stacking <= LIMIT
            if strangers and room and place.supply.fed(end):
                yield 0, [place.move(unit, end)]


# --- supply and movement (7.6, 7.7, 7.16) -----------------------------------------------------------------


@fault("7.7a")
def a_march_out_of_supply(place: Place) -> Iterator[Edit]:
    if place.mover() == GERMAN:
        gone = place.gone() | place.arrived()
        cut = place.units(GERMAN, lambda u: printed(u, "movement") > 0 and u.id not in gone)
        for unit in place.any(u for u in cut if not place.fed(u)):
            near = [h for h in place.beside(place.hex_id(unit)) if place.empty(h)]
            if near:
                yield 0, [place.move(unit, place.random.choice(near))]


@fault("7.16a")
def a_march_into_a_hex_out_of_supply(place: Place) -> Iterator[Edit]:
    if place.mover() != GERMAN:
        return
    for unit in idle(place):
        near = [h for h in place.beside(place.hex_id(unit)) if place.empty(h) and not place.supply.fed(h)]
        for end in near:
            if not _fed_once_there(place, unit, end):
                yield 0, [place.move(unit, end)]


def _fed_once_there(place: Place, unit: Unit, end: HexId) -> bool:
    position = place.position.copy()
    position.put(unit.id, place.hex(end))
    position.control[place.hex(end)] = unit.side
    after = Field(place.field.ground, place.case, position)
    return SupplyMap(place.case, after).fed(end)


@fault("7.6c")
def a_long_march_beside_a_concentration(place: Place) -> Iterator[Edit]:
    if place.mover() != GERMAN or not any(CONCENTRATION in u.marks for u in place.units(GERMAN)):
        return
    board = place.field.board
    for unit in place.any(u for u in place.fresh(GERMAN) if CONCENTRATION not in u.marks):
        start = place.hex_id(unit)
        for middle in steps(place, unit):
            ends = [h for h in place.beside(middle) if board.distance(start, h) == 2 and place.empty(h)]
            if ends and printed(unit, "movement") >= 8:
                yield 0, [place.move(unit, middle, place.random.choice(ends))]


# --- who moves, and when ------------------------------------------------------------------------------


@fault("9.1b")
def the_other_side_moves(place: Place) -> Iterator[Edit]:
    side = MOVING.get(place.phase)
    if side and place.ends:
        yield from first_step(place, list(place.any(place.fresh(ENEMY[side]))))


OWN = {"german-refit-start": GERMAN, "german-new-units": GERMAN, "soviet-new-units": SOVIET}


@fault("5.1a")
def a_march_in_another_phase(place: Place) -> Iterator[Edit]:
    side = OWN.get(place.phase)
    if side and place.ends:
        yield from first_step(place, list(place.any(place.fresh(side))))


@fault("9.3c", "2.9a")
def a_static_unit_moves(place: Place) -> Iterator[Edit]:
    if place.mover() == SOVIET:
        yield from first_step(place, list(place.any(place.units(SOVIET, lambda u: u.has("static")))))


@fault("9.17f")
def the_coastal_army_marches(place: Place) -> Iterator[Edit]:
    if place.mover() == SOVIET:
        gone, ports = place.gone(), set(place.field.board.with_feature("coastal-supply"))
        for unit in place.units(SOVIET, lambda u: u.has("coastal-army") and u.id not in gone):
            near = [h for h in steps(place, unit) if h not in ports]
            if near:
                yield 0, [place.move(unit, place.random.choice(near))]


@fault("8.11c")
def a_refitting_unit_moves(place: Place) -> Iterator[Edit]:
    if place.mover() == GERMAN:
        yield from first_step(place, list(place.any(place.units(GERMAN, lambda u: "refit" in u.marks))))


@fault("8.2d")
def an_arrival_in_a_town_moves_on(place: Place) -> Iterator[Edit]:
    if place.mover() == GERMAN:
        west, came = set(place.field.ground.edge("west")), place.arrived()
        units = place.units(GERMAN, lambda u: u.id in came and u.counter.setup not in ("*", "**"))
        units = [u for u in units if place.hex_id(u) not in west and u.id not in place.gone()]
        placed = {e.unit for e in place.case.in_turn.events if isinstance(e, Placed) and place.turn > 2}
        yield from first_step(place, [u for u in units if u.id in placed])


@fault("9.31a", "5.4a")
def satellites_north_of_the_line(place: Place) -> Iterator[Edit]:
    """A corps of satellites ends its move beyond the sector: carried there by a march of one hex."""
    if place.mover() != GERMAN or place.turn == 1:
        return
    south, gone = place.south(), place.gone() | place.arrived()
    units = place.units(GERMAN, lambda u: u.has("satellite") and u.id not in gone and place.fed(u))
    for unit in place.any(units):
        near = [h for h in place.beside(place.hex_id(unit)) if h not in south and place.empty(h)]
        near = [h for h in near if place.supply.fed(h)]
        if near:
            yield 0, [place.move(unit, place.random.choice(near))]


@fault("5.4a")
def romania_is_left_in_turn_1(place: Place) -> Iterator[Edit]:
    if place.mover() == GERMAN and place.turn == 1:
        yield from _over_the_border(place, GERMAN, "romania")


@fault("5.4b")
def soviets_enter_romania_in_turn_1(place: Place) -> Iterator[Edit]:
    if place.mover() == SOVIET and place.turn == 1:
        yield from _over_the_border(place, SOVIET, "soviet-union")


def _over_the_border(place: Place, side: str, home: str) -> Iterator[Edit]:
    ground, board, gone = place.field.ground, place.field.board, place.gone()
    for unit in place.any(place.units(side, lambda u: printed(u, "movement") > 0 and u.id not in gone)):
        here = place.hex_id(unit)
        if ground.country(here) != home:
            continue
        near = [h for h in board.adjacent[here] if board.terrain[h] not in WATER and place.empty(h)]
        near = [h for h in near if not place.crossed(here, h) & {*WATER, *STRAITS}]
        near = [h for h in near if "romania" in {home, ground.country(h)} and ground.country(h) != home]
        if near:
            yield 0, [place.move(unit, place.random.choice(near))]


@fault("9.21a")
def a_unit_leaves_the_map(place: Place) -> Iterator[Edit]:
    side = place.mover()
    fought = place.gone()
    units = [u for u in idle(place) if u.id not in fought]
    for unit in units[:1]:
        yield 0, [Removed(unit.id, f"{side}-eliminated")]
