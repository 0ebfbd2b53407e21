"""Movement of armies and planes, redeployment."""

from __future__ import annotations

from players.wie.table import Table
from validator.core.board import HexId
from validator.core.movement import reach
from validator.games.wie.book import (
    BASE,
    CITY,
    CITY_DIE,
    COMPLEX,
    COMPLEX_DIE,
    DROP,
    HOME,
    INTERCEPTION,
    INTERDICTION,
    INTERDICTION_DIE,
    MOVE,
    NON_COMBAT,
    OIL,
    OIL_BOMB_DIE,
    REDEPLOY,
    STRATEGIC,
    SUPPORT,
    TRANSPORT,
    both,
)
from validator.games.wie.c05_air import range_of
from validator.games.wie.c05_interdiction import watched_by
from validator.games.wie.c05_movement import cut_as_it_began, move_rules, out_and_bound, ploesti_lost
from validator.games.wie.c06_redeployment import CAPACITY, points_of, rules_of
from validator.games.wie.field import FINLAND
from validator.games.wie.lines import is_out
from validator.games.wie.units import (
    ARMOR,
    BOMBER,
    FIGHTER,
    GUNS,
    JET,
    RAIL_GUN,
    ROCKET,
    counts,
    is_hq,
    value,
)
from validator.model.events import Removed
from validator.model.position import Unit

MARCHES, FLIGHTS, RAILS = 0.35, 0.3, 4


# --- armies -------------------------------------------------------------------------------------------------


def march(table: Table) -> None:
    fly(table)
    side = table.side
    for _, unit in table.field.of_side(side):
        if table.chance(MARCHES) and not unit.has(RAIL_GUN) and not unit.has(ROCKET):
            _march_one(table, unit)


def _march_one(table: Table, unit: Unit) -> None:
    field, case = table.field, table.case
    start = field.id(unit.spot)
    turn = case.in_turn.by(unit.side)
    if start is None or out_and_bound(case, field, unit) or unit.id in (*turn.dropped, *turn.transported):
        return
    watched = watched_by(case, table.enemy)
    found = reach(field.board, move_rules(case, field, unit), start)
    ends = [h for h in found if h != start and (not counts(unit) or table.room(h, unit.side) > 0)]
    if unit.has(ARMOR) and ends:
        ends = [h for h in ends if not set(found.path(h)[1:-1]) & watched]
        if start in watched and not _runs_the_gauntlet(table, unit):
            return
        ends = [h for h in ends if start in watched or h not in watched]
    if is_hq(unit):
        ends = [h for h in ends if field.holder(h) == unit.side]
    if cut_as_it_began(case, unit):
        ends = [h for h in ends if len(found.path(h)) == 2]
    if ends:
        end = table.goal(unit, ends, table.near(unit.side))
        table.move([unit.id], *found.path(end))
        table.moved.add(unit.id)


def _runs_the_gauntlet(table: Table, unit: Unit) -> bool:
    """A die under interdiction: on 1 it is lost, on 2 and 3 it stays."""
    die = table.roll_for(INTERDICTION_DIE, 12, unit.id)[0]
    if die == 1:
        table.do(Removed(unit.id, f"{unit.side}-eliminated"))
    return die > 3


# --- planes -------------------------------------------------------------------------------------------------


def fly(table: Table) -> None:
    field, side = table.field, table.side
    near = table.near(table.enemy)  # beside our own units: what an army can attack
    fronts = [h for h, u in table.soldiers(table.enemy) if counts(u) and h in near]
    for base, plane in table.planes_at_home(side):
        if not table.chance(FLIGHTS):
            continue
        most = range_of(table.case, field, plane)
        if plane.has(BOMBER) and table.chance(0.6) and _bomb(table, base, plane, most):
            continue
        if plane.has(BOMBER) and table.chance(0.2) and _interdict(table, base, plane, most):
            continue
        if plane.has(BOMBER) and table.chance(0.3) and _carry(table, base, plane, most):
            continue
        targets = [h for h in dict.fromkeys(fronts) if field.board.distance(base, h) <= most]
        if targets:
            target = table.random.choice(targets)
            table.bases[plane.id] = base
            table.move([plane.id], base, target, mode=SUPPORT)
            _shoot_at(table, plane, target)
            if plane.on_map and field.id(table.position.units[plane.id].spot) == target:
                table.sent.setdefault(target, []).append(plane.id)


