"""New units: withdrawals, reinforcements, replacements, Guards, by both players' entry phases (chapter 8)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from players.lwe.supply import OUT, REGULAR, SupplyMap
from players.lwe.table import Table
from validator.core.board import HexId
from validator.games.lwe.book import GERMAN, SOVIET
from validator.games.lwe.field import STRAITS, printed
from validator.model.events import Moved, Placed, Removed, Replaced, StepChanged
from validator.model.position import Unit

WATER = ("sea", "lake")
TOWNS, BIG_TOWNS = ("small-town", "large-town", "city"), ("large-town", "city")
STEPS, LIMIT = 14, 6
RATES = ((22, 8), (18, 7), (14, 6), (10, 5), (6, 4), (4, 3), (2, 2))
ARMY_STEPS = 5
DEAD, COMMAND = "soviet-eliminated", "special-entry"


def due(table: Table, side: str) -> list[Unit]:
    """Reinforcements of this turn in no order."""
    names = [
        name
        for arrival in table.case.scenario.reinforcements
        if arrival.side == side and arrival.turn == table.case.turn
        for name in arrival.units
    ]
    units = [table.position.units[name] for name in names]
    return table.random.sample(units, len(units))


def enter(table: Table, unit: Unit, hex_id: HexId) -> None:
    """Off the track, or out of a box: a counter dragged onto the map."""
    hex_ = table.field.board.hexes[hex_id]
    if isinstance(unit.spot, str) and table.chance(0.5):
        table.do(Moved((unit.id,), (unit.spot, hex_)))
    else:
        table.do(Placed(unit.id, hex_))


# --- the German side (8.2, 8.4, 8.6, 8.12) ----------------------------------------------------------


def german(table: Table) -> None:
    _withdraw(table)
    for unit in due(table, GERMAN):
        choices = _german_entries(table, unit)
        if choices and table.chance(0.95):
            enter(table, unit, table.random.choice(choices))
    for unit in table.position.at(COMMAND):
        if unit.has("artillery-command") and table.chance(0.3):
            _command(table, unit)
    _fill_up(table)


def _withdraw(table: Table) -> None:
    """By the table, or a point for each unit kept (8.12)."""
    rows = table.game.table["withdrawals"]
    for cells in (rows.row(row.id) for row in rows.rows):
        if int(cells["turn"]) != table.case.turn or table.case.scenario.id != "campaign":
            continue
        found, name = SupplyMap(table.case), cells["unit"]
        units = [u for u in table.position.units.values() if u.type.id == cells["unit types"]]
        units = [u for u in units if name in ("-", u.id)]
        free = cells["may be declined"] == "yes"
        able = [u for u in units if not free or (u.on_map and found.state_of(u) != OUT)]
        leave = table.random.sample(able, min(int(cells["number"]), len(able)))
        leave = [unit for unit in leave if not free or table.chance(0.8)]
        table.do(*[Removed(unit.id, "german-withdrawn") for unit in leave])
        table.debit += (int(cells["number"]) - len(leave)) if free else 0


def _german_entries(table: Table, unit: Unit) -> list[HexId]:
    """The western edge at home, Romania's for satellites; towns on a Rollbahn for Germans."""
    field, found = table.field, SupplyMap(table.case)
    edge = set(field.ground.edge("west"))

    def open_to(hex_id: HexId) -> bool:
        country = field.ground.country(hex_id)
        if field.holder(hex_id) != GERMAN or not table.room(hex_id, [unit]):
            return False
        if hex_id in edge and country in (
            "romania",
            *(() if unit.has("satellite") else ("greater-germany",)),
        ):
            return True
        return not unit.has("satellite") and _road_town(table, hex_id) and found.state(hex_id) == REGULAR

    near = [h for h in range(len(field.board)) if h in edge or _road_town(table, h)]
    return [h for h in near if open_to(h) and found.state(h) != OUT]


def _road_town(table: Table, hex_id: HexId) -> bool:
    return bool(table.field.ground.roads[hex_id]) and table.field.board.has_place(hex_id, *TOWNS)


def _command(table: Table, unit: Unit) -> None:
    """The artillery command comes to a Soviet town in regular supply, once."""
    field, found = table.field, SupplyMap(table.case)
    choices = [
        h
        for h in field.board.with_place(*TOWNS)
        if field.ground.country(h) == "soviet-union"
        and field.holder(h) == GERMAN
        and found.state(h) == REGULAR
        and table.room(h, [unit])
    ]
    if choices:
        enter(table, unit, table.random.choice(choices))


def _fill_up(table: Table) -> None:
    """The 14 steps of the game, for non-mechanized divisions with a line of supply."""
    found = SupplyMap(table.case)
    for unit in table.units(GERMAN):
        worn = unit.has("step-replaced") and unit.step > 1 and found.state_of(unit) != OUT
        if worn and table.steps_given < STEPS and table.chance(0.4):
            table.steps_given += 1
            table.do(StepChanged(unit.id, 2, 1))


