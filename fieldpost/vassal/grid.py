"""The engine's grids: where a piece snaps, what a pixel is called, which pixel a name means.

All points are board pixels. The arithmetic, truncations and flaws included, is the
engine's (3.8): a name is taken from a brick pattern, a snap from the true hexagon,
and the way back from a name goes wrong where the engine's does.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import floor
from typing import NamedTuple, Protocol

from fieldpost.vassal.grid_numbering import GridError, Numbering, fill, pattern


class Point(NamedTuple):
    x: int
    y: int


class Size(NamedTuple):
    """Of the board, or of the box around the zone, that holds a grid."""

    width: int
    height: int


class Grid(Protocol):
    def snap(self, point: Point) -> Point:
        """The centre a piece dropped here snaps to."""

    def name(self, point: Point) -> str | None:
        """The engine's name of a pixel; None where it has none."""

    def point(self, label: str) -> Point:
        """The pixel of a name; raises GridError."""


def java_round(value: float) -> int:
    return floor(value + 0.5)


def inside(polygon: Sequence[Point], point: Point) -> bool:
    """Java's rule for polygons: points on left and top edges are in, on right and bottom ones out."""
    hit = False
    for low, high in _edges_at(polygon, point.y):
        hit ^= point.x - low.x < (point.y - low.y) / (high.y - low.y) * (high.x - low.x)
    return hit


def inside_area(polygon: Sequence[Point], point: Point) -> bool:
    """The same without the rounding, as Java's areas have it."""
    hit = False
    for low, high in _edges_at(polygon, point.y):
        hit ^= (point.x - low.x) * (high.y - low.y) < (point.y - low.y) * (high.x - low.x)
    return hit


def _edges_at(polygon: Sequence[Point], y: int) -> Iterator[tuple[Point, Point]]:
    """The edges that pass a height, upper end first."""
    if len(polygon) < 3:
        return
    last = polygon[-1]
    for corner in polygon:
        low, high = (corner, last) if corner.y < last.y else (last, corner)
        if low.y <= y < high.y:
            yield low, high
        last = corner


