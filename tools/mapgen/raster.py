"""The plane as pixels: what lies on each pixel, and which pixels make up each hex."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from fieldpost.hexes import Hex
from tools.mapgen.plane import Plane
from tools.mapgen.projection import Array, Georeference
from tools.mapgen.sources import EAST, NORTH, SOUTH, WEST

Mask = NDArray[np.bool_]
PIXELS_PER_HEX = 24
MARGIN = 1.2


def dense(ring: Array, step: float = 0.25) -> Array:
    """The same line with points at most `step` degrees apart, so that it bends with the projection."""
    out = [ring[:1]]
    for a, b in pairwise(ring):
        n = max(1, math.ceil(float(np.abs(b - a).max()) / step))
        out.append(a + (b - a) * (np.arange(1, n + 1) / n)[:, None])
    return np.vstack(out)


def clipped(ring: Array) -> Array:
    """Coordinates kept within reach of the projection."""
    return np.clip(ring, [WEST, SOUTH], [EAST, NORTH])


class Canvas:
    def __init__(self, plane: Plane, ground: Georeference) -> None:
        self.plane, self.ground = plane, ground
        centers = np.array([plane.center(h) for h in plane.ordered])
        self.left, self.top = (float(v) - MARGIN for v in centers.min(0))
        right, bottom = (float(v) + MARGIN for v in centers.max(0))
        self.width = int((right - self.left) * PIXELS_PER_HEX)
        self.height = int((bottom - self.top) * PIXELS_PER_HEX)
        x, y = np.meshgrid(
            (np.arange(self.width) + 0.5) / PIXELS_PER_HEX + self.left,
            (np.arange(self.height) + 0.5) / PIXELS_PER_HEX + self.top,
        )
        lon, lat = ground.to_ground(np.c_[x.ravel(), y.ravel()])
        self.lon, self.lat = lon.reshape(x.shape), lat.reshape(x.shape)

    def pixels(self, points: Array) -> list[tuple[float, float]]:
        moved = (points - [self.left, self.top]) * PIXELS_PER_HEX
        return [(float(a), float(b)) for a, b in moved]

    def fill(self, rings: Iterable[Array]) -> Mask:
        """The pixels within rings of longitude and latitude."""
        image = Image.new("1", (self.width, self.height), 0)
        draw = ImageDraw.Draw(image)
        for ring in rings:
            bent = dense(clipped(ring))
            if len(bent) > 2:
                draw.polygon(self.pixels(self.ground.to_plane(bent[:, 0], bent[:, 1])), fill=1)
        return np.asarray(image).astype(bool)

    @cached_property
    def hex_pixels(self) -> dict[Hex, NDArray[np.intp]]:
        """Flat pixel numbers of every hex."""
        image = Image.new("I", (self.width, self.height), 0)
        draw = ImageDraw.Draw(image)
        for number, hex_ in enumerate(self.plane.ordered, 1):
            draw.polygon(self.pixels(np.array(self.plane.corners(hex_))), fill=number)
        index = np.asarray(image).ravel()
        order = np.argsort(index, kind="stable")
        bounds = np.searchsorted(index[order], np.arange(1, len(self.plane.ordered) + 2))
        return {hex_: order[bounds[i] : bounds[i + 1]] for i, hex_ in enumerate(self.plane.ordered)}

    def sample(self, mask: Mask, points: Array) -> Mask:
        column = np.clip(((points[:, 0] - self.left) * PIXELS_PER_HEX).astype(int), 0, self.width - 1)
        row = np.clip(((points[:, 1] - self.top) * PIXELS_PER_HEX).astype(int), 0, self.height - 1)
        return np.asarray(mask[row, column], bool)
