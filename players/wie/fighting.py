"""Battles, round by round, and what follows from them."""

from __future__ import annotations

from players.wie.moving import fly_home
from players.wie.table import Table
from validator.core.board import HexId
from validator.games.wie.book import (
    ADVANCE,
    COMBAT,
    DEFENSIVE,
    EXPLOIT,
    EXPLOITATION,
    IN_THE_AIR,
    MUD,
    RETREAT,
    SALVO,
    SNOW,
    SOVIET,
    both,
)
from validator.games.wie.c05_air import range_of
from validator.games.wie.c05_fortifications import shielding
from validator.games.wie.c05_interdiction import watched_by
from validator.games.wie.c05_retreat import ways_out
from validator.games.wie.c07_weather import kindest
from validator.games.wie.lines import commanded, commanders, cut_from_command, in_range, is_out
from validator.games.wie.units import (
    ARMOR,
    CLASS_1,
    FIGHTER,
    HEAVY_GUNS,
    KATYUSHA,
    RAIL_GUN,
    counts,
    fights,
    is_air,
    is_hq,
    printed_move,
    value,
)
from validator.games.wie.values import attack_worth, defense_worth, dice_of, salvo_worth
from validator.model.events import Attacked, Marked, Moved, Removed, RoundBegan, Unmarked
from validator.model.position import Unit
from validator.procedures.field import printed
from validator.procedures.rounds import Engagement

MOST_ROUNDS = 3


def fight(table: Table) -> None:
    _salvos(table)
    for _ in range(table.battles):
        if table.chance(0.8):
            _one_battle(table, exploiting=False)
    for target in list(table.sent):
        table.sent.pop(target)
    fly_home(table)


def _salvos(table: Table) -> None:
    """Heavy guns fire at a hex beside them, and attack no more."""
    for _, gun in table.soldiers(table.side):
        if not (gun.has(HEAVY_GUNS) or gun.has(RAIL_GUN)) or not table.chance(0.3):
            continue
        beside = [h for h in table.field.board.adjacent[table.at(gun)] if _targets_of(table, h)]
        if not beside:
            continue
        at = max(salvo_worth(table.case, table.field, gun, beside).values)
        values = table.fire([gun.id], at, value(gun, "dice", 1), manner=SALVO)
        table.fought.add(gun.id)
        for _ in range(sum(v <= at for v in values)):
            there = [u for h in beside for u in _targets_of(table, h)]
            if there:
                table.do(Removed(table.random.choice(there).id, f"{table.enemy}-eliminated"))


def _targets_of(table: Table, hex_id: HexId) -> list[Unit]:
    return [u for u in table.field.units(hex_id, table.enemy) if fights(u)]


def _ready(table: Table, unit: Unit, *, exploiting: bool) -> bool:
    if not fights(unit) or is_out(table.case, unit) or not commanded(table.case, table.field, unit):
        return False
    if unit.has("partisan") or unit.has("v2-site") or unit.id in table.fought:
        return False
    if unit.id in table.case.in_turn.by(unit.side).dropped:
        return False
    if cut_from_command(table.case, table.field, unit):
        return False
    return unit.id not in table.moved if exploiting else True


def _targets(table: Table, *, exploiting: bool) -> dict[HexId, dict[HexId, list[Unit]]]:
    """Enemy hexes, and who can attack each from where."""
    field = table.field
    found: dict[HexId, dict[HexId, list[Unit]]] = {}
    links = field.ground.costs.links()
    for start, unit in table.soldiers(table.side):
        exploited = unit.id in table.case.in_turn.by(table.side).exploited
        if exploiting and not exploited:
            continue
        if not _ready(table, unit, exploiting=exploiting and not exploited):
            continue
        for target, _ in links[start]:
            if field.occupied(table.enemy)[target]:
                found.setdefault(target, {}).setdefault(start, []).append(unit)
    return found


def free_hqs(table: Table, start: HexId) -> list[str]:
    field, case = table.field, table.case
    return [
        unit.id
        for h, unit in commanders(case, field, table.side)
        if unit.id not in table.ordered and in_range(case, field, h, start)
    ]


