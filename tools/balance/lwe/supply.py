"""Lines of supply of both sides, for a whole map at once (chapter 7).

That only the nearest Rollbahn counts (7.3) is left out: a player takes care not to hold one beyond a block.
"""

from __future__ import annotations

from fieldpost.hexes import Hex
from tools.balance.board import spread
from tools.balance.lwe.board import Board

RANGE = 12


def german_field(board: Board) -> set[Hex]:
    """Every hex in which the German side would be in supply, attenuated or not."""
    shut = board.occupied("soviet") | board.forts | _cities(board, "soviet")
    sources = [h for h in board.sources["german"] if h in board.holder and board.holder[h] == "german"]
    return _within(board, sources, shut) | _within(board, _follow(board, sources, shut), shut)


def working_roads(board: Board) -> tuple[set[Hex], set[Hex]]:
    """Rollbahn hexes open from a source, and those where the enemy closes the road next."""
    shut = board.occupied("soviet") | board.forts | _cities(board, "soviet")
    sources = [h for h in board.sources["german"] if h in board.holder and board.holder[h] == "german"]
    working = _follow(board, sources, shut)
    ahead = {b for h in working for b in board.open[h] if (h, b) in board.roads} - working
    return working, ahead


def soviet_field(board: Board) -> set[Hex]:
    """Every hex in regular supply (7.9)."""
    shut = board.occupied("german") | _cities(board, "german")
    sources = [h for h in board.sources["soviet"] if board.holder.get(h) == "soviet"]
    return set(board.steps_from(sources, shut))


def coastal(board: Board) -> set[Hex]:
    """Towns on the Black Sea and the Sea of Azov feed who stands in them (7.10)."""
    return {p.hex for p in board.map.places if "coastal-supply" in p.features}


def _cities(board: Board, side: str) -> set[Hex]:
    return {h for h, kind in board.town.items() if kind == "city" and board.holder[h] == side}


def _within(board: Board, starts: list[Hex] | set[Hex], shut: set[Hex]) -> set[Hex]:
    tolls = {h: 0 for h in starts if h not in shut}
    best, _ = spread(tolls, lambda here: ((b, 1) for b in board.open[here] if b not in shut), RANGE)
    return set(best)


def _follow(board: Board, sources: list[Hex], shut: set[Hex]) -> set[Hex]:
    found = [h for h in sources if h in board.road_hexes and h not in shut]
    seen = set(found)
    for here in found:
        for there in board.open[here]:
            if there not in seen and there not in shut and (here, there) in board.roads:
                seen.add(there)
                found.append(there)
    return seen
