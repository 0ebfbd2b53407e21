"""Combat at random: who can attack attacks, and each side pays what the result asks."""

from __future__ import annotations

from players.standard.table import Table
from validator.core.advance import AdvanceRules, advances
from validator.core.board import HexId
from validator.core.results import Part, Pays
from validator.core.retreat import retreats
from validator.model.events import Attacked, Moved, Removed, ResultNamed, StepChanged
from validator.model.position import Unit
from validator.procedures.battlebook import printed_steps_left as steps_left
from validator.standard.after_battle import retreat_rules
from validator.standard.field import factor
from validator.standard.state import Battle, Party
from validator.standard.supply import left_to


def combat(table: Table) -> None:
    if table.rules.combat is None:
        return
    for side in table.active():
        attacked: set[str] = set()
        for hex_id in table.field.board.members(table.field.enemies(side)):
            if table.chance(0.7) and any(unit.side != side for unit in table.field.units(hex_id)):
                attacked |= _attack(table, side, hex_id, attacked)


def _attack(table: Table, side: str, target: HexId, attacked: set[str]) -> set[str]:
    fought = {h for battle in table.case.in_phase.battles for h in battle.targets}
    fresh = (unit for unit in table.units(side) if unit.id not in attacked)
    able = [unit for unit in fresh if _can_attack(table, unit, target)]
    if not able or target in fought:
        return set()
    units = table.random.sample(able, table.random.randint(1, len(able)))
    table.battle += 1
    names = tuple(unit.id for unit in units)
    table.do(Attacked(table.battle, names, (table.field.board.hexes[target],)))
    table.roll("combat", battle=table.battle)
    battle: Battle = table.case.in_phase.battles[-1]
    if battle.sheet is not None and battle.sheet.cell is not None and table.chance(0.5):
        table.do(ResultNamed(battle.sheet.cell, table.battle))
    if battle.result is not None:
        pay(table, battle, battle.defender)
        pay(table, battle, battle.attacker)
        _advance(table, battle)
    return set(names)


def _can_attack(table: Table, unit: Unit, target: HexId) -> bool:
    told, board = table.rules.combat, table.field.board
    assert told is not None
    if told.attack not in unit.type.factors or not left_to(table.case, unit).may_attack:
        return False
    step = board.step(table.at(unit), target)
    if step < 0:
        reach = factor(unit, told.range) if told.range else None
        return reach is not None and board.distance(table.at(unit), target) <= reach
    return not any(board.steps_across(kind)[step] for kind in table.banned)


def pay(table: Table, battle: Battle, party: Party) -> None:
    asked = battle.part(party)
    for name in list(party.steps):
        if asked.pays is Pays.ALL:
            _lose(table, battle, name, party.steps[name])
        if asked.pays is Pays.EACH:
            _lose(table, battle, name, min(asked.points, party.steps[name]))
    if asked.pays in (Pays.STEPS, Pays.BOTH):
        _lose_together(table, battle, party, asked.points)
    if asked.pays is Pays.EITHER:
        if table.chance(0.5) and all(_can_go(table, n, asked.points) for n in party.steps):
            _go_back(table, battle, party, asked)
        else:
            _lose_together(table, battle, party, asked.points)
    if asked.pays in (Pays.RETREAT, Pays.BOTH):
        _go_back(table, battle, party, asked)


def _lose_together(table: Table, battle: Battle, party: Party, steps: int) -> None:
    left = [name for name in party.steps for _ in range(steps_left(table.position.units[name]))]
    for name in table.random.sample(left, min(steps, len(left))):
        _lose(table, battle, name, 1)


def _lose(table: Table, battle: Battle, name: str, steps: int) -> None:
    unit = table.position.units[name]
    if not unit.on_map or not steps:
        return
    if steps >= steps_left(unit):
        table.do(Removed(name, None, battle.number))
    else:
        table.do(StepChanged(name, unit.step, unit.step + steps, battle.number))


def _can_go(table: Table, name: str, hexes: int) -> bool:
    unit = table.position.units[name]
    rules = retreat_rules(table.field, unit)
    ways = retreats(table.field.board, rules, table.at(unit), hexes)
    return any(table.has_room(way[-1], unit) for way in ways)


def _go_back(table: Table, battle: Battle, party: Party, asked: Part) -> None:
    told = table.rules.combat
    if told is None or told.retreat is None:
        return
    hexes = asked.hexes if asked.pays is Pays.BOTH else asked.points
    for name in list(party.steps):
        unit = table.position.units[name]
        if not unit.on_map:
            continue
        rules = retreat_rules(table.field, unit)
        ways = list(retreats(table.field.board, rules, table.at(unit), hexes))
        ways = [way for way in ways if table.has_room(way[-1], unit)]
        if not ways:
            table.do(Removed(name, None, battle.number))
            continue
        way = table.random.choice(ways)
        shown = way if table.chance(0.5) else (way[0], way[-1])
        table.do(Moved((name,), tuple(table.field.hexes(shown)), "retreat", battle.number))


def _advance(table: Table, battle: Battle) -> None:
    told = table.rules.combat
    if told is None or told.advance is None:
        return
    enemies = table.field.enemies(battle.attacker.side)
    vacated = frozenset(h for h in battle.targets if not enemies[h])
    for name in battle.attacker.steps if vacated else ():
        unit = table.position.units[name]
        if not unit.on_map or not table.chance(0.5):
            continue
        costs = table.field.costs_of(unit, flat=True)
        rules = AdvanceRules(told.advance.hexes, vacated, costs, costs, enemies)
        ends = [h for h in advances(table.field.board, rules, table.at(unit)) if table.has_room(h, unit)]
        if ends:
            way = (table.at(unit), table.random.choice(ends))
            table.do(Moved((name,), tuple(table.field.hexes(way)), "advance", battle.number))
