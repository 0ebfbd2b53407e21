"""Our hexes and the engine's grid agree: the same pixels, the same labels, both ways."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fieldpost.hexes import Axis, Cell, Layout, Orientation, Sheet, from_cell
from fieldpost.vassal.grid import HexGrid, Point, Size
from fieldpost.vassal.grid_numbering import Axis as GridAxis
from fieldpost.vassal.grid_numbering import Numbering

cells = st.builds(Cell, st.integers(0, 60), st.integers(0, 60))
orientations = st.sampled_from(Orientation)
layouts = st.builds(
    Layout.regular, orientations, st.integers(24, 140), st.integers(0, 90), st.integers(0, 90)
)


def grid_of(layout: Layout, numbering: Numbering | None = None) -> HexGrid:
    """The engine's grid for a layout: of pointed hexes x and y change places."""
    flat = layout.orientation is Orientation.FLAT
    return HexGrid(
        across=layout.across_px if flat else layout.down_px,
        down=layout.down_px if flat else layout.across_px,
        origin=Point(layout.left_px, layout.top_px) if flat else Point(layout.top_px, layout.left_px),
        size=Size(4000, 3000),
        sideways=not flat,
        numbering=numbering,
    )


def raw(cell: Cell, layout: Layout) -> tuple[int, int]:
    return (cell.column, cell.row) if layout.orientation is Orientation.FLAT else (cell.row, cell.column)


@given(layouts, cells)
def test_a_hex_is_centred_where_the_engine_snaps(layout: Layout, cell: Cell) -> None:
    center = layout.center(from_cell(cell, layout.orientation))
    assert center == grid_of(layout).center(*raw(cell, layout))
    assert grid_of(layout).snap(Point(*center)) == center


@given(layouts, st.integers(0, 4000), st.integers(0, 4000))
def test_a_pixel_lies_in_the_hex_the_engine_snaps_to(layout: Layout, x: int, y: int) -> None:
    """But for a pixel or two beside a hexside, where the engine rounds."""
    hex_ = layout.at(x, y)
    snapped = Point(*layout.center(hex_))
    theirs = grid_of(layout).snap(Point(x, y))
    if theirs != snapped:
        assert _beyond(theirs, Point(x, y)) - _beyond(snapped, Point(x, y)) < 4


def _beyond(center: Point, point: Point) -> float:
    return float(((center.x - point.x) ** 2 + (center.y - point.y) ** 2) ** 0.5)


@given(
    layouts,
    cells,
    st.booleans(),
    st.integers(0, 30),
    st.integers(0, 30),
    st.sampled_from(["", ".", "-"]),
    st.sampled_from(["CCRR", "RRCC"]),
)
def test_a_hex_bears_the_label_the_engine_gives(
    layout: Layout, cell: Cell, stagger: bool, column: int, row: int, separator: str, order: str
) -> None:
    flat = layout.orientation is Orientation.FLAT
    sheet = Sheet("a", Axis(column), Axis(row), order=order, separator=separator, stagger=1 if stagger else 0)
    column_axis, row_axis = GridAxis(offset=column), GridAxis(offset=row)
    numbering = Numbering(
        horizontal=column_axis if flat else row_axis,
        vertical=row_axis if flat else column_axis,
        horizontal_first=(order == "CCRR") == flat,
        separator=separator,
        stagger=stagger,
    )
    grid = grid_of(layout, numbering)
    center = grid.center(*raw(cell, layout))
    label = sheet.label(cell, layout.orientation)
    assert grid.name(center) == label
    assert grid.point(label) == center
    assert sheet.parse(label, layout.orientation) == cell


@given(cells)
def test_lettered_columns_are_counted_from_one_by_us_and_from_nought_by_the_engine(cell: Cell) -> None:
    sheet = Sheet("a", Axis(1, letters=True), Axis(1))
    numbering = Numbering(horizontal=GridAxis(letters=True, offset=0), stagger=False)
    grid = grid_of(Layout.regular(Orientation.FLAT, 64, 40, 40), numbering)
    assert grid.name(grid.center(*cell)) == sheet.label(cell, Orientation.FLAT)