def _one_battle(table: Table, *, exploiting: bool) -> bool:
    choices = _targets(table, exploiting=exploiting)
    fought = {b.target for b in table.case.in_phase.battles}
    choices = {
        t: s for t, s in choices.items() if t not in fought and table.field.ground_units(t, table.enemy)
    }
    if not choices:
        return False
    target = table.target(choices)
    if target is None:
        return False
    starts = list(choices[target].items())
    table.random.shuffle(starts)
    free = table.side == "axis" and table.case.turn <= 2 and table.case.scenario.first_turn == 1
    wanted = table.fronts([(s, units[:6]) for s, units in starts if free or free_hqs(table, s)])
    hqs = order(table, sorted(s for s, _ in wanted))
    if not wanted or (not free and hqs is None):
        return False
    _headquarters_leave(table, target)
    attackers = [u for _, units in wanted for u in units]
    names = tuple(u.id for u in attackers) + tuple(table.sent.pop(target, []))
    if not table.field.ground_units(target, table.enemy) or all(u.has(RAIL_GUN) for u in attackers):
        return False
    table.battle += 1
    number = table.battle
    table.do(Attacked(number, names, (table.hex(target),)))
    table.fought |= set(names)
    battle = table.case.in_phase.battles[-1]
    for round_ in range(1, MOST_ROUNDS + 1):
        gratis = free and round_ == 1 and not exploiting
        if exploiting and free and round_ == 1:
            gratis = True
        standing = {battle.attacker.stood[u.id] for u in _able(table, battle, attackers)}
        under = [] if gratis else order(table, sorted(standing))
        if under is None or not standing or (round_ > 1 and table.breaks_off(target)):
            break
        table.ordered |= set(under)
        table.do(RoundBegan(number, round_, tuple(under)))
        _round(table, battle, attackers, number)
        if not _defenders(table, battle):
            break
    _take_the_hex(table, battle, attackers, number)
    return True


def _headquarters_leave(table: Table, target: HexId) -> None:
    """Before the battle: to a hex beside it, if one is open."""
    field, enemy = table.field, table.enemy
    for unit in [u for u in field.units(target, enemy) if is_hq(u)]:
        open_ = [
            h for h, _ in field.ground.costs.links()[target]
            if field.holder(h) == enemy and not field.occupied(table.side)[h]
        ]  # fmt: skip
        if open_:
            table.do(Moved((unit.id,), (table.hex(target), table.hex(table.random.choice(open_))), RETREAT))


def order(table: Table, starts: list[HexId]) -> list[str] | None:
    """A headquarters for each hex; None if there are not enough."""
    chosen: list[str] = []
    if len(table.ordered) + len(starts) > 9:
        return None
    for start in starts:
        free = [name for name in free_hqs(table, start) if name not in chosen]
        if not free:
            return None
        chosen.append(free[0])
    return chosen


def _able(table: Table, battle: Engagement, attackers: list[Unit]) -> list[Unit]:
    return [u for u in attackers if u.on_map and u.id in battle.attacker.fighting]


def _defenders(table: Table, battle: Engagement) -> list[Unit]:
    return [u for u in table.field.units(battle.target, battle.defender.side) if fights(u)]


# --- a round ------------------------------------------------------------------------------------------------


def _round(table: Table, battle: Engagement, attackers: list[Unit], number: int) -> None:
    able = _able(table, battle, attackers)
    planes = [table.position.units[n] for n in battle.attacker.fighting if is_air(table.position.units[n])]
    planes = [p for p in planes if p.on_map]
    planes = _dogfight(table, battle, planes, number)
    hits, first = _volleys(table, battle, [*able, *planes], number, attacking=True)
    if first:
        _take(table, battle, battle.defender.side, first, number)
    back = 0
    defending = [u for u in _defenders(table, battle) if u.id in battle.defender.fighting]
    defending = [u for u in defending if u.id not in battle.defender.disrupted]
    if defending:
        back, _ = _volleys(table, battle, defending, number, attacking=False)
    if not planes:
        back += _from_above(table, battle, number)
    _call_planes(table, battle)
    _take(table, battle, battle.defender.side, hits - first, number)
    _take(table, battle, battle.attacker.side, back, number)
    for name in sorted(battle.defender.disrupted):
        unit = table.position.units[name]
        if unit.on_map and table.field.id(unit.spot) == battle.target:
            _fall_back(table, unit, number)
    if table.chance(0.25):
        for unit in _defenders(table, battle):
            if table.chance(0.7):
                _fall_back(table, unit, number)