def _bomb(table: Table, base: HexId, plane: Unit, most: int) -> bool:
    field, enemy = table.field, table.enemy
    if plane.side == "axis" and ploesti_lost(field):
        return False
    missions = [
        (CITY, CITY_DIE, 4, field.ground.values),
        (OIL, OIL_BOMB_DIE, 6, field.ground.oil),
        (COMPLEX, COMPLEX_DIE, 12, [h for h in range(len(field.board)) if field.complexes(h)]),
    ]
    mode, reason, sides, where = table.random.choice(missions)
    targets = [h for h in where if field.holder(h) == enemy and field.board.distance(base, h) <= most]
    if not targets:
        return False
    target = table.random.choice(targets)
    table.bases[plane.id] = base
    table.move([plane.id], base, target, mode=mode)
    _shoot_at(table, plane, target)
    if table.position.units[plane.id].on_map:
        _intercept(table, plane, target)
    if table.position.units[plane.id].on_map:
        table.roll_for(reason, sides, plane.id)
    return True


def _interdict(table: Table, base: HexId, plane: Unit, most: int) -> bool:
    """Over enemy armor, until the next turn."""
    field = table.field
    armor = [h for h, u in table.soldiers(table.enemy) if u.has(ARMOR)]
    targets = [h for h in dict.fromkeys(armor) if field.board.distance(base, h) <= most]
    if not targets:
        return False
    table.move([plane.id], base, table.random.choice(targets), mode=INTERDICTION)
    return True


def _shoot_at(table: Table, plane: Unit, target: HexId) -> None:
    guns = [u for u in table.field.units(target, table.enemy) if u.has(GUNS)][:2]
    if not guns or plane.has(JET):
        return
    names = [gun.id for gun in guns]
    values = table.fire(names, 1, len(guns), sides=10, manner="anti-air", aimed=[plane.id])
    if 1 in values:
        table.do(Removed(plane.id, f"{plane.side}-eliminated"))


def _intercept(table: Table, plane: Unit, target: HexId) -> None:
    field = table.field
    ready = [
        (h, u)
        for h, u in table.planes_at_home(table.enemy, FIGHTER)
        if u.id not in table.defended and field.board.distance(h, target) <= 2
    ]
    if not ready or plane.has(JET):
        return
    base, fighter = table.random.choice(ready)
    table.defended.add(fighter.id)
    table.bases[fighter.id] = base
    table.move([fighter.id], base, target, mode=INTERCEPTION)
    attack, defense = value(fighter, "air-attack"), value(plane, "air-defense")
    hit = table.fire([fighter.id], attack, 1, manner="interception")[0] <= attack
    back = table.fire([plane.id], defense, 1, manner="interception")[0] <= defense
    if hit:
        table.do(Removed(plane.id, f"{plane.side}-eliminated"))
    if back:
        table.do(Removed(fighter.id, f"{fighter.side}-eliminated"))
    else:
        table.move([fighter.id], target, base, mode=HOME)


