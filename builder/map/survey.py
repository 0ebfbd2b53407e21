"""The lie of the land: fields of land and water, height and cover, made from the hexes once for a map.

Hexes decide, noise only bends the edges: two land hexes without water between them always touch by
land, two water hexes always by water, and a water hexside between land hexes is an open channel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from builder.map.curves import corner
from builder.map.frame import Frame
from builder.map.palette import PLAIN_TERRAIN, Style, TerrainLook, look
from builder.map.raster import Array, Field, blur, fractal, ridged, wide_blur
from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex, Hexside, Layout, Orientation, neighbors

CELLS_PER_HEX = 22
_SEED = 1941


@dataclass(frozen=True)
class Cover:
    look: TerrainLook
    weight: Field


@dataclass(frozen=True)
class Ground:
    """Everything a tile needs to paint land and water."""

    base: TerrainLook
    land: Field
    shore: Field
    shade: Field
    mottle: Field
    covers: tuple[Cover, ...]


def survey(game_map: GameMap, frame: Frame, style: Style) -> Ground:
    cell_px = frame.hex_px / CELLS_PER_HEX
    shape = (int(frame.height / cell_px) + 2, int(frame.width / cell_px) + 2)
    kinds, code_of = _codes(game_map, frame)
    looks = [_terrain_look(game_map, style, kind) for kind in kinds]
    flat = _raster(code_of, frame.layout, shape, cell_px)
    warp, gentle = _warps(shape)
    codes = flat[warp]
    water = np.array([item.water for item in looks])
    land = _land(game_map, frame, water[flat], code_of, water, cell_px)[warp]
    bent = _channels(game_map, frame, shape, code_of, water, cell_px, 0.20)[gentle]
    core = _channels(game_map, frame, shape, code_of, water, cell_px, 0.10)
    dry = np.minimum(bent, core)
    used = np.bincount(codes.ravel(), minlength=len(looks)) * ~water
    base = looks[int(used.argmax())]
    heights = np.array([item.height for item in looks], np.float32)[codes]
    dryness: Array = np.maximum(_share(~water[codes]), np.float32(0.12))
    covers = [
        Cover(item, Field(_share(codes == code) / dryness, cell_px))
        for code, item in enumerate(looks)
        if used[code] and item is not base
    ]
    return Ground(
        base=base,
        land=Field(np.minimum(blur(land, 2.9), _shores(dry)), cell_px),
        shore=Field(wide_blur(np.minimum(land, dry), 11.0), cell_px),
        shade=Field(_hillshade(heights, land) * _high(heights), cell_px),
        mottle=Field(fractal(shape, 40, 4, _SEED + 7) - np.float32(0.5), cell_px),
        covers=tuple(sorted(covers, key=lambda cover: cover.look.height)),
    )


def _share(where: NDArray[np.bool_]) -> Array:
    return blur(where.astype(np.float32), 1.5)


def _terrain_look(game_map: GameMap, style: Style, kind_id: str) -> TerrainLook:
    kind = next((k for k in game_map.terrain_kinds if k.id == kind_id), kind_id)
    return look(style.terrain, kind, PLAIN_TERRAIN)


def water_hexes(game_map: GameMap, style: Style) -> frozenset[Hex]:
    watery = {k: _terrain_look(game_map, style, k).water for k in set(game_map.terrain.values())}
    return frozenset(h for h, kind in game_map.terrain.items() if watery[kind])


def _codes(game_map: GameMap, frame: Frame) -> tuple[list[str], dict[Hex, int]]:
    """Every terrain kind, and its number for each hex of the map and a few rings around it."""
    kinds = sorted(set(game_map.terrain.values()))
    number = {kind: index for index, kind in enumerate(kinds)}
    codes = {h: number[kind] for h, kind in game_map.terrain.items()}
    rim = sorted(codes)
    for _ in range(3):
        fresh: dict[Hex, int] = {}
        for h in rim:
            for n in neighbors(h):
                if n not in codes:
                    fresh.setdefault(n, codes[h])
        codes.update(fresh)
        rim = sorted(fresh)
    return kinds, codes


def _raster(
    codes: dict[Hex, int], layout: Layout, shape: tuple[int, int], cell_px: float
) -> NDArray[np.int16]:
    """The code of the hex under every cell."""
    rows, columns = shape
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    q, r = _axial((x + 0.5) * cell_px, (y + 0.5) * cell_px, layout)
    low_q, low_r = min(h.q for h in codes), min(h.r for h in codes)
    size_q = max(h.q for h in codes) - low_q + 1
    size_r = max(h.r for h in codes) - low_r + 1
    table = np.zeros((size_q, size_r), np.int16)
    for h, code in codes.items():
        table[h.q - low_q, h.r - low_r] = code
    return table[np.clip(q - low_q, 0, size_q - 1), np.clip(r - low_r, 0, size_r - 1)]


def _axial(x: Array, y: Array, layout: Layout) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """`Layout.at` for whole arrays."""
    across = np.asarray((x - layout.left_px) / layout.across_px, np.float32)
    down = np.asarray((y - layout.top_px) / layout.down_px, np.float32)
    flat = layout.orientation is Orientation.FLAT
    q, r = (across, down - across / 2) if flat else (across - down / 2, down)
    rq, rr, rs = np.rint(q), np.rint(r), np.rint(-q - r)
    dq, dr, ds = np.abs(rq - q), np.abs(rr - r), np.abs(rs + q + r)
    fix_q = (dq > dr) & (dq > ds)
    fix_r = ~fix_q & (dr > ds)
    return (
        np.where(fix_q, -rr - rs, rq).astype(np.int32),
        np.where(fix_r, -rq - rs, rr).astype(np.int32),
    )


Cells = tuple[NDArray[np.int32], NDArray[np.int32]]


def _warps(shape: tuple[int, int]) -> tuple[Cells, Cells]:
    """Which cell each cell is read from: the plain grid bent a little, and bent less for narrow water."""
    down = fractal(shape, 17, 3, _SEED) - np.float32(0.5)
    across = fractal(shape, 17, 3, _SEED + 20) - np.float32(0.5)
    rows, columns = shape
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)

    def bent(hexes: float) -> Cells:
        reach = np.float32(2 * hexes * CELLS_PER_HEX)
        return (
            np.clip(np.rint(y + reach * down), 0, rows - 1).astype(np.int32),
            np.clip(np.rint(x + reach * across), 0, columns - 1).astype(np.int32),
        )

    return bent(0.42), bent(0.21)


def _land(
    game_map: GameMap,
    frame: Frame,
    wet: NDArray[np.bool_],
    codes: dict[Hex, int],
    water: NDArray[np.bool_],
    cell_px: float,
) -> Array:
    """1 on land, 0 on water, with necks of land and sounds of water drawn in."""
    image = Image.fromarray(np.where(wet, 0, 255).astype(np.uint8))
    channels = channel_sides(game_map)
    for side, is_water in _necks(codes, water):
        if side not in channels:
            ends = [frame.layout.exact(side.a), frame.layout.exact(side.b)]
            _stamp(image, ends, 0.36, 0 if is_water else 255, cell_px)
    return np.asarray(image, np.float32) / np.float32(255)


def _channels(
    game_map: GameMap,
    frame: Frame,
    shape: tuple[int, int],
    codes: dict[Hex, int],
    water: NDArray[np.bool_],
    cell_px: float,
    hexes_wide: float,
) -> Array:
    """0 on water hexsides between land hexes, led on into the water at their ends; else 1.

    Arms of the sea are wide where they open and run out to a point; lakes and straits keep their width.
    """
    image = Image.new("L", (shape[1], shape[0]), 255)
    sides = [
        side
        for side in sorted(channel_sides(game_map))
        if not any(h in codes and water[codes[h]] for h in side)
    ]
    inlets = {
        side: [_into_water(side, end, frame, codes, water) for end in frame.layout.side(side)]
        for side in sides
    }
    widths = _widths(game_map, frame, inlets)
    for side in sides:
        ends = frame.layout.side(side)
        (first, last), wide = inlets[side], [widths.get(corner(end), 1.0) * hexes_wide for end in ends]
        if wide[0] == wide[1] == hexes_wide:
            _stamp(image, [first, *ends, last], hexes_wide, 0, cell_px)
        else:
            _taper(image, [first, *ends, last], [wide[0], *wide, wide[1]], cell_px)
    return np.asarray(image, np.float32) / np.float32(255)


Corner = tuple[int, int]
_OPEN, _NARROWER, _TIP = 1.9, 0.45, 0.25  # widths of an arm of the sea, in those of other channels


def _widths(
    game_map: GameMap, frame: Frame, inlets: dict[Hexside, list[tuple[float, float]]]
) -> dict[Corner, float]:
    """How wide arms of the sea are at their corners: widest where they open, narrower from there on."""
    arms = [side for side in inlets if "sea" in game_map.side_kinds[side]]
    near: dict[Corner, set[Corner]] = {}
    opens: set[Corner] = set()
    for side in arms:
        a, b = (corner(end) for end in frame.layout.side(side))
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
        for end, inlet in zip(frame.layout.side(side), inlets[side], strict=True):
            if inlet != end:
                opens.add(corner(end))
    found = dict.fromkeys(opens, _OPEN)
    rim = sorted(opens)
    while rim:
        fresh = {c: max(found[at] - _NARROWER, 0.8) for at in rim for c in near[at] if c not in found}
        found.update(fresh)
        rim = sorted(fresh)
    for at, others in near.items():
        if len(others) == 1 and at not in opens:
            found[at] = _TIP
    return found


def _taper(
    image: Image.Image, ends: Sequence[tuple[float, float]], widths: Sequence[float], cell_px: float
) -> None:
    """A stroke whose width goes evenly from one to the next."""
    pen = ImageDraw.Draw(image)
    for (x0, y0), (x1, y1), first, last in zip(ends, ends[1:], widths, widths[1:], strict=False):
        for part in range(25):
            share = part / 24
            x, y = (x0 + (x1 - x0) * share) / cell_px, (y0 + (y1 - y0) * share) / cell_px
            reach = max(0.5, (first + (last - first) * share) * CELLS_PER_HEX / 2)
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=0)


def _shores(dry: Array) -> Array:
    """Channels with soft, uneven banks: wider here, narrower there, never closed."""
    uneven = fractal(dry.shape, 9, 2, _SEED + 60) - np.float32(0.5)
    return np.asarray(blur(dry, 1.5) + np.clip(1.1 * uneven, -0.30, 0.10), np.float32)


def _into_water(
    side: Hexside, end: tuple[float, float], frame: Frame, codes: dict[Hex, int], water: NDArray[np.bool_]
) -> tuple[float, float]:
    """A point some way out in the water, or beyond the map, at this end of a hexside; or the end itself."""
    for h in sorted(set(neighbors(side.a)) & set(neighbors(side.b))):
        x, y = frame.layout.exact(h)
        open_there = h not in frame.hexes or (h in codes and water[codes[h]])
        if open_there and math.hypot(x - end[0], y - end[1]) < 0.7 * frame.hex_px:
            return end[0] + 0.6 * (x - end[0]), end[1] + 0.6 * (y - end[1])
    return end


def _stamp(
    image: Image.Image, ends: Sequence[tuple[float, float]], hexes_wide: float, value: int, cell_px: float
) -> None:
    pen = ImageDraw.Draw(image)
    points = [(x / cell_px, y / cell_px) for x, y in ends]
    width = round(hexes_wide * CELLS_PER_HEX)
    pen.line(points, fill=value, width=width)
    reach = (width - 1) / 2
    for x, y in points[1:-1]:
        pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=value)


def channel_sides(game_map: GameMap) -> frozenset[Hexside]:
    """Hexsides that are water themselves: sea, lake, strait."""
    names = ("sea", "lake", "strait", "ice-road", "frozen", "causeway")
    return frozenset(
        side
        for side, kinds in game_map.side_kinds.items()
        if any(name in kind for kind in kinds for name in names)
    )


def _necks(codes: dict[Hex, int], water: NDArray[np.bool_]) -> Iterator[tuple[Hexside, bool]]:
    """Pairs of like hexes whose common neighbour is of the other element."""
    for h in sorted(codes):
        for n in neighbors(h):
            if h < n and n in codes and water[codes[h]] == water[codes[n]]:
                shared = set(neighbors(h)) & set(neighbors(n))
                if any(m in codes and water[codes[m]] != water[codes[h]] for m in shared):
                    yield Hexside(h, n), bool(water[codes[h]])


def _high(heights: Array) -> Array:
    """1 on high ground, fading just beyond its foot, so that the plain beside it keeps its own colour."""
    return np.asarray(np.clip(1.6 * blur((heights > 0).astype(np.float32), 1.5) - 0.3, 0, 1), np.float32)


def _hillshade(heights: Array, land: Array) -> Array:
    """Light from the north-west on ridges that rise where hexes are high."""
    rise = blur(heights * land, 0.22 * CELLS_PER_HEX)
    ridges = ridged(heights.shape, 20, 4, _SEED + 40)
    surface = rise * (np.float32(0.35) + ridges) * np.float32(CELLS_PER_HEX)
    down, across = np.gradient(blur(surface, 0.8))
    light = (-(down + across)) * np.float32(0.22)
    shade = -light / np.sqrt(1 + light * light)
    return np.asarray(np.clip(np.where(shade > 0, 0.7 * shade, shade), -0.9, 0.6), np.float32)
