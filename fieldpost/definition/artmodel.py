"""Art of one's own: pictures, a scanned map, cards, further maps, XML passed through. Read like `model`.

Names of files are relative to the game's folder. `art_checks` looks at the files and says what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from fieldpost.definition.annotations import Id, LabelList, PieceId
from fieldpost.hexes import Axis, Cell, Orientation, Sheet


@dataclass(frozen=True)
class ArtFile:
    """A picture of the game's folder: where it lies, and what is in it."""

    path: str
    digest: str
    width: int  # of an SVG: as it says itself
    height: int
    drawing: bool = False  # an SVG, drawn in the size that is needed


@dataclass(frozen=True)
class Scan:
    """A picture of the map, and where its hexes lie on it."""

    image: str
    anchors: Mapping[str, tuple[int, ...]]  # label of a hex: pixels of its centre, from left and top
    show_grid: bool = False  # draw the hexes and their numbers over it
    boxes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # left, top, width, height
    turns: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # by the turn's number


@dataclass(frozen=True)
class Card:
    id: PieceId
    name: str
    image: str | None = None  # without one, a card with its name and text is drawn
    text: str = ""
    count: int = 1


@dataclass(frozen=True)
class CardDeck:
    """Cards with a pile to draw from, one of discards, and a hand for each side."""

    id: Id
    name: str
    cards: tuple[Card, ...]
    back: str | None = None
    size: tuple[int, ...] = (180, 252)  # pixels
    shuffle: Literal["always", "by-hand"] = "always"  # always: every draw is at random
    discard: bool = True
    rule: str | None = None


@dataclass(frozen=True)
class Squares:
    """A grid of squares on a further map: A1 is the first column's first row."""

    columns: int
    rows: int
    size: float
    left: float = 0  # of the grid's corner
    top: float = 0


@dataclass(frozen=True)
class Hexes:
    """A grid of hexes on a further map, laid by the centres of some of them."""

    orientation: Orientation
    sheet: Sheet
    anchors: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class FurtherMap:
    """A map in a window of its own, with hexes, squares or areas, or with none of them."""

    id: Id
    name: str
    image: str
    width: int | None = None  # pixels, where the picture should be larger or smaller
    hexes: Hexes | None = None
    squares: Squares | None = None
    areas: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # name: x, y of each corner
    rule: str | None = None


@dataclass(frozen=True)
class Passed:
    """XML of VASSAL's own that the module takes over as it is."""

    CALLED = "block for VASSAL"

    prototypes: str | None = None  # a file of PrototypeDefinition elements
    module: str | None = None  # components of the module: menus, buttons, windows
    map: str | None = None  # components of the main map
    images: LabelList = ()  # pictures that these name


NOTHING_PASSED = Passed()


def spaces(map_: FurtherMap) -> Iterator[str]:
    """The names of all places on a further map."""
    if map_.squares is not None:
        for column in range(map_.squares.columns):
            for row in range(1, map_.squares.rows + 1):
                yield f"{column_letters(column)}{row}"
    elif map_.hexes is not None:
        sheet, orientation = map_.hexes.sheet, map_.hexes.orientation
        for column in _numbers(sheet.columns):
            for row in _numbers(sheet.rows):
                yield sheet.label(Cell(column, row), orientation)
    yield from map_.areas


def _numbers(axis: Axis) -> range:
    """The raw cells of an axis whose numbers are bounded; none of one that is not."""
    if axis.low is None or axis.high is None:
        return range(0)
    ends = sorted((axis.raw(axis.low), axis.raw(axis.high)))
    return range(ends[0], ends[1] + 1)


def column_letters(column: int) -> str:
    """A to Z, then AA, BB: as VASSAL counts columns by letters."""
    return chr(ord("A") + column % 26) * (column // 26 + 1)
