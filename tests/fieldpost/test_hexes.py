"""Hexes: labels, cells, pixels, hexsides and the facts that rulebooks tell of them."""

from __future__ import annotations

import math
from contextlib import nullcontext
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fieldpost.hexes import (
    DIRECTIONS,
    ORIGIN,
    Axis,
    Cell,
    Compass,
    Hex,
    HexError,
    Hexside,
    Lattice,
    Layout,
    Orientation,
    Sheet,
    adjacent,
    distance,
    from_cell,
    line,
    mega_center,
    mega_hex,
    neighbors,
    opposite,
    ring,
    straddle,
    to_cell,
    within,
)
from tests import pace

orientations = st.sampled_from(Orientation)
hexes = st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60))
cells = st.builds(Cell, st.integers(0, 40), st.integers(0, 40))
directions = st.integers(0, 5)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Every way of numbering the games use, and some they don't."""

    def axis(letters: bool) -> Axis:
        step = draw(st.sampled_from([1, -1]))
        first = draw(st.integers(1, 20)) if step == 1 else draw(st.integers(42, 60))
        return Axis(first, step, digits=draw(st.sampled_from([2, 3])), letters=letters)

    separator = draw(st.sampled_from(["", ".", "-", " "]))
    column_letters = draw(st.booleans())
    row_letters = draw(st.booleans()) and (separator != "" or not column_letters)
    return Sheet(
        id="any",
        columns=axis(column_letters),
        rows=axis(row_letters),
        order=draw(st.sampled_from(["CCRR", "RRCC"])),
        prefix=draw(st.sampled_from(["", "Map-", "9"])),
        separator=separator,
        stagger=draw(st.sampled_from([0, 1, -1])),
    )


# --- labels, cells, pixels -----------------------------------------------------------------------


@given(orientations, cells)
def test_cells_and_hexes_name_each_other(orientation: Orientation, cell: Cell) -> None:
    assert to_cell(from_cell(cell, orientation), orientation) == cell


@given(orientations, hexes)
def test_every_hex_has_a_cell(orientation: Orientation, hex_: Hex) -> None:
    assert from_cell(to_cell(hex_, orientation), orientation) == hex_


@given(sheets(), orientations, cells)
def test_a_label_leads_back_to_its_hex(sheet: Sheet, orientation: Orientation, cell: Cell) -> None:
    lattice = Lattice(orientation, (sheet,))
    hex_ = from_cell(cell, orientation)
    assert lattice.hex(lattice.label(hex_)) == hex_


@given(sheets(), orientations, cells, cells)
def test_two_hexes_never_share_a_label(sheet: Sheet, orientation: Orientation, a: Cell, b: Cell) -> None:
    assume(a != b)
    assert sheet.label(a, orientation) != sheet.label(b, orientation)


@given(sheets(), orientations, cells)
def test_case_and_spaces_around_a_label_do_not_matter(
    sheet: Sheet, orientation: Orientation, cell: Cell
) -> None:
    lattice = Lattice(orientation, (sheet,))
    hex_ = from_cell(cell, orientation)
    assert lattice.hex(f"  {lattice.label(hex_).lower()} ") == hex_


@given(sheets(), orientations, st.text(max_size=12))
def test_any_text_is_a_hex_or_an_error_a_user_can_read(
    sheet: Sheet, orientation: Orientation, text: str
) -> None:
    lattice = Lattice(orientation, (sheet,))
    readable = sheet.parse(text.strip(), orientation) is not None
    with nullcontext() if readable else pytest.raises(HexError, match="there is no hex"):
        lattice.hex(text)


@pytest.mark.parametrize("text", ["9" * 5000 + ".01", "٠١٠١", "0101\n01", "", "AB01", "01010", "010"])
def test_what_is_no_label_is_refused(text: str) -> None:
    sheet = Sheet("A", Axis(1), Axis(1))
    dotted = Sheet("B", Axis(1), Axis(1), separator=".")
    lettered = Sheet("C", Axis(1, letters=True), Axis(1))
    with pytest.raises(HexError, match="there is no hex"):
        Lattice(Orientation.FLAT, (sheet, dotted, lettered)).hex(text)


