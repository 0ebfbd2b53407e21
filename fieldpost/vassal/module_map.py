"""Maps of a module: boards laid out side by side, and what a point on them is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from fieldpost.vassal import codec
from fieldpost.vassal.grid import Grid, Point, Size, ZonedGrid, numbered
from fieldpost.vassal.grid_numbering import GridError
from fieldpost.vassal.module_grid import read_grid
from fieldpost.vassal.module_pieces import Deck, SetupStack
from fieldpost.vassal.module_tree import Component

UNSIZED = Size(0, 0)


class Location(NamedTuple):
    """Where a point lies. `label` is the engine's name of it: a deck, a hex, a zone or a region."""

    board: str | None
    zone: str | None
    label: str | None


OFF_BOARD = Location(None, None, None)


@dataclass(frozen=True)
class Board:
    """`size` is nought where neither the module nor its picture tells it: such a board has no end."""

    name: str
    size: Size
    grid: Grid | None = None
    image: str | None = None
    reversible: bool = False

    def holds(self, point: Point) -> bool:
        if self.size == UNSIZED:
            return True
        return 0 <= point.x < self.size.width and 0 <= point.y < self.size.height


class Chosen(NamedTuple):
    """A board in play: its column and row among the boards of the map."""

    board: str
    column: int = 0
    row: int = 0
    reversed: bool = False


class _Placed(NamedTuple):
    board: Board
    origin: Point
    reversed: bool

    def local(self, point: Point) -> Point:
        x, y = point.x - self.origin.x, point.y - self.origin.y
        return self._turned(Point(x, y))

    def on_map(self, point: Point) -> Point:
        x, y = self._turned(point)
        return Point(x + self.origin.x, y + self.origin.y)

    def holds(self, point: Point) -> bool:
        return self.board.holds(Point(point.x - self.origin.x, point.y - self.origin.y))

    def _turned(self, point: Point) -> Point:
        if not self.reversed:
            return point
        return Point(self.board.size.width - point.x, self.board.size.height - point.y)


@dataclass(frozen=True)
class Layout:
    """The boards of a map in one game, and the decks that stand on them."""

    placed: tuple[_Placed, ...]
    decks: tuple[tuple[str, Point], ...] = ()

    def locate(self, x: int, y: int) -> Location:
        point = Point(x, y)
        placed = next((board for board in self.placed if board.holds(point)), None)
        deck = next((name for name, where in self.decks if where == point), None)
        if placed is None:
            return OFF_BOARD._replace(label=deck)
        grid = placed.board.grid
        zone = self._zone(grid, Point(x - placed.origin.x, y - placed.origin.y))
        label = deck or (grid.name(placed.local(point)) if grid else None)
        return Location(placed.board.name, zone, label)

    # The engine looks zones up without turning a reversed board.
    @staticmethod
    def _zone(grid: Grid | None, point: Point) -> str | None:
        zone = grid.zone(point) if isinstance(grid, ZonedGrid) else None
        return zone.title if zone else None

    def pixel(self, label: str) -> Point:
        """The point of a name on the first board that knows it; raises GridError."""
        for placed in self.placed:
            if placed.board.grid is None:
                continue
            try:
                return placed.on_map(placed.board.grid.point(label))
            except GridError:
                continue
        raise GridError(f"no board of this map has a location {label!r}")

    def snap(self, x: int, y: int) -> Point:
        """Where a piece dropped at a point comes to lie, edges and corners of hexes left aside."""
        point = Point(x, y)
        placed = next((board for board in self.placed if board.holds(point)), None)
        if placed is None or placed.board.grid is None:
            return point
        return placed.on_map(placed.board.grid.snap(placed.local(point)))