def _helping(table: Table, battle: Engagement) -> list[Unit]:
    """The defender's planes that have come in a round before."""
    now = battle.round.number
    there = [u for u in table.field.units(battle.target, battle.defender.side) if is_air(u)]
    return [u for u in there if table.called.get(u.id, now + 1) <= now]


def _call_planes(table: Table, battle: Engagement) -> None:
    """Fighters within their range come to help; they fight from the next round on."""
    field, enemy = table.field, table.enemy
    for base, plane in table.planes_at_home(enemy, FIGHTER):
        near = field.board.distance(base, battle.target) <= range_of(table.case, field, plane)
        if near and plane.id not in table.defended and base != battle.target and table.chance(0.15):
            table.defended.add(plane.id)
            table.bases[plane.id] = base
            table.called[plane.id] = (battle.round.number) + 1
            table.move([plane.id], base, battle.target, mode=DEFENSIVE)


def _dogfight(table: Table, battle: Engagement, planes: list[Unit], number: int) -> list[Unit]:
    """Planes fight planes while both sides have some; the attacker's that may fire at the ground."""
    helping = _helping(table, battle)
    if not helping or not planes:
        return planes
    lost: list[Unit] = []
    for some, opponents, factor in ((planes, helping, "air-attack"), (helping, planes, "air-defense")):
        for plane in some:
            at = value(plane, factor)
            hit = table.fire([plane.id], at, 1, manner=IN_THE_AIR, battle=number)[0] <= at
            left = [u for u in opponents if u not in lost]
            if hit and left:
                lost.append(table.random.choice(left))
    for plane in lost:
        table.do(Removed(plane.id, f"{plane.side}-eliminated"))
    return []


def _from_above(table: Table, battle: Engagement, number: int) -> int:
    """Planes that help a defense and meet no others fire at the attackers on the ground."""
    hits = 0
    for plane in _helping(table, battle):
        if not battle.rounds or battle.round.fired(plane.id):
            continue
        at = printed(plane, "attack")
        hits += table.fire([plane.id], at, 1, battle=number)[0] <= at
    return hits


def _volleys(
    table: Table, battle: Engagement, units: list[Unit], number: int, *, attacking: bool
) -> tuple[int, int]:
    """Groups of the same value fire together; help goes to the first infantry. All hits, and first ones."""
    field, case = table.field, table.case
    helped = sum(value(u, "supports") for u in units) if attacking else 0
    groups: dict[tuple[int, bool], list[Unit]] = {}
    for unit in units:
        worth = (attack_worth if attacking else defense_worth)(case, field, battle, unit)
        at = max(worth.values) if unit.side != SOVIET or not is_air(unit) else min(worth.values)
        if attacking and helped and unit.has(CLASS_1) and at + 1 not in worth.values:
            at, helped = at + 1, helped - 1
        groups.setdefault((at, unit.has(KATYUSHA)), []).append(unit)
    hits = first = 0
    for (at, rockets), some in groups.items():
        dice = sum(dice_of(u, attacking=attacking) for u in some)
        values = table.fire([u.id for u in some], at, dice, battle=number)
        scored = sum(v <= at for v in values)
        hits += scored
        first += scored if rockets and attacking else 0
    return hits, first


