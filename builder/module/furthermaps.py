"""Further maps: each a picture in a window of its own, with hexes, squares or areas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from PIL import Image

from builder.art import scaled
from builder.module.boards import Board, ZoneSpec
from builder.module.pictures import Picture, key
from fieldpost.definition.art_checks import fitted_anchors
from fieldpost.definition.artmodel import ArtFile, FurtherMap, Hexes, Squares, spaces
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.model import Game
from fieldpost.hexes import Lattice, Layout

Point = tuple[int, int]


@dataclass(frozen=True)
class Further:
    """A further map as the module holds it."""

    id: str
    name: str
    image: str
    width: int
    height: int
    points: Mapping[str, Point]  # where pieces stand in each place
    board: Board | None = None  # of hexes
    squares: Mapping[str, str] | None = None  # the settings of a grid of squares
    zones: tuple[ZoneSpec, ...] = ()
    scale: float = field(default=1.0, repr=False)


def of(game: Game) -> tuple[Further, ...]:
    return tuple(_further(map_, game.art[map_.image]) for map_ in game.maps)


def pictures(game: Game) -> list[Picture]:
    found = []
    for map_, made in zip(game.maps, of(game), strict=True):
        art = game.art[map_.image]
        size = made.width, made.height
        found.append(Picture(made.image, partial(_draw, art, size), key("module/furthermaps.py", art, size)))
    return found


def _draw(art: ArtFile, size: tuple[int, int]) -> Image.Image:
    picture = scaled(art, size)
    sheet = Image.new("RGB", size, "#e9e2d0")
    sheet.paste(picture, (0, 0), picture)
    return sheet


def _further(map_: FurtherMap, art: ArtFile) -> Further:
    width = map_.width or art.width
    scale = width / art.width
    height = max(1, round(art.height * scale))
    image = f"further-{map_.id}.png"
    if map_.hexes is not None:
        board = _hexes(map_, map_.hexes, scale, (width, height), image)
        points = {label: board.center(hex_) for hex_, label in board.labels()}
        return Further(map_.id, map_.name, image, width, height, points, board, scale=scale)
    if map_.squares is not None:
        squares = map_.squares
        points = dict(zip(spaces(map_), _square_centers(squares, scale), strict=True))
        grid = _square_grid(squares, scale)
        return Further(map_.id, map_.name, image, width, height, points, squares=grid, scale=scale)
    areas = {name: _corners(corners, scale) for name, corners in map_.areas.items()}
    zones = tuple(
        ZoneSpec(name, ";".join(f"{x},{y}" for x, y in corners), "$name$") for name, corners in areas.items()
    )
    points = {name: _middle(corners) for name, corners in areas.items()}
    return Further(map_.id, map_.name, image, width, height, points, zones=zones, scale=scale)


# --- hexes ---


def _hexes(map_: FurtherMap, hexes: Hexes, scale: float, size: tuple[int, int], image: str) -> Board:
    lattice = Lattice(hexes.orientation, (hexes.sheet,))
    fitted, _ = fitted_anchors(hexes.anchors, lattice)
    assert fitted is not None, "lint refuses other anchors"
    layout = Layout(
        hexes.orientation,
        fitted.across * scale,
        fitted.down * scale,
        round(fitted.left * scale),
        round(fitted.top * scale),
    )
    inside = frozenset(lattice.hex(label) for label in spaces(map_))
    return Board(map_.name, image, *size, _bare(lattice), layout, inside)


def _bare(lattice: Lattice) -> GameMap:
    """A map of nothing but numbered hexes."""
    return GameMap("", "", lattice, 0, 0, (), (), (), (), (), (), (), (), (), ())


# --- squares ---


def _square_centers(squares: Squares, scale: float) -> list[Point]:
    """In the order of their names: column by column."""
    return [
        (
            round((squares.left + (column + 0.5) * squares.size) * scale),
            round((squares.top + (row + 0.5) * squares.size) * scale),
        )
        for column in range(squares.columns)
        for row in range(squares.rows)
    ]


def _square_grid(squares: Squares, scale: float) -> Mapping[str, str]:
    size = squares.size * scale
    first = squares.left * scale + size / 2, squares.top * scale + size / 2
    return {
        "dx": repr(float(size)),
        "dy": repr(float(size)),
        "x0": str(round(first[0])),
        "y0": str(round(first[1])),
        "snapTo": "true",
        "edgesLegal": "false",
        "cornersLegal": "false",
        "visible": "false",
        "dotsVisible": "false",
        "color": "0,0,0",
    }


# --- areas ---


def _corners(numbers: tuple[int, ...], scale: float) -> list[Point]:
    scaled_numbers = [round(number * scale) for number in numbers]
    return list(zip(scaled_numbers[::2], scaled_numbers[1::2], strict=True))


def _middle(corners: list[Point]) -> Point:
    """The centre of gravity."""
    doubled, x, y = 0, 0, 0
    for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
        cross = x0 * y1 - x1 * y0
        doubled, x, y = doubled + cross, x + (x0 + x1) * cross, y + (y0 + y1) * cross
    if doubled == 0:
        return sum(x for x, _ in corners) // len(corners), sum(y for _, y in corners) // len(corners)
    return round(x / (3 * doubled)), round(y / (3 * doubled))
