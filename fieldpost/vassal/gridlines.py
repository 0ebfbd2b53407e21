"""The lines, dots and numbers of a grid that its module draws over a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from fieldpost.vassal.grid import HexGrid, Point, Size, SquareGrid, ZonedGrid
from fieldpost.vassal.module_grid import read_grid
from fieldpost.vassal.module_tree import Component

_GRIDS = (".HexGrid", ".SquareGrid")
_MOST_CELLS = 12_000
_DOT_PX = 2
Line = tuple[int, int, int, int]
Clip = tuple[Point, ...]


@dataclass(frozen=True)
class GridLines:
    """`labels` are texts by the middle of their upper edge; all in pixels of the unturned board."""

    colour: str
    lines: tuple[Line, ...]
    labels: tuple[tuple[str, int, int], ...] = ()
    label_colour: str = ""
    label_px: int = 9
    clip: Clip = ()


def of_board(board: Component, size: Size) -> tuple[GridLines, ...]:
    """Every visible grid of a board, those of its zones among them."""
    return tuple(_below(board, size, ()))


def _below(parent: Component, size: Size, clip: Clip) -> Iterator[GridLines]:
    for part in parent.parts():
        if part.kind.endswith(".ZonedGrid"):
            grid = read_grid(parent, size)
            yield from _below(part, size, clip)
            zones = grid.zones if isinstance(grid, ZonedGrid) else ()
            for zone, component in zip(
                zones, (one for one in part.parts() if one.kind.endswith(".Zone")), strict=False
            ):
                if not component.flag("useParentGrid"):
                    yield from _below(component, size, zone.path)
        elif part.kind.endswith(_GRIDS):
            yield from _drawn(part, read_grid(parent, size), size, clip)


def _drawn(part: Component, grid: object, size: Size, clip: Clip) -> Iterator[GridLines]:
    if not isinstance(grid, HexGrid | SquareGrid):
        return
    numbers = next((one for one in part.parts() if one.kind.endswith("GridNumbering")), None)
    numbered = numbers is not None and numbers.flag("visible")
    lines, dots = part.flag("visible"), part.flag("dotsVisible")
    cells = size.width * size.height / (grid.across * grid.down)
    if not (lines or dots or numbered) or not cells or cells > _MOST_CELLS:
        return
    centers = list(_hexes(grid, size) if isinstance(grid, HexGrid) else _squares(grid, size))
    drawn: list[Line] = []
    if lines:
        drawn += _hex_edges(grid, centers) if isinstance(grid, HexGrid) else _square_edges(grid, size)
    if dots:
        drawn += [(x, y, x + _DOT_PX, y) for x, y in centers]
    labels: list[tuple[str, int, int]] = []
    if numbers is not None and numbered:
        down, across = numbers.integer("vDrawOff"), numbers.integer("hDrawOff")
        rise = round(grid.down / 2) if not (isinstance(grid, HexGrid) and grid.sideways) else 0
        for x, y in centers:
            labels.append((grid.name(Point(x, y)) or "", x + across, y - rise + down))
    yield GridLines(
        colour_of(part.get("color")) or "#000000",
        tuple(drawn),
        tuple(labels),
        colour_of(numbers.get("color") if numbers else "") or "#000000",
        min(max(numbers.integer("fontSize", 9), 4), 60) if numbers else 9,
        clip,
    )


def _hexes(grid: HexGrid, size: Size) -> Iterator[Point]:
    width, height = (size.height, size.width) if grid.sideways else size
    first, last = int(-grid.origin.x // grid.across) - 1, int((width - grid.origin.x) // grid.across) + 1
    top, bottom = int(-grid.origin.y // grid.down) - 1, int((height - grid.origin.y) // grid.down) + 1
    for column in range(first, last + 1):
        for row in range(top, bottom + 1):
            yield grid.center(column, row)


def _squares(grid: SquareGrid, size: Size) -> Iterator[Point]:
    first, top = int(-grid.origin.x // grid.across), int(-grid.origin.y // grid.down)
    for column in range(first, int((size.width - grid.origin.x) // grid.across) + 2):
        for row in range(top, int((size.height - grid.origin.y) // grid.down) + 2):
            yield Point(round(grid.origin.x + column * grid.across), round(grid.origin.y + row * grid.down))


def _hex_edges(grid: HexGrid, centers: list[Point]) -> Iterator[Line]:
    """Three sides of each hex; the neighbours draw the others."""
    side = 2 * grid.across / 3
    corners = [(-side, 0.0), (-side / 2, -grid.down / 2), (side / 2, -grid.down / 2), (side, 0.0)]
    if grid.sideways:
        corners = [(y, x) for x, y in corners]
    for x, y in centers:
        points = [(round(x + dx), round(y + dy)) for dx, dy in corners]
        for (x1, y1), (x2, y2) in pairwise(points):
            yield x1, y1, x2, y2


def _square_edges(grid: SquareGrid, size: Size) -> Iterator[Line]:
    x = grid.origin.x + grid.across / 2 - grid.across * (grid.origin.x // grid.across + 1)
    while x < size.width:
        if x >= 0:
            yield round(x), 0, round(x), size.height
        x += grid.across
    y = grid.origin.y + grid.down / 2 - grid.down * (grid.origin.y // grid.down + 1)
    while y < size.height:
        if y >= 0:
            yield 0, round(y), size.width, round(y)
        y += grid.down


def colour_of(text: str) -> str:
    """`r,g,b` as a colour of the web; nothing where it is none."""
    parts = text.split(",")[:3]
    if len(parts) < 3 or not all(part.strip().isdecimal() and int(part) < 256 for part in parts):
        return ""
    return "#" + "".join(f"{int(part):02x}" for part in parts)
