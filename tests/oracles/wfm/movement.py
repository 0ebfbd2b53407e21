"""Chapters 4.2 and 5.1 to 5.4: where a unit may march, and what that costs."""

from __future__ import annotations

from heapq import heappop, heappush

from fieldpost.hexes import Hex
from tests.oracles.wfm.field import ENEMY, SNOW, Piece, Position, game, ground

LEAVING = 3  # 4.27, 5.41
BY_RAIL = 3  # 5.28
CITIES = ("minor-city", "major-city", "fortress")


def cell(piece: Piece, row: str, season: str) -> str:
    kind = game().unit_type[piece.kind].mobility
    return game().table["terrain-effects"].cell(row, f"{kind}@snow" if season == SNOW else kind)


def ground_cost(position: Position, piece: Piece, hex_: Hex) -> int | None:
    """5.21, 5.23, 5.25, 5.27"""
    city = next((kind for kind in CITIES if ground().has(hex_, kind)), "")
    terrain = city or ground().terrain[hex_]
    text = cell(piece, terrain, position.season)
    if text == "no":
        return None
    value = game().counter[piece.name].values.get("mountain-cost")
    value = value or game().unit_type[piece.kind].values.get("mountain-cost")
    cost = int(str(value)) if value and terrain == "mountain" else int(text)
    return cost * 2 if position.season == SNOW and hex_ in ground().arctic else cost


def side_cost(position: Position, piece: Piece, a: Hex, b: Hex) -> int | None:
    """5.22, 5.26"""
    total = 0
    for kind in ground().kinds[a, b] - {"border", "arctic-circle"}:
        if kind == "ice-road" and not position.crosses_ice(piece):
            return None
        text = cell(piece, kind, position.season)
        if text == "no":
            return None
        total += int(text)
    return total


def may_enter(position: Position, piece: Piece, hex_: Hex) -> bool:
    """4.15, 4.28, 5.28, 5.32"""
    there = position.at(hex_)
    if hex_ in position.held(ENEMY[piece.side]):
        return False
    if piece.ally and any(p.ally not in ("", piece.ally) for p in there):
        return False
    if hex_ not in position.zones(ENEMY[piece.side]) or not (
        piece.has("escorted") or piece.has("never-ezoc")
    ):
        return True
    return not piece.has("never-ezoc") and any(map(position.controls, there))


def step(position: Position, piece: Piece, a: Hex, b: Hex) -> int | None:
    """4.26, 4.27, 5.43: what a step costs; none where it is barred."""
    hex_price, side_price = ground_cost(position, piece, b), side_cost(position, piece, a, b)
    if hex_price is None or side_price is None or not may_enter(position, piece, b):
        return None
    zones = position.zones(ENEMY[piece.side])
    if a not in zones:
        return hex_price + side_price
    return None if b in zones and not piece.has("panzer") else hex_price + side_price + LEAVING


def march(position: Position, piece: Piece) -> dict[Hex, int | None]:
    """Every hex with its price; none for the one hex of 5.24."""
    if piece.has("rail-only"):
        return _by_rail(position, piece)
    if not piece.movement:
        return {}
    best, queue = {piece.hex: 0}, [(0, piece.hex)]
    while queue:
        spent, here = heappop(queue)
        for there in ground().near[here] if spent <= best[here] else ():
            price = step(position, piece, here, there)
            total = 99 if price is None else spent + price
            if total <= piece.movement and total < best.get(there, 99):
                best[there] = total
                heappush(queue, (total, there))
    found: dict[Hex, int | None] = {h: price for h, price in best.items() if h != piece.hex}
    if piece.hex in position.zones(ENEMY[piece.side]) and position.phase != "ger-mech":
        for there in ground().near[piece.hex]:
            if step(position, piece, piece.hex, there) is not None:
                found.setdefault(there, None)
    return found


def _by_rail(position: Position, piece: Piece) -> dict[Hex, int | None]:
    found, waiting = {piece.hex: 0}, [piece.hex]
    for here in waiting:
        for there in ground().near[here] if found[here] < BY_RAIL else ():
            if there not in found and ground().rails(here, there) and may_enter(position, piece, there):
                found[there] = found[here] + 1
                waiting.append(there)
    return {hex_: price for hex_, price in found.items() if hex_ != piece.hex}
