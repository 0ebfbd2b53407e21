"""Movement phases: arrivals, strategic movement, sea transport, marches with overruns; who moves last."""

from __future__ import annotations

from functools import partial

from players.ftm import fighting
from players.ftm.table import Table, opponent
from players.zoned import Overruns, go, march, walk
from validator.core.board import HexId
from validator.core.movement import reach
from validator.core.sea import destinations
from validator.games.ftm.c05_movement import LAST, stage_of
from validator.games.ftm.c05_transport import (
    by_sea,
    not_shipped,
    not_strategic,
    sea_rules,
    strategic_move_rules,
)
from validator.games.ftm.c07_overrun import barred, wrong_units
from validator.games.ftm.c10_partisans import partisans
from validator.games.ftm.c15_admin import LAST_OF_GROUPS
from validator.games.ftm.c17_arrivals import wrong_place
from validator.model.events import Attacked, Moved, Placed
from validator.model.position import Unit
from validator.procedures.arrivals import entry_turn
from validator.procedures.entries import box_turn
from validator.procedures.field import printed
from validator.procedures.marches import MARCH


def movement(table: Table, side: str) -> None:
    arrivals(table, side)
    for unit in _shuffled(table, side):
        if table.chance(0.08) and not unit.has("moves-last"):
            _strategic(table, unit)
        elif table.chance(0.1):
            _sail(table, unit)
    for group in _groups(table, side):
        if table.chance(0.7):
            march(table, group, overrun)
    last = [u for u in _shuffled(table, side) if u.has("supply-base")]
    for unit in (*last, *(u for u in _shuffled(table, side) if stage_of(table.case, u, MARCH) == LAST)):
        if unit.id not in table.case.in_phase.trips and table.chance(0.5):
            go(table, [unit])


def exploitation(table: Table, side: str) -> None:
    for group in _groups(table, side):
        able = [unit for unit in group if unit.has("exploits")]
        if able and table.chance(0.6):
            march(table, able, overrun)
    for unit in _shuffled(table, side):
        if unit.has("closes-up") and table.chance(0.3):
            go(table, [unit])


def _shuffled(table: Table, side: str) -> list[Unit]:
    units = [unit for unit in table.units(side) if printed(unit, "movement") or unit.has("rail-only")]
    table.random.shuffle(units)
    return units


def _groups(table: Table, side: str) -> list[list[Unit]]:
    """Units that go together: some stacks whole, the others one by one."""
    found: list[list[Unit]] = []
    gone = table.case.in_phase.trips
    for units in table.hexes_of(side).values():
        able = [u for u in units if printed(u, "movement") and u.type.zoc and u.id not in gone]
        if table.chance(0.4) and len({u.nationality for u in able}) == 1:
            found.append(able)
        else:
            found += [[unit] for unit in able]
    table.random.shuffle(found)
    return found


# --- arrivals (17) ----------------------------------------------------------------------------


def arrivals(table: Table, side: str) -> None:
    for unit in [*table.position.units.values()]:
        if unit.side == side and _is_due(table, unit) and table.chance(0.9):
            choices = _entries(table, unit)
            if choices:
                table.do(Placed(unit.id, table.field.board.hexes[table.random.choice(choices)]))


def _is_due(table: Table, unit: Unit) -> bool:
    late_group = unit.has("mechanized-group") and table.case.turn > LAST_OF_GROUPS
    elite = unit.has("guards") or unit.has("shock") or late_group
    if box_turn(unit.spot) is not None:
        return (box_turn(unit.spot) or 0) <= table.case.turn
    due = entry_turn(table.case, unit)
    first = unit.id not in table.case.in_game.lost
    return unit.spot is None and due is not None and due <= table.case.turn and first and not elite


def _entries(table: Table, unit: Unit) -> list[HexId]:
    field = table.field
    fed, shut = table.fed(unit), field.ground.closed_to(unit)
    held = {field.id(hex_) for _, hex_ in partisans(table.case)}
    zones = field.enemy_zones(unit.side)
    rails = field.board.on_line("railway")
    return [
        h
        for h in range(len(field.board))
        if fed[h]
        and not shut[h]
        and (rails[h] or not unit.has("rail-only"))
        and field.board.terrain[h] not in ("sea", "lake", "high-mountain")
        and not field.occupied(opponent(unit.side))[h]
        and not zones.holds(h)
        and h not in held
        and table.room(h, [unit])
        and not list(wrong_place(table.case, unit, field.board.hexes[h]))
    ]


# --- moves ------------------------------------------------------------------------------------


def _strategic(table: Table, unit: Unit) -> None:
    if list(not_strategic(table.case, unit)):
        return
    rules = strategic_move_rules(table.case, table.field, unit, strict=True)
    found = reach(table.field.board, rules, table.at(unit))
    ends = [h for h in found if h != table.at(unit) and table.room(h, [unit])]
    if ends:
        walk(table, [unit], found.path(table.random.choice(ends)), "strategic")


def _sail(table: Table, unit: Unit) -> None:
    field, start = table.field, table.at(unit)
    rules = sea_rules(table.case, field, unit)
    if (
        list(not_shipped(table.case, unit))
        or unit.id in table.case.in_phase.trips
        or start not in rules.ports
    ):
        return
    for end in destinations(rules, start):
        way = [start, end]
        event = Moved((unit.id,), tuple(field.board.hexes[h] for h in way), "sea")
        if table.room(end, [unit]) and not list(by_sea(table.case, field, unit, way, event)):
            table.do(event)
            return


# --- overruns (7) ------------------------------------------------------------------------------


def _wrong(table: Table, units: list[Unit]) -> bool:
    begun = {table.case.phase_start.units[unit.id].spot for unit in units}
    event = Attacked(0, tuple(unit.id for unit in units), (), overrun=True)
    allied = {unit.nationality for unit in units if unit.has("allied")}
    return len(begun) > 1 or len(allied) > 1 or bool(list(wrong_units(table.case, units, event)))


def _may(table: Table, units: list[Unit]) -> bool:
    return all(fighting.can_attack(table, unit) for unit in units) and not _wrong(table, units)


overrun = Overruns(
    may=_may,
    still=lambda table, units: not _wrong(table, units),
    open_between=lambda table, units, start, target: (
        table.dares(units, target) and not list(barred(table.case, table.field, units, start, target))
    ),
    fight=partial(fighting.attack, overrun=True),
)