@dataclass(frozen=True)
class HexGrid:
    """`across` is the distance of columns, `down` that of hexes in a column, of the upright grid.

    `sideways` exchanges x and y throughout: pointed hexes in rows.
    """

    across: float
    down: float
    origin: Point
    size: Size
    sideways: bool = False
    numbering: Numbering | None = None

    def center(self, column: int, row: int) -> Point:
        """The snap centre of a raw cell."""
        return self._turn(self._upright_center(column, row))

    def cell(self, point: Point) -> tuple[int, int]:
        """Raw column and row the numbering gives any pixel: bricks, right for snapped points."""
        x, y = self._turn(point)
        column = floor((x - self.origin.x) / self.across + 0.5)
        half = self.down / 2 if column % 2 else 0
        return column, java_round((y - self.origin.y - half) / self.down)

    def snap(self, point: Point) -> Point:
        upright = self._turn(point)
        column = floor((upright.x - self.origin.x + self.across / 2) / self.across)
        lift = 0 if column % 2 else self.down / 2
        row = floor((upright.y - self.origin.y + lift) / self.down)
        below = column % 2
        neighbors = [(side, row + below + step) for side in (column - 1, column + 1) for step in (-1, 0)]
        for candidate in [(column, row), *neighbors]:
            if inside_area(self._hexagon(self._upright_center(*candidate)), upright):
                return self.center(*candidate)
        return self.center(column, row)

    def name(self, point: Point) -> str | None:
        if self.numbering is None:
            return None
        return self.numbering.text(*self.numbers(point))

    def numbers(self, point: Point) -> tuple[int, int]:
        """Column and row as counted, before the offsets of the numbering."""
        numbering = self.numbering or Numbering()
        raw, row = self.cell(point)
        columns, rows = self._descending
        column = self._column_limit - raw if columns else raw
        row = self._row_limit - row if rows else row
        row += self.stagger * (raw % 2)
        return column, row + numbering.slant(column)

    def point(self, label: str) -> Point:
        if self.numbering is None:
            raise GridError(f"this grid has no numbers, so no location {label!r}")
        column, row = self.numbering.numbers(label)
        columns, rows = self._descending
        row -= self.numbering.slant(column)
        row -= self.stagger * (column % 2)
        column = self._column_limit - column if columns else column
        row = self._row_limit - row if rows else row
        down = row * self.down + (self.down / 2 if column % 2 else 0)
        return self._turn(Point(int(column * self.across) + self.origin.x, int(down) + self.origin.y))

    @property
    def stagger(self) -> int:
        """What the numbering adds to the row of every other column."""
        if self.numbering is None or not self.numbering.stagger:
            return 0
        return -1 if self._descending[1] else 1

    @property
    def _descending(self) -> tuple[bool, bool]:
        """Whether the upright columns, and rows, count downwards: of pointed hexes H is the row's."""
        numbering = self.numbering or Numbering()
        across, down = numbering.horizontal.descending, numbering.vertical.descending
        return (down, across) if self.sideways else (across, down)

    # The engine takes rows from the height and columns from the width of the board, upright or sideways,
    # and divides the one by the distance of columns, the other by that of rows.
    @property
    def _column_limit(self) -> int:
        return self._max_rows if self.sideways else self._max_columns

    @property
    def _row_limit(self) -> int:
        return self._max_columns if self.sideways else self._max_rows

    @cached_property
    def _max_rows(self) -> int:
        return floor(self.size.height / self.across + 0.5)

    @cached_property
    def _max_columns(self) -> int:
        return floor(self.size.width / self.down + 0.5)

    def _turn(self, point: Point) -> Point:
        return Point(point.y, point.x) if self.sideways else point

    def _upright_center(self, column: int, row: int) -> Point:
        half = int(self.down / 2) if column % 2 else 0
        return Point(int(self.across * column + self.origin.x), int(self.down * row + half + self.origin.y))

    def _hexagon(self, center: Point) -> list[Point]:
        """The engine's hexagon: single precision, corners rounded, right and lower ones pushed out by 1."""
        x, y = _single(center.x), _single(center.y)
        radius = _single(_single(2 * _single(self.across)) / 3)
        half_radius, half_down = _single(radius / 2), _single(_single(self.down) / 2)
        left, right = java_round(_single(x - half_radius)), java_round(_single(x + half_radius))
        top, bottom = java_round(_single(y - half_down)), java_round(_single(y + half_down)) + 1
        middle = java_round(y)
        return [
            Point(java_round(_single(x - radius)), middle),
            Point(left, top),
            Point(right + 1, top),
            Point(java_round(_single(x + radius)) + 1, middle),
            Point(right + 1, bottom),
            Point(left, bottom),
        ]


def _single(value: float) -> float:
    number: float = struct.unpack("f", struct.pack("f", value))[0]
    return number


@dataclass(frozen=True)
class SquareGrid:
    across: float
    down: float
    origin: Point
    size: Size
    numbering: Numbering | None = None

    def snap(self, point: Point) -> Point:
        column = java_round((point.x - self.origin.x) / self.across)
        row = java_round((point.y - self.origin.y) / self.down)
        return Point(
            self.origin.x + java_round(column * self.across), self.origin.y + java_round(row * self.down)
        )

    def name(self, point: Point) -> str | None:
        if self.numbering is None:
            return None
        return self.numbering.text(*self.numbers(point))

    def numbers(self, point: Point) -> tuple[int, int]:
        """Column and row as counted, before the offsets of the numbering."""
        column = floor((point.x - self.origin.x) / self.across + 0.5)
        row = int((point.y - self.origin.y) / self.down + 0.5)
        return self._counted(column, row)

    def point(self, label: str) -> Point:
        if self.numbering is None:
            raise GridError(f"this grid has no numbers, so no location {label!r}")
        column, row = self._counted(*self.numbering.numbers(label))
        return Point(int(column * self.across + self.origin.x), int(row * self.down + self.origin.y))

    def _counted(self, column: int, row: int) -> tuple[int, int]:
        """Raw numbers to counted ones, and back."""
        numbering = self.numbering or Numbering()
        if numbering.horizontal.descending:
            column = int(self.size.width / self.across + 0.5) - column
        if numbering.vertical.descending:
            row = int(self.size.height / self.down + 0.5) - row
        return column, row


