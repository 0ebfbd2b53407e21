"""The hexes of a map in the plane: where they lie, their corners, and which points are in which."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fieldpost.hexes import Cell, Hex, Hexside, Lattice, Orientation, from_cell, neighbors, to_cell
from tools.mapgen.projection import Array

HALF_SQRT_3 = math.sqrt(3) / 2


class Corner(NamedTuple):
    """A corner of the grid, named by the three hexes that meet there."""

    a: Hex
    b: Hex
    c: Hex


def corner(a: Hex, b: Hex, c: Hex) -> Corner:
    return Corner(*sorted((a, b, c)))


class Plane:
    def __init__(self, lattice: Lattice, hexes: Iterable[Hex]) -> None:
        self.lattice = lattice
        self.hexes = frozenset(hexes)
        self.pointy = lattice.orientation is Orientation.POINTY

    @cached_property
    def ordered(self) -> list[Hex]:
        """Top row first, left to right."""
        return sorted(self.hexes, key=lambda h: to_cell(h, self.lattice.orientation)[::-1])

    def center(self, hex_: Hex) -> tuple[float, float]:
        column, row = to_cell(hex_, self.lattice.orientation)
        if self.pointy:
            return column + 0.5 * (row & 1), row * HALF_SQRT_3
        return column * HALF_SQRT_3, row + 0.5 * (column & 1)

    def at(self, x: float, y: float) -> Hex:
        if self.pointy:
            column, row = round(x), round(y / HALF_SQRT_3)
        else:
            column, row = round(x / HALF_SQRT_3), round(y)
        near = [
            from_cell(Cell(column + i, row + j), self.lattice.orientation)
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
        ]
        return min(near, key=lambda h: math.dist(self.center(h), (x, y)))

    def corners(self, hex_: Hex) -> list[tuple[float, float]]:
        x, y = self.center(hex_)
        turn = 30 if self.pointy else 0
        radius = 1 / math.sqrt(3)
        angles = [math.radians(60 * k + turn) for k in range(6)]
        return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]

    def corner_point(self, at: Corner) -> tuple[float, float]:
        points = [self.center(h) for h in at]
        return sum(p[0] for p in points) / 3, sum(p[1] for p in points) / 3

    def ends(self, side: Hexside) -> tuple[Corner, Corner]:
        first, second = (h for h in neighbors(side.a) if h in neighbors(side.b))
        return corner(side.a, side.b, first), corner(side.a, side.b, second)

    def along(self, side: Hexside, parts: Iterable[float]) -> Array:
        a, b = (np.array(self.corner_point(c)) for c in self.ends(side))
        return np.array([a + (b - a) * t for t in parts])

    @cached_property
    def sides(self) -> list[Hexside]:
        """Every hexside between two hexes of the map."""
        found = []
        for hex_ in self.ordered:
            found += [Hexside.between(hex_, n) for n in neighbors(hex_) if n in self.hexes and hex_ < n]
        return found

    @cached_property
    def sides_at(self) -> dict[Corner, list[tuple[Corner, Hexside]]]:
        """The graph rivers run along."""
        graph: dict[Corner, list[tuple[Corner, Hexside]]] = {}
        for side in self.sides:
            one, other = self.ends(side)
            graph.setdefault(one, []).append((other, side))
            graph.setdefault(other, []).append((one, side))
        return graph

    def on_rim(self, at: Corner) -> bool:
        """Whether the map ends at this corner."""
        return any(h not in self.hexes for h in at)

    def label(self, hex_: Hex) -> str:
        return self.lattice.label(hex_)
