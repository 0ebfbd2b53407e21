"""What is drawn with a pen: a list of strokes, fills and discs, drawn tile by tile, finely, then reduced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from builder.map.curves import Path, Point
from builder.map.palette import Color
from builder.map.raster import Tile

FINE = 3  # how many times finer than the picture the pen draws


class Mark(NamedTuple):
    """One thing drawn: a stroke has a width; a fill has none; a disc is one point with its radius."""

    points: tuple[Point, ...]
    width: float
    color: Color
    disc: bool = False

    def bounds(self) -> tuple[float, float, float, float]:
        reach = self.width if self.disc else self.width / 2
        xs, ys = [p[0] for p in self.points], [p[1] for p in self.points]
        return min(xs) - reach - 1, min(ys) - reach - 1, max(xs) + reach + 1, max(ys) + reach + 1


class Ink:
    """Marks in the order in which they are drawn."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []

    def line(self, points: Sequence[Point] | Path, width: float, color: Color) -> None:
        self.marks.append(Mark(_points(points), width, color))

    def fill(self, points: Sequence[Point] | Path, color: Color) -> None:
        self.marks.append(Mark(_points(points), 0, color))

    def disc(self, x: float, y: float, radius: float, color: Color) -> None:
        self.marks.append(Mark(((x, y),), radius, color, True))

    def ring(self, x: float, y: float, radius: float, width: float, color: Color, ground: Color) -> None:
        self.disc(x, y, radius + width / 2, color)
        self.disc(x, y, radius - width / 2, ground)

    def by_tile(self, size: tuple[int, int]) -> dict[tuple[int, int], list[Mark]]:
        """The marks that touch each tile of a grid of tiles."""
        found: dict[tuple[int, int], list[Mark]] = defaultdict(list)
        for mark in self.marks:
            left, top, right, bottom = mark.bounds()
            for column in range(int(left // size[0]), int(right // size[0]) + 1):
                for row in range(int(top // size[1]), int(bottom // size[1]) + 1):
                    found[column, row].append(mark)
        return found


def _points(points: Sequence[Point] | Path) -> tuple[Point, ...]:
    if isinstance(points, np.ndarray):
        return tuple(map(tuple, points.tolist()))
    return tuple((float(x), float(y)) for x, y in points)


def draw(marks: Iterable[Mark], tile: Tile, fine: int = FINE) -> Image.Image:
    """The marks over a tile, smooth-edged on a clear ground.

    Colours are multiplied by their alpha before they are drawn, so that the plain mean of a reduction is
    right. Pillow would do so itself for RGBA, but for every fine pixel; CMYK is its other mode of four bands.
    """
    image = Image.new("CMYK", (tile.width * fine, tile.height * fine))
    pen = ImageDraw.Draw(image)
    for mark in marks:
        points = [((x - tile.left) * fine, (y - tile.top) * fine) for x, y in mark.points]
        color = _multiplied(mark.color)
        if mark.disc:
            _disc(pen, points[0], mark.width * fine, color)
        elif mark.width:
            _stroke(pen, points, mark.width * fine, color)
        else:
            pen.polygon(points, fill=color)
    return Image.merge("RGBa", image.reduce(fine).split()).convert("RGBA")


def _multiplied(color: Color) -> Color:
    red, green, blue, alpha = color
    return red * alpha // 255, green * alpha // 255, blue * alpha // 255, alpha


def _disc(pen: ImageDraw.ImageDraw, center: Point, radius: float, color: Color) -> None:
    x, y = center
    width, height = pen.im.size
    if -radius - 1 <= x <= width + radius and -radius - 1 <= y <= height + radius:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)


def _stroke(pen: ImageDraw.ImageDraw, points: list[Point], width: float, color: Color) -> None:
    pen.line(points, fill=color, width=max(1, round(width)))
    if width > 3:
        for point in points[1:-1]:
            _disc(pen, point, width / 2 - 0.5, color)
