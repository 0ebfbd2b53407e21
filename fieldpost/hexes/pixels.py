"""Where a hex is drawn: the arithmetic of VASSAL's HexGrid."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fieldpost.hexes.geometry import STEPS, Hex, Hexside, Orientation, nearest, to_cell


@dataclass(frozen=True, slots=True)
class Layout:
    """Where hexes are drawn: the numbers of a VASSAL HexGrid, in the sense of an upright screen.

    `across_px` is the distance of neighbouring columns (flat) or of hexes in a row (pointed),
    `down_px` that of hexes in a column (flat) or of neighbouring rows (pointed);
    `left_px`, `top_px` is the centre of raw cell 0, 0.
    """

    orientation: Orientation
    across_px: float
    down_px: float
    left_px: int
    top_px: int

    @classmethod
    def regular(cls, orientation: Orientation, height_px: int, left_px: int, top_px: int) -> Layout:
        """Regular hexes; `height_px` is the distance from side to opposite side."""
        other = height_px * math.sqrt(3) / 2
        if orientation is Orientation.FLAT:
            return cls(orientation, other, height_px, left_px, top_px)
        return cls(orientation, height_px, other, left_px, top_px)

    def center(self, hex_: Hex) -> tuple[int, int]:
        """The centre in whole pixels, as VASSAL snaps a piece to it."""
        column, row = to_cell(hex_, self.orientation)
        if self.orientation is Orientation.FLAT:
            half = int(self.down_px / 2) if column & 1 else 0
            return int(self.across_px * column + self.left_px), int(self.down_px * row + half + self.top_px)
        half = int(self.across_px / 2) if row & 1 else 0
        return int(self.across_px * column + half + self.left_px), int(self.down_px * row + self.top_px)

    def exact(self, hex_: Hex) -> tuple[float, float]:
        """The centre unrounded, for drawing."""
        column, row = to_cell(hex_, self.orientation)
        if self.orientation is Orientation.FLAT:
            return (
                self.across_px * column + self.left_px,
                self.down_px * (row + 0.5 * (column & 1)) + self.top_px,
            )
        return self.across_px * (column + 0.5 * (row & 1)) + self.left_px, self.down_px * row + self.top_px

    def at(self, x: float, y: float) -> Hex:
        """The hex that holds a point."""
        if self.orientation is Orientation.FLAT:
            q = (x - self.left_px) / self.across_px
            return nearest(q, (y - self.top_px) / self.down_px - q / 2)
        r = (y - self.top_px) / self.down_px
        return nearest((x - self.left_px) / self.across_px - r / 2, r)

    def corners(self, hex_: Hex) -> list[tuple[float, float]]:
        """Six corners clockwise; the hexside towards direction i lies between corner i and corner i+1."""
        x, y = self.exact(hex_)
        if self.orientation is Orientation.FLAT:
            w, h = self.across_px * 2 / 3, self.down_px / 2
            return [
                (x - w / 2, y - h),
                (x + w / 2, y - h),
                (x + w, y),
                (x + w / 2, y + h),
                (x - w / 2, y + h),
                (x - w, y),
            ]
        w, h = self.across_px / 2, self.down_px * 2 / 3
        return [
            (x - w, y - h / 2),
            (x, y - h),
            (x + w, y - h / 2),
            (x + w, y + h / 2),
            (x, y + h),
            (x - w, y + h / 2),
        ]

    def side(self, side: Hexside) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two ends of a hexside."""
        index = STEPS.index(side.b - side.a)
        corners = self.corners(side.a)
        return corners[index], corners[(index + 1) % 6]
