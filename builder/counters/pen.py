"""A pen that draws shapes in one ink, several times too large, and scales them down.

Coordinates are fractions of an area (the inside of a unit box): (0, 0) is its top left, (1, 1) its
bottom right. Lengths (radii, stroke widths) are in pixels of the finished picture or, where a
name ends in `_h`, in heights of the area.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import cos, pi, sin
from typing import NamedTuple

from PIL import Image, ImageDraw

from builder.fonts import cap_font

SCALE = 8
Point = tuple[float, float]


class Area(NamedTuple):
    """A rectangle in pixels of the finished picture; right and bottom are the first pixel beyond."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


class Pen:
    def __init__(self, size: tuple[int, int], area: Area, stroke_px: float) -> None:
        self.area = area
        self.stroke_px = stroke_px
        self._large = Image.new("L", (size[0] * SCALE, size[1] * SCALE), 0)
        self._draw = ImageDraw.Draw(self._large)
        self._value = 255

    def mask(self) -> Image.Image:
        """What has been drawn, at its finished size: how much ink each pixel holds."""
        return self._large.reduce(SCALE)

    @contextmanager
    def erasing(self) -> Iterator[None]:
        """What is drawn meanwhile is taken away."""
        self._value = 0
        try:
            yield
        finally:
            self._value = 255

    # --- shapes

    def line(self, *points: Point, width: float = 1.0, cap: bool = False) -> None:
        """A line; `width` counts strokes."""
        thick = self.stroke_px * width * SCALE
        large = [self._at(p) for p in points]
        self._draw.line(large, fill=self._value, width=max(1, round(thick)), joint="curve")
        if cap:
            for x, y in (large[0], large[-1]):
                self._disc(x, y, thick / 2)

    def polygon(self, *points: Point) -> None:
        self._draw.polygon([self._at(p) for p in points], fill=self._value)

    def outline(self, *points: Point, width: float = 1.0) -> None:
        self.line(*points, points[0], points[1], width=width)

    def rectangle(self, left: float, top: float, right: float, bottom: float) -> None:
        (x0, y0), (x1, y1) = self._at((left, top)), self._at((right, bottom))
        self._draw.rectangle((x0, y0, x1 - 1, y1 - 1), fill=self._value)

    def disc(self, center: Point, radius_h: float) -> None:
        x, y = self._at(center)
        self._disc(x, y, radius_h * self.area.height * SCALE)

    def ring(self, center: Point, radius_h: float, width: float = 1.0) -> None:
        x, y = self._at(center)
        r = radius_h * self.area.height * SCALE
        self._draw.ellipse((x - r, y - r, x + r, y + r), outline=self._value, width=self._wide(width))

    def stadium(self, left: float, top: float, right: float, bottom: float, *, filled: bool = False) -> None:
        """A flat oval with round ends: a track."""
        (x0, y0), (x1, y1) = self._at((left, top)), self._at((right, bottom))
        fill, width = (self._value, 0) if filled else (None, self._wide(1.0))
        self._draw.rounded_rectangle(
            (x0, y0, x1, y1), radius=(y1 - y0) / 2, fill=fill, outline=self._value, width=width
        )

    def ellipse(self, center: Point, across_h: float, high_h: float) -> None:
        x, y = self._at(center)
        a, b = (v * self.area.height * SCALE / 2 for v in (across_h, high_h))
        self._draw.ellipse((x - a, y - b, x + a, y + b), fill=self._value)

    def arc(self, center: Point, radius_h: float, start: float, end: float, width: float = 1.0) -> None:
        """Part of a ring, clockwise in degrees from three o'clock."""
        x, y = self._at(center)
        r = radius_h * self.area.height * SCALE + self._wide(width) / 2
        self._draw.arc((x - r, y - r, x + r, y + r), start, end, fill=self._value, width=self._wide(width))

    def star(self, center: Point, radius_h: float, points: int = 5, inner: float = 0.4) -> None:
        self.polygon(*self.round_points(center, radius_h, points * 2, inner))

    def text(self, center: Point, text: str, cap_h: float, face: str = "condensed-bold") -> None:
        """A word whose capitals are `cap_h` high, on whole pixels."""
        cap_px = max(4, round(cap_h * self.area.height))
        x, y = self._at(center)
        baseline = round(y / SCALE + cap_px / 2) * SCALE
        self._draw.text(
            (x, baseline), text, fill=self._value, font=cap_font(face, cap_px * SCALE), anchor="ms"
        )

    # --- positions

    def round_points(self, center: Point, radius_h: float, count: int, inner: float = 1.0) -> Sequence[Point]:
        """Points around a circle from twelve o'clock; each second one at `inner` times the radius."""
        squeeze = self.area.height / self.area.width
        found = []
        for i in range(count):
            r = radius_h * (inner if i % 2 else 1.0)
            angle = 2 * pi * i / count
            found.append((center[0] + r * squeeze * sin(angle), center[1] - r * cos(angle)))
        return found

    def _at(self, point: Point) -> Point:
        x = self.area.left + point[0] * self.area.width
        y = self.area.top + point[1] * self.area.height
        return x * SCALE, y * SCALE

    def _disc(self, x: float, y: float, r: float) -> None:
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill=self._value)

    def _wide(self, width: float) -> int:
        return max(1, round(self.stroke_px * width * SCALE))
