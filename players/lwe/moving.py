"""Movement phases: who enters with them, marches, mobile assaults, moves along Rollbahnen and by sea."""

from __future__ import annotations

from collections.abc import Sequence

from players.game import Deed
from players.lwe import fighting, sailing
from players.lwe.aftermath import bury
from players.lwe.feeding import Feeding
from players.lwe.marching import Worth, closed_to, march, may_end, walk
from players.lwe.mobile import mobile_assault
from players.lwe.table import LIMIT, Table
from players.lwe.ways import State, along_road, country_of, left
from validator.core.board import HexId
from validator.games.lwe.book import GERMAN, SOVIET
from validator.games.lwe.field import printed
from validator.model.events import Moved, Placed
from validator.model.position import Unit

RESERVE, ASIDE = "okh-reserve", "off-map"
TOWNS = {"small-town": 3.0, "large-town": 4.0, "city": 6.0}


# --- the German side --------------------------------------------------------------------------------


def german(table: Table) -> None:
    feeding = only_enter(table)
    worth = _eastward(table)
    for group in _groups(table, GERMAN):
        able = [unit for unit in group if _may_move(table, feeding, unit)]
        if able and table.chance(0.85):
            _act(table, feeding, able, worth)


def only_enter(table: Table) -> Feeding:
    """Who waits beside the map comes onto it."""
    table.spent, table.assaulted, table.halted = {}, set(), set()
    feeding = Feeding(table)
    _from_reserve(table, feeding)
    if table.asterisk_clear:
        _asterisked(table, feeding)
    return feeding


def _may_move(table: Table, feeding: Feeding, unit: Unit) -> bool:
    """Not moved on entering, not refitting, not come by a Rollbahn town, in supply (7.7, 8.2, 8.11)."""
    rests = unit.id in table.spent or "refit" in unit.marks or fighting.came_by_town(table, unit)
    return printed(unit, "movement") > 0 and not rests and feeding.able(unit)


def _act(table: Table, feeding: Feeding, units: list[Unit], worth: Worth) -> None:
    """A mobile assault, if there is one to be made, and what is left of the way."""
    if table.chance(0.6) and mobile_assault(table, feeding, units):
        units = [unit for unit in units if unit.on_map and unit.id not in table.halted]
        if not units or len({unit.spot for unit in units}) > 1 or not table.chance(0.6):
            return
    elif len(units) == 1 and table.chance(0.3) and _far_along_road(table, feeding, units[0]):
        return
    march(table, units, worth, feeding)


def _groups(table: Table, side: str) -> list[list[Unit]]:
    """Stacks one after the other, some whole, the others in parts; fast and slow units mostly part."""
    found: list[list[Unit]] = []
    stacks = list(table.hexes_of(side).values())
    table.random.shuffle(stacks)
    for stack in stacks:
        table.random.shuffle(stack)
        fast = [unit for unit in stack if unit.type.mobility == "mechanized"]
        slow = [unit for unit in stack if unit.type.mobility != "mechanized"]
        for part in [stack] if table.chance(0.15) else [fast, slow]:
            found += [part] if table.chance(0.5) else [[unit] for unit in part]
    return [group for group in found if group]


# --- entering with movement (3.5, 8.3) -------------------------------------------------------------


def _from_reserve(table: Table, feeding: Feeding) -> None:
    ground = table.field.ground
    edge = [h for h in ground.edge("west") if ground.country(h) == "greater-germany"]
    for unit in list(table.position.at(RESERVE)):
        if table.chance(0.95 if table.case.turn == 2 else 0.5):
            _enter(table, feeding, unit, edge)


def _asterisked(table: Table, feeding: Feeding) -> None:
    for unit in list(table.position.at(ASIDE)):
        if unit.counter.setup == "*":
            _enter(table, feeding, unit, table.field.ground.edge("asterisk-entry"))


def _enter(table: Table, feeding: Feeding, unit: Unit, edge: Sequence[HexId]) -> None:
    """The first hex is paid for, which nobody forbids."""
    field = table.field
    open_ = [h for h in edge if not field.units(h, SOVIET) and table.room(h, [unit]) and feeding.fed(h)]
    if not open_:
        return
    hex_ = field.board.hexes[table.random.choice(open_)]
    came = Moved((unit.id,), (str(unit.spot), hex_)) if table.chance(0.5) else Placed(unit.id, hex_)
    table.do(came)
    table.spent[unit.id] = country_of(table).enter(
        unit.type.mobility, State.of(table, GERMAN), table.at(unit)
    )
    if table.chance(0.8) and left(table, unit) > 0 and not table.concentrated:
        march(table, [unit], _eastward(table), feeding)


