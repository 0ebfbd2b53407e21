"""Small boards for tests, drawn with letters. Labels are RRCC, from the top left."""

from __future__ import annotations

from collections.abc import Mapping

from fieldpost.definition.mapmodel import GameMap, Grid, Kind, Line, Place, SideRun
from fieldpost.hexes import Axis, Cell, Hexside, Lattice, Orientation, Sheet, from_cell
from validator.core.board import Board
from validator.core.costs import ONE, CostTable, Local, Prices
from validator.core.costs import Line as LinePrice

TERRAIN = {".": "clear", "f": "forest", "s": "swamp", "m": "mountain", "~": "sea", "c": "city"}
SIDES = ("river", "canal", "lake", "strait")
LINES = ("railway", "road")
LATTICE = Lattice(Orientation.POINTY, (Sheet("A", Axis(1, 1, 1, 99), Axis(1, 1, 1, 99), order="RRCC"),))

PRICES = Prices(
    {"clear": ONE, "forest": 2 * ONE, "swamp": 3 * ONE, "mountain": 4 * ONE, "city": ONE, "sea": None},
    {"river": ONE, "canal": 2 * ONE, "lake": None, "strait": None},
    {"road": LinePrice(ONE // 2)},
)


def draw(
    rows: str,
    sides: Mapping[str, str] | None = None,
    lines: Mapping[str, str] | None = None,
    places: tuple[Place, ...] = (),
) -> GameMap:
    """A map of letters, row by row; odd rows (the second, the fourth) lie half a hex to the right.

    `sides` holds hexsides by kind (`0101/0102 0102/0202`), `lines` lines by kind (`0101-0102, 0301-0302`).
    """
    terrain = {
        from_cell(Cell(column, row), Orientation.POINTY): TERRAIN[letter]
        for row, text in enumerate(rows.split())
        for column, letter in enumerate(text)
        if letter != "_"
    }
    runs = tuple(
        SideRun(kind, kind, "editorial", tuple(LATTICE.hexside(s) for s in text.split()))
        for kind, text in (sides or {}).items()
    )
    drawn = tuple(
        Line(kind, kind, "editorial", tuple(LATTICE.hex(h) for h in run.strip().split("-")))
        for kind, text in (lines or {}).items()
        for run in text.split(",")
    )
    return GameMap(
        "small",
        "Small",
        LATTICE,
        10,
        0,
        tuple(Kind(t, t) for t in TERRAIN.values()),
        tuple(Kind(s, s) for s in SIDES),
        tuple(Kind(n, n) for n in LINES),
        tuple(Kind(kind, kind) for kind in dict.fromkeys(place.kind for place in places)),
        (Grid("terrain", "editorial", terrain),),
        places,
        runs,
        drawn,
        (),
        (),
    )


def board(
    rows: str,
    sides: Mapping[str, str] | None = None,
    lines: Mapping[str, str] | None = None,
    places: tuple[Place, ...] = (),
) -> Board:
    return Board(draw(rows, sides, lines, places))


def table(on: Board, prices: Prices = PRICES, local: Local | None = None) -> CostTable:
    return CostTable(on, prices, local)


def side(on: Board, text: str) -> Hexside:
    return on.lattice.hexside(text)


def steps(on: Board, ends: str) -> bytearray:
    """Step mask: the hexside between two hexes, both ways."""
    a, b = on.ids(ends)
    there, back = on.step(a, b), on.step(b, a)
    return bytearray(step in (there, back) for step in range(len(on.sides)))
