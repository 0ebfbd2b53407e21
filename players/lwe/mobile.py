"""Mobile assaults: battles inside a German move (9.22 to 9.30)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from players.lwe import fighting, odds
from players.lwe.feeding import Feeding
from players.lwe.marching import closed_to, walk
from players.lwe.table import Table
from players.lwe.ways import left, ways
from validator.core.board import HexId
from validator.games.lwe.book import FROST, MUD, SNOW, SOVIET
from validator.games.lwe.course import course_of
from validator.games.lwe.field import printed
from validator.model.events import Moved
from validator.model.position import Unit

PRICE = 6
WATER = {"sea", "lake", "sivash", "strait"}
RIVERS_COUNT_FROM = 4
WANTED = 2  # to 1


def mobile_assault(table: Table, feeding: Feeding, units: Sequence[Unit]) -> bool:
    """Go beside a Soviet hex and assault it; whether it was done. `table.halted` holds those that failed."""
    if not _may_assault(table, units):
        return False
    found = ways(table, units, closed_to(table, units), kept=PRICE)
    start = table.at(units[0])
    targets = {
        h for h in _beside(table, found.costs) if _open_ground(table, h) and _promising(table, units, h)
    }
    choices = [
        (launch, target)
        for launch in found.costs
        for target in targets.intersection(table.field.board.adjacent[launch])
        if _open_step(table, launch, target) and (launch == start or table.room(launch, units))
    ]
    if not choices:
        return False
    launch, target = table.random.choice(choices)
    if launch != start and not walk(table, units, found.path(launch), found.costs[launch], feeding):
        return False
    for unit in units:
        table.spent[unit.id] = table.spent.get(unit.id, 0) + PRICE
        table.assaulted.add(unit.id)
    fighting.fight(table, units, target, mobile=True)
    _go_in(table, feeding, units, target)
    return True


def _may_assault(table: Table, units: Sequence[Unit]) -> bool:
    """Mechanized divisions of one stack, one of them of panzers or their grenadiers, with 6 points each."""
    fits = all(unit.has("leads-assault") or unit.has("joins-assault") for unit in units)
    marked = all("supply-concentration" in unit.marks for unit in units) or not table.concentrated
    paused = course_of(table.case).pausing(table.case.turn)
    fresh = not any(unit.id in table.assaulted for unit in units)
    together = len({table.case.phase_start.units[unit.id].spot for unit in units}) == 1
    led = any(unit.has("leads-assault") for unit in units)
    rich = all(left(table, unit) >= PRICE for unit in units)
    return fits and led and marked and not paused and fresh and together and rich


def _beside(table: Table, hexes: Iterable[HexId]) -> list[HexId]:
    """Soviet hexes beside these."""
    adjacent, soviets = table.field.board.adjacent, table.hexes_of(SOVIET)
    near = {n for h in hexes for n in adjacent[h]}
    return [h for h in soviets if h in near]


def _open_ground(table: Table, target: HexId) -> bool:
    """Clear ground without city, line or zone; marsh in frost; not in mud and snow (9.24)."""
    field, board = table.field, table.field.board
    weather, terrain = field.weather(target), board.terrain[target]
    zone = any(unit.has("fortified-zone") for unit in field.units(target))
    plain = terrain == "clear" or (terrain == "marsh" and weather == FROST)
    held = zone or bool(field.intact_lines[target]) or board.has_place(target, "city")
    return plain and not held and weather not in (MUD, SNOW)


def _open_step(table: Table, launch: HexId, target: HexId) -> bool:
    sides = set(table.field.board.side_of(launch, target))
    rivers = table.case.turn < RIVERS_COUNT_FROM or table.field.weather(target) == FROST
    return not sides & WATER and (rivers or "river" not in sides)


def _promising(table: Table, units: Sequence[Unit], target: HexId) -> bool:
    """By the bare factors, before the force goes beside them."""
    defense = sum(odds.defense(table, unit, target) for unit in odds.defenders(table, units, target))
    return sum(printed(unit, "attack") for unit in units) >= WANTED * defense or table.chance(0.05)


def _go_in(table: Table, feeding: Feeding, units: Sequence[Unit], target: HexId) -> None:
    """A hex that was cleared is entered for nothing; else the force stays where it is (9.27, 9.28)."""
    living = [unit for unit in units if unit.on_map]
    table.halted.update(unit.id for unit in living)
    feeding.refresh()
    if not living or table.field.units(target, SOVIET) or not feeding.after(living, [target]):
        return
    hexes = table.field.board.hexes
    table.do(Moved(tuple(unit.id for unit in living), (living[0].hex, hexes[target]), ""))
    feeding.refresh()
    table.halted.difference_update(unit.id for unit in living)
