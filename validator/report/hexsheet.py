"""Hexes of a map on a sheet of their own: where each lies, and how large the sheet is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from fieldpost.hexes import Hex, Hexside, Layout, Orientation, to_cell

MARGIN_HEXES = 2
Kinds = TypeVar("Kinds", bound=Collection[str])


@dataclass(frozen=True)
class HexSheet:
    hexes: Sequence[Hex]
    layout: Layout
    margin_px: int

    @classmethod
    def of(cls, orientation: Orientation, hexes: Sequence[Hex], hex_px: int, margin_px: int = 0) -> HexSheet:
        """`hex_px` is the distance from side to opposite side."""
        bare = cls(hexes, Layout.regular(orientation, hex_px, 0, 0), margin_px)
        left, top = (margin_px - int(min(axis)) for axis in bare.axes)
        return cls(hexes, Layout.regular(orientation, hex_px, left, top), margin_px)

    @cached_property
    def axes(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The x and the y of every corner."""
        xs, ys = zip(*(corner for hex_ in self.hexes for corner in self.layout.corners(hex_)), strict=True)
        return xs, ys

    @property
    def size(self) -> tuple[int, int]:
        xs, ys = self.axes
        return int(max(xs)) + self.margin_px, int(max(ys)) + self.margin_px

    @cached_property
    def shown(self) -> frozenset[Hex]:
        return frozenset(self.hexes)

    def within(self, sides: Mapping[Hexside, Kinds]) -> Iterator[tuple[Hexside, Kinds]]:
        """Hexsides, or steps across them, of which both hexes are shown."""
        return ((side, kinds) for side, kinds in sides.items() if {side.a, side.b} <= self.shown)


def around(hexes: Iterable[Hex], playable: Collection[Hex], orientation: Orientation) -> set[Hex]:
    """The playable hexes of the smallest rectangle that holds some hexes and a margin."""
    cells = [to_cell(hex_, orientation) for hex_ in hexes]
    if not cells:
        return set()
    columns, rows = ([cell[axis] for cell in cells] for axis in (0, 1))
    across = range(min(columns) - MARGIN_HEXES, max(columns) + MARGIN_HEXES + 1)
    down = range(min(rows) - MARGIN_HEXES, max(rows) + MARGIN_HEXES + 1)
    return {h for h in playable if (cell := to_cell(h, orientation)).column in across and cell.row in down}
