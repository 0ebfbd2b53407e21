"""What is read from the open data packages: land, rivers, heights and the satellite picture."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import shapefile
from numpy.typing import NDArray
from PIL import Image

from tools.mapgen.projection import Array

WEST, SOUTH, EAST, NORTH = 8.0, 34.0, 66.0, 76.0


class Outlines(NamedTuple):
    """Rings as longitude, latitude: land, and the waters cut out of it."""

    land: list[Array]
    holes: list[Array]


class Course(NamedTuple):
    name: str
    points: Array  # longitude, latitude


def ring_area(ring: Array) -> float:
    """Positive if the ring runs anticlockwise: in a shapefile, a hole."""
    return float(0.5 * np.sum(ring[:-1, 0] * ring[1:, 1] - ring[1:, 0] * ring[:-1, 1]))


def square_km(ring: Array) -> float:
    return abs(ring_area(ring)) * 111.2**2 * float(np.cos(np.radians(ring[:, 1].mean())))


def _parts(shape: shapefile.Shape) -> list[Array]:
    bounds = [*shape.parts, len(shape.points)]
    points = np.array(shape.points, float)
    return [points[a:b] for a, b in pairwise(bounds)]


def _near(ring: Array) -> bool:
    return bool(
        ring[:, 0].max() > WEST
        and ring[:, 0].min() < EAST
        and ring[:, 1].max() > SOUTH
        and ring[:, 1].min() < NORTH
    )


def read_land(folder: Path) -> Outlines:
    rings: list[Array] = []
    with shapefile.Reader(str(folder / "ne_10m_land"), encoding="latin1") as reader:
        for shape in reader.iterShapes():
            rings += [ring for ring in _parts(shape) if _near(ring)]
    return Outlines([r for r in rings if ring_area(r) < 0], [r for r in rings if ring_area(r) > 0])


def read_rivers(folder: Path) -> list[Course]:
    courses: list[Course] = []
    path = str(folder / "ne_10m_rivers_lake_centerlines")
    with shapefile.Reader(path, encoding="latin1") as reader:
        for record in reader.iterShapeRecords():
            if not record.shape.points or not _near(np.array(record.shape.points)):
                continue
            name = str(record.record.as_dict()["name"]).strip().split(" (")[0]
            courses += [Course(name, part) for part in _parts(record.shape)]
    return courses


@dataclass
class Relief:
    """Heights in metres, one every twelfth of a degree."""

    heights: NDArray[np.float32]

    def at(self, lon: Array, lat: Array) -> Array:
        column = np.clip((lon * 12).round().astype(int), 0, self.heights.shape[1] - 1)
        row = np.clip(((lat - SOUTH) * 12).round().astype(int), 0, self.heights.shape[0] - 1)
        return np.asarray(self.heights[row, column], float)


def read_relief(path: Path) -> Relief:
    """ETOPO5 in a classic netCDF file: variable ROSE, latitude by longitude from 0 East."""
    data = path.read_bytes()
    begin, shape = _variable(data, b"ROSE")
    rows = slice(int((SOUTH + 90) * 12), int((NORTH + 90) * 12) + 1)
    heights = np.frombuffer(data, ">f4", shape[0] * shape[1], begin).reshape(shape)
    return Relief(heights[rows, : 70 * 12].astype(np.float32))


def _variable(data: bytes, wanted: bytes) -> tuple[int, tuple[int, ...]]:
    """Where a variable of a classic netCDF file begins, and its shape."""
    cursor = _Cursor(data, 8)
    dimensions = cursor.dimensions()
    cursor.attributes()
    cursor.integer()
    for _ in range(cursor.integer()):
        name = cursor.name()
        shape = tuple(dimensions[cursor.integer()] for _ in range(cursor.integer()))
        cursor.attributes()
        kind, _size, begin = cursor.integer(), cursor.integer(), cursor.integer()
        if name == wanted:
            assert kind == 5, "expected four-byte floats"
            return begin, shape
    raise ValueError(f"no variable {wanted!r}")


@dataclass
class _Cursor:
    data: bytes
    at: int
    _SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8}

    def integer(self) -> int:
        self.at += 4
        return int(struct.unpack_from(">i", self.data, self.at - 4)[0])

    def skip(self, size: int) -> bytes:
        start = self.at
        self.at += (size + 3) // 4 * 4
        return self.data[start : start + size]

    def name(self) -> bytes:
        return self.skip(self.integer())

    def dimensions(self) -> list[int]:
        self.integer()
        sizes = []
        for _ in range(self.integer()):
            self.name()
            sizes.append(self.integer())
        return sizes

    def attributes(self) -> None:
        self.integer()
        for _ in range(self.integer()):
            self.name()
            kind = self.integer()
            self.skip(self.integer() * self._SIZES[kind])


@dataclass
class Picture:
    """A picture of the whole earth, plate carrée."""

    pixels: NDArray[np.uint8]

    def brightness(self, lon: Array, lat: Array) -> Array:
        height, width = self.pixels.shape[:2]
        column = np.clip(((lon + 180) / 360 * width).astype(int), 0, width - 1)
        row = np.clip(((90 - lat) / 180 * height).astype(int), 0, height - 1)
        return np.asarray(self.pixels[row, column].astype(float).sum(-1) / 3, float)


def read_picture(path: Path) -> Picture:
    Image.MAX_IMAGE_PIXELS = None
    with Image.open(path) as image:
        return Picture(np.asarray(image.convert("RGB")))
