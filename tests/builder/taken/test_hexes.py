"""The hexes of a board: each goes by the name that the module gives it, over all zones that number them."""

from __future__ import annotations

import pytest

from builder.taken import hexes
from fieldpost.hexes import Lattice, from_cell
from fieldpost.vassal.grid import Grid, HexGrid, Point, Size, Zone, ZonedGrid
from fieldpost.vassal.grid_numbering import Axis, Numbering
from fieldpost.vassal.module_map import Board, GameMap

SIZE = Size(1000, 700)


PLAIN = Axis()


def grid(sideways: bool = False, columns: Axis = PLAIN, rows: Axis = PLAIN, stagger: bool = False) -> HexGrid:
    numbering = Numbering(columns, rows, stagger=stagger)
    return HexGrid(60, 70, Point(30, 30), SIZE, sideways, numbering)


def box(left: int, right: int) -> tuple[Point, ...]:
    return Point(left, 0), Point(right, 0), Point(right, SIZE.height), Point(left, SIZE.height)


def found(on: Grid) -> hexes.Hexes:
    board = Board("Board", SIZE, on)
    (one,) = hexes.on_board(GameMap("Map0", "Map", "", (board,), (), Size(0, 0), (), ()), board)
    return one


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize("stagger", [False, True])
@pytest.mark.parametrize("columns", [Axis(), Axis(letters=True, offset=0), Axis(descending=True, offset=12)])
def test_every_hex_is_found_by_its_name(sideways: bool, stagger: bool, columns: Axis) -> None:
    one = grid(sideways, columns, Axis(zeros=2, offset=40), stagger)
    hexes_ = found(one)
    lattice = Lattice(hexes_.points, hexes_.sheets)
    assert len(hexes_.cells) > 120
    for cell, name in hexes_.cells.items():
        column, row = (cell.row, cell.column) if sideways else cell
        assert one.name(one.center(column, row)) == name
        assert lattice.hex(name) == from_cell(cell, hexes_.points)


def test_zones_with_letters_and_numbers_of_their_own_are_sheets() -> None:
    west = Zone("West", box(0, 500), grid(), "P$gridLocation$")
    east = Zone("East", box(500, 1000), grid(columns=Axis(offset=-7)), "Q$gridLocation$")
    table = Zone("Losses", box(900, 1000), None, "$name$")
    one = found(ZonedGrid((table, west, east), None))
    assert sorted((sheet.id, sheet.prefix) for sheet in one.sheets) == [("A", "P"), ("B", "Q")]
    assert {"P0101", "Q0101"} <= one.names
    assert not any(name.startswith("Losses") for name in one.names)


def test_a_grid_without_numbers_is_no_map_to_play_on() -> None:
    board = Board("Board", SIZE, HexGrid(60, 70, Point(30, 30), SIZE))
    game_map = GameMap("Map0", "Map", "", (board,), (), Size(0, 0), (), ())
    assert list(hexes.on_board(game_map, board)) == []