def _carry(table: Table, base: HexId, plane: Unit, most: int) -> bool:
    field, side = table.field, plane.side
    here = [u for u in field.units(base, side) if u.has("paratroops") and u.id not in table.moved]
    here = [u for u in here if not is_out(table.case, u)]
    if not here:
        return False
    if not plane.has(JET) and not table.case.in_turn.by(side).dropped and table.chance(0.4):
        ours = field.occupied(side)
        drops = [
            h
            for h in field.board.within(base, most)
            if field.holder(h) == table.enemy
            and not field.occupied(table.enemy)[h]
            and field.ground.country(h) != FINLAND
            and any(ours[n] for n in field.board.within(h, 2))
            and field.board.terrain[h] not in ("sea", "lake")
        ]
        if drops:
            end = table.random.choice(drops)
            table.bases[plane.id] = base
            table.move([plane.id, here[0].id], base, end, mode=DROP)
            table.moved.add(here[0].id)
            return True
    cities = [
        h
        for h in sorted(field.ground.cities)
        if h != base
        and field.holder(h) == side
        and field.ground.country(h) != FINLAND
        and field.board.distance(base, h) <= most
        and table.room(h, side) > 0
    ]
    if not cities:
        return False
    end = table.random.choice(cities)
    table.bases[plane.id] = base
    table.move([plane.id, here[0].id], base, end, mode=TRANSPORT)
    table.moved.add(here[0].id)
    return True


def fly_home(table: Table) -> None:
    """All planes that are abroad."""
    for name, base in sorted(table.bases.items()):
        unit = table.position.units[name]
        here = table.field.id(unit.spot)
        if here is None or here == base:
            continue
        field = table.field
        cities = [h for h in field.ground.cities if field.holder(h) == unit.side]
        if field.holder(base) == unit.side:
            table.move([name], here, base, mode=HOME)
        elif cities and not (field.city(here) and field.holder(here) == unit.side):
            nearest = min(cities, key=lambda h: (field.board.distance(here, h), h))
            table.move([name], here, nearest, mode=HOME)


# --- action 4 -----------------------------------------------------------------------------------------------


def redeploy(table: Table) -> None:
    side = table.side
    _walk(table, side)
    _ride(table, side)
    for base, plane in list(table.field.planes(side)):
        away = table.case.in_game.interdicting.get(plane.id) == base and plane.id not in (
            table.case.in_turn.by(side).flights
        )
        at_home = table.field.city(base) and table.field.holder(base) == side
        if away or (at_home and table.chance(0.15)):
            cities = sorted(
                h for h in table.field.ground.cities if table.field.holder(h) == side and h != base
            )
            if cities:
                table.move([plane.id], base, table.random.choice(cities), mode=BASE)


def _walk(table: Table, side: str) -> None:
    for start, unit in list(table.field.of_side(side)):
        if unit.id in table.moved or unit.has(RAIL_GUN) or unit.has(ROCKET) or not table.chance(0.15):
            continue
        field = table.field
        found = reach(field.board, rules_of(table.case, field, unit, strategic=False), start)
        ends = [h for h in found if h != start and (not counts(unit) or table.room(h, side) > 0)]
        if ends:
            table.move([unit.id], *found.path(table.random.choice(ends)), mode=NON_COMBAT)


def _ride(table: Table, side: str) -> None:
    points = 0.0
    units = list(table.field.of_side(side))
    table.random.shuffle(units)
    for start, unit in units[: 3 * RAILS]:
        if is_hq(unit) or is_out(table.case, unit) or unit.id in table.case.in_turn.by(side).dropped:
            continue
        field = table.field
        start = field.board.id_of[unit.hex]
        if points + float(points_of(unit)) > min(CAPACITY[side], RAILS):
            continue
        found = reach(field.board, rules_of(table.case, field, unit, strategic=True), start)
        home = field.ground.country(start) == FINLAND
        ends = [
            h
            for h in found
            if h != start and table.room(h, side) > 0 and (home or field.ground.country(h) != FINLAND)
        ]
        if ends:
            points += float(points_of(unit))
            table.move([unit.id], start, table.random.choice(ends), mode=STRATEGIC)


DEEDS = {
    **dict.fromkeys(both(MOVE), march),
    **dict.fromkeys(both(REDEPLOY), redeploy),
}
