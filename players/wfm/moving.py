"""Movement phases: arrivals, strategic movement, marches with overruns, and those that move last."""

from __future__ import annotations

from players.wfm import fighting
from players.wfm.table import Table, opponent
from players.zoned import Overruns, go, march, walk
from validator.core.board import HexId, both
from validator.core.movement import reach
from validator.games.wfm.book import AXIS, SOVIET
from validator.games.wfm.c05_march import modes_of
from validator.games.wfm.c05_transport import not_strategic, strategic_move_rules
from validator.games.wfm.c09_partisans import COUNTRY
from validator.games.wfm.c09_supply import supplied_mask
from validator.games.wfm.c10_air import standing_city
from validator.games.wfm.field import SNOW
from validator.games.wfm.partisans import PARTISAN
from validator.model.events import Attacked, Marked, Placed
from validator.model.position import Unit
from validator.procedures.field import printed
from validator.procedures.marches import STRATEGIC
from validator.procedures.strengthchits import entry_turn
from validator.procedures.supplymarks import unsupplied

FAR = 4


def movement(table: Table, side: str) -> None:
    arrivals(table, side)
    for unit in _shuffled(table, side):
        if table.chance(0.08) and not unit.has("moves-last"):
            _strategic(table, unit)
    for group in _groups(table, side):
        if table.chance(0.7):
            march(table, group, overrun)
    for unit in _shuffled(table, side):
        if unit.has("moves-last") and table.chance(0.7):
            go(table, [unit])


def mechanized(table: Table) -> None:
    for group in _groups(table, AXIS):
        panzers = [unit for unit in group if unit.has("panzer")]
        if panzers and not _went_by_rail(table, panzers) and table.chance(0.6):
            march(table, panzers, overrun)


def _went_by_rail(table: Table, units: list[Unit]) -> bool:
    return any(STRATEGIC in modes_of(table.case, unit) for unit in units)


def _shuffled(table: Table, side: str) -> list[Unit]:
    units = [unit for unit in table.units(side) if printed(unit, "movement")]
    table.random.shuffle(units)
    return units


def _groups(table: Table, side: str) -> list[list[Unit]]:
    """Units that go together: some stacks whole, the others one by one."""
    found: list[list[Unit]] = []
    for units in table.hexes_of(side).values():
        gone = table.case.in_phase.trips
        able = [u for u in units if printed(u, "movement") and not u.has("moves-last") and u.id not in gone]
        if table.chance(0.4):
            found += [able] if able else []
        else:
            found += [[unit] for unit in able]
    table.random.shuffle(found)
    return found


# --- arrivals (13.1) --------------------------------------------------------------------------


def arrivals(table: Table, side: str) -> None:
    due = [
        table.position.units[name]
        for arrival in table.case.scenario.reinforcements
        if arrival.side == side and arrival.turn <= table.case.turn
        for name in arrival.units
    ]
    entered = {event.unit for event in table.case.in_game.events if isinstance(event, Placed)}
    for unit in due:
        if unit.spot is None and unit.id not in entered:
            choices = _entries(table, unit)
            if choices and table.chance(0.9):
                table.do(Placed(unit.id, table.field.board.hexes[table.random.choice(choices)]))
    if side == SOVIET and not table.case.scenario.reinforcements:
        _partisans(table)


def _partisans(table: Table) -> None:
    """Those of this turn come at once (9.81, 13.17)."""
    case, board = table.case, table.field.board
    free = [hex_ for hex_ in board.hexes if case.game.map.grid["country"].values.get(hex_) == COUNTRY]
    for marker in case.game.markers:
        if marker.kind == PARTISAN and entry_turn(case, marker.id) == case.turn:
            hex_ = table.random.choice([hex_ for hex_ in free if not case.position.at(hex_)])
            table.do(Marked(marker.id, hex_))


def _entries(table: Table, unit: Unit) -> list[HexId]:
    field = table.field
    fed = both(supplied_mask(table.case, unit), table.fed[unit.id])
    enemies = [h for h, _ in field.of_side(opponent(unit.side))]
    fits = [h for h in range(len(field.board)) if fed[h] and table.room(h, [unit]) and not _water(table, h)]
    if unit.side == AXIS:
        return [h for h in fits if all(field.board.distance(h, e) >= FAR for e in enemies)]
    staffs = [h for h, u in field.of_side(unit.side) if u.has("hq") and not unsupplied(u)]
    zones = field.enemy_zones(unit.side)
    near = [h for h in fits if any(field.board.distance(h, s) <= 1 for s in staffs)]
    return [h for h in near if not zones.holds(h) and not field.occupied(AXIS)[h]]


def _water(table: Table, hex_id: HexId) -> bool:
    return table.field.board.terrain[hex_id] in ("sea", "lake")


# --- moves ------------------------------------------------------------------------------------


def _strategic(table: Table, unit: Unit) -> None:
    if list(not_strategic(table.case, unit)):
        return
    found = reach(table.field.board, strategic_move_rules(table.case, table.field, unit), table.at(unit))
    ends = [h for h in found if h != table.at(unit) and table.room(h, [unit])]
    if ends:
        walk(table, [unit], found.path(table.random.choice(ends)), "strategic")


# --- overruns (6) ------------------------------------------------------------------------------


def _may(table: Table, units: list[Unit]) -> bool:
    fighters = [unit for unit in units if fighting.can_attack(unit) and not unsupplied(unit)]
    if not fighters or len(fighters) != len(units) or len({printed(u, "movement") for u in units}) > 1:
        return False
    begun = {table.case.phase_start.units[unit.id].spot for unit in units}
    groups = table.case.in_phase.trips
    return len(begun) == 1 and not any(table.position.units[name].has("osg") for name in groups)


RIVERS = ("minor-river", "major-river", "strait")


def _open_to_overrun(table: Table, start: HexId, target: HexId) -> bool:
    """6.28: no water between, no city, no hard ground."""
    board = table.field.board
    hard = ("mountain",) if table.case.season == SNOW else ("mountain", "swamp")
    return (
        not set(board.side_of(start, target)) & {*fighting.WATER, *RIVERS}
        and not standing_city(table.case, table.field, target)
        and board.terrain[target] not in hard
    )


def _fight(table: Table, units: list[Unit], target: HexId) -> None:
    table.battle += 1
    names = tuple(unit.id for unit in units)
    table.do(Attacked(table.battle, names, (table.field.board.hexes[target],), overrun=True))
    fighting.resolve(table)


overrun = Overruns(
    may=_may,
    still=fighting.whole_stack_fits,
    open_between=lambda table, units, start, target: _open_to_overrun(table, start, target),
    fight=_fight,
)
