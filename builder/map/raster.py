"""Fields of numbers over the map: noise, blur, distance, and how a tile reads them at full size.

A field lies on a grid some pixels wide (its `cell_px`); a tile enlarges its part of it smoothly.
Everything is seeded, so that the same map gives the same picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Array = NDArray[np.float32]
BICUBIC = Image.Resampling.BICUBIC


class Tile(NamedTuple):
    """A rectangle of the picture, in pixels."""

    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Field:
    """Values on a coarse grid whose cell 0, 0 begins at the picture's corner."""

    values: Array
    cell_px: float

    def tile(self, tile: Tile) -> Array:
        """The field over a tile, one value a pixel; seamless from tile to tile."""
        scale = 1 / self.cell_px
        left, top = tile.left * scale, tile.top * scale
        right, bottom = (tile.left + tile.width) * scale, (tile.top + tile.height) * scale
        margin = 3
        rows, columns = self.values.shape
        x0, y0 = max(int(left) - margin, 0), max(int(top) - margin, 0)
        x1, y1 = min(int(right) + margin + 1, columns), min(int(bottom) + margin + 1, rows)
        image = Image.fromarray(np.ascontiguousarray(self.values[y0:y1, x0:x1]))
        box = (left - x0, top - y0, min(right - x0, x1 - x0), min(bottom - y0, y1 - y0))
        return np.asarray(image.resize((tile.width, tile.height), BICUBIC, box=box))


def blur(values: Array, sigma: float) -> Array:
    """A Gaussian blur, edges continued."""
    reach = max(1, round(2.6 * sigma))
    offsets = np.arange(-reach, reach + 1)
    weights = np.exp(-(offsets**2) / (2 * sigma * sigma)).astype(np.float32)
    weights /= weights.sum()
    return _convolve(_convolve(values, weights, 0), weights, 1)


def _convolve(values: Array, weights: Array, axis: int) -> Array:
    reach = len(weights) // 2
    pad = [(0, 0), (0, 0)]
    pad[axis] = (reach, reach)
    padded = np.pad(values, pad, mode="edge")
    size = values.shape[axis]
    total, weighed = np.zeros_like(values), np.empty_like(values)
    for index, weight in enumerate(weights):
        part = slice(index, index + size)
        total += np.multiply(weight, padded[part] if axis == 0 else padded[:, part], out=weighed)
    return total


def wide_blur(values: Array, sigma: float, step: int = 4) -> Array:
    """A wide blur, done on a coarser grid and enlarged again."""
    rows, columns = values.shape
    small_size = (max(1, columns // step), max(1, rows // step))
    small = np.asarray(Image.fromarray(values).resize(small_size, Image.Resampling.BOX))
    soft = blur(small, sigma / step)
    return np.asarray(Image.fromarray(soft).resize((columns, rows), BICUBIC))


def noise(shape: tuple[int, int], cell: float, seed: int) -> Array:
    """Smooth noise from 0 to 1 (about), with features `cell` grid cells wide."""
    rows, columns = int(shape[0] / cell) + 4, int(shape[1] / cell) + 4
    lattice = np.random.default_rng(seed).random((rows, columns), dtype=np.float32)
    image = Image.fromarray(lattice)
    box = (1.0, 1.0, 1 + shape[1] / cell, 1 + shape[0] / cell)
    return np.asarray(image.resize((shape[1], shape[0]), BICUBIC, box=box))


def fractal(shape: tuple[int, int], cell: float, octaves: int, seed: int) -> Array:
    """Noise of several sizes on top of each other, its mean about a half."""
    total = np.zeros(shape, np.float32)
    weight, whole = 1.0, 0.0
    for octave in range(octaves):
        total += weight * noise(shape, max(cell / 2**octave, 1.0), seed + octave)
        whole += weight
        weight /= 2
    return total / np.float32(whole)


def ridged(shape: tuple[int, int], cell: float, octaves: int, seed: int) -> Array:
    """Noise with sharp crests, from 0 to 1: what mountains are made of."""
    total = np.zeros(shape, np.float32)
    weight, whole = 1.0, 0.0
    for octave in range(octaves):
        crest = 1 - np.abs(2 * noise(shape, max(cell / 2**octave, 1.0), seed + octave) - 1)
        total += weight * crest * crest
        whole += weight
        weight /= 2.1
    return total / np.float32(whole)


def smoothstep(values: Array, low: float, high: float) -> Array:
    t: Array = np.clip((values - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def coverage(values: Array, level: float) -> Array:
    """How much of each pixel lies above a level: an edge without jaggies."""
    down, across = np.gradient(values)
    steep = np.sqrt(down * down + across * across) + 1e-6
    return np.asarray(np.clip((values - level) / steep + 0.5, 0, 1), np.float32)


def band(values: Array, level: float, width_px: float) -> Array:
    """A line of a given width along a level of a field."""
    down, across = np.gradient(values)
    steep = np.sqrt(down * down + across * across) + 1e-5
    return np.asarray(np.clip(width_px / 2 + 0.5 - np.abs(values - level) / steep, 0, 1), np.float32)
