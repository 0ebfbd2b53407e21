"""Chapters 4.2 and 5: where a unit may go in its movement phases, and what that costs."""

from __future__ import annotations

from heapq import heappop, heappush

from fieldpost.hexes import Hex
from tests.oracles.ftm.field import AXIS, ENEMY, MUD, SNOW, WATER, Piece, Position, game, ground, near
from tests.oracles.ftm.supply import supplied_at

HOME = {
    "romanian": "romania",
    "hungarian": "hungary",
    "italian": "germany",
    "finnish": "finland",
    "turkish": "turkey",
}
LEAVING = 2  # 4.2
STRATEGIC = 15  # 5.3


def cell(row: str, column: str) -> str:
    return game().table["terrain-effects"].cell(row, column)


def column(piece: Piece, season: str) -> str:
    """5.1.8: swamps count as woods in snow, as the column for snow has it."""
    kind = "leg" if piece.leg else "mech"
    return f"{kind}@snow" if season == SNOW else kind


def ground_cost(piece: Piece, hex_: Hex, season: str) -> int | None:
    """5.1, 5.1.2, 5.1.5; none where the hex is prohibited."""
    terrain = "city" if ground().has(hex_, "city") else ground().terrain[hex_]
    if piece.has("mountain") and terrain == "high-mountain":
        return 3
    text = cell(terrain, column(piece, season))
    if text == "no":
        return None
    return int(text) - (piece.has("mountain") and terrain == "mountain")


def side_cost(piece: Piece, a: Hex, b: Hex, season: str) -> int | None:
    """5.1, 5.1.7, 5.1.9; none where the hexside is prohibited."""
    price = 0
    for kind in ground().side(a, b) - {"border"}:
        if kind == "frozen-access" and not piece.has("frozen-access"):
            return None
        text = cell(kind, column(piece, season))
        if text == "no":
            return None
        price += int(text)
    return price


def closed_countries(piece: Piece, hex_: Hex) -> bool:
    """5.2.1"""
    country = ground().country.get(hex_, "")
    for nation, home in HOME.items():
        if piece.has(nation):
            return country not in (home, "soviet-union")
    return country == ("finland" if piece.side == AXIS else "turkey")


def may_enter(position: Position, piece: Piece, hex_: Hex) -> bool:
    """5.2.1, 5.2.2, 4.2.3"""
    enemy = ENEMY[piece.side]
    if hex_ in position.held(enemy) or closed_countries(piece, hex_):
        return False
    return not (piece.has("never-ezoc") and hex_ in position.zones(enemy))


def march(position: Position, piece: Piece) -> dict[Hex, int | None]:
    """Every hex that a unit may reach, with its price; none for the one hex of 5.1.3 and 5.4."""
    if piece.has("rail-only"):
        return _along_rails(position, piece)
    exploiting = position.phase.endswith("exploit")
    if exploiting and not piece.has("exploits"):
        return _closing_up(position, piece)
    found = dict(_ordinary(position, piece))
    if not exploiting and piece.movement:
        for hex_ in _one_hex(position, piece):
            found.setdefault(hex_, None)
    return found


def _ordinary(position: Position, piece: Piece) -> dict[Hex, int | None]:
    """4.2, 5.1: the cheapest way, hex by hex."""
    zones, best, waiting = position.zones(ENEMY[piece.side]), {piece.hex: 0}, [(0, piece.hex)]
    while waiting:
        spent, here = heappop(waiting)
        if spent > best[here]:
            continue
        for there in ground().around(here):
            price = _step(position, piece, here, there, zones)
            total = None if price is None else spent + price
            if total is not None and total <= piece.movement and total < best.get(there, 99):
                best[there] = total
                heappush(waiting, (total, there))
    return {hex_: price for hex_, price in best.items() if hex_ != piece.hex}


def _step(position: Position, piece: Piece, here: Hex, there: Hex, zones: set[Hex]) -> int | None:
    hex_price = ground_cost(piece, there, position.season)
    side_price = side_cost(piece, here, there, position.season)
    if hex_price is None or side_price is None or not may_enter(position, piece, there):
        return None
    if here not in zones:
        return hex_price + side_price
    panzer = piece.has("panzer") and position.phase == "axis-move"  # 5.1.4
    return hex_price + side_price + LEAVING if panzer or there not in zones else None


def _one_hex(position: Position, piece: Piece) -> list[Hex]:
    """5.1.3: whatever the price; no ban is lifted."""
    zones = position.zones(ENEMY[piece.side])
    return [b for b in ground().around(piece.hex) if _step(position, piece, piece.hex, b, zones) is not None]


def _closing_up(position: Position, piece: Piece) -> dict[Hex, int | None]:
    """5.4.1, 5.4.2"""
    zones = position.zones(ENEMY[piece.side])
    if not piece.has("closes-up") or piece.hex in zones:
        return {}
    return dict.fromkeys(_one_hex(position, piece))


def _along_rails(position: Position, piece: Piece) -> dict[Hex, int | None]:
    """5.1.6: any number of railroad hexes, never into an enemy zone."""
    if position.phase.endswith("exploit"):
        return {}
    found, waiting = {piece.hex: 0}, [piece.hex]
    for here in waiting:
        for there in ground().around(here):
            if there not in found and ground().rails(here, there) and may_enter(position, piece, there):
                found[there] = found[here] + 1
                waiting.append(there)
    return {hex_: price for hex_, price in found.items() if hex_ != piece.hex}


def strategic(position: Position, piece: Piece) -> dict[Hex, int]:
    """5.3"""
    enemy = ENEMY[piece.side]
    able = piece.has("strategic") or (piece.has("strategic-mud") and position.season == MUD)  # 5.3.2
    every = position.option("distance-units") == "all"
    enemies = (unit.hex for unit in position.of(enemy) if every or unit.controls)
    shut = near(enemies, 2)  # 5.3.1
    if not able or piece.status or piece.hex in shut or position.phase.endswith("exploit"):
        return {}
    found, waiting = {piece.hex: 0}, [piece.hex]
    for here in waiting:
        for there in ground().around(here) if found[here] < STRATEGIC else ():
            if there in found or there in shut or there in position.held(enemy):
                continue
            if _open_to_strategic(position, piece, here, there):
                found[there] = found[here] + 1
                waiting.append(there)
    del found[piece.hex]
    return {hex_: price for hex_, price in found.items() if supplied_at(position, piece, hex_)}


def _open_to_strategic(position: Position, piece: Piece, here: Hex, there: Hex) -> bool:
    """5.3: whatever the ground costs, but nothing prohibited; 5.3.1, 5.3.3, 5.2.1"""
    if ground().has(there, "city") and there in position.marked(ENEMY[piece.side]):
        return False
    if closed_countries(piece, there):
        return False
    if piece.has("rail-only"):
        return ground().rails(here, there)
    if "rail-bridge" in ground().side(here, there):
        return ground_cost(piece, there, position.season) is not None
    open_side = side_cost(piece, here, there, position.season) is not None
    return (
        open_side
        and ground_cost(piece, there, position.season) is not None
        and ground().terrain[there] not in WATER
    )
