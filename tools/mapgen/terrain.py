"""Land, lake and sea; forest, marsh, height: what the ground of a hex mostly is."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fieldpost.hexes import Hex, neighbors
from tools.mapgen import spec
from tools.mapgen.packages import locate
from tools.mapgen.projection import Array
from tools.mapgen.raster import Canvas, Mask
from tools.mapgen.sources import Outlines, read_land, read_picture, read_relief, square_km
from tools.mapgen.spec import Spec

_LAKE_MIN_KM2 = 300.0


@dataclass
class Ground:
    """What lies on every pixel."""

    land: Mask
    lake: Mask
    forest: Mask
    zones: dict[str, Mask]
    height: Array


@dataclass(frozen=True)
class HexGround:
    """What lies on the pixels of one hex, as shares of it; heights in metres."""

    land: float
    lake: float
    dry: float
    forest: float
    zones: dict[str, float]
    height: float
    relief: float
    lat: float
    lon: float
    crest: bool = False  # among the higher ground of hills drawn by hand


def survey(canvas: Canvas, asked: Spec) -> Ground:
    outlines = read_land(locate("naturalearth"))
    sea_rings, lake_rings = _waters(outlines, asked.geography("waters.csv"))
    land = np.zeros((canvas.height, canvas.width), bool)
    for ring in outlines.land:
        land |= canvas.fill([ring])
    land &= ~canvas.fill(sea_rings)
    lake = canvas.fill(lake_rings) & land
    reservoirs = canvas.fill([r for r in outlines.holes if square_km(r) > 15])
    lon, lat = canvas.lon.ravel(), canvas.lat.ravel()
    bright = read_picture(locate("bluemarble")).brightness(lon, lat).reshape(land.shape)
    height = read_relief(locate("etopo5")).at(lon, lat).reshape(land.shape)
    dry = land & ~lake & ~reservoirs
    zones = _zones(canvas, asked.geography("zones.csv"), asked.head.get("ragged_zones", []))
    return Ground(land, lake, _forest(canvas, bright, dry), zones, height)


def _waters(outlines: Outlines, listed: Path) -> tuple[list[Array], list[Array]]:
    """Rings cut out of the land that stay sea, and those that are natural lakes; the rest is filled."""
    sea, lake = [], []
    for row in spec.rows(listed):
        lat, lon = float(row["lat"]), float(row["lon"])
        for ring in outlines.holes:
            (west, south), (east, north) = ring.min(0), ring.max(0)
            if row["kind"] == "sea" and west < lon < east and south < lat < north:
                sea.append(ring)
            near = west - 0.3 < lon < east + 0.3 and south - 0.2 < lat < north + 0.2
            if row["kind"] == "lake" and near and square_km(ring) > _LAKE_MIN_KM2:
                lake.append(ring)
    return sea, lake


def _zones(canvas: Canvas, listed: Path, ragged: list[str]) -> dict[str, Mask]:
    """Zones drawn by hand; the outline of those named ragged wanders about the drawn one."""
    rings: dict[str, list[Array]] = {}
    names: dict[str, str] = {r["zone"]: r["terrain"] for r in spec.rows(listed)}
    for zone, points in spec.named_points(listed, "zone").items():
        ring = np.array([(lon, lat) for lat, lon in [*points, points[0]]])
        if names[zone] in ragged:
            ring = _wandering(ring, zlib.crc32(zone.encode()))
        rings.setdefault(names[zone], []).append(ring)
    return {terrain: canvas.fill(found) for terrain, found in rings.items()}


def _wandering(ring: Array, seed: int) -> Array:
    """Halved four times over, each part leaves its straight line by up to a quarter of its length."""
    random = np.random.default_rng(seed)
    for _ in range(4):
        step = ring[1:] - ring[:-1]
        aside = np.stack((-step[:, 1] * 1.7, step[:, 0] / 1.7), axis=1)  # a degree east is shorter here
        middle = ring[:-1] + step / 2 + aside * random.uniform(-0.27, 0.27, (len(step), 1))
        ring = np.concatenate((np.stack((ring[:-1], middle), axis=1).reshape(-1, 2), ring[-1:]))
    return ring


_LAT = [46, 48, 50, 52, 54, 56, 58, 60, 62, 66, 69]
_WOODED = [0.01, 0.04, 0.15, 0.33, 0.44, 0.52, 0.62, 0.70, 0.76, 0.75, 0.35]
_LON = [18, 24, 30, 36, 44]
_WEST = [0.8, 0.92, 1, 1, 0.9]


def _forest(canvas: Canvas, bright: Array, dry: Mask) -> Mask:
    """The darkest pixels of each neighbourhood, as many as the share of forest known for the latitude."""
    lat_bands, lon_bands = np.arange(40, 73, 1.5), np.arange(10, 61, 3.0)
    limit = np.full((len(lat_bands), len(lon_bands)), np.nan)
    open_ground = dry & (bright < 90)
    for i, lat in enumerate(lat_bands):
        for j, lon in enumerate(lon_bands):
            near = open_ground & (abs(canvas.lat - lat) < 1.5) & (abs(canvas.lon - lon) < 3.5)
            if near.sum() > 300:
                share = np.interp(lat, _LAT, _WOODED) * np.interp(lon, _LON, _WEST)
                limit[i, j] = np.quantile(bright[near], min(0.95, share))
    band = np.array([np.nanmedian(row) if np.isfinite(row).any() else 30.0 for row in limit])
    limit = 0.6 * np.where(np.isfinite(limit), limit, band[:, None]) + 0.4 * band[:, None]
    return dry & (bright <= _bilinear(limit, (canvas.lat - 40) / 1.5, (canvas.lon - 10) / 3.0))


def _bilinear(table: Array, row: Array, column: Array) -> Array:
    r = np.clip(row, 0, table.shape[0] - 1.001)
    c = np.clip(column, 0, table.shape[1] - 1.001)
    i, j = r.astype(int), c.astype(int)
    u, v = r - i, c - j
    low = table[i, j] * (1 - v) + table[i, j + 1] * v
    high = table[i + 1, j] * (1 - v) + table[i + 1, j + 1] * v
    return np.asarray(low * (1 - u) + high * u, float)


def measure(canvas: Canvas, ground: Ground) -> dict[Hex, HexGround]:
    land, lake = ground.land.ravel(), ground.lake.ravel()
    zones = {name: mask.ravel() for name, mask in ground.zones.items()}
    found = {}
    for hex_, pixels in canvas.hex_pixels.items():
        dry = pixels[land[pixels] & ~lake[pixels]]
        heights = ground.height.ravel()[dry] if len(dry) else np.zeros(1)
        found[hex_] = HexGround(
            land=float(land[pixels].mean()),
            lake=float(lake[pixels].mean()),
            dry=len(dry) / max(1, len(pixels)),
            forest=_share(ground.forest.ravel(), dry),
            zones={name: _share(mask, dry) for name, mask in zones.items()},
            height=float(heights.mean()),
            relief=float(np.percentile(heights, 95) - np.percentile(heights, 5)),
            lat=float(canvas.lat.ravel()[pixels].mean()),
            lon=float(canvas.lon.ravel()[pixels].mean()),
        )
    return found


def smoothed(measured: dict[Hex, HexGround]) -> dict[Hex, HexGround]:
    """Forest weighed with that of the neighbours: woods and clearings of a single hex are mostly noise."""
    out = {}
    for hex_, place in measured.items():
        around = [measured[n].forest for n in neighbors(hex_) if n in measured and measured[n].dry > 0.3]
        mean = sum(around) / len(around) if around else place.forest
        out[hex_] = replace(place, forest=0.6 * place.forest + 0.4 * mean)
    return out


def crests(measured: dict[Hex, HexGround]) -> dict[Hex, HexGround]:
    """Of the hills drawn by hand, the hexes that stand no lower than the ground around them."""
    out = {}
    for hex_, place in measured.items():
        around = [measured[n].height for n in neighbors(hex_) if n in measured]
        higher = not around or place.height >= sum(around) / len(around)
        out[hex_] = replace(place, crest=higher and place.zones.get("hill", 0.0) >= 0.5)
    return out


def _share(mask: Mask, pixels: NDArray[np.intp]) -> float:
    return float(mask[pixels].mean()) if len(pixels) else 0.0


def classify(ground: HexGround, settled: bool, names: dict[str, Any]) -> str:
    """The terrain of a hex; `names` says how the game calls marsh, hills ... (None: it has none)."""
    if ground.dry < float(names.get("dry_below", 0.12)) and not settled:
        water = "sea" if ground.land - ground.lake < 0.5 and ground.lake < 0.5 else "lake"
        return str(names.get(water, water))
    for zone in names.get("drawn", []):
        if ground.zones.get(zone, 0.0) >= 0.5:
            return str(zone)
    if ground.zones.get("mosaic", 0.0) >= 0.5:
        return _mosaic(ground, names)
    wooded = ground.forest >= float(names.get("forest_above", 0.5)) or ground.zones.get("woods", 0.0) >= 0.5
    if ground.crest:
        return str(names["wooded hills"] if wooded else names["hills"])
    high = ground.height > float(names.get("high_above", 1e9))
    candidates = (
        ("high", high),
        ("mountain", ground.height > 700 or (ground.relief > 650 and ground.height > 330)),
        ("hills", ground.relief > 240 and ground.height > 150),
        ("tundra", ground.zones.get("tundra", 0.0) >= 0.5),
        ("marsh", ground.zones.get("marsh", 0.0) >= 0.5),
        ("forest", wooded),
    )
    for terrain, holds in candidates:
        name = names.get(terrain, terrain)
        if holds and name is not None:
            return str(name)
    return "clear"


def _mosaic(ground: HexGround, names: dict[str, Any]) -> str:
    """Wet lowland as it is: woods where it is darkest, fields where it is brightest, marsh between."""
    if ground.forest >= 0.6:
        return str(names.get("forest", "forest"))
    return "clear" if ground.forest < 0.22 else str(names.get("marsh", "marsh"))


def countries(canvas: Canvas, ground: Ground, asked: Spec) -> dict[Hex, str]:
    """The country most of a hex's land belonged to on 22 June 1941."""
    names, painted = [""], np.zeros(ground.land.shape, np.uint8)
    merge: dict[str, str] = asked.head.get("merge_countries", {})
    lines = spec.named_points(asked.geography("borders.csv"), "border")
    for entry in spec.read_yaml(asked.geography("countries.yaml")):
        ring: list[tuple[float, float]] = []
        for part in entry["ring"]:
            if isinstance(part, str):
                ring += lines[part[1:]][::-1] if part.startswith("-") else lines[part]
            else:
                ring.append((float(part[0]), float(part[1])))
        names.append(merge.get(entry["country"], entry["country"]))
        painted[canvas.fill([np.array([(lon, lat) for lat, lon in [*ring, ring[0]]])])] = len(names) - 1
    dry, flat = (ground.land & ~ground.lake).ravel(), painted.ravel()
    found = {}
    for hex_, pixels in canvas.hex_pixels.items():
        inside = pixels[dry[pixels]]
        if len(inside):
            name = names[int(np.bincount(flat[inside], minlength=len(names)).argmax())]
            if name:
                found[hex_] = name
    return found
