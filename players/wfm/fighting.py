"""Battles: who attacks whom, the die, and what each side does about the result."""

from __future__ import annotations

from collections.abc import Iterator

from players.wfm.table import Table, opponent
from players.zoned import advance, last, present, settle
from validator.core.board import HexId
from validator.games.wfm.book import AXIS
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c05_march import modes_of
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.field import SNOW
from validator.model.events import Attacked, ResultNamed
from validator.model.position import Unit
from validator.procedures.marches import STRATEGIC
from validator.procedures.strengthchits import chit_of


def can_attack(unit: Unit) -> bool:
    return not attack_zero(unit)


def whole_stack_fits(table: Table, units: list[Unit]) -> bool:
    """No overrun starts from an overfull hex."""
    hex_id, side = table.at(units[0]), units[0].side
    verdict = stack(table.case, table.field.units(hex_id), side)
    return verdict.load <= verdict.limit


def combat(table: Table, side: str) -> None:
    """The attacks of a combat phase."""
    fought: set[str] = set()
    attacked: set[HexId] = set()
    targets = list(table.hexes_of(opponent(side)))
    table.random.shuffle(targets)
    for target in targets:
        if not table.field.occupied(opponent(side))[target] or target in attacked or table.chance(0.35):
            continue
        hexes = (target,)
        units = _attackers(table, side, hexes, fought)
        if not units:
            continue
        fought.update(unit.id for unit in units)
        attacked.add(target)
        attack(table, units, hexes)
        fought.update(present(table, last(table).attacker))
        attacked.update(_stand(table))


def _stand(table: Table) -> Iterator[HexId]:
    """Where the defenders of the last battle are now: they are not attacked twice."""
    for name in present(table, last(table).defender):
        unit = table.position.units[name]
        if unit.on_map:
            yield table.at(unit)


def _attackers(table: Table, side: str, targets: tuple[HexId, ...], fought: set[str]) -> list[Unit]:
    rules = table.field
    able = [
        unit
        for hex_id, unit in rules.of_side(side)
        if can_attack(unit)
        and unit.id not in fought
        and any(rules.board.are_adjacent(hex_id, t) for t in targets)
        and STRATEGIC not in modes_of(table.case, unit)
        and _may(table, unit, targets)
    ]
    table.random.shuffle(able)
    chosen: list[Unit] = []
    for unit in able:
        nations = {u.nationality for u in (*chosen, unit) if u.side == AXIS and not u.has("german")}
        if len(nations) <= 1 and (not chosen or table.chance(0.8)):
            chosen.append(unit)
    return chosen


WATER = ("sea", "lake", "causeway", "ice-road")


def _may(table: Table, unit: Unit, targets: tuple[HexId, ...]) -> bool:
    """Beside every hex attacked, and not only over water (8.21, 8.34, 8.46)."""
    board, here = table.field.board, table.at(unit)
    on_ice = table.case.season == SNOW and unit.has("ice-roads")
    closed = set(WATER[:3] if on_ice else WATER)
    return all(board.are_adjacent(here, t) and not closed & set(board.side_of(here, t)) for t in targets)


def attack(table: Table, units: list[Unit], targets: tuple[HexId, ...]) -> None:
    table.battle += 1
    hexes = tuple(table.field.board.hexes[h] for h in targets)
    table.do(Attacked(table.battle, tuple(unit.id for unit in units), hexes))
    resolve(table)
    battle = last(table)
    advance(table, battle, (battle.attacker, battle.defender))


# --- the die and the result -----------------------------------------------------------------------


def resolve(table: Table) -> None:
    battle = last(table)
    for name in (*battle.attacker.steps, *battle.defender.steps):
        unit = table.position.units[name]
        if unit.has("draws-strength") and chit_of(table.case, unit) is None:
            table.draw(unit)
    table.roll("combat", None, battle.number)
    battle = last(table)  # worked out now
    assert battle.sheet is not None
    if table.chance(0.9):
        table.do(ResultNamed(battle.sheet.cell or "-", battle.number))
        battle = last(table)
    settle(table, battle, (battle.defender, battle.attacker))
