"""Grids: the worked numbers of the engine, and what must hold for every grid."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fieldpost.vassal.grid import (
    HexGrid,
    Point,
    RegionGrid,
    Size,
    SquareGrid,
    Zone,
    ZonedGrid,
    inside,
    inside_area,
)
from fieldpost.vassal.grid_numbering import Axis, GridError, Numbering, fill, read_number, spell

BOARD = Size(690, 560)
FLAT = HexGrid(55.5, 64.0, Point(40, 40), BOARD, numbering=Numbering())
POINTED = HexGrid(52.0, 60.0, Point(35, 45), Size(540, 402), sideways=True, numbering=Numbering())


@st.composite
def numberings(draw: st.DrawFn) -> Numbering:
    axis = st.builds(
        Axis,
        letters=st.booleans(),
        zeros=st.integers(0, 3),
        offset=st.integers(-3, 60),
        descending=st.booleans(),
    )
    return Numbering(
        draw(axis),
        draw(axis),
        draw(st.booleans()),
        draw(st.sampled_from([".", "/", " - "])),
        draw(st.booleans()),
    )


@st.composite
def hex_grids(draw: st.DrawFn) -> HexGrid:
    """Grids as modules have them: whole hex heights, offsets not negative."""
    return HexGrid(
        across=draw(st.integers(200, 1200)) / 10,
        down=float(draw(st.integers(20, 140))),
        origin=Point(draw(st.integers(0, 90)), draw(st.integers(0, 90))),
        size=Size(draw(st.integers(100, 4000)), draw(st.integers(100, 4000))),
        sideways=draw(st.booleans()),
        numbering=draw(numberings()),
    )


cells = st.tuples(st.integers(0, 60), st.integers(0, 60))
points = st.builds(Point, st.integers(-50, 5000), st.integers(-50, 5000))


@pytest.mark.parametrize(
    ("number", "letters", "zeros", "text"),
    [
        (7, False, 1, "07"),
        (7, False, 0, "7"),
        (123, False, 1, "123"),
        (5, False, 2, "005"),
        (-3, False, 1, "-03"),
        (0, True, 1, "A"),
        (25, True, 1, "Z"),
        (26, True, 1, "AA"),
        (27, True, 1, "BB"),
        (52, True, 1, "AAA"),
    ],
)
def test_numbers_are_spelt_as_the_engine_spells_them(
    number: int, letters: bool, zeros: int, text: str
) -> None:
    assert spell(number, letters, zeros) == text
    assert read_number(text, letters) == number


@given(st.integers(-500, 500), st.booleans(), st.integers(0, 3))
def test_a_spelt_number_reads_back(number: int, letters: bool, zeros: int) -> None:
    if letters and -26 < number < 0:
        number = -number
    assert read_number(spell(number, letters, zeros), letters) == number


def test_flat_hexes_are_named_column_first() -> None:
    assert FLAT.center(0, 0) == Point(40, 40)
    assert FLAT.center(1, 0) == Point(95, 72)
    assert FLAT.name(Point(40, 40)) == "0101"
    assert FLAT.name(Point(95, 72)) == "0201"
    assert FLAT.point("0304") == FLAT.center(2, 3)


def test_pointed_hexes_count_h_down_the_screen() -> None:
    assert POINTED.center(0, 0) == Point(45, 35)
    assert POINTED.center(1, 0) == Point(75, 87)
    assert POINTED.name(Point(105, 35)) == "0102"
    assert POINTED.name(Point(75, 87)) == "0201"


def test_stagger_counts_odd_columns_one_more() -> None:
    grid = HexGrid(55.5, 64.0, Point(40, 40), BOARD, numbering=Numbering(stagger=True))
    assert [grid.name(grid.center(column, 0)) for column in range(3)] == ["0101", "0202", "0301"]


def test_descending_columns_count_from_the_width_over_the_hex_height() -> None:
    numbering = Numbering(horizontal=Axis(descending=True))
    grid = HexGrid(55.5, 64.0, Point(40, 40), BOARD, numbering=numbering)
    assert grid.name(grid.center(0, 0)) == "1201"
    assert grid.name(grid.center(11, 0)) == "0101"


def test_descending_and_staggered_columns_go_astray_as_in_the_engine() -> None:
    numbering = Numbering(horizontal=Axis(descending=True), stagger=True)
    grid = HexGrid(55.5, 64.0, Point(40, 40), BOARD, numbering=numbering)
    label = grid.name(grid.center(3, 4))
    assert label is not None
    assert grid.point(label) != grid.center(3, 4)


@given(hex_grids(), cells)
def test_a_hex_centre_snaps_to_itself(grid: HexGrid, cell: tuple[int, int]) -> None:
    center = grid.center(*cell)
    assert grid.snap(center) == center
    assert grid.cell(center) == cell


@given(hex_grids(), points)
def test_a_snapped_point_lies_within_a_hex_of_where_it_was(grid: HexGrid, point: Point) -> None:
    snapped = grid.snap(point)
    assert grid.snap(snapped) == snapped
    reach = max(grid.across, grid.down)
    assert abs(snapped.x - point.x) <= reach
    assert abs(snapped.y - point.y) <= reach


@given(hex_grids(), cells)
def test_a_name_leads_back_to_its_hex(grid: HexGrid, cell: tuple[int, int]) -> None:
    numbering = grid.numbering
    assert numbering is not None
    columns_fall = (numbering.vertical if grid.sideways else numbering.horizontal).descending
    assume(not (numbering.stagger and columns_fall))
    center = grid.center(*cell)
    assume(not _letters_below_zero(grid, center))
    label = grid.name(center)
    assert label is not None
    assert grid.point(label) == center


def _letters_below_zero(grid: HexGrid | SquareGrid, center: Point) -> bool:
    """Letters below nought are written with a sign that, without a separator, reads ambiguously."""
    numbering = grid.numbering
    assert numbering is not None
    column, row = grid.numbers(center)
    pairs = ((numbering.horizontal, column), (numbering.vertical, row))
    return any(axis.letters and number + axis.offset < 0 for axis, number in pairs)


@given(st.floats(5, 90), st.floats(5, 90), points, numberings())
def test_a_square_snaps_to_itself_and_leads_back(
    across: float, down: float, point: Point, numbering: Numbering
) -> None:
    grid = SquareGrid(across, down, Point(24, 24), Size(3000, 2000), numbering)
    snapped = grid.snap(point)
    assert grid.snap(snapped) == snapped
    label = grid.name(snapped)
    assert label is not None
    if snapped.x >= 24 and snapped.y >= 24 and not _letters_below_zero(grid, snapped):
        assert grid.name(grid.point(label)) == label


def test_squares_are_named_and_found() -> None:
    grid = SquareGrid(48.0, 48.0, Point(24, 24), BOARD, Numbering(horizontal=Axis(letters=True, offset=0)))
    assert grid.name(Point(24, 24)) == "A01"
    assert grid.name(Point(75, 130)) == "B03"
    assert grid.point("B03") == Point(72, 120)


def test_rows_above_the_first_are_cut_off_towards_zero() -> None:
    grid = SquareGrid(48.0, 48.0, Point(24, 24), BOARD, Numbering())
    assert grid.name(Point(24, -60)) == "0100"
    assert grid.name(Point(24, -30)) == "0101"


def test_a_point_belongs_to_the_nearest_region() -> None:
    grid = RegionGrid((("Kiev", Point(10, 10)), ("Minsk", Point(100, 10))))
    assert grid.name(Point(30, 40)) == "Kiev"
    assert grid.snap(Point(80, 0)) == Point(100, 10)
    assert grid.point("Minsk") == Point(100, 10)
    with pytest.raises(GridError):
        grid.point("Riga")


def test_a_grid_without_numbers_names_nothing() -> None:
    grid = HexGrid(55.5, 64.0, Point(40, 40), BOARD)
    assert grid.name(Point(40, 40)) is None
    with pytest.raises(GridError):
        grid.point("0101")


SQUARE = tuple(Point(*corner) for corner in [(0, 0), (10, 0), (10, 10), (0, 10)])


@pytest.mark.parametrize(
    ("point", "expected"),
    [((0, 0), True), ((5, 0), True), ((10, 5), False), ((5, 10), False), ((9, 9), True), ((-1, 5), False)],
)
def test_left_and_top_edges_are_inside(point: tuple[int, int], expected: bool) -> None:
    assert inside(SQUARE, Point(*point)) is expected


def test_the_first_zone_that_holds_a_point_names_it() -> None:
    wide = tuple(Point(*corner) for corner in [(0, 0), (600, 0), (600, 500), (0, 500)])
    near = tuple(Point(*corner) for corner in [(0, 0), (100, 0), (100, 100), (0, 100)])
    grid = ZonedGrid(
        (
            Zone("Box", near),
            Zone("East", wide, FLAT, "$name$ $gridLocation$"),
        ),
        FLAT,
    )
    assert grid.name(Point(40, 40)) == "Box"
    assert grid.name(FLAT.center(3, 3)) == "East 0404"
    assert grid.name(FLAT.center(11, 5)) == "1206"
    assert grid.point("Box") == Point(50, 50)
    assert grid.point("East 0404") == FLAT.center(3, 3)
    assert grid.point("1206") == FLAT.center(11, 5)
    with pytest.raises(GridError):
        grid.point("West 0404")


def test_a_zone_without_grid_leaves_its_place_empty() -> None:
    zone = Zone("Pool", SQUARE, None, "$name$/$gridLocation$")
    assert zone.name(Point(1, 1)) == "Pool/"


@pytest.mark.parametrize(
    ("text", "expected"), [("$a$-$b$", "1-"), ("$c$", "c"), ("5 $", "5 $"), ("", ""), ("$a", "$a")]
)
def test_a_format_is_filled_as_the_engine_fills_it(text: str, expected: str) -> None:
    if text in ("5 $", "$a"):  # the sign itself is lost with its token, the rest stays
        expected = expected.replace("$", "")
    assert fill(text, {"a": "1", "b": None}) == expected


def test_a_row_or_column_named_twice_cannot_be_read_back() -> None:
    grid = HexGrid(
        55.5, 64.0, Point(40, 40), BOARD, numbering=Numbering(location_format="$gridLocation$ $row$")
    )
    assert grid.name(Point(40, 40)) == "0101 01"
    with pytest.raises(GridError):
        grid.point("0101 01")


def test_on_an_edge_polygons_round_and_areas_do_not() -> None:
    corners = [Point(33, 21), Point(7, 47), Point(4, 48)]
    assert inside(corners, Point(18, 36))
    assert not inside_area(corners, Point(18, 36))


def test_an_oblique_numbering_leads_back() -> None:
    for stagger in (False, True):
        numbering = Numbering(stagger=stagger, oblique=True, separator=".")
        grid = HexGrid(55.5, 64.0, Point(40, 40), BOARD, numbering=numbering)
        for column, row in [(0, 0), (1, 0), (4, 7), (5, 7)]:
            center = grid.center(column, row)
            label = grid.name(center)
            assert label is not None
            assert grid.point(label) == center
