"""Grids as a build file describes them."""

from __future__ import annotations

from math import sqrt

from fieldpost.vassal.grid import Grid, HexGrid, Point, RegionGrid, Size, SquareGrid, Zone, ZonedGrid
from fieldpost.vassal.grid_numbering import Axis, Numbering
from fieldpost.vassal.module_tree import Component

_GRIDS = (".HexGrid", ".SquareGrid", ".RegionGrid", ".ZonedGrid")
_HEX_HEIGHT = 64.0
_REGULAR = sqrt(3) / 2.0
_FINEST, _COARSEST = 0.01, 1e6


def read_grid(parent: Component, size: Size) -> Grid | None:
    """The grid of a board or zone; None where it has none, or one that divides by nothing."""
    found = [part for part in parent.parts() if part.kind.endswith(_GRIDS)]
    return _grid(found[-1], size) if found else None  # a later grid takes the place of an earlier one


def _grid(component: Component, size: Size) -> Grid | None:
    if component.kind.endswith(".HexGrid"):
        return _hex_grid(component, size)
    if component.kind.endswith(".SquareGrid"):
        return _square_grid(component, size)
    if component.kind.endswith(".RegionGrid"):
        return _region_grid(component)
    return _zoned_grid(component, size)


def _hex_grid(component: Component, size: Size) -> HexGrid | None:
    down = component.number("dy", _HEX_HEIGHT)
    across = component.number("dx", _REGULAR * _HEX_HEIGHT)
    if across == _REGULAR * _HEX_HEIGHT:  # the engine takes its default for "none given"
        across = _REGULAR * down
    if not (_usable(across) and _usable(down)):
        return None
    origin = Point(component.integer("x0", 0), component.integer("y0", 32))
    return HexGrid(across, down, origin, size, component.flag("sideways"), read_numbering(component))


def _square_grid(component: Component, size: Size) -> SquareGrid | None:
    across, down = component.number("dx", 48.0), component.number("dy", 48.0)
    if not (_usable(across) and _usable(down)):
        return None
    origin = Point(component.integer("x0", 24), component.integer("y0", 24))
    return SquareGrid(across, down, origin, size, read_numbering(component))


def _region_grid(component: Component) -> RegionGrid:
    regions = [
        (region.get("name"), Point(region.integer("originx"), region.integer("originy")))
        for region in component.parts()
        if region.kind.endswith(".Region")
    ]
    return RegionGrid(tuple(regions))


def _zoned_grid(component: Component, size: Size) -> ZonedGrid:
    background = read_grid(component, size)
    zones = [part for part in component.parts() if part.kind.endswith(".Zone")]
    return ZonedGrid(tuple(_zone(zone, background) for zone in zones), background)


def _zone(component: Component, background: Grid | None) -> Zone:
    path = _path(component.get("path"))
    grid = background if component.flag("useParentGrid") else read_grid(component, _box(path))
    return Zone(component.get("name"), path, grid, component.get("locationFormat", "$name$"))


def _path(text: str) -> tuple[Point, ...]:
    corners = []
    for pair in text.split(";"):
        x, _, y = pair.partition(",")
        try:
            corners.append(Point(int(x), int(y)))
        except ValueError:
            continue  # the engine skips what is no number, too
    return tuple(corners)


def _box(path: tuple[Point, ...]) -> Size:
    if not path:
        return Size(0, 0)
    across, down = [corner.x for corner in path], [corner.y for corner in path]
    return Size(max(across) - min(across), max(down) - min(down))


def _usable(distance: float) -> bool:
    return _FINEST <= distance <= _COARSEST


def read_numbering(grid: Component) -> Numbering | None:
    found = [part for part in grid.parts() if part.kind.endswith("GridNumbering")]
    if not found:
        return None
    component = found[-1]
    return Numbering(
        horizontal=_axis(component, "h"),
        vertical=_axis(component, "v"),
        horizontal_first=component.get("first", "H")[:1] == "H",
        separator=component.get("sep"),
        stagger=component.flag("stagger", default=component.kind.endswith("HexGridNumbering")),
        oblique=component.kind.endswith("ObliqueHexGridNumbering"),
        location_format=component.get("locationFormat", "$gridLocation$"),
    )


def _axis(component: Component, letter: str) -> Axis:
    zeros = component.integer(f"{letter}Leading", 1)
    return Axis(
        letters=component.get(f"{letter}Type", "N")[:1] == "A",
        zeros=min(max(zeros, 0), 12),
        offset=component.integer(f"{letter}Off", 1),
        descending=component.flag(f"{letter}Descend"),
    )
