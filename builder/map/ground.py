"""Painting a tile of land and water from the surveyed fields, with quiet textures."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from builder.map.palette import Style, TerrainLook, rgb
from builder.map.raster import Array, Tile, band, blur, coverage, smoothstep
from builder.map.survey import Ground

_PERIOD = 512
_SEED = 1812


def paint(ground: Ground, style: Style, tile: Tile, unit: float) -> tuple[Array, Array]:
    """A tile as an array of colours, and how much of each pixel is land."""
    land_field = ground.land.tile(tile)
    land = coverage(land_field, 0.5)
    if land.max() == 0:
        return _water(ground, style, tile), land
    color = _land(ground, style, tile, unit)
    if land.min() == 1:
        return color, land
    water = _water(ground, style, tile)
    color = water + (color - water) * land[..., None]
    line = band(land_field, 0.5, 1.3 * unit)[..., None]
    return color + (_rgb(style.coast) - color) * line * np.float32(0.85), land


def _rgb(text: str) -> Array:
    return np.array(rgb(text)[:3], np.float32)


def _water(ground: Ground, style: Style, tile: Tile) -> Array:
    shore = ground.shore.tile(tile)
    near = smoothstep(shore, 0.0, 0.55)[..., None]
    deep, shallow = _rgb(style.deep), _rgb(style.shallow)
    color = deep + (shallow - deep) * near
    for level, strength in ((0.36, 0.34), (0.23, 0.24), (0.12, 0.15)):
        line = band(shore, level, 1.1)[..., None] * np.float32(strength)
        color = color + (_rgb(style.waterline) - color) * line
    swell = ground.mottle.tile(tile)[..., None] * np.float32(0.05 * style.grain)
    return np.asarray(color * (1 + swell), np.float32)


def _land(ground: Ground, style: Style, tile: Tile, unit: float) -> Array:
    color = np.empty((tile.height, tile.width, 3), np.float32)
    color[:] = _rgb(ground.base.tint)
    light = np.ones((tile.height, tile.width), np.float32)
    change = np.empty_like(color)
    for cover in ground.covers:
        weight = cover.weight.tile(tile)
        if weight.max() > 0.1:
            alpha, shade = _cover(cover.look, weight, tile, unit)
            np.subtract(_rgb(cover.look.tint), color, out=change)
            change *= alpha[..., None]
            color += change
            light += alpha * shade * np.float32(min(1.0, 0.35 + 0.65 * style.relief))
    mottle = ground.mottle.tile(tile)
    light += ground.shade.tile(tile) * np.float32(0.33 * style.relief)
    light += mottle * np.float32(0.09 * style.grain) + _grain(tile) * np.float32(style.grain)
    color *= light[..., None]
    color[..., 2] -= mottle * np.float32(9 * style.grain)
    return color


def _cover(look: TerrainLook, weight: Array, tile: Tile, unit: float) -> tuple[Array, Array]:
    """How strongly a cover hides what is under it, and how its texture lightens or darkens."""
    if look.texture == "forest":
        bump, shade = (_repeat(layer, tile) for layer in canopy(unit))
        alpha = smoothstep(weight + (bump - np.float32(0.5)) * np.float32(0.62), 0.42, 0.56)
        return alpha, shade * np.float32(look.strength)
    if look.texture == "marsh":
        reeds, edge = _repeat(tufts(unit), tile), _repeat(wet_edge(unit), tile)
        return smoothstep(weight + edge, 0.36, 0.64), reeds * np.float32(-0.30 * look.strength)
    if look.height:
        return smoothstep(weight, 0.12, 0.88), np.zeros_like(weight)
    return smoothstep(weight, 0.34, 0.66), np.zeros_like(weight)


def _repeat(texture: Array, tile: Tile) -> Array:
    size = texture.shape[0]
    rows = (np.arange(tile.top, tile.top + tile.height)) % size
    columns = (np.arange(tile.left, tile.left + tile.width)) % size
    return texture[np.ix_(rows, columns)]


def _grain(tile: Tile) -> Array:
    return _repeat(paper_grain(), tile)


@lru_cache(maxsize=1)
def paper_grain() -> Array:
    values = np.random.default_rng(_SEED).random((_PERIOD, _PERIOD), dtype=np.float32)
    soft = _periodic_blur(values, 0.8) - np.float32(0.5)
    return soft * np.float32(0.035 / max(float(soft.std()), 1e-6) * 0.35)


def _periodic_blur(values: Array, sigma: float) -> Array:
    pad = 16
    wrapped = np.pad(values, pad, mode="wrap")
    return blur(wrapped, sigma)[pad:-pad, pad:-pad]


@lru_cache(maxsize=4)
def canopy(unit: float) -> tuple[Array, Array]:
    """Treetops seen from above, a tile that repeats: their height from 0 to 1, and their light."""
    size = max(96, round(_PERIOD * unit))
    rng = np.random.default_rng(_SEED + 1)
    height = np.zeros((size, size), np.float32)
    spacing = 8.4 * unit
    count = round((size / spacing) ** 2 * 1.7)
    spots = rng.random((count, 3))
    reach = int(9 * unit) + 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    for across, down, big in spots:
        radius = (4.3 + 3.2 * big) * unit
        cx, cy = across * size, down * size
        fx, fy = cx - int(cx), cy - int(cy)
        dome = 1 - ((x - fx) ** 2 + (y - fy) ** 2) / (radius * radius)
        dome = np.clip(dome, 0, 1).astype(np.float32) * np.float32(0.65 + 0.35 * big)
        place = np.ix_(
            (np.arange(-reach, reach + 1) + int(cy)) % size, (np.arange(-reach, reach + 1) + int(cx)) % size
        )
        height[place] = np.maximum(height[place], dome)
    soft = _periodic_blur(height, 0.7 * unit + 0.2)
    light = (np.roll(soft, (1, 1), (0, 1)) - np.roll(soft, (-1, -1), (0, 1))) * np.float32(-0.5 * unit)
    hollow = (soft - soft.mean()) * np.float32(0.10)
    patches = _tileable(size, 70 * unit)
    return np.clip(soft * np.float32(1.15), 0, 1), light * np.float32(0.32) + hollow + patches * np.float32(
        0.06
    )


def _tileable(size: int, cell: float) -> Array:
    """Smooth noise about 0 that repeats without a seam."""
    cells = max(2, round(size / cell))
    lattice = np.random.default_rng(_SEED + 5).random((cells, cells), dtype=np.float32)
    wrapped = np.tile(lattice, (3, 3))
    whole = Image.fromarray(wrapped).resize((size * 3, size * 3), Image.Resampling.BICUBIC)
    return np.asarray(whole)[size : 2 * size, size : 2 * size] - np.float32(0.5)


@lru_cache(maxsize=4)
def wet_edge(unit: float) -> Array:
    """What makes the edge of wet ground wander: bays and tongues, a tile that repeats, about 0."""
    size = max(96, round(_PERIOD * unit))
    wide, narrow = _tileable(size, 34 * unit), _tileable(size, 13 * unit)
    return np.asarray(wide * np.float32(0.62) + narrow * np.float32(0.34), np.float32)


@lru_cache(maxsize=4)
def tufts(unit: float) -> Array:
    """Reeds over still water: short strokes, a tile that repeats, 1 where there is ink."""
    size = max(96, round(_PERIOD * unit))
    scale = 3
    image = Image.new("L", (size * scale, size * scale))
    draw = ImageDraw.Draw(image)
    rng = np.random.default_rng(_SEED + 2)
    pitch = 31 * unit
    rows = max(2, round(size / (pitch * 0.62)))
    columns = max(2, round(size / pitch))
    for row in range(rows):
        for column in range(columns):
            jitter = rng.uniform(-0.22, 0.22, 3)
            x = (column + 0.5 * (row & 1) + jitter[0] + 0.25) * size / columns
            y = (row + jitter[1] + 0.5) * size / rows
            _tuft(draw, x, y, (1 + jitter[2]) * unit, scale, size)
    return np.asarray(image.reduce(scale), np.float32) / np.float32(255)


def _tuft(draw: ImageDraw.ImageDraw, x: float, y: float, unit: float, scale: int, size: int) -> None:
    for across in (0, -size):
        left, level = (x + across) * scale, y * scale
        reach, thick = 7.0 * unit * scale, max(1, round(1.15 * unit * scale))
        draw.line((left - reach, level, left + reach, level), fill=150, width=thick)
        for lean in (-0.5, 0.0, 0.5):
            foot = left + lean * 5 * unit * scale
            tip = left + lean * 9 * unit * scale
            high = (5.4 - 2 * abs(lean)) * unit * scale
            draw.line((foot, level, tip, level - high), fill=255, width=thick)
