"""A plain picture of a part of the map: hexes, waters, railways, units, and what is asked about."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from fieldpost.phrases import phrase
from fieldpost.vassal.archive import write_bytes
from validator.model.position import Position
from validator.report.describe import Namer
from validator.report.hexsheet import HexSheet
from validator.report.looks import GROUNDS, LINES, OTHER_GROUND, SIDES

HEX_PX = 56
MARGIN_PX = 12
GROUND = {
    OTHER_GROUND: "#f1ecdc",
    "forest": "#c9d9b0",
    "swamp": "#c8dcd2",
    "mountain": "#d8c7ae",
    "tundra": "#e4e6e2",
    "water": "#b9d3e4",
}
WATER = {"river": ("#7fa9c9", 2), "great-river": ("#4f86b3", 5), "shore": ("#8fb4cf", 4)}
WAYS = {"rail": ("#8d857a", 2), "road": ("#cdbfa0", 5)}
SOURCE = "supply-source"
GRID, GRID_TEXT, INK, HALO = "#cfc8b4", "#a39a83", "#2d2a26", "#ffffff"

Colour = str
Ends = tuple[tuple[float, float], tuple[float, float]]


class MapPicture:
    """Draws the hexes given, and a ring of their neighbours."""

    def __init__(self, position: Position, namer: Namer, hexes: Collection[Hex]) -> None:
        self.position, self.namer = position, namer
        self.map = position.game.map
        self.hexes = sorted(h for h in hexes if h in self.map.terrain)
        if not self.hexes:
            raise FieldpostError("there is nothing to draw", "No unit of these is on the map.")
        self.sheet = HexSheet.of(self.map.lattice.orientation, self.hexes, HEX_PX, MARGIN_PX)
        self.layout = self.sheet.layout
        self.image = Image.new("RGB", self.sheet.size, HALO)
        self.draw = ImageDraw.Draw(self.image, "RGBA")
        self._ground()

    # --- the map ---

    def _ground(self) -> None:
        for hex_ in self.hexes:
            ground = GROUNDS.get(self.map.terrain[hex_], OTHER_GROUND)
            self.draw.polygon(self.layout.corners(hex_), fill=GROUND[ground], outline=GRID)
        for side, kinds in self.sheet.within(self.map.line_steps):
            self._stroke(self._ends(side.a, side.b), [WAYS.get(LINES.get(kind, "")) for kind in kinds])
        for side, kinds in self.sheet.within(self.map.side_kinds):
            self._stroke(self.layout.side(side), [WATER.get(SIDES.get(kind, "")) for kind in kinds])
        for hex_ in self.hexes:
            x, y = self.layout.exact(hex_)
            self.draw.text((x, y - HEX_PX * 0.38), self.namer.hex(hex_), GRID_TEXT, font(10), anchor="mm")
            names = [p.name for p in self.map.places_at.get(hex_, ()) if p.kind != SOURCE]
            if names:
                self._place(hex_, names[0])

    def _ends(self, a: Hex, b: Hex) -> Ends:
        return self.layout.exact(a), self.layout.exact(b)

    def _stroke(self, ends: Ends, strokes: Iterable[tuple[Colour, int] | None]) -> None:
        for colour, width in filter(None, strokes):
            self.draw.line([*ends], colour, width)

    def _place(self, hex_: Hex, name: str) -> None:
        x, y = self.layout.exact(hex_)
        self.draw.ellipse([x - 3, y - 3, x + 3, y + 3], fill=INK)
        self.text((x, y + HEX_PX * 0.40), name, 10)

    # --- what is asked about ---

    def tint(self, hex_: Hex, colour: Colour, label: str = "") -> None:
        """A transparent colour over a hex (#rrggbbaa), and a word in it."""
        self.draw.polygon(self.layout.corners(hex_), fill=colour)
        if label:
            self.text(self.layout.exact(hex_), label, 15)

    def trail(self, path: Sequence[Hex], colour: Colour, width: int = 4) -> None:
        """A line through hexes, with a dot at its end."""
        for a, b in pairwise(path):
            if {a, b} <= self.sheet.shown:
                self.draw.line([*self._ends(a, b)], colour, width)
        for end in self.sheet.shown.intersection(path[-1:]):
            x, y = self.layout.exact(end)
            self.draw.ellipse([x - 6, y - 6, x + 6, y + 6], fill=colour, outline=HALO)

    def unit(self, hex_: Hex, names: Sequence[str], colour: Colour, ring: Colour = INK) -> None:
        """The units of a hex as one box: the first one's name and how many more there are."""
        x, y = self.layout.exact(hex_)
        box = [x - HEX_PX * 0.36, y - HEX_PX * 0.24, x + HEX_PX * 0.36, y + HEX_PX * 0.24]
        self.draw.rounded_rectangle(box, 4, fill=colour, outline=ring, width=3 if ring != INK else 1)
        words = names[0] + phrase(" +{}", len(names) - 1)
        room = box[2] - box[0] - 4
        size = next((n for n in range(12, 7, -1) if font(n).getlength(words) <= room), 7)
        self.draw.text((x, y), words, INK, font(size), anchor="mm")

    def text(self, at: tuple[float, float], words: str, size: int) -> None:
        self.draw.text(at, words, INK, font(size), anchor="mm", stroke_width=2, stroke_fill=HALO)

    def save(self, path: Path) -> None:
        """As PNG."""
        if path.suffix.lower() != ".png":
            raise FieldpostError(f"{path.name}: pictures are PNG files", f"Name it {path.stem}.png.")
        drawn = io.BytesIO()
        self.image.save(drawn, "PNG")
        write_bytes(path, drawn.getvalue())


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
