"""Battles: who attacks whom, the die, and what each side does about the result."""

from __future__ import annotations

from players.ftm.table import Table, opponent
from players.zoned import advance, last, present, settle
from validator.core.board import HexId
from validator.games.ftm.book import SNOW, SOVIET
from validator.games.ftm.c08_combat import banned
from validator.games.ftm.c08_odds import SUPPORT, attack_zero, automatic, sum_of
from validator.games.ftm.c14_air import AIR, BOX, air_units, in_air_range, missions_allowed
from validator.model.events import Attacked, Pointed, ResultNamed
from validator.model.position import Unit
from validator.procedures.airunits import USED
from validator.procedures.battle.odds import supporters
from validator.procedures.strengthchits import chit_of, draws


def can_attack(table: Table, unit: Unit) -> bool:
    return not attack_zero(table.case, unit) and not unit.has("never-attacks")


def combat(table: Table, side: str) -> None:
    """The attacks of a combat phase."""
    fought: set[str] = set()
    attacked: set[HexId] = set()
    targets = list(table.hexes_of(opponent(side)))
    table.random.shuffle(targets)
    for target in targets:
        if not table.field.occupied(opponent(side))[target] or target in attacked or table.spares():
            continue
        units = _attackers(table, side, target, fought)
        if not units or not table.dares(units, target):
            continue
        attacked.add(target)
        attack(table, units, target)
        for party in last(table).parties:
            names = present(table, party)
            fought.update(names)
            attacked.update(table.at(u) for u in map(table.position.units.__getitem__, names) if u.on_map)


def _attackers(table: Table, side: str, target: HexId, fought: set[str]) -> list[Unit]:
    field = table.field
    able = [
        unit
        for hex_id, unit in field.of_side(side)
        if field.board.are_adjacent(hex_id, target)
        and unit.id not in fought
        and can_attack(table, unit)
        and _may(table, unit, target)
    ]
    table.random.shuffle(able)
    chosen: list[Unit] = []
    for unit in able:
        nations = {u.nationality for u in (*chosen, unit) if u.has("allied")}
        if len(nations) <= 1 and table.joins(chosen, target):
            chosen.append(unit)
    return chosen


def _may(table: Table, unit: Unit, target: HexId) -> bool:
    """Not over water; panzers over the strait are left out (8.3.9, 8.4.2)."""
    board, here = table.field.board, table.at(unit)
    step = board.step(here, target)
    strait = unit.has("panzer") and "strait" in board.side_of(here, target)
    return not strait and not any(mask[step] for mask in banned(table.case, unit).values())


def support(table: Table, units: list[Unit], target: HexId) -> tuple[str, ...]:
    """Offensive Support in range, always; an air unit, now and then, where one may fly."""
    if units[0].side == SOVIET:
        return (SUPPORT,) if supporters(table.case, SUPPORT, [table.field.board.hexes[target]]) else ()
    left = missions_allowed(table.case) - table.case.in_turn.missions
    german = all(unit.has("german") for unit in units)
    reached = in_air_range(table.case, table.field.board.hexes[target])
    flies = left > 0 and german and reached and table.case.season != SNOW and table.chance(0.5)
    return (AIR,) if flies else ()


def attack(table: Table, units: list[Unit], target: HexId, *, overrun: bool = False) -> None:
    table.battle += 1
    hex_ = table.field.board.hexes[target]
    given = support(table, units, target)
    names = tuple(unit.id for unit in units)
    table.do(Attacked(table.battle, names, (hex_,), overrun=overrun, support=given))
    if AIR in given:
        ready = [marker for marker, box, face in air_units(table.case) if box == BOX and face != USED]
        table.do(Pointed(ready[0], BOX, USED))
    resolve(table)
    if not overrun:
        battle = last(table)
        advance(table, battle, (battle.defender, battle.attacker))


# --- the die and the result -----------------------------------------------------------------------


def resolve(table: Table) -> None:
    battle = last(table)
    for name in (*battle.attacker.steps, *battle.defender.steps):
        unit = table.position.units[name]
        if draws(unit) and chit_of(table.case, unit) is None:
            table.draw(unit)
    sum_ = sum_of(table.case, battle)
    given = automatic(table.case, battle, sum_) if sum_ else None
    if given:
        table.do(ResultNamed(given, battle.number))
    else:
        table.roll("overrun" if battle.overrun else "combat", None, battle.number)
        if battle.sheet is None:
            return
        if table.chance(0.9):
            table.do(ResultNamed(battle.sheet.cell or "-", battle.number))
    settle(table, battle, battle.parties)
