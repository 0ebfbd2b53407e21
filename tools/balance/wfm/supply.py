"""Axis supply of the crude game: depots in chains, Rumanian headquarters on rails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fieldpost.hexes import Hex
from tools.balance.board import spread
from tools.balance.wfm.board import Board, Unit

RANGE_HALVES = 8  # four hexes, in halves
RAIL = 1


def supplied(board: Board, reach: int = 1) -> set[str]:
    """The ids of the Axis units in supply; `reach` 2 doubles the range, as for isolation."""
    ground = _Ground(board)
    good = _field(board, ground, RANGE_HALVES * reach)
    rails = ground.railed(board.sources["axis"])
    heads = [u.hex for u in board.side("axis") if u.hq and u.hex in rails]
    rumanian = ground.within(heads, RANGE_HALVES * reach)
    return {u.id for u in board.side("axis") if _served(u, good, rumanian, rails)}


def field_of_supply(board: Board) -> set[Hex]:
    """Every hex in which a German unit would be in supply."""
    return _field(board, _Ground(board), RANGE_HALVES)


def _served(unit: Unit, good: set[Hex], rumanian: set[Hex], rails: set[Hex]) -> bool:
    if unit.hq:
        return unit.hex in rails
    if unit.kind.values.get("supply") == "headquarters":
        return unit.hex in rumanian
    return unit.hex in good


def _field(board: Board, ground: _Ground, reach: int) -> set[Hex]:
    linked: set[Hex] = set()
    good = ground.within(board.sources["axis"], RANGE_HALVES)
    depots = [u.hex for u in board.side("axis") if u.depot]
    while True:
        more = [h for h in depots if h in good and h not in linked]
        if not more:
            break
        linked.update(more)
        good |= ground.within(more, RANGE_HALVES)
    if reach == RANGE_HALVES:
        return good
    return ground.within([*board.sources["axis"], *linked], reach)


class _Ground:
    """Where a line of supply may pass now."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.soviets = {u.hex for u in board.side("soviet")}
        self.axis = {u.hex for u in board.side("axis")}
        zones = {h for u in board.side("soviet") if u.zone for h in board.open[u.hex]}
        self.shut = self.soviets | (zones - self.axis)

    def within(self, starts: Iterable[Hex], limit: int) -> set[Hex]:
        best, _ = spread({h: 0 for h in starts if h not in self.shut}, self.steps, limit)
        return set(best)

    def steps(self, here: Hex) -> Iterator[tuple[Hex, int]]:
        for there, cost in self.board.open[here].items():
            if cost and there not in self.shut:
                yield there, cost

    def railed(self, starts: Iterable[Hex]) -> set[Hex]:
        seen = {h for h in starts if h not in self.shut}
        queue = list(seen)
        while queue:
            here = queue.pop()
            for there, cost in self.board.open[here].items():
                if cost == RAIL and there not in seen and there not in self.shut:
                    seen.add(there)
                    queue.append(there)
        return seen
