"""The hexes of a module's board: where they lie on one lattice, and how its sheets number them.

Several zones of a board may number hexes of one lattice each in its own way, with a letter of its own before
the numbers: each way is a sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from string import ascii_uppercase
from typing import Any

from fieldpost.hexes import Cell, from_cell
from fieldpost.hexes import Orientation as Points
from fieldpost.hexes.geometry import HexError
from fieldpost.hexes.labels import Axis, Lattice, Sheet
from fieldpost.vassal import grid_numbering
from fieldpost.vassal.grid import Grid, HexGrid, Point, ZonedGrid
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import Board, GameMap

_FEWEST, _MOST = 4, 40_000
_SAME = 3
"""Pixels between the middles of two grids' hexes that are taken for the same."""


@dataclass(frozen=True)
class Hexes:
    """The map that is played on: where its hexes lie and what they are called."""

    map: GameMap
    board: Board
    points: Points
    sheets: tuple[Sheet, ...]
    cells: Mapping[Cell, str]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(self.cells.values())


def find(module: Module) -> Hexes | None:
    """The board with the most hexes that have a name of their own."""
    maps = module.numbered.maps
    found = [one for map in maps for board in map.boards for one in on_board(map, board)]
    return max(found, key=lambda one: len(one.cells), default=None)


def on_board(map: GameMap, board: Board) -> Iterator[Hexes]:
    """One for each lattice of hexes on it that have names of their own."""
    lattices = {(grid.sideways, grid.across, grid.down, grid.origin): grid for grid in _hex_grids(board.grid)}
    for lattice in lattices.values():
        points = Points.POINTY if lattice.sideways else Points.FLAT
        sheets: dict[Sheet, dict[Cell, str]] = {}
        for grid, names in _by_grid(lattice, board):
            for sheet, cells in _sheets(grid, names, points):
                sheets.setdefault(sheet, {}).update(cells)
        bounded = _in_order(sheets, points)
        names = {cell: name for cells in sheets.values() for cell, name in cells.items()}
        alike = _read_back(Lattice(points, bounded), names)
        if _FEWEST <= len(alike) <= _MOST:
            yield Hexes(map, board, points, bounded, alike)


def _in_order(sheets: Mapping[Sheet, Mapping[Cell, str]], points: Points) -> tuple[Sheet, ...]:
    """The largest sheets. A hex goes by the first that covers it: first those that cover least of others."""
    largest = sorted(sheets.items(), key=lambda one: -len(one[1]))[: len(ascii_uppercase)]
    bounded = [(_bounded(sheet, cells, points), len(cells)) for sheet, cells in largest]
    every = [cell for _, cells in largest for cell in cells]
    bounded.sort(key=lambda one: sum(one[0].covers(cell, points) for cell in every) - one[1])
    return tuple(replace(sheet, id=id) for id, (sheet, _) in zip(ascii_uppercase, bounded, strict=False))


def _hex_grids(grid: Grid | None) -> Iterator[HexGrid]:
    if isinstance(grid, HexGrid):
        yield grid
    elif isinstance(grid, ZonedGrid):
        yield from _hex_grids(grid.background)
        for zone in grid.zones:
            yield from _hex_grids(zone.grid)


