"""Marches: which hexes are closed to a stack, where it may end, and how the log shows its way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from players.lwe.feeding import Feeding
from players.lwe.table import LIMIT, Table, size_of
from players.lwe.ways import ways
from validator.core.board import HexId
from validator.games.lwe.book import ENEMY, GERMAN, SOVIET
from validator.model.events import Moved
from validator.model.position import Unit

ROMANIA = "romania"
Worth = Callable[[HexId], float]


def closed_to(table: Table, units: Sequence[Unit]) -> set[HexId]:
    """Hexes with enemies, without room to pass, and on the wrong side of Romania's border in turn 1."""
    side, field = units[0].side, table.field
    room = LIMIT - size_of(units)
    closed = set(table.hexes_of(ENEMY[side]))
    for hex_id, there in table.hexes_of(side).items():
        if size_of(there) > room and size_of(unit for unit in there if unit not in units) > room:
            closed.add(hex_id)
    if table.case.turn == 1:
        inside = field.ground.country(table.at(units[0])) == ROMANIA
        shut = {SOVIET: (True, True), GERMAN: (False, True)}[side][inside]
        closed |= {
            h for h in range(len(field.board)) if shut and (field.ground.country(h) == ROMANIA) != inside
        }
    if side == GERMAN and table.concentrated and any(not u.marks.get("supply-concentration") for u in units):
        closed |= set(range(len(field.board))) - set(field.board.adjacent[table.at(units[0])])
    return closed


def march(table: Table, units: list[Unit], worth: Worth, feeding: Feeding | None = None) -> bool:
    found = ways(table, units, closed_to(table, units))
    start = table.at(units[0])
    ends = [h for h in found.costs if h != start and table.room(h, units) and may_end(table, units, h)]
    for _ in range(4):
        if not ends:
            return False
        end = table.random.choices(ends, weights=[worth(h) for h in ends])[0]
        if walk(table, units, found.path(end), found.costs[end], feeding):
            return True
        ends.remove(end)
    return False


def may_end(table: Table, units: Sequence[Unit], hex_id: HexId) -> bool:
    """Satellites stay in the southern sector (9.31)."""
    return table.southern(hex_id) or not any(unit.has("satellite") for unit in units)


def walk(
    table: Table, units: Sequence[Unit], way: Sequence[HexId], cost: int, feeding: Feeding | None = None
) -> bool:
    """Some players show every hex, some only the end; false if it would lead out of supply."""
    shown = tuple(way) if table.chance(0.75) else (way[0], way[-1])
    if feeding is not None and not feeding.after(units, shown[1:]):
        return False
    takes = feeding is not None and feeding.takes_road(shown)
    hexes = tuple(table.field.board.hexes[h] for h in shown)
    table.do(Moved(tuple(unit.id for unit in units), hexes, table.random.choice(("", "march"))))
    for unit in units:
        table.spent[unit.id] = table.spent.get(unit.id, 0) + cost
    if feeding is not None and takes:
        feeding.refresh()
    return True