def _take(table: Table, battle: Engagement, side: str, hits: int, number: int) -> None:
    for _ in range(hits):
        if side == battle.defender.side and _absorb(table, battle):
            continue
        if side == battle.defender.side:
            there = _defenders(table, battle)
        else:
            there = [table.position.units[n] for n in battle.attacker.stood]
            there = [u for u in there if u.on_map and fights(u) and u.id in battle.attacker.fighting]
        there = [u for u in there if u.id not in (battle.of(u.id) or battle.attacker).lost]
        if not there:
            planes = [table.position.units[n] for n in battle.attacker.fighting]
            there = [u for u in planes if u.on_map and is_air(u)] if side == battle.attacker.side else []
        if not there:
            return
        table.do(Removed(table.random.choice(there).id, f"{side}-eliminated", number))


def _absorb(table: Table, battle: Engagement) -> bool:
    """A level of a fortification that faces an attacker takes the hit."""
    hex_ = table.hex(battle.target)
    field = table.field
    if not any(u.has(CLASS_1) for u in _defenders(table, battle)):
        return False
    for name, face in field.position.marks.get(hex_, {}).items():
        marker = table.game.marker[name]
        if marker.kind != "fortification" or marker.side != battle.defender.side:
            continue
        towards = field.ground.behind(battle.target, str(marker.values["direction"]))
        if towards in battle.attacker.stood.values() and shielding(battle, towards) > 0:
            table.do(Marked(name, hex_, face - 1) if face > 1 else Unmarked(name, hex_))
            return True
    return False


def _fall_back(table: Table, unit: Unit, number: int) -> None:
    """Towards its edge of the map, as far as it must."""
    field, start = table.field, table.field.board.id_of[unit.hex]
    ways = ways_out(table.case, field, unit, start)
    if not ways:
        return

    def far(hex_id: HexId) -> tuple[int, HexId]:
        return field.ground.columns_from_edge(unit.side, hex_id), hex_id

    first = min(ways, key=far)
    path = dict.fromkeys([start, first, min(ways[first], key=far)])
    table.do(Moved((unit.id,), tuple(map(table.hex, path)), RETREAT, number))


def _take_the_hex(table: Table, battle: Engagement, attackers: list[Unit], number: int) -> None:
    field = table.field
    if any(not is_air(u) for u in field.units(battle.target, battle.defender.side)):
        return
    marks = list(field.position.marks.get(table.hex(battle.target), {}))
    goers = [u for u in _able(table, battle, attackers) if not u.has(RAIL_GUN)][
        : table.room(battle.target, table.side)
    ]
    goers = [u for u in goers if table.chance(0.7)]
    for name in marks:
        marker = table.game.marker[name]
        if goers and marker.kind == "fortification" and marker.side == battle.defender.side:
            table.do(Unmarked(name, table.hex(battle.target)))
    for unit in goers:
        table.do(Moved((unit.id,), (unit.hex, table.hex(battle.target)), ADVANCE, number))
        table.captured.add(battle.target)


# --- exploitation -------------------------------------------------------------------------------------------


def exploit(table: Table) -> None:
    case = table.case
    if kindest(case) == SNOW or (table.side == SOVIET and case.turn < 4):
        return
    captured = [h for h in table.captured if table.field.holder(h) == table.side]
    for start, unit in table.soldiers(table.side):
        if unit.id in table.moved or unit.id in table.fought or not counts(unit) or unit.has(RAIL_GUN):
            continue
        if kindest(case) == MUD and printed_move(unit) < 3:
            continue
        field = table.field
        if (
            is_out(case, unit)
            or not commanded(case, field, unit)
            or unit.id in case.in_turn.by(unit.side).dropped
        ):
            continue
        near = {h for h, _ in field.ground.costs.links()[start]}
        watched = watched_by(case, table.enemy) if unit.has(ARMOR) else set()
        near = set() if start in watched else near - watched
        goals = [h for h in captured if h in near and table.room(h, table.side) > 0]
        if goals and table.chance(0.6):
            table.move([unit.id], start, table.random.choice(goals), mode=EXPLOITATION)
            table.moved.add(unit.id)
    if table.chance(0.7):
        _one_battle(table, exploiting=True)
    fly_home(table)


DEEDS = {
    **dict.fromkeys(both(COMBAT), fight),
    **dict.fromkeys(both(EXPLOIT), exploit),
}
