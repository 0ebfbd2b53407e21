"""Weather, money, new units, supply: what is done with no enemy in sight."""

from __future__ import annotations

from players.wie.table import Table
from validator.core.board import HexId
from validator.games.wie.book import (
    AXIS,
    CARRIED,
    OIL_DIE,
    REINFORCE,
    SIBERIAN,
    SOVIET,
    TREASURY,
    WEATHER,
    WEATHER_DIE,
    both,
)
from validator.games.wie.c03_arrivals import FREE_ONES, MANPOWER, chart, fell_in_combat
from validator.games.wie.c03_money import ORDER
from validator.games.wie.c04_placement import COMPLEX_ROOM, _encircled
from validator.games.wie.c07_supply import lost
from validator.games.wie.c07_weather import weather_of
from validator.games.wie.field import FINLAND, original
from validator.games.wie.sources import price_of
from validator.games.wie.units import (
    ARMOR,
    CLASS_1,
    KATYUSHA,
    counts,
    is_air,
    is_hq,
    kind,
    light_grey,
    replaces,
    value,
)
from validator.model.events import Declared, Marked, Placed, Pointed, Removed
from validator.model.position import Unit


def weather(table: Table) -> None:
    table.roll_for(WEATHER_DIE, 6)
    table.do(Pointed("weather", f"weather-{weather_of(table.case)}"))


# --- action 1 -----------------------------------------------------------------------------------------------


def reinforce(table: Table) -> None:
    table.new_player_turn()
    side = table.side
    _by_the_chart(table, side)
    _replace_freely(table, side)
    _oil(table, side)
    if side == SOVIET and table.case.turn >= 3 and not table.case.in_game.siberian and table.chance(0.5):
        table.do(Declared(SIBERIAN))
    _buy(table, side)
    if table.chance(0.3):
        _fortify(table, side)
    _book(table, side)


def _by_the_chart(table: Table, side: str) -> None:
    due = chart(table.case, side, table.case.turn)
    box = f"turn-{table.case.turn}"
    for unit in table.in_box(box):
        name = (kind(unit), light_grey(unit))
        if unit.side == side and (is_hq(unit) or due[name] > 0):
            due[name] -= 1
            where = f"{side}-headquarters" if is_hq(unit) else f"{side}-reinforcements"
            table.move([unit.id], box, where)


def _replace_freely(table: Table, side: str) -> None:
    left = dict(FREE_ONES[side])
    dead = table.in_box(f"{side}-eliminated")
    table.random.shuffle(dead)
    due = table.case.in_game.free_air.get(side, 0)
    for unit in dead:
        group = replaces(unit)
        if left.get(group, 0) == 0 or not table.chance(0.7):
            continue
        if not fell_in_combat(table.case, unit):
            continue
        if group == "air" and kind(unit) != ("dive-bomber", "fighter", "bomber")[due % 3]:
            continue
        left[group] -= 1
        table.move([unit.id], f"{side}-eliminated", f"{side}-free")


def _oil(table: Table, side: str) -> None:
    field = table.field
    for hex_id in field.ground.oil:
        if field.holder(hex_id) == side and original(table.case, hex_id) != side:
            table.roll_for(OIL_DIE, 6)


def _buy(table: Table, side: str) -> None:
    case = table.case
    pool = table.shopping([u for u in table.offered() if _buyable(table, u)])
    if side == AXIS:
        pool.sort(key=lambda unit: (not light_grey(unit), kind(unit) != "light-infantry"))
    room = sum(_places(table, side, bought=True).values())
    number, men, lend = 0, dict(MANPOWER[side]), 6 if side == SOVIET and case.turn >= 4 else 0
    kinds: dict[str, int] = {}
    for unit in pool:
        balance = case.in_turn.by(side).ledger.balance or 0
        price = price_of(case, unit)
        armored = unit.has(ARMOR) and not unit.has(KATYUSHA)
        spare = balance if armored else balance - max(lend - case.in_turn.by(side).lend_lease, 0)
        name = kind(unit)
        if (
            number >= min(table.most_bought, room)
            or price > spare
            or men.get(name, 1) <= 0
            or kinds.get(name, 0) >= table.most_of_a_kind
        ):
            continue
        if side == AXIS and number == 0 and not light_grey(unit) and table.buys_after_allies:
            break
        kinds[name] = kinds.get(name, 0) + 1
        if name in men:
            men[name] -= 1
        number += 1
        if isinstance(unit.spot, str):
            table.move([unit.id], unit.spot, f"{side}-bought")
        else:
            table.do(Placed(unit.id, f"{side}-bought"))


def _buyable(table: Table, unit: Unit) -> bool:
    if is_hq(unit) or unit.has("partisan") or kind(unit) in ("v2", "tank-destroyer", "heavy-armor"):
        return False
    return not unit.has("finnish") and value(unit, "from-turn") <= table.case.turn and value(unit, "cost") > 0


