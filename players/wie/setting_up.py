"""Set-up by the players: all forces, fortifications, and what the two dice let be held back or moved."""

from __future__ import annotations

from collections.abc import Iterable

from players.wie.table import Table
from validator.core.board import HexId
from validator.games.wie.book import RESERVE, SET_UP_ADJUST, SET_UP_FIRST, SET_UP_SECOND
from validator.games.wie.c02_set_up import base_of, first_to_set_up, who_sets_up
from validator.games.wie.field import FINLAND
from validator.games.wie.units import CLASS_1, counts, finnish, is_air
from validator.model.events import Marked, Rolled
from validator.model.position import Unit

DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")
NEAR = 8  # hexes from the front


def set_up(table: Table) -> None:
    """All that waits; who sets up first may roll at once and hold so many units back."""
    side = who_sets_up(table.case)
    waiting = table.in_box(f"{side}-set-up")
    first = table.case.phase == SET_UP_FIRST
    held_back = _roll(table) if first and table.chance(0.5) else 0
    _place(table, waiting[held_back:])
    _fortify(table, side)


def _roll(table: Table) -> int:
    dice = table.throw(2, 12)
    table.do(Rolled(dice, 12, RESERVE))
    return sum(dice)


def _place(table: Table, units: Iterable[Unit]) -> None:
    ours = _own_hexes(table, who_sets_up(table.case))
    for unit in units:
        open_ = [h for h in ours if _fits(table, unit, h)]
        table.move([unit.id], f"{unit.side}-set-up", table.random.choice(open_))


def _own_hexes(table: Table, side: str) -> list[HexId]:
    """Land that is its own, near that of the enemy; the cities too."""
    field = table.field
    whole = [h for h in range(len(field.board)) if field.holder(h) == side]
    whole = [h for h in whole if field.board.terrain[h] not in ("sea", "lake")]
    other = [h for h in range(len(field.board)) if field.holder(h) not in ("", side)]
    near = {n for h in other for n in field.board.within(h, 1)}
    front = [h for h in whole if any(n in near for n in field.board.within(h, NEAR // 4))]
    return [h for h in whole if h in front or field.city(h) or field.ground.country(h) == FINLAND]


def _fits(table: Table, unit: Unit, hex_id: HexId) -> bool:
    field = table.field
    if finnish(unit) != (field.ground.country(hex_id) == FINLAND):
        return False
    if is_air(unit):
        return field.city(hex_id)
    return not counts(unit) or table.room(hex_id, unit.side) > 0


def _fortify(table: Table, side: str) -> None:
    cells = table.game.table["scenarios"]
    points = int(cells.cell(base_of(table.case), f"fortifications-{side}"))
    manned = sorted({h for h, u in table.field.of_side(side) if u.has(CLASS_1)})
    for hex_id in table.random.sample(manned, min(points, len(manned))):
        marker = f"{side}-fort-{table.random.choice(DIRECTIONS)}"
        table.do(Marked(marker, table.hex(hex_id), 1))


def adjust(table: Table) -> None:
    """What was held back comes, or some units go elsewhere: no more than the dice show."""
    side = first_to_set_up(table.case)
    held_back = table.in_box(f"{side}-set-up")
    most = (sum(table.case.in_turn.reserve.values()) or _roll(table)) - len(held_back)
    _place(table, held_back)
    ours = _own_hexes(table, side)
    units = [u for _, u in table.soldiers(side) if u not in held_back]
    for unit in table.random.sample(units, min(most, 6)):
        start = table.field.id(unit.spot)
        open_ = [h for h in ours if h != start and _fits(table, unit, h)]
        if start is not None and open_:
            table.move([unit.id], start, table.random.choice(open_))


DEEDS = {SET_UP_FIRST: set_up, SET_UP_SECOND: set_up, SET_UP_ADJUST: adjust}