# --- the Soviet side (8.5, 8.7 to 8.9, 8.13) -----------------------------------------------------------


def note_soviet_turn(table: Table) -> None:
    """Where reinforcements may come is settled when the Soviet player turn begins (8.5)."""
    found = SupplyMap(table.case)
    table.held = {h for h, holder in enumerate(found.holders) if holder == SOVIET}
    table.entries = {h for h in table.held if found.regular(h)}


def soviet(table: Table) -> None:
    found = SupplyMap(table.case)
    _convert(table, found)
    for unit in due(table, SOVIET):
        if not unit.has("guards") and table.chance(0.97):
            _arrive(table, unit)
    _replace(table, found)


def _convert(table: Table, found: SupplyMap) -> None:
    """Guards take the place of units of their type that are in regular supply."""
    for guards in due(table, SOVIET):
        kind = guards.type.values.get("converts-from")
        able = [u for u in table.units(SOVIET) if u.type.id == kind and found.regular(table.at(u))]
        if guards.has("guards") and able and table.chance(0.9):
            old = table.random.choice(able)
            table.do(Replaced((old.id,), ((guards.id, 1),), old.hex, "convert"))
            if old.spot is None and table.chance(0.5):
                table.do(Removed(old.id, DEAD))


def _arrive(table: Table, unit: Unit) -> None:
    """Where the counter says; overfull only if nothing else is left, and where there is a way out."""
    code, board = unit.counter.setup or "", table.field.board
    hexes: Iterable[HexId] = board.with_place(*TOWNS)
    if code[:1].isdigit():
        hexes = [board.id(label) for label in code.split() if board.lattice.hex(label) in board.id_of]
    allowed = table.held if unit.has("coastal-army") else table.entries
    _settle(table, unit, allowed.intersection(hexes))


def _settle(table: Table, unit: Unit, hexes: Iterable[HexId]) -> bool:
    choices = sorted(hexes)
    roomy = [h for h in choices if load(table, h) + unit.type.stacking <= LIMIT]
    crowded = [h for h in choices if _has_way_out(table, h, unit)] if table.chance(0.3) else []
    if roomy or crowded:
        enter(table, unit, table.random.choice(roomy or crowded))
    return bool(roomy or crowded)


def load(table: Table, hex_id: HexId) -> Fraction:
    return sum((u.type.stacking for u in table.field.units(hex_id, SOVIET)), Fraction(0))


def _has_way_out(table: Table, hex_id: HexId, unit: Unit) -> bool:
    """Not yet overfull, and plenty of open ground beside it for who must leave by the end of movement."""
    if load(table, hex_id) > LIMIT or not printed(unit, "movement"):
        return False
    return sum(not table.field.units(h) for h in _dry_neighbors(table, hex_id)) >= 2


def _dry_neighbors(table: Table, hex_id: HexId) -> list[HexId]:
    """Ground beside a hex that no enemy holds and no water cuts off."""
    board, german = table.field.board, set(table.hexes_of(GERMAN))
    land = [h for h in board.adjacent[hex_id] if board.terrain[h] not in WATER and h not in german]
    return [h for h in land if not {*WATER, *STRAITS} & set(board.side_of(hex_id, h))]


def _replace(table: Table, found: SupplyMap) -> None:
    """So many for each centre that is Soviet and in regular supply (8.7, 8.8)."""
    centres = [h for h in found.board.with_feature("replacement-center") if found.holders[h] == SOVIET]
    rate = next((each for turn, each in RATES if table.case.turn >= turn), 0)
    steps = rate * sum(found.regular(h) for h in centres)
    steps -= _fill_the_army(table, found, steps)
    steps = table.random.choice((steps, steps, steps // 2))
    begun = table.case.phase_start.units  # who gives way to Guards does not come back at once (8.13)
    dead = [u for u in table.position.at(DEAD) if u.has("replaceable") and not begun[u.id].on_map]
    towns = [h for h in found.board.with_place(*BIG_TOWNS) if found.holders[h] == SOVIET and found.regular(h)]
    for unit in table.random.sample(dead, min(steps, len(dead))):
        _settle(table, unit, towns)


def _fill_the_army(table: Table, found: SupplyMap, steps: int) -> int:
    """The coastal army back at full strength, for five steps (8.9)."""
    army = next((u for u in table.units(SOVIET) if u.has("coastal-army")), None)
    if army is None or army.step == 1 or steps < ARMY_STEPS or not table.chance(0.5):
        return 0
    if not found.board.has_feature(table.at(army), "coastal-supply"):
        return 0
    table.do(StepChanged(army.id, 2, 1))
    return ARMY_STEPS