def _fortify(table: Table, side: str) -> None:
    field, names = table.field, ("n", "ne", "se", "s", "sw", "nw")
    here = [h for h, u in table.soldiers(side) if u.has(CLASS_1)]
    balance = table.case.in_turn.by(side).ledger.balance or 0
    lend = 6 if side == SOVIET and table.case.turn >= 4 else 0
    if not here or balance - lend < 4:
        return
    hex_id = table.random.choice(here)
    marker = f"{side}-fort-{table.random.choice(names)}"
    level = field.position.marks.get(table.hex(hex_id), {}).get(marker, 0)
    if level < 3:
        table.do(Marked(marker, table.hex(hex_id), level + 1))


def _book(table: Table, side: str) -> None:
    ledger = table.case.in_turn.by(side).ledger
    table.do(Declared(CARRIED, value=str(ledger.opening)))
    for line in ORDER:
        if ledger.total(line):
            table.do(Declared(line, value=str(ledger.total(line))))
    table.do(Declared(TREASURY, value=str(ledger.balance)))


# --- action 2 -----------------------------------------------------------------------------------------------


def _places(table: Table, side: str, *, bought: bool) -> dict[HexId, int]:
    """Hexes that take new units, and how many more fit in by all limits."""
    field, case = table.field, table.case
    found = {}
    for hex_id in sorted({*field.ground.values, *field.complex_hexes.values()}):
        if field.holder(hex_id) != side or field.ground.country(hex_id) == FINLAND:
            continue
        if field.complexes(hex_id):
            wrecked = not field.works(hex_id) or table.hex(hex_id) in case.in_turn.by(side).rebuilt
            whole = original(case, hex_id) == side and not _encircled(field, hex_id, side)
            limit = min(table.at_complex, COMPLEX_ROOM if whole else COMPLEX_ROOM // 2)
            limit = 0 if wrecked or case.in_game.shut.get(hex_id) else limit
        else:
            worth = field.ground.values[hex_id]
            limit = worth if original(case, hex_id) == side else (worth + 1) // 2
            limit = 0 if _encircled(field, hex_id, side) else limit
        done = len(case.in_turn.by(side).placed.get(hex_id, ())) if bought else 0
        found[hex_id] = max(min(limit - done, table.room(hex_id, side)), 0)
    return found


def place(table: Table) -> None:
    side = table.side
    for box in ("bought", "free"):
        for unit in table.in_box(f"{side}-{box}"):
            open_ = [h for h, room in _places(table, side, bought=True).items() if room > 0]
            if open_:
                table.move([unit.id], f"{side}-{box}", table.station(unit, open_))
    for unit in table.in_box(f"{side}-reinforcements"):
        _by_chart_or_rail(table, unit, f"{side}-reinforcements")
    for unit in table.in_box(f"{side}-headquarters"):
        if value(unit, "from-turn", 1) <= table.case.turn:
            cities = [h for h in table.field.ground.cities if table.field.holder(h) == side]
            if cities:
                table.move([unit.id], f"{side}-headquarters", table.station(unit, sorted(cities)))
    if side == SOVIET and table.case.in_game.siberian:
        for unit in table.in_box("soviet-siberian"):
            field = table.field
            east = [
                h
                for h in sorted(field.ground.cities)
                if field.holder(h) == side and field.ground.from_edge(side, h) <= 5 and _fits(table, unit, h)
            ]
            if east:
                table.move([unit.id], "soviet-siberian", table.station(unit, east))


def _fits(table: Table, unit: Unit, hex_id: HexId) -> bool:
    return not counts(unit) or table.room(hex_id, unit.side) > 0


def _by_chart_or_rail(table: Table, unit: Unit, box: str) -> None:
    field = table.field
    open_ = [
        h
        for h in sorted(field.ground.cities)
        if field.holder(h) == unit.side and field.ground.country(h) != FINLAND and _fits(table, unit, h)
    ]
    if open_ and (not is_air(unit) or open_):
        table.move([unit.id], box, table.station(unit, open_))


# --- action 5 -----------------------------------------------------------------------------------------------


def supply(table: Table) -> None:
    side, field = table.side, table.field
    dying = lost(table.case, field, side)
    starved: set[object] = set()
    for name in sorted(dying):
        unit = table.position.units[name]
        spot = unit.spot
        if is_hq(unit) or spot in starved:
            continue
        hex_id = table.field.id(spot)
        if hex_id is not None and table.field.red(hex_id):
            starved.add(spot)
        table.do(Removed(name, f"{side}-eliminated"))


DEEDS = {
    WEATHER: weather,
    **dict.fromkeys(both(REINFORCE), reinforce),
    **dict.fromkeys(both("place"), place),
    **dict.fromkeys(both("supply"), supply),
}