@dataclass(frozen=True)
class GameMap:
    """`ident` is the engine's own MapN, counted in the order of the build file."""

    ident: str
    name: str
    kind: str
    boards: tuple[Board, ...]
    default: tuple[Chosen, ...]
    edge: Size
    decks: tuple[Deck, ...]
    stacks: tuple[SetupStack, ...]

    @property
    def numbered(self) -> GameMap:
        """With hexes counted by us."""
        boards = tuple(replace(board, grid=numbered(board.grid)) for board in self.boards)
        return replace(self, boards=boards)

    def layout(self, chosen: Iterable[Chosen] | None = None) -> Layout:
        """The boards as a game chose them, or as the module does; unknown boards are left out."""
        by_name = {board.name: board for board in self.boards}
        picked = [one for one in (self.default if chosen is None else chosen) if one.board in by_name]
        sizes = {(one.column, one.row): by_name[one.board].size for one in picked}
        placed = [_Placed(by_name[one.board], self._origin(one, sizes), one.reversed) for one in picked]
        return Layout(tuple(placed), tuple(self._deck_positions(placed)))

    @cached_property
    def usual(self) -> Layout:
        """The layout a new game begins with; of several boards without a default one, the first."""
        if self.default or not self.boards:
            return self.layout()
        return self.layout([Chosen(self.boards[0].name)])

    def _origin(self, one: Chosen, sizes: Mapping[tuple[int, int], Size]) -> Point:
        left = sum(sizes.get((column, one.row), UNSIZED).width for column in _below(one.column, sizes, 0))
        above = sum(sizes.get((one.column, row), UNSIZED).height for row in _below(one.row, sizes, 1))
        return Point(self.edge.width + left, self.edge.height + above)

    def _deck_positions(self, placed: list[_Placed]) -> Iterable[tuple[str, Point]]:
        origins = {one.board.name: one.origin for one in placed}
        for deck in self.decks:
            corner = origins.get(deck.board, Point(self.edge.width, self.edge.height))
            yield deck.name, Point(deck.x + corner.x, deck.y + corner.y)


def _below(limit: int, sizes: Mapping[tuple[int, int], Size], axis: int) -> list[int]:
    """The columns (or rows) in play before one; a huge number in a file costs nothing."""
    return sorted({place[axis] for place in sizes if 0 <= place[axis] < limit})


def chosen_boards(command: str) -> tuple[Chosen, ...]:
    """The boards of a saved game's BoardPicker command, or of the module's own `setup`."""
    fields = codec.decode(command, "\t")[1:]
    return tuple(_chosen(*fields[at : at + 3]) for at in range(0, len(fields), 3))


def _chosen(board: str, column: str = "0", row: str = "0") -> Chosen:
    name, *rest = codec.decode(board, "/")
    return Chosen(name, _small(column), _small(row), rest[:1] == ["rev"])


def _small(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def read_map(component: Component, number: int, picture_sizes: Mapping[str, Size]) -> GameMap:
    picker = component.first("BoardPicker")
    boards = tuple(
        _board(part, picture_sizes)
        for part in (picker.parts() if picker else ())
        if part.kind.endswith(".Board")
    )
    return GameMap(
        ident=f"Map{number}",
        name=component.get("mapName") or f"Map{number}",
        kind=component.kind,
        boards=boards,
        default=_default(picker, boards),
        edge=Size(component.integer("edgeWidth"), component.integer("edgeHeight")),
        decks=tuple(Deck.read(part) for part in component.all(".DrawPile")),
        stacks=tuple(SetupStack.read(part) for part in component.all(".SetupStack")),
    )


def _board(component: Component, picture_sizes: Mapping[str, Size]) -> Board:
    image = component.get("image") or None
    declared = Size(max(component.integer("width"), 0), max(component.integer("height"), 0))
    size = picture_sizes.get(image, UNSIZED) if image else declared
    board = Board(component.get("name"), size, None, image, component.flag("reversible"))
    return replace(board, grid=read_grid(component, size))


def _default(picker: Component | None, boards: tuple[Board, ...]) -> tuple[Chosen, ...]:
    setup = picker.first("setup") if picker else None
    if setup is not None and setup.text:
        return chosen_boards(setup.text)
    if len(boards) == 1:
        return (Chosen(boards[0].name),)
    return ()
