"""What the steps of making a map hand on, and at the end what is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fieldpost.hexes import Hex, Hexside
from tools.mapgen.plane import Corner, Plane
from tools.mapgen.projection import FitQuality, Georeference
from tools.mapgen.raster import Canvas
from tools.mapgen.spec import Spec, Town
from tools.mapgen.terrain import Ground, HexGround

WATER = frozenset({"sea", "lake"})


@dataclass(frozen=True)
class Because:
    """Hexes whose value a rule or an editor settled."""

    grid: str
    hexes: tuple[Hex, ...]
    source: str
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Run:
    """Hexsides one after the other."""

    kind: str
    name: str
    source: str
    sides: tuple[Hexside, ...]
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Track:
    """Hexes one after the other."""

    kind: str
    name: str
    source: str
    hexes: tuple[Hex, ...]
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class SettledTown:
    town: Town
    hex: Hex
    point: tuple[float, float]


@dataclass
class Draft:
    """A map in the making."""

    spec: Spec
    plane: Plane
    reference: Georeference
    quality: FitQuality
    canvas: Canvas
    ground: Ground
    measured: dict[Hex, HexGround]
    towns: dict[str, SettledTown]
    terrain: dict[Hex, str]
    country: dict[Hex, str]
    water: dict[Hexside, str] = field(default_factory=dict)  # all-sea or all-lake sides of dry hexes
    water_reason: dict[Hexside, dict[str, Any]] = field(default_factory=dict)
    dams: set[Hexside] = field(default_factory=set)  # water hexsides a railway may cross
    because: list[Because] = field(default_factory=list)
    courses: dict[str, list[Course]] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    grids: dict[str, dict[Hex, str]] = field(default_factory=dict)  # besides terrain and country
    grid_source: dict[str, str] = field(default_factory=dict)
    places: list[dict[str, Any]] = field(default_factory=list)
    named_waters: list[tuple[str, Hex]] = field(default_factory=list)
    areas: list[tuple[dict[str, Any], tuple[Hex, ...]]] = field(default_factory=list)
    area_sheets: dict[str, str] = field(default_factory=dict)
    edges: list[tuple[dict[str, Any], tuple[Hex, ...]]] = field(default_factory=list)
    overridden: int = 0

    def dry(self, hex_: Hex) -> bool:
        return self.terrain.get(hex_, "sea") not in WATER

    def wet(self, side: Hexside) -> bool:
        return side in self.water or not (self.dry(side.a) and self.dry(side.b))


@dataclass(frozen=True)
class Course:
    """One unbroken stretch of a river on the grid."""

    river: str
    corners: tuple[Corner, ...]
    sides: tuple[Hexside, ...]
    begins: str
    ends: str
