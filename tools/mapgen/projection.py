"""From longitude and latitude to the plane of the hexes: a projection, a least-squares fit, a local nudge.

The plane's unit is the distance of two neighbouring hex centres; y grows downwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
EARTH_KM = 6371.0
ORIGIN_LAT, ORIGIN_LON = 53.0, 31.0


class Anchor(NamedTuple):
    """A place on the ground and the point of the plane its hex (or hexside) is at."""

    name: str
    x: float
    y: float
    lat: float
    lon: float
    exact: bool = False  # nudged to the very point, not only into the hex


class Projection:
    """Lambert's equal-area or conformal conic projection of a sphere, in km around the map's middle."""

    def __init__(
        self,
        kind: Literal["laea", "lcc"],
        parallels: tuple[float, float] = (47.0, 59.0),
        middle_lon: float = ORIGIN_LON,
    ) -> None:
        self.kind = kind
        self._lon = middle_lon
        low, high, middle = (math.radians(v) for v in (*parallels, ORIGIN_LAT))
        tan = [math.tan(math.pi / 4 + v / 2) for v in (low, high, middle)]
        self._n = math.log(math.cos(low) / math.cos(high)) / math.log(tan[1] / tan[0])
        self._f = math.cos(low) * tan[0] ** self._n / self._n
        self._rho0 = EARTH_KM * self._f / tan[2] ** self._n

    def forward(self, lon: Array, lat: Array) -> Array:
        phi, lam = np.radians(lat), np.radians(lon - self._lon)
        if self.kind == "lcc":
            rho = EARTH_KM * self._f / np.tan(np.pi / 4 + phi / 2) ** self._n
            return np.stack([rho * np.sin(self._n * lam), self._rho0 - rho * np.cos(self._n * lam)], axis=-1)
        phi0 = math.radians(ORIGIN_LAT)
        cos_c = math.sin(phi0) * np.sin(phi) + math.cos(phi0) * np.cos(phi) * np.cos(lam)
        k = np.sqrt(2 / (1 + cos_c)) * EARTH_KM
        x = k * np.cos(phi) * np.sin(lam)
        y = k * (math.cos(phi0) * np.sin(phi) - math.sin(phi0) * np.cos(phi) * np.cos(lam))
        return np.stack([x, y], axis=-1)

    def inverse(self, points: Array) -> tuple[Array, Array]:
        x, y = points[:, 0], points[:, 1]
        if self.kind == "lcc":
            down = self._rho0 - y
            rho = np.hypot(x, down)
            phi = 2 * np.arctan((EARTH_KM * self._f / rho) ** (1 / self._n)) - np.pi / 2
            return self._lon + np.degrees(np.arctan2(x, down) / self._n), np.degrees(phi)
        phi0 = math.radians(ORIGIN_LAT)
        rho = np.maximum(np.hypot(x, y), 1e-9)
        c = 2 * np.arcsin(np.minimum(1.0, rho / (2 * EARTH_KM)))
        phi = np.arcsin(np.cos(c) * math.sin(phi0) + y * np.sin(c) * math.cos(phi0) / rho)
        lam = np.arctan2(x * np.sin(c), rho * math.cos(phi0) * np.cos(c) - y * math.sin(phi0) * np.sin(c))
        return self._lon + np.degrees(lam), np.degrees(phi)


def affine(km: Array, plane: Array) -> Array:
    matrix, *_ = np.linalg.lstsq(np.c_[km, np.ones(len(km))], plane, rcond=None)
    return np.asarray(matrix, float)


def similarity(km: Array, plane: Array) -> Array:
    """The best turn, scale and shift, with or without a mirror, as a 3x2 matrix."""
    best: tuple[float, Array] | None = None
    for mirror in (1.0, -1.0):
        turned = km * np.array([1.0, mirror])
        a = np.zeros((2 * len(km), 4))
        a[0::2, 0], a[0::2, 1], a[0::2, 2] = turned[:, 0], -turned[:, 1], 1
        a[1::2, 0], a[1::2, 1], a[1::2, 3] = turned[:, 1], turned[:, 0], 1
        v, *_ = np.linalg.lstsq(a, plane.ravel(), rcond=None)
        error = float(((a @ v - plane.ravel()) ** 2).sum())
        if best is None or error < best[0]:
            best = error, np.array([[v[0], v[1]], [-v[1] * mirror, v[0] * mirror], [v[2], v[3]]])
    assert best is not None
    return best[1]


class FitQuality(NamedTuple):
    rms: float
    worst: float
    leave_one_out_rms: float | None


@dataclass
class Georeference:
    """Longitude and latitude to the plane and back."""

    projection: Projection
    matrix: Array
    nudge_at: Array = field(default_factory=lambda: np.zeros((0, 2)))
    nudge_weight: Array = field(default_factory=lambda: np.zeros((0, 2)))
    reach: float = 4.0

    @property
    def hex_km(self) -> float:
        return float(1 / math.sqrt(abs(np.linalg.det(self.matrix[:2]))))

    @property
    def north_degrees(self) -> float:
        """How far north lies clockwise of the top of the map, at its middle."""
        x, y = self.matrix[1]
        return math.degrees(math.atan2(x, -y))

    def unnudged(self, lon: Array, lat: Array) -> Array:
        return np.asarray(self.projection.forward(lon, lat) @ self.matrix[:2] + self.matrix[2], float)

    def nudge(self, points: Array) -> Array:
        moved = np.zeros_like(points)
        for at, weight in zip(self.nudge_at, self.nudge_weight, strict=True):
            pull = np.exp(-((points - at) ** 2).sum(-1) / self.reach**2)
            moved += pull[:, None] * weight
        return moved

    def to_plane(self, lon: Array, lat: Array) -> Array:
        points = self.unnudged(np.asarray(lon, float), np.asarray(lat, float))
        return points + self.nudge(points)

    def point(self, lat: float, lon: float) -> tuple[float, float]:
        x, y = self.to_plane(np.array([lon]), np.array([lat]))[0]
        return float(x), float(y)

    def to_ground(self, points: Array) -> tuple[Array, Array]:
        before = points.copy()
        for _ in range(6):
            before = points - self.nudge(before)
        return self.projection.inverse((before - self.matrix[2]) @ np.linalg.inv(self.matrix[:2]))


def fit(anchors: Sequence[Anchor], kind: Literal["laea", "lcc"], free: bool) -> Georeference:
    """`free` lets the map be stretched and sheared; otherwise it is only turned and scaled."""
    projection = Projection(kind)
    km = projection.forward(np.array([a.lon for a in anchors]), np.array([a.lat for a in anchors]))
    plane = np.array([[a.x, a.y] for a in anchors])
    return Georeference(projection, (affine if free else similarity)(km, plane))


def placed(
    parallels: tuple[float, float], middle: tuple[float, float], hex_km: float, center: tuple[float, float]
) -> Georeference:
    """A conformal conic map that is put where it lies: north up, `middle` at `center` of the plane."""
    projection = Projection("lcc", parallels, middle[1])
    x, y = projection.forward(np.array([middle[1]]), np.array([middle[0]]))[0] / hex_km
    shift = [center[0] - float(x), center[1] + float(y)]
    return Georeference(projection, np.array([[1 / hex_km, 0.0], [0.0, -1 / hex_km], shift]))


def residuals(reference: Georeference, anchors: Sequence[Anchor]) -> Array:
    points = reference.unnudged(np.array([a.lon for a in anchors]), np.array([a.lat for a in anchors]))
    return np.asarray(np.hypot(*(points - np.array([[a.x, a.y] for a in anchors])).T), float)


def quality(anchors: Sequence[Anchor], kind: Literal["laea", "lcc"], free: bool) -> FitQuality:
    off = residuals(fit(anchors, kind, free), anchors)
    rms = float(np.sqrt((off**2).mean()))
    if len(anchors) < 8:
        return FitQuality(rms, float(off.max()), None)
    left_out = [
        float(residuals(fit([*anchors[:i], *anchors[i + 1 :]], kind, free), [anchors[i]])[0])
        for i in range(len(anchors))
    ]
    return FitQuality(rms, float(off.max()), float(np.sqrt((np.array(left_out) ** 2).mean())))


def hexagon_norm(dx: float, dy: float, pointy: bool) -> float:
    """1 on the rim of the hex around the origin, less inside."""
    angles = (0, 60, 120) if pointy else (90, 30, -30)
    return 2 * max(abs(dx * math.cos(math.radians(a)) + dy * math.sin(math.radians(a))) for a in angles)


def nudged(reference: Georeference, anchors: Sequence[Anchor], pointy: bool, inside: float) -> Georeference:
    """Move the ground near each named place just so far that the place lies well inside its hex."""
    points = reference.unnudged(np.array([a.lon for a in anchors]), np.array([a.lat for a in anchors]))
    wanted = []
    for anchor, (x, y) in zip(anchors, points, strict=True):
        dx, dy = x - anchor.x, y - anchor.y
        k = hexagon_norm(dx, dy, pointy)
        keep = 0.0 if anchor.exact else 1.0 if k <= inside else inside / k
        wanted.append((anchor.x + dx * keep - x, anchor.y + dy * keep - y))
    square = ((points[:, None] - points[None]) ** 2).sum(-1)
    kernel = np.exp(-square / reference.reach**2) + 1e-3 * np.eye(len(points))
    weight = np.linalg.solve(kernel, np.array(wanted))
    return Georeference(reference.projection, reference.matrix, points, weight, reference.reach)