@dataclass(frozen=True)
class RegionGrid:
    """Named points; every pixel belongs to the nearest, of equally near ones to the first listed."""

    regions: tuple[tuple[str, Point], ...]

    def snap(self, point: Point) -> Point:
        return self._nearest(point)[1] if self.regions else point

    def name(self, point: Point) -> str | None:
        return self._nearest(point)[0] if self.regions else None

    def point(self, label: str) -> Point:
        for name, origin in self.regions:
            if name == label:
                return origin
        raise GridError(f"there is no region {label!r}")

    def _nearest(self, point: Point) -> tuple[str, Point]:
        return min(self.regions, key=lambda region: _squared_distance(region[1], point))


def _squared_distance(a: Point, b: Point) -> int:
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


@dataclass(frozen=True)
class Zone:
    """A named part of a board. Its grid is its own, the background's, or missing."""

    title: str
    path: tuple[Point, ...]
    grid: Grid | None = None
    location_format: str = "$name$"

    def contains(self, point: Point) -> bool:
        left, top, right, bottom = self._box
        return left <= point.x <= right and top <= point.y <= bottom and inside(self.path, point)

    @cached_property
    def _box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom: most points lie outside of most zones."""
        across, down = [p.x for p in self.path] or [0], [p.y for p in self.path] or [0]
        return min(across), min(down), max(across), max(down)

    def snap(self, point: Point) -> Point:
        return self.grid.snap(point) if self.grid else point

    def name(self, point: Point) -> str:
        place = self.grid.name(point) if self.grid else None
        return fill(self.location_format, {"name": self.title, "gridLocation": place})

    def point(self, label: str) -> Point:
        match = self._label.fullmatch(label)
        if match is None or not match.re.pattern:
            raise GridError(f"{label!r} is not in zone {self.title!r}")
        found = self.grid.point(match[match.re.groups]) if self.grid and match.re.groups else self.middle
        if not self.contains(found):
            raise GridError(f"{label!r} is not in zone {self.title!r}")
        return found

    @cached_property
    def _label(self) -> re.Pattern[str]:
        place = "" if self.grid is None else "(.*)"
        return pattern(self.location_format, {"name": re.escape(self.title), "gridLocation": place})

    @property
    def middle(self) -> Point:
        """The mean of the corners, or the first corner where that lies outside."""
        if not self.path:
            return Point(0, 0)
        count = len(self.path)
        mean = Point(int(sum(p.x for p in self.path) / count), int(sum(p.y for p in self.path) / count))
        return mean if self.contains(mean) else self.path[0]


@dataclass(frozen=True)
class ZonedGrid:
    zones: tuple[Zone, ...]
    background: Grid | None = None

    def zone(self, point: Point) -> Zone | None:
        """The first zone, in the module's order, that holds a point."""
        return next((zone for zone in self.zones if zone.contains(point)), None)

    def snap(self, point: Point) -> Point:
        place = self.zone(point) or self.background
        return place.snap(point) if place else point

    def name(self, point: Point) -> str | None:
        place = self.zone(point) or self.background
        return place.name(point) if place else None

    def point(self, label: str) -> Point:
        for zone in self.zones:
            try:
                return zone.point(label)
            except GridError:
                continue
        if self.background is None:
            raise GridError(f"no zone has a location {label!r}")
        return self.background.point(label)


def has_numbers(grid: Grid | None) -> bool:
    """Whether any hex of it has a number of its own."""
    if isinstance(grid, HexGrid):
        return grid.numbering is not None
    if isinstance(grid, ZonedGrid):
        return has_numbers(grid.background) or any(has_numbers(zone.grid) for zone in grid.zones)
    return False


def numbered(grid: Grid | None) -> Grid | None:
    """A grid of hexes that bears no numbers, counted by us: columns and rows from 01."""
    if isinstance(grid, HexGrid):
        return replace(grid, numbering=Numbering())
    if isinstance(grid, ZonedGrid):
        return replace(grid, background=numbered(grid.background))
    return grid
