"""What a map is: the types that the files of maps/<id>/ are read into.

map.yaml      what the map is and how its hexes are numbered; terrain kinds, hexside kinds, line kinds
grids.yaml    one letter a hex: terrain, country, weather zone ... as the lattice lies, top row first
places.yaml   cities, ports, fortresses, economic assets ... by hex
hexsides.yaml rivers, lakes, straits, borders ... as runs of hexsides in the order they are walked
lines.yaml    railways, roads and other lines as runs of hexes, and lines drawn by hexside such as a front
areas.yaml    named sets of hexes: deployment areas, a scenario's playing area
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import Literal

from fieldpost.definition.artmodel import Scan
from fieldpost.hexes import Compass, Hex, Hexside, Lattice

FeatureSource = Literal["rule", "derived", "editorial", "owner"]


@dataclass(frozen=True)
class Kind:
    """A terrain, a kind of hexside, of line or of place: its name and how it is drawn."""

    id: str
    name: str
    style: str = ""  # a drawing style the builder knows; the id if empty
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Grid:
    """A value for every hex, such as terrain. `because` names the hexes a rule or an editor settled."""

    id: str
    source: FeatureSource
    values: Mapping[Hex, str]
    because: Mapping[Hex, Reason] = field(default_factory=dict)
    note: str | None = None


@dataclass(frozen=True)
class Reason:
    source: FeatureSource
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Place:
    """Something with a name in a hex. `features` tells what else rules ask for: port, supply-source ..."""

    hex: Hex
    name: str
    kind: str
    source: FeatureSource
    rule: str | None = None
    features: tuple[str, ...] = ()
    values: Mapping[str, str | int] = field(default_factory=dict)  # victory: 20, code: STF ...
    note: str | None = None


@dataclass(frozen=True)
class SideRun:
    """A river, coast, border ...: hexsides one after the other, each touching the next where it can."""

    kind: str
    name: str
    source: FeatureSource
    sides: tuple[Hexside, ...]
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Line:
    """A railway, road ...: neighbouring hexes one after the other."""

    kind: str
    name: str
    source: FeatureSource
    hexes: tuple[Hex, ...]
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Area:
    id: str
    name: str
    kind: str
    source: FeatureSource
    hexes: frozenset[Hex]
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class MapEdge:
    """A stretch of the map's edge that rules name: a letter or a side of the compass, and its hexes."""

    id: str
    name: str
    hexes: tuple[Hex, ...]
    source: FeatureSource
    side: Compass | None = None
    rule: str | None = None


@dataclass(frozen=True)
class GameMap:
    id: str
    title: str
    lattice: Lattice
    hex_km: float
    north_degrees: float  # how far north lies clockwise of the top of the map
    terrain_kinds: tuple[Kind, ...]
    hexside_kinds: tuple[Kind, ...]
    line_kinds: tuple[Kind, ...]
    place_kinds: tuple[Kind, ...]
    grids: tuple[Grid, ...]
    places: tuple[Place, ...]
    side_runs: tuple[SideRun, ...]
    lines: tuple[Line, ...]
    areas: tuple[Area, ...]
    edges: tuple[MapEdge, ...]
    half_hexes: frozenset[Hex] = frozenset()  # printed in half at the edge; the game says whether playable
    unplayable: frozenset[Hex] = frozenset()
    scan: Scan | None = None  # a picture of the map in the place of a drawn one
    credits: tuple[str, ...] = ()
    provenance: str = ""

    @cached_property
    def grid(self) -> Mapping[str, Grid]:
        return {g.id: g for g in self.grids}

    @cached_property
    def terrain(self) -> Mapping[Hex, str]:
        return self.grid["terrain"].values

    @cached_property
    def hexes(self) -> frozenset[Hex]:
        return frozenset(self.terrain)

    @cached_property
    def places_at(self) -> Mapping[Hex, tuple[Place, ...]]:
        at: dict[Hex, tuple[Place, ...]] = {}
        for place in self.places:
            at[place.hex] = (*at.get(place.hex, ()), place)
        return at

    @cached_property
    def side_kinds(self) -> Mapping[Hexside, frozenset[str]]:
        """Every kind of hexside feature on a hexside: minor-river, lake, border ..."""
        kinds: dict[Hexside, frozenset[str]] = {}
        for run in self.side_runs:
            for side in run.sides:
                kinds[side] = _with(kinds.get(side, frozenset()), run.kind)
        return kinds

    @cached_property
    def line_steps(self) -> Mapping[Hexside, frozenset[str]]:
        """Every kind of line that crosses a hexside: railway, road ..."""
        kinds: dict[Hexside, frozenset[str]] = {}
        for line in self.lines:
            for a, b in pairwise(line.hexes):
                side = Hexside.between(a, b)
                kinds[side] = _with(kinds.get(side, frozenset()), line.kind)
        return kinds

    @cached_property
    def area(self) -> Mapping[str, Area]:
        return {a.id: a for a in self.areas}

    @cached_property
    def named(self) -> Mapping[str, Sequence[Hex]]:
        """The hexes of areas and of map edges, by id."""
        areas = {area.id: sorted(area.hexes) for area in self.areas}
        return areas | {edge.id: list(edge.hexes) for edge in self.edges}

    def hexes_of(self, words: Iterable[str], sheet: str | None) -> list[Hex]:
        """Hexes as a scenario lists them: by labels, by ids of areas and of map edges."""
        listed: dict[Hex, None] = {}
        for word in words:
            listed.update(dict.fromkeys(self.named.get(word) or [self.lattice.hex(word, sheet)]))
        return list(listed)


@cache
def _with(kinds: frozenset[str], kind: str) -> frozenset[str]:
    """One more kind. Hexsides with the same kinds share them: there are thousands, and few sets."""
    return kinds | {kind}
