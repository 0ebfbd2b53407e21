"""What a result costs: steps, retreats, the sea for the coastal army, and who advances (11.29 to 11.39)."""

from __future__ import annotations

from collections.abc import Sequence

from players.lwe import sailing
from players.lwe.table import LIMIT, Table, size_of
from validator.core.board import HexId
from validator.games.lwe.book import ENEMY, GERMAN, SNOW, SOVIET
from validator.games.lwe.c06_stacking import stack
from validator.games.lwe.field import printed
from validator.model.events import Moved, Placed, Removed, StepChanged
from validator.model.position import Unit

POOL = "replacement-pool"
DEAD = {SOVIET: "soviet-eliminated", GERMAN: "german-eliminated"}
Plan = list[tuple[list[Unit], HexId]]


# --- steps ----------------------------------------------------------------------------------------------


def lose(table: Table, unit: Unit, battle: int | None) -> None:
    """One step."""
    if unit.step < unit.type.steps:
        table.do(StepChanged(unit.id, unit.step, unit.step + 1, battle))
    else:
        bury(table, unit, battle)


def bury(table: Table, unit: Unit, battle: int | None) -> None:
    """To the dead pile; a rifle corps leaves as many divisions of the pool as it had factors (8.10)."""
    corps = unit.has("rifle-corps") and not unit.has("headquarters-corps")
    number = printed(unit, "attack") if corps else 0
    table.do(Removed(unit.id, DEAD[unit.side], battle))
    pool = table.position.at(POOL)
    for found in table.random.sample(pool, min(number, len(pool))):
        by_hand = table.chance(0.5)
        table.do(Moved((found.id,), (POOL, DEAD[SOVIET])) if by_hand else Placed(found.id, DEAD[SOVIET]))


def settle(
    table: Table,
    attackers: Sequence[Unit],
    held: Sequence[Unit],
    target: HexId,
    outcome: str,
    *,
    mobile: bool,
) -> None:
    """The defender first (11.29)."""
    battle = table.battle
    match outcome:
        case "AL1":
            payers = [unit for unit in attackers if not mobile or unit.has("leads-assault")]
            lose(table, table.random.choice(payers), battle)
        case "DL1":
            lose(table, table.random.choice(held), battle)
        case "DE" | "BB":
            for unit in held:
                lose(table, unit, battle)
            if outcome == "BB":
                _pay_back(table, attackers, len(held))
        case "DR":
            _retreat(table, attackers, held, target)


def _pay_back(table: Table, attackers: Sequence[Unit], steps: int) -> None:
    """As many steps as the defender lost, or all there are (11.36)."""
    for _ in range(steps):
        living = [unit for unit in attackers if unit.on_map]
        if living:
            lose(table, table.random.choice(living), table.battle)


# --- retreats (11.32, 11.33) ------------------------------------------------------------------------------


def _retreat(table: Table, attackers: Sequence[Unit], held: Sequence[Unit], target: HexId) -> None:
    """Static units die, the coastal army sails, the rest goes by land: all of it or none."""
    for unit in held:
        if unit.has("static"):
            bury(table, unit, table.battle)
    army = [unit for unit in held if unit.has("coastal-army")]
    mobile = [unit for unit in held if not unit.has("static") and unit not in army]
    plan = _plan(table, attackers, mobile, target)
    for units, end in plan or []:
        hexes = (table.field.board.hexes[target], table.field.board.hexes[end])
        table.do(Moved(tuple(unit.id for unit in units), hexes, "retreat", table.battle))
    if plan is None:
        for unit in mobile:
            lose(table, unit, table.battle)
    for unit in army:
        _evacuate(table, unit, target)


def _evacuate(table: Table, army: Unit, target: HexId) -> None:
    ends = sailing.destinations(table, army, target)
    if ends:
        hexes = (army.hex, table.field.board.hexes[table.random.choice(ends)])
        table.do(Moved((army.id,), hexes, "retreat", table.battle))
    else:
        lose(table, army, table.battle)


def _plan(table: Table, attackers: Sequence[Unit], units: list[Unit], target: HexId) -> Plan | None:
    """Together, toward supply if it can be; in parts where no hex has room for all; None without a way."""
    if not units:
        return []
    open_ = _open(table, attackers, target, units[0].side)
    together = [h for h in open_ if _fits(table, h, units)]
    if together:
        away = {h: _to_source(table, h, units[0].side) for h in together}
        closer = [h for h in together if away[h] < _to_source(table, target, units[0].side)]
        return [(units, table.random.choice(closer or together))]
    sizes = sorted(units, key=lambda unit: -unit.type.stacking)
    parted = _part(table, sizes, {h: LIMIT - table.load(h, units[0].side) for h in open_})
    return None if parted is None else [([unit], h) for unit, h in parted]


def _part(table: Table, units: Sequence[Unit], rooms: dict[HexId, int]) -> list[tuple[Unit, HexId]] | None:
    if not units:
        return []
    first, rest = units[0], units[1:]
    for hex_id, room in rooms.items():
        if room >= size_of([first]) and _fits(table, hex_id, [first]):
            found = _part(table, rest, {**rooms, hex_id: room - size_of([first])})
            if found is not None:
                return [(first, hex_id), *found]
    return None


def _open(table: Table, attackers: Sequence[Unit], target: HexId, side: str) -> list[HexId]:
    """Without enemies, not beside the attackers, not an enemy city nor an intact line of the enemy's."""
    field, board = table.field, table.field.board
    frozen = field.weather(target) == SNOW
    water = {"sea"} if frozen else {"sea", "lake"}
    near_attackers = {n for unit in attackers for n in board.adjacent[table.at(unit)]}

    def free(hex_id: HexId) -> bool:
        city = board.has_place(hex_id, "city") and field.holder(hex_id) == ENEMY[side]
        line = side == GERMAN and field.intact_lines[hex_id]
        wet = water & set(board.side_of(target, hex_id)) or board.terrain[hex_id] in water
        return not (field.units(hex_id, ENEMY[side]) or hex_id in near_attackers or city or line or wet)

    return [h for h in board.adjacent[target] if free(h)]


def _fits(table: Table, hex_id: HexId, units: Sequence[Unit]) -> bool:
    there = table.field.units(hex_id, units[0].side)
    verdict = stack([*there, *units])
    return not verdict.breaches and verdict.load <= LIMIT


def _to_source(table: Table, hex_id: HexId, side: str) -> int:
    board = table.field.board
    return min((board.distance(hex_id, source) for source in table.sources(side)), default=0)


# --- advance (11.37) ------------------------------------------------------------------------------------


def advance(table: Table, attackers: Sequence[Unit], target: HexId, outcome: str) -> None:
    """Into the hex the enemy left, some or all, together or one by one."""
    field = table.field
    if outcome not in ("DR", "DE", "BB") or field.units(target, ENEMY[attackers[0].side]):
        return
    going: list[Unit] = []
    for unit in attackers:
        able = unit.on_map and not (unit.has("no-advance") or unit.has("static") or unit.has("sea-only"))
        if able and table.chance(0.6) and table.room(target, [*going, unit]):
            going.append(unit)
    for spot in {unit.hex: None for unit in going}:
        names = tuple(unit.id for unit in going if unit.hex == spot)
        table.do(Moved(names, (spot, field.board.hexes[target]), "advance", table.battle))


__all__ = ["advance", "bury", "lose", "settle"]