def test_letters_double_after_z() -> None:
    lattice = Lattice(Orientation.FLAT, (Sheet("A", Axis(1, letters=True), Axis(1)),))
    labels = [lattice.label(from_cell(Cell(column, 0), Orientation.FLAT)) for column in (0, 25, 26, 27, 52)]
    assert labels == ["A01", "Z01", "AA01", "BB01", "AAA01"]
    with pytest.raises(HexError):
        lattice.hex("AB01")


def test_letters_for_columns_and_rows_need_a_separator() -> None:
    with pytest.raises(HexError, match="separator"):
        Sheet("A", Axis(1, letters=True), Axis(1, letters=True))


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(HexError, match="CCRR or RRCC"):
        Sheet("A", Axis(1), Axis(1), order="RC")


@pytest.mark.parametrize(("stagger", "label"), [(0, "0201"), (1, "0202"), (-1, "0200")])
def test_stagger_counts_in_odd_columns(stagger: int, label: str) -> None:
    lattice = Lattice(Orientation.FLAT, (Sheet("A", Axis(1), Axis(1), stagger=stagger),))
    assert lattice.label(from_cell(Cell(1, 0), Orientation.FLAT)) == label
    assert lattice.label(from_cell(Cell(2, 0), Orientation.FLAT)) == "0301"


@given(orientations, st.integers(20, 140), st.integers(0, 90), st.integers(0, 90), cells)
def test_the_middle_of_a_hex_lies_in_it(
    orientation: Orientation, height: int, left: int, top: int, cell: Cell
) -> None:
    layout = Layout.regular(orientation, height, left, top)
    hex_ = from_cell(cell, orientation)
    assert layout.at(*layout.center(hex_)) == hex_
    assert layout.at(*layout.exact(hex_)) == hex_


@given(orientations, cells, directions, st.floats(0.05, 0.95))
def test_a_step_across_the_middle_of_a_hexside_enters_the_neighbour(
    orientation: Orientation, cell: Cell, towards: int, share: float
) -> None:
    layout = Layout.regular(orientation, 100, 50, 50)
    hex_ = from_cell(cell, orientation)
    other = hex_ + DIRECTIONS[orientation][towards].step
    (x, y), (u, v) = layout.exact(hex_), layout.exact(other)
    expected = hex_ if share < 0.5 else other
    assume(abs(share - 0.5) > 0.01)
    assert layout.at(x + share * (u - x), y + share * (v - y)) == expected


@given(orientations, cells, directions)
def test_two_neighbours_share_the_two_corners_of_their_hexside(
    orientation: Orientation, cell: Cell, towards: int
) -> None:
    layout = Layout.regular(orientation, 96, 10, 20)
    hex_ = from_cell(cell, orientation)
    other = hex_ + DIRECTIONS[orientation][towards].step
    ends = layout.side(Hexside.between(hex_, other))
    for end in ends:
        assert min(math.dist(end, corner) for corner in layout.corners(hex_)) < 1e-6
        assert min(math.dist(end, corner) for corner in layout.corners(other)) < 1e-6
    assert math.isclose(math.dist(*ends), 96 / math.sqrt(3), rel_tol=1e-9)


# --- geometry ------------------------------------------------------------------------------------


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a) >= 0
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(hexes)
def test_the_six_neighbours_are_the_hexes_one_step_away(hex_: Hex) -> None:
    assert len(set(neighbors(hex_))) == 6
    assert all(distance(hex_, n) == 1 and adjacent(hex_, n) for n in neighbors(hex_))
    assert set(neighbors(hex_)) == set(ring(hex_, 1))


@given(hexes, st.integers(0, 6))
def test_a_disc_is_made_of_rings(hex_: Hex, radius: int) -> None:
    disc = list(within(hex_, radius))
    assert len(disc) == len(set(disc)) == 3 * radius * (radius + 1) + 1
    assert set(disc) == {h for r in range(radius + 1) for h in ring(hex_, r)}
    assert all(distance(hex_, h) == radius for h in ring(hex_, radius))