def _by_grid(lattice: HexGrid, board: Board) -> Iterator[tuple[HexGrid, dict[Cell, str]]]:
    """What the module calls each hex of the lattice that is on the board, by the grid that numbers it."""
    width, height = (board.size.height, board.size.width) if lattice.sideways else board.size
    columns = max(0, int((width - lattice.origin.x) // lattice.across) + 1)
    rows = max(0, int((height - lattice.origin.y) // lattice.down) + 1)
    if board.grid is None or columns * rows > 10 * _MOST:  # no map has as many, on paper or screen
        return
    found: dict[int, tuple[HexGrid, dict[Cell, str]]] = {}
    for across in range(columns):
        for down in range(rows):
            point = lattice.center(across, down)
            if not (0 <= point.x < board.size.width and 0 <= point.y < board.size.height):
                continue
            grid, name = _named(board.grid, point)
            if grid is not None and name and _same_hex(grid, point):
                cell = Cell(down, across) if lattice.sideways else Cell(across, down)
                found.setdefault(id(grid), (grid, {}))[1][cell] = name
    yield from found.values()


def _named(grid: Grid, point: Point) -> tuple[HexGrid | None, str | None]:
    """The numbered hex grid that a point lies on, and what the point is called."""
    if isinstance(grid, HexGrid):
        return (grid, grid.name(point)) if grid.numbering else (None, None)
    if isinstance(grid, ZonedGrid):
        zone = grid.zone(point)
        if zone is not None:
            return (_named(zone.grid, point)[0], zone.name(point)) if zone.grid else (None, None)
        return _named(grid.background, point) if grid.background else (None, None)
    return None, None


def _same_hex(grid: HexGrid, point: Point) -> bool:
    middle = grid.center(*grid.cell(point))
    return abs(middle.x - point.x) <= _SAME and abs(middle.y - point.y) <= _SAME


def _sheets(
    grid: HexGrid, names: Mapping[Cell, str], points: Points
) -> Iterator[tuple[Sheet, dict[Cell, str]]]:
    """The grid's numbering as ours, once for each text that zones put before it."""
    if grid.numbering is None:
        return
    sheet = _sheet(grid, grid.numbering, names)
    by_prefix: dict[str, dict[Cell, str]] = {}
    for cell, name in names.items():
        label = _label(sheet, cell, points)
        if label is not None and name.endswith(label):
            by_prefix.setdefault(name.removesuffix(label), {})[cell] = name
    for prefix, cells in by_prefix.items():
        yield replace(sheet, prefix=prefix), cells


def _sheet(grid: HexGrid, numbering: grid_numbering.Numbering, names: Iterable[Cell]) -> Sheet:
    """The same numbering as ours, tried on two hexes of each direction."""
    across, down = (numbering.horizontal, numbering.vertical)
    at = {cell: grid.numbers(grid.center(*_upright(cell, grid.sideways))) for cell in names}
    columns, rows = (down, across) if grid.sideways else (across, down)
    own = {cell: (n[1], n[0]) if grid.sideways else n for cell, n in at.items()}
    column_axis = _axis(
        columns, ((cell.column, number[0]) for cell, number in own.items() if not cell.row % 2)
    )
    row_axis = _axis(rows, ((cell.row, number[1]) for cell, number in own.items() if not cell.column % 2))
    order = "CCRR" if numbering.horizontal_first != grid.sideways else "RRCC"
    return Sheet("A", column_axis, row_axis, order, "", numbering.separator, grid.stagger)


def _upright(cell: Cell, sideways: bool) -> tuple[int, int]:
    return (cell.row, cell.column) if sideways else (cell.column, cell.row)


def _axis(axis: grid_numbering.Axis, numbers: Iterable[tuple[int, int]]) -> Axis:
    known = dict(numbers)
    raws = sorted(known)
    falls = len(raws) > 1 and known[raws[0]] > known[raws[-1]]
    step = -1 if falls else 1
    first = known[raws[0]] - step * raws[0] + axis.offset if raws else axis.offset
    first += axis.letters  # the engine's A is 0, ours 1
    return Axis(first, step, digits=axis.zeros + 1, letters=axis.letters)


def _label(sheet: Sheet, cell: Cell, points: Points) -> str | None:
    try:
        return sheet.label(cell, points)
    except ValueError:
        return None


def _bounded(sheet: Sheet, cells: Iterable[Cell], points: Points) -> Sheet:
    """The sheet with no hex beyond the outermost that have its numbers."""
    numbers = [sheet.numbers(cell, points) for cell in cells]
    columns, rows = [column for column, _ in numbers], [row for _, row in numbers]
    return replace(
        sheet,
        columns=replace(sheet.columns, low=min(columns), high=max(columns)),
        rows=replace(sheet.rows, low=min(rows), high=max(rows)),
    )


def _read_back(lattice: Lattice, cells: Mapping[Cell, str]) -> dict[Cell, str]:
    """The hexes that go by the module's name on our lattice, too, and are found by it."""
    alike: dict[Cell, str] = {}
    for cell, name in cells.items():
        hex_ = from_cell(cell, lattice.orientation)
        try:
            if lattice.label(hex_) == name and lattice.hex(name) == hex_:
                alike[cell] = name
        except HexError:
            continue
    return alike


# --- as data ---------------------------------------------------------------------------------------


def map_file(module: Module, name: str, hexes: Hexes) -> dict[str, Any]:
    return {
        "id": name,
        "title": f"{module.name}: {hexes.board.name or hexes.map.name}",
        "hex_km": 1,
        "north_degrees": 0,
        "orientation": hexes.points.value,
        "sheets": [_sheet_said(sheet) for sheet in hexes.sheets],
        "terrain_kinds": [{"id": "clear", "name": "Clear"}],
        "credits": [f"The module {module.name}"],
        "provenance": "Taken from the module; all terrain is clear until somebody says else.",
    }


def _sheet_said(sheet: Sheet) -> dict[str, Any]:
    return {
        "id": sheet.id,
        **({"prefix": sheet.prefix} if sheet.prefix else {}),
        "order": sheet.order,
        **({"separator": sheet.separator} if sheet.separator else {}),
        **({"stagger": sheet.stagger} if sheet.stagger else {}),
        "columns": _axis_said(sheet.columns),
        "rows": _axis_said(sheet.rows),
    }


def _axis_said(axis: Axis) -> dict[str, Any]:
    said: dict[str, Any] = {"first": axis.first, "low": axis.low, "high": axis.high}
    if axis.step != 1:
        said["step"] = axis.step
    if axis.digits != 2:
        said["digits"] = axis.digits
    if axis.letters:
        said["letters"] = True
    return said


def terrain(hexes: Hexes) -> dict[str, Any]:
    """One letter a hex, from the first raw row and column on."""
    width = max(cell.column for cell in hexes.cells) + 1
    height = max(cell.row for cell in hexes.cells) + 1
    rows = ["".join("." if Cell(c, r) in hexes.cells else "_" for c in range(width)) for r in range(height)]
    return {"id": "terrain", "source": "editorial", "key": {".": "clear"}, "rows": "\n".join(rows)}
