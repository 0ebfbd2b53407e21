"""Zones of control: which hexes the units of a side hold their hand over.

A game says which hexes exert (its predicate over the units there) and through which hexsides a zone
passes (a `Projection`, one for each combination of season and kind of unit). A `ZoneMap` counts, so a
unit that comes or goes costs a handful of additions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from validator.core.board import DIRECTIONS, Board, HexId, Mask, minus


class Projection:
    """Where a zone reaches from each hex: neighbours, except over blocked steps and into closed hexes."""

    def __init__(self, board: Board, blocked: Mask | None = None, closed: Mask | None = None) -> None:
        self.board = board
        self.reaches: tuple[tuple[HexId, ...], ...] = tuple(
            tuple(
                b
                for direction, b in enumerate(six)
                if b >= 0
                and not (blocked and blocked[a * DIRECTIONS + direction])
                and not (closed and closed[b])
            )
            for a, six in enumerate(board.neighbors)
        )


class ZoneMap:
    """The zones of one side. `mask` holds 1 for every hex in a zone."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.mask = bytearray(len(board))
        self._count = [0] * len(board)
        self._exerting: Counter[tuple[HexId, Projection]] = Counter()

    @classmethod
    def of(cls, board: Board, exerting: Iterable[tuple[HexId, Projection]]) -> ZoneMap:
        zones = cls(board)
        for hex_id, projection in exerting:
            zones.add(hex_id, projection)
        return zones

    def add(self, hex_id: HexId, projection: Projection) -> None:
        """A unit that exerts a zone came to a hex."""
        key = (hex_id, projection)
        self._exerting[key] += 1
        if self._exerting[key] == 1:
            for b in projection.reaches[hex_id]:
                self._count[b] += 1
                self.mask[b] = 1

    def remove(self, hex_id: HexId, projection: Projection) -> None:
        """A unit that exerts a zone left a hex."""
        key = (hex_id, projection)
        if not self._exerting[key]:
            raise LookupError(f"nothing exerts a zone from {self.board.label(hex_id)}")
        self._exerting[key] -= 1
        if not self._exerting[key]:
            del self._exerting[key]
            for b in projection.reaches[hex_id]:
                self._count[b] -= 1
                if not self._count[b]:
                    self.mask[b] = 0

    def holds(self, hex_id: HexId) -> bool:
        return bool(self.mask[hex_id])

    def exerted_by(self, hex_id: HexId) -> list[HexId]:
        """The hexes whose units reach into this one."""
        near = self.board.neighbors[hex_id]
        return sorted(
            {a for a, projection in self._exerting if a in near and hex_id in projection.reaches[a]}
        )

    def negated(self, friends: Mask) -> bytes:
        """The zone mask without hexes where a friendly unit stands (for supply, retreat ...)."""
        return minus(self.mask, friends)