@given(hexes, st.integers(1, 6))
def test_a_ring_is_walked_hex_by_hex_clockwise(hex_: Hex, radius: int) -> None:
    walked = list(ring(hex_, radius))
    assert len(walked) == 6 * radius
    assert all(adjacent(a, b) for a, b in pairwise([*walked, walked[0]]))
    layout = Layout.regular(Orientation.FLAT, 100, 0, 0)
    points = [layout.exact(h) for h in walked]
    area = sum(x * v - u * y for (x, y), (u, v) in pairwise([*points, points[0]]))
    assert area > 0  # y grows downwards: a positive area is clockwise


@given(hexes, hexes)
def test_a_line_is_a_shortest_way(a: Hex, b: Hex) -> None:
    way = line(a, b)
    assert way[0] == a
    assert way[-1] == b
    assert len(way) == distance(a, b) + 1
    assert all(adjacent(c, d) for c, d in pairwise(way))


@given(hexes, directions)
def test_the_opposite_of_the_opposite_is_the_attacker(defender: Hex, towards: int) -> None:
    attacker = neighbors(defender)[towards]
    behind = opposite(defender, attacker)
    assert behind == neighbors(defender)[(towards + 3) % 6]
    assert opposite(defender, behind) == attacker
    assert straddle(defender, attacker, behind)
    assert not straddle(defender, attacker, neighbors(defender)[(towards + 2) % 6])


@given(hexes, directions)
def test_a_hexside_is_the_same_from_both_sides(hex_: Hex, towards: int) -> None:
    other = neighbors(hex_)[towards]
    side = Hexside.between(hex_, other)
    assert side == Hexside.between(other, hex_)
    assert side.across(hex_) == other
    assert side.across(other) == hex_


def test_hexes_apart_share_no_hexside() -> None:
    with pytest.raises(HexError, match="not neighbours"):
        Hexside.between(ORIGIN, Hex(2, 0))
    lattice = Lattice(Orientation.FLAT, (Sheet("A", Axis(1), Axis(1)),))
    for text in ("0101/0103", "0101", "0101/0101", "0101/", "/0101"):
        with pytest.raises(HexError):
            lattice.hexside(text)


@given(hexes, st.integers(1, 3))
def test_each_hex_is_in_the_mega_hex_nearest_to_it(hex_: Hex, radius: int) -> None:
    mega = mega_hex(hex_, radius)
    assert distance(mega_center(mega, radius), hex_) <= radius
    assert mega_hex(mega_center(mega, radius), radius) == mega


@given(hexes, st.integers(1, 3), hexes)
def test_mega_hexes_that_touch_are_neighbours(hex_: Hex, radius: int, origin: Hex) -> None:
    mega = mega_hex(hex_, radius, origin)
    for near in neighbors(hex_):
        other = mega_hex(near, radius, origin)
        assert other == mega or adjacent(other, mega)


@pytest.mark.parametrize("orientation", Orientation)
def test_the_edges_of_a_board_are_its_outer_columns_and_rows(orientation: Orientation) -> None:
    lattice = Lattice(orientation, (Sheet("A", Axis(1), Axis(1)),))
    columns, rows = 6, 5
    board = {Cell(c, r): from_cell(Cell(c, r), orientation) for c in range(columns) for r in range(rows)}

    def cells_on(side: Compass) -> set[Cell]:
        return {to_cell(h, orientation) for h in lattice.edge(board.values(), side)}

    west, east = {c for c in board if c.column == 0}, {c for c in board if c.column == columns - 1}
    north, south = {c for c in board if c.row == 0}, {c for c in board if c.row == rows - 1}
    assert cells_on(Compass.WEST) == west
    assert cells_on(Compass.EAST) == east
    assert cells_on(Compass.NORTH) == north
    assert cells_on(Compass.SOUTH) == south


