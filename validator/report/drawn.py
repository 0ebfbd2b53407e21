"""A map drawn from the game's data alone, as SVG in the page's own colours: for a report without a module."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from xml.sax.saxutils import escape

from fieldpost.definition.model import Game
from fieldpost.geometry import Geometry, Rect
from fieldpost.hexes import Cell, Hex, Hexside
from validator.report.describe import Namer
from validator.report.hexsheet import HexSheet
from validator.report.html.board import Board
from validator.report.looks import DOTS_PX, GROUNDS, LINES, OTHER_GROUND, SIDES

HEX_PX = 88
MARGIN_PX = 24
BOX_PX = (430, 210)
BOX_GAP_PX = 24


def draw(game: Game, hexes: Sequence[Hex], namer: Namer) -> Board:
    """These hexes and the game's boxes below them."""
    return _Drawing(game, hexes, namer).board()


class _Drawing:
    def __init__(self, game: Game, hexes: Sequence[Hex], namer: Namer) -> None:
        self.game, self.map, self.namer = game, game.map, namer
        self.hexes = tuple(hexes)
        self.sheet = HexSheet.of(game.map.lattice.orientation, hexes, HEX_PX, MARGIN_PX)
        self.layout = self.sheet.layout
        self.width, self.map_height = self.sheet.size

    def board(self) -> Board:
        boxes = self._boxes()
        height = max([self.map_height, *(rect[3] + MARGIN_PX for rect in boxes.values())])
        parts = "".join([*self._grounds(), *self._lines(), *self._sides(), *self._numbers(), *self._places()])
        named = "".join(self._box(name, rect) for name, rect in boxes.items())
        size = f'width="{self.width}" height="{height}" viewBox="0 0 {self.width} {height}"'
        markup = f'<svg class="ground drawn" {size} aria-hidden="true">{parts}{named}</svg>'
        geometry = Geometry(self.layout, Cell(0, 0), boxes)
        return Board(markup, self.width, height, geometry, self.hexes, drawn=True)

    # --- the ground ---

    def _grounds(self) -> Iterator[str]:
        by_ground = sorted(self.hexes, key=self._ground)
        for ground, hexes in groupby(by_ground, key=self._ground):
            yield f'<path class="hex {ground}" d="{"".join(map(self._outline, hexes))}"/>'

    def _ground(self, hex_: Hex) -> str:
        return GROUNDS.get(self.map.terrain[hex_], OTHER_GROUND)

    def _outline(self, hex_: Hex) -> str:
        return f"M{' '.join(f'{x:.0f} {y:.0f}' for x, y in self.layout.corners(hex_))}z"

    def _numbers(self) -> Iterator[str]:
        yield '<g class="numbers">'
        for hex_ in self.hexes:
            x, y = self.layout.exact(hex_)
            yield f'<text x="{x:.0f}" y="{y - HEX_PX * 0.36:.0f}">{escape(self.namer.hex(hex_))}</text>'
        yield "</g>"

    # --- lines and waters ---

    def _lines(self) -> Iterator[str]:
        for look, sides in self._by_look(self.map.line_steps, LINES):
            path = "".join(_segment(self.layout.exact(side.a), self.layout.exact(side.b)) for side in sides)
            yield f'<path class="way {look}" d="{path}"/>'
            if look == "rail":
                yield f'<path class="way rail ties" d="{path}"/>'

    def _sides(self) -> Iterator[str]:
        for look, sides in self._by_look(self.map.side_kinds, SIDES):
            path = "".join(_segment(*self.layout.side(side)) for side in sides)
            yield f'<path class="side {look}" d="{path}"/>'

    def _by_look(
        self, kinds_of: Mapping[Hexside, frozenset[str]], looks: Mapping[str, str]
    ) -> Iterator[tuple[str, list[Hexside]]]:
        """What is drawn alike, in the order of the looks."""
        alike: dict[str, list[Hexside]] = {look: [] for look in looks.values()}
        for side, kinds in sorted(self.sheet.within(kinds_of), key=itemgetter(0)):
            for look in {looks[kind] for kind in kinds if kind in looks}:
                alike[look].append(side)
        return ((look, sides) for look, sides in alike.items() if sides)

    # --- places and boxes ---

    def _places(self) -> Iterator[str]:
        yield '<g class="places">'
        for place in self.map.places:
            radius = DOTS_PX.get(place.kind)
            if place.hex in self.sheet.shown and radius:
                x, y = self.layout.exact(place.hex)
                yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius}"/>'
                yield f'<text x="{x:.0f}" y="{y + HEX_PX * 0.42:.0f}">{escape(place.name)}</text>'
        yield "</g>"

    def _boxes(self) -> dict[str, Rect]:
        """In rows below the map."""
        width, height = BOX_PX
        across = max(1, (self.width - MARGIN_PX) // (width + BOX_GAP_PX))
        rects = {}
        for number, box in enumerate(self.game.boxes):
            left = MARGIN_PX + number % across * (width + BOX_GAP_PX)
            top = self.map_height + number // across * (height + BOX_GAP_PX)
            rects[box.id] = (left, top, left + width, top + height)
        return rects

    def _box(self, name: str, rect: Rect) -> str:
        left, top, right, bottom = rect
        title = next(box.name for box in self.game.boxes if box.id == name)
        size = f'width="{right - left}" height="{bottom - top}" rx="8"'
        return (
            f'<g class="box"><rect x="{left}" y="{top}" {size}/>'
            f'<text x="{left + 14}" y="{top + 28}">{escape(title)}</text></g>'
        )


def _segment(*ends: Iterable[float]) -> str:
    (ax, ay), (bx, by) = ends
    return f"M{ax:.0f} {ay:.0f}L{bx:.0f} {by:.0f}"
