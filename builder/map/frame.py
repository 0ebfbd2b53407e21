"""Where the map lies on its sheet of paper: scale, extent, hexes shown."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from fieldpost.definition.mapmodel import GameMap
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, Layout, neighbors

MARGIN_HEXES = 0.75
BASE_HEX_PX = 88


@dataclass(frozen=True)
class Frame:
    """The part of a map that is drawn, and where. `unit` is a pixel of a map with 88 px hexes."""

    layout: Layout
    hexes: frozenset[Hex]
    hex_px: int
    width: int
    height: int

    @property
    def unit(self) -> float:
        return self.hex_px / BASE_HEX_PX

    @cached_property
    def ordered(self) -> tuple[Hex, ...]:
        return tuple(sorted(self.hexes))

    @cached_property
    def depth(self) -> dict[Hex, int]:
        """How many hexes deep each hex lies in the map."""
        return depths(self.hexes)

    def surely_holds(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Whether a rectangle lies so deep in the map that none of its points can be off it."""
        middle = self.depth.get(self.layout.at((left + right) / 2, (top + bottom) / 2), 0)
        reach = math.hypot(right - left, bottom - top) / 2
        return middle * self.hex_px * _RING > reach + 2 * self.hex_px / math.sqrt(3)

    def grown(self, width: int, height: int) -> Frame:
        """The same map on a larger sheet."""
        return Frame(self.layout, self.hexes, self.hex_px, width, height)


_RING = math.sqrt(3) / 2  # hexes n steps away lie this many hexes away at least, times n


def depths(hexes: Collection[Hex]) -> dict[Hex, int]:
    """How many hexes deep each hex lies in a region: 0 at its edge."""
    rim = sorted(h for h in hexes if any(n not in hexes for n in neighbors(h)))
    found = dict.fromkeys(rim, 0)
    level = 0
    while rim:
        level += 1
        rim = list(dict.fromkeys(n for h in rim for n in neighbors(h) if n in hexes and n not in found))
        found.update(dict.fromkeys(rim, level))
    return found


def frame(game_map: GameMap, hex_px: int, area: str | None = None) -> Frame:
    """A map, or one of its areas or sheets, with a margin on every side."""
    if not 24 <= hex_px <= 240:
        raise FieldpostError(f"hexes of {hex_px} px cannot be drawn", "A hex measures 24 to 240 px.")
    hexes = _shown(game_map, area)
    bare = Layout.regular(game_map.lattice.orientation, hex_px, 0, 0)
    corners = [corner for h in hexes for corner in bare.corners(h)]
    margin = MARGIN_HEXES * hex_px
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    layout = Layout.regular(game_map.lattice.orientation, hex_px, round(margin - left), round(margin - top))
    return Frame(layout, hexes, hex_px, round(right - left + 2 * margin), round(bottom - top + 2 * margin))


def _shown(game_map: GameMap, area: str | None) -> frozenset[Hex]:
    if area is None:
        return game_map.hexes
    if area in game_map.area:
        return game_map.area[area].hexes & game_map.hexes
    sheets = {sheet.id: sheet for sheet in game_map.lattice.sheets}
    if area in sheets:
        return frozenset(h for h in game_map.hexes if game_map.lattice.sheet_of(h).id == area)
    known = [*game_map.area, *sheets]
    raise FieldpostError(f"the map has no area or sheet {area!r}", f"It has {', '.join(known)}.")