@given(orientations, hexes, directions)
def test_a_direction_has_a_name_and_leads_there(orientation: Orientation, hex_: Hex, towards: int) -> None:
    lattice = Lattice(orientation, (Sheet("A", Axis(1), Axis(1)),))
    name, step = DIRECTIONS[orientation][towards]
    layout = Layout.regular(orientation, 100, 0, 0)
    (x, y), (u, v) = layout.exact(hex_), layout.exact(hex_ + step)
    assert lattice.direction(hex_, hex_ + step) == name
    assert ("N" in name) == (v < y - 1)
    assert ("S" in name) == (v > y + 1)
    assert ("E" in name) == (u > x + 1)
    assert ("W" in name) == (u < x - 1)


def test_a_million_distances_take_well_under_a_second() -> None:
    pairs = [(Hex(i % 97, -i % 41), Hex(-i % 53, i % 31)) for i in range(10_000)]

    def a_million() -> None:
        for _ in range(100):
            for a, b in pairs:
                distance(a, b)

    assert pace.best(a_million, within=1.0)  # 0.2 s on an idle machine


# --- several sheets on one lattice -----------------------------------------------------------------

WFM = Lattice(
    Orientation.POINTY,
    (
        Sheet("C", Axis(36, -1, 1, 36), Axis(-29, 1, 1, 66), order="RRCC"),
        Sheet("E", Axis(52, -1, 1, 17), Axis(-29, 1, 20, 70), order="RRCC", prefix="E"),
        Sheet("N", Axis(50, -1, 14, 34), Axis(0, 1, 1, 29), order="RRCC", prefix="N"),
    ),
)


def test_wfm_sheets_e_and_n_lie_on_the_lattice_of_c() -> None:
    """E column = C column + 16, same row; N row = C row + 29, N column = C column + 14."""
    assert WFM.labels(WFM.hex("4701")) == ["4701", "E4717"]
    assert WFM.hex("E4717") == WFM.hex("4701")
    c, n = WFM.sheets[0], WFM.sheets[2]
    for row, column in ((1, 1), (10, 20), (29, 36)):
        cell = c.cell(column, row, WFM.orientation)
        assert n.numbers(cell, WFM.orientation) == (column + 14, row + 29)


def test_a_scenarios_sheet_reads_bare_numbers() -> None:
    assert WFM.hex("4708", "E") == WFM.hex("E4708")
    assert WFM.hex("4708") != WFM.hex("E4708")
    assert WFM.label(WFM.hex("E4717"), "E") == "E4717"
    assert WFM.sheet_of(WFM.hex("E4717")).id == "C"
    with pytest.raises(HexError, match="no sheet 'X'"):
        WFM.hex("4708", "X")


def test_a_hex_of_no_sheet_has_no_label() -> None:
    with pytest.raises(HexError, match="lies on no sheet"):
        WFM.label(Hex(-500, 0))
    assert WFM.labels(Hex(-500, 0)) == []


# --- what the rulebooks say ------------------------------------------------------------------------

FTM = Lattice(Orientation.FLAT, (Sheet("A", Axis(1), Axis(1)),))
LWE = Lattice(Orientation.FLAT, (Sheet("A", Axis(10), Axis(1)),))
FACTS = {
    "wfm": (WFM, ["5710/5811", "6006/6007", "6007/6106", "6106/6107"]),
    "ftm": (FTM, ["1125/1025", "1227/1327", "1526/1625", "1625/1626", "1625/1726"]),
    "lwe": (LWE, ["2844/2845", "2944/2945", "3448/3449", "3348/3449", "2123/2122", "2123/2223"]),
}
PAIRS = [(game, pair) for game, (_, pairs) in FACTS.items() for pair in pairs]


@pytest.mark.parametrize(("game", "pair"), PAIRS)
def test_hexes_that_the_rulebook_calls_neighbours_are(game: str, pair: str) -> None:
    lattice = FACTS[game][0]
    side = lattice.hexside(pair)
    assert lattice.hexside_label(side) == "/".join(sorted(pair.split("/")))


@pytest.mark.parametrize("game", FACTS)
def test_the_map_in_the_box_has_the_same_neighbours(game: str) -> None:
    from fieldpost.definition import load_map

    lattice = load_map(game).lattice
    for pair in FACTS[game][1]:
        assert lattice.hexside_label(lattice.hexside(pair)) == "/".join(sorted(pair.split("/")))
