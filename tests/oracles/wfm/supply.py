"""Chapter 9: lines of supply of Soviet, German, Italian and Hungarian units; not by sea, nor by air."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from heapq import heappop, heappush

from fieldpost.hexes import Hex
from tests.oracles.wfm.field import AXIS, ENEMY, SNOW, SOVIET, Piece, Position, ground

RANGE = {AXIS: 4, SOVIET: 6}  # 9.21, 9.31
MOSCOW = "2706"


def closed(position: Position, side: str) -> set[Hex]:
    """9.42: enemy units, and their zones where no friendly unit stands."""
    enemy = ENEMY[side]
    return position.held(enemy) | (position.zones(enemy) - position.held(side))


def price(position: Position, side: str, a: Hex, b: Hex) -> Fraction | None:
    """9.43 to 9.46: what the hex entered counts on a line."""
    kinds = ground().kinds[a, b]
    if ground().rails(a, b):
        return Fraction(1, 2)
    if kinds & {"major-river", "strait", "sea", "lake"} or ground().terrain[b] in ("sea", "lake"):
        return None
    if "ice-road" in kinds and not (side == SOVIET and position.season == SNOW):
        return None
    if _is_city(b):
        return Fraction(1)
    dear = ("tundra",) if position.season == SNOW else ("tundra", "swamp")  # 5.27
    return Fraction(2 if ground().terrain[b] in dear else 1)


def _is_city(hex_: Hex) -> bool:
    return any(ground().has(hex_, kind) for kind in ("minor-city", "major-city", "fortress"))


def reaches(position: Position, side: str, start: Hex, ends: Iterable[Hex]) -> bool:
    """9.41: a line from a hex to one of the ends."""
    ends, shut = set(ends), closed(position, side)
    best: dict[Hex, Fraction] = {start: Fraction(0)}
    queue = [(Fraction(0), start)]
    while queue and start not in shut:
        length, here = heappop(queue)
        if here in ends:
            return True
        for there in ground().near[here]:
            step = None if there in shut else price(position, side, here, there)
            if step is not None and length + step <= RANGE[side] and length + step < best.get(there, 99):
                best[there] = length + step
                heappush(queue, (length + step, there))
    return False


def railroad(position: Position, side: str, ends: Iterable[Hex]) -> set[Hex]:
    """9.47: hexes on open railways to one of these."""
    shut = closed(position, side)
    found = {hex_ for hex_ in ends if hex_ not in shut}
    waiting = list(found)
    for here in waiting:
        for there in ground().near[here]:
            if there not in found and there not in shut and ground().rails(here, there):
                found.add(there)
                waiting.append(there)
    return found


def headquarters(position: Position) -> set[Hex]:
    """9.31, 9.32"""
    moscow = ground().hex(MOSCOW)
    held = position.control.get(moscow) != AXIS and moscow not in position.held(AXIS)
    linked = railroad(position, SOVIET, ground().sources[SOVIET] | ({moscow} if held else set()))
    return {unit.hex for unit in position.of(SOVIET) if unit.has("hq") and unit.hex in linked}


def depots(position: Position) -> set[Hex]:
    """9.22: sources, and depots in a chain to one."""
    found = set(ground().sources[AXIS])
    others = {unit.hex for unit in position.of(AXIS) if unit.has("depot")} - found
    while True:
        new = {hex_ for hex_ in others if reaches(position, AXIS, hex_, found)}
        if not new:
            return found
        found |= new
        others -= new


def is_supplied(position: Position, piece: Piece) -> bool:
    if piece.has("always-supplied"):
        return True
    ends = headquarters(position) if piece.side == SOVIET else depots(position)
    return reaches(position, piece.side, piece.hex, ends)