# --- along a Rollbahn -----------------------------------------------------------------------------------


def _far_along_road(table: Table, feeding: Feeding, unit: Unit) -> bool:
    """The extra hexes of a Rollbahn; every hex of the way is in supply (9.19)."""
    choices = [
        way
        for way in along_road(table, unit, closed_to(table, [unit]))
        if table.room(way[-1], [unit]) and may_end(table, [unit], way[-1])
    ]
    if not choices:
        return False
    way = table.random.choice(choices)
    if not feeding.everywhere([unit], way):
        return False
    return walk(table, [unit], way, left(table, unit), feeding)


# --- what a hex is worth ----------------------------------------------------------------------------


def column(table: Table, hex_id: HexId) -> int:
    return int(table.field.board.label(hex_id)[:2])


def _eastward(table: Table) -> Worth:
    """Germans like to go east, beside the enemy and into towns that are not theirs."""
    field, board = table.field, table.field.board
    beside = {near for h in table.hexes_of(SOVIET) for near in board.adjacent[h]}
    prizes = {h for h in board.with_place(*TOWNS) if field.holder(h) == SOVIET}

    def worth(hex_id: HexId) -> float:
        east = 1.25 ** column(table, hex_id)
        return east * (5 if hex_id in beside else 1) * (6 if hex_id in prizes else 1)

    return worth


def _forward_or_back(table: Table) -> Worth:
    """Soviet units like towns, cover and company; some go at the enemy, some away."""
    board = table.field.board
    enemies = set(table.hexes_of(GERMAN))
    beside = {near for h in enemies for near in board.adjacent[h]}
    towns = {h: TOWNS[kind] for kind in TOWNS for h in board.with_place(kind)}
    bold = table.chance(0.5)

    def worth(hex_id: HexId) -> float:
        away = 1.0 if bold else 1.15 ** column(table, hex_id)
        fear = (3 if bold else 0.4) if hex_id in beside else 1
        return away * fear * towns.get(hex_id, 1.0) * (1.5 if board.terrain[hex_id] != "clear" else 1)

    return worth


# --- the Soviet side ----------------------------------------------------------------------------------


def soviet(table: Table) -> None:
    table.spent = {}
    worth = _forward_or_back(table)
    _make_room(table, worth)
    sailing.sail(table)
    for group in _groups(table, SOVIET):
        able = [u for u in group if printed(u, "movement") > 0 and not u.has("sea-only")]
        able = [unit for unit in able if unit.id not in table.spent]
        if able and table.chance(0.6):
            march(table, able, worth)


def only_make_room(table: Table) -> None:
    """The Soviet side moves no more than it must."""
    table.spent = {}
    _make_room(table, _forward_or_back(table))


def _make_room(table: Table, worth: Worth) -> None:
    """Units leave a hex that arrivals have overfilled; who finds no room is taken off (6.2, 8.1)."""
    for hex_id, units in list(table.hexes_of(SOVIET).items()):
        movable = [u for u in units if printed(u, "movement") > 0 and not u.has("sea-only")]
        while movable and table.load(hex_id, SOVIET) > LIMIT:
            march(table, [movable.pop()], worth)
        while table.load(hex_id, SOVIET) > LIMIT:
            excess = table.load(hex_id, SOVIET) - LIMIT
            here = sorted(table.field.units(hex_id, SOVIET), key=lambda u: u.type.stacking)
            bury(table, next((u for u in here if u.type.stacking >= excess), here[-1]), None)


def _note_german_turn(table: Table) -> None:
    """Asterisked units enter in turns that begin without Soviet units in their hexes (8.3)."""
    table.asterisk_clear = not any(
        table.field.units(h, SOVIET) for h in table.field.ground.edge("asterisk-entry")
    )


DEEDS: dict[str, Deed] = {
    "german-declaration": _note_german_turn,
    "german-move": german,
    "soviet-move": soviet,
}
