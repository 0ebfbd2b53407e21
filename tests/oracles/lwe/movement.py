"""Chapters 9.1 to 9.20 and 10: where a unit may go, and what that costs."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise

from fieldpost.hexes import Hex
from tests.oracles.lwe.field import (
    ENEMY,
    FROST,
    GERMAN,
    MUD,
    RAIN,
    SNOW,
    SOVIET,
    STRAITS,
    Piece,
    Position,
    game,
    ground,
)
from tests.oracles.lwe.supply import Supply

FULL = Fraction(6)  # 6.1
FIRST = {True: 14, False: 7}  # 5.4
RAINY = {True: 2, False: 1}  # 10.4
EXTRA = {True: 2, False: 1}  # 9.19


def allowance(position: Position, piece: Piece) -> int:
    """9.1, 5.4, 10.4"""
    points = piece.printed("movement")
    if position.turn == 1 and piece.has("german") and points:
        points = max(points, FIRST[piece.mechanized])
    if position.weather == RAIN and piece.side == GERMAN:
        points -= RAINY[piece.mechanized]
    return max(points, 0)


def price(position: Position, piece: Piece, a: Hex, b: Hex) -> int | None:
    """9.10 to 9.20; none where the way is barred."""
    kinds = ground().side(a, b)
    if kinds & STRAITS or kinds & {"sea", "lake"} or ground().terrain[b] in ("sea", "lake"):
        return None
    german = piece.side == GERMAN
    if german and ground().road(a, b) and position.weather not in (MUD, SNOW):
        return 1  # 9.19
    column = piece.mobility + ("" if position.weather not in (MUD, FROST, SNOW) else f"@{position.weather}")
    table = game().table["terrain-effects"]
    row = "city" if ground().has(b, "city") else ground().terrain[b]
    river = "river" in kinds and not (german and position.turn in range(1, 4))
    return int(table.cell(row, column)) + (int(table.cell("river", column)) if river else 0)


def closed(position: Position, piece: Piece, hex_: Hex) -> bool:
    """9.4, 6.2, 5.4"""
    if hex_ in position.held(ENEMY[piece.side]):
        return True
    others = [p for p in position.at(hex_) if p.name != piece.name and not p.has("aircraft")]
    if sum((p.size for p in others), Fraction(0)) + piece.size > FULL:
        return True
    if position.turn > 1:
        return False
    romania = ground().country.get(hex_, "") == "romania"
    began_there = ground().country.get(piece.hex, "") == "romania"
    return romania if piece.side == SOVIET else began_there and not romania


def strangers(position: Position, piece: Piece, hex_: Hex) -> bool:
    """6.3: a mechanized satellite may stand with Germans, and no other nation with another."""
    others = [p for p in position.at(hex_) if p.name != piece.name and not p.has("aircraft")]
    together = [*others, piece]
    nations = {"german" if p.has("german") else p.nation for p in together}
    if piece.side == SOVIET or len(nations) < 2:
        return False
    guests = {p.nation for p in together if not p.has("german")}
    mobile = all(p.has("armor") for p in together if not p.has("german"))
    return not ("german" in nations and len(guests) == 1 and mobile)


def spread(
    position: Position, piece: Piece, budget: int, by_road: bool = False
) -> dict[Hex, tuple[int, tuple[Hex, ...]]]:
    """The cheapest way to each hex."""
    found: dict[Hex, tuple[int, tuple[Hex, ...]]] = {}
    queue: list[tuple[int, tuple[Hex, ...]]] = [(0, (piece.hex,))]
    while queue:
        cost, way = heappop(queue)
        here = way[-1]
        if here in found:
            continue
        found[here] = (cost, way)
        for other in ground().around(here):
            step = price(position, piece, here, other)
            if step is None or closed(position, piece, other) or (by_road and not ground().road(here, other)):
                continue
            if cost + step <= budget:
                heappush(queue, (cost + step, (*way, other)))
    del found[piece.hex]
    return found


def march(position: Position, piece: Piece) -> dict[Hex, int | None]:
    """Hexes and prices; none for the one hex that a unit may always go (9.3)."""
    budget = allowance(position, piece)
    german = piece.side == GERMAN
    if piece.has("static") or piece.has("sea-only") or piece.has("aircraft") or budget == 0:
        return {}
    feeding, ways = Feeding(position, piece), spread(position, piece, budget)
    fed = feeding.fed
    if not fed((piece.hex,)):
        return {}  # 7.7
    prices: dict[Hex, int | None] = {h: cost for h, (cost, way) in ways.items() if fed(way)}
    for other in ground().around(piece.hex):
        one = other not in ways and price(position, piece, piece.hex, other) is not None
        if one and not closed(position, piece, other) and fed((piece.hex, other)):
            prices[other] = None
    if german and position.weather not in (MUD, SNOW):
        longer = spread(position, piece, budget + EXTRA[piece.mechanized], by_road=True)
        for h, (cost, way) in longer.items():
            known = prices.get(h, budget + 9)
            if all(fed(way[: n + 1]) for n in range(1, len(way))):
                prices[h] = cost if known is None else min(cost, known)
    return {h: cost for h, cost in prices.items() if may_stop(position, piece, h)}


def may_stop(position: Position, piece: Piece, hex_: Hex) -> bool:
    """6.3, 9.31"""
    north = piece.has("satellite") and not ground().satellites_may_stop(hex_)
    return not (strangers(position, piece, hex_) or north)


class Feeding:
    """7.16: Germans stay in supply, by what they have taken on their way."""

    def __init__(self, position: Position, piece: Piece) -> None:
        self.position, self.free = position, piece.side == SOVIET
        self.known: dict[frozenset[Hex], Supply] = {}

    def fed(self, way: tuple[Hex, ...]) -> bool:
        """Whether the last hex of a way is in supply."""
        if self.free:
            return True
        counting = ground().roads | ground().cities | ground().fortified
        taken = frozenset(h for h in way if h in counting and self.position.holder(h) != GERMAN)
        if taken not in self.known:
            self.known[taken] = Supply(self.position.taking(GERMAN, *taken))
        return self.known[taken].supplied(way[-1])


def opens_itself(position: Position, piece: Piece, way: tuple[Hex, ...], cost: int) -> bool:
    """A dearer way to a hex that no cheapest way feeds: by a city or line that it takes (7.16)."""
    steps = [price(position, piece, a, b) for a, b in pairwise(way)]
    barred = any(closed(position, piece, hex_) for hex_ in way[1:])
    if barred or sum(step or 0 for step in steps) != cost or cost > allowance(position, piece):
        return False
    return None not in steps and Feeding(position, piece).fed(way) and may_stop(position, piece, way[-1])
