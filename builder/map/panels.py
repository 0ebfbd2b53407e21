"""Panels beside the map: a small sheet of its own each, drawn finely, with text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image

from builder.fonts import font
from builder.map.ink import Ink, draw
from builder.map.lettering import Box, Glyph, Label, box_at, extent, write
from builder.map.palette import Style, rgb
from builder.map.raster import Tile


@dataclass
class Panel:
    """A sheet with its own corner as origin. `spots` are places in it that others ask for."""

    id: str
    width: int
    height: int
    style: Style
    ink: Ink = field(default_factory=Ink)
    texts: list[Label] = field(default_factory=list)
    inlays: list[tuple[Image.Image, tuple[int, int]]] = field(default_factory=list)
    spots: dict[str | int, tuple[int, int, int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.frame_box((1, 1, self.width - 2, self.height - 2), self.style.panel, self.style.quiet, 1.6)

    def frame_box(self, box: Box, ground: str, edge: str, width: float, radius: float = 7) -> None:
        """A box with round corners and an edge."""
        left, top, right, bottom = box
        for inset, color in ((0.0, edge), (width, ground)):
            r = max(0.0, radius - inset)
            x0, y0, x1, y1 = left + inset, top + inset, right - inset, bottom - inset
            self.ink.fill([(x0 + r, y0), (x1 - r, y0), (x1 - r, y1), (x0 + r, y1)], rgb(color))
            self.ink.fill([(x0, y0 + r), (x1, y0 + r), (x1, y1 - r), (x0, y1 - r)], rgb(color))
            for x, y in ((x0 + r, y0 + r), (x1 - r, y0 + r), (x1 - r, y1 - r), (x0 + r, y1 - r)):
                if r:
                    self.ink.disc(x, y, r, rgb(color))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        face: str,
        size: float,
        color: str | None = None,
        anchor: str = "m",
    ) -> float:
        """Writes a line of text about (`m`), from (`l`) or up to (`r`) a point; returns its width."""
        width = extent(text, face, size)[0]
        middle = {"m": x, "l": x + width / 2, "r": x - width / 2}[anchor]
        ink = rgb(color or self.style.ink)
        box = box_at(text, face, size, middle, y)
        self.texts.append(Label(text, "panel", (Glyph(text, middle, y),), face, size, ink, None, 0, (box,)))
        return width

    def paragraph(
        self, x: float, y: float, text: str, face: str, size: float, width: float, color: str
    ) -> float:
        """Writes wrapped text and returns where the next line would stand."""
        for line in wrapped(text, face, size, width):
            self.text(x, y, line, face, size, color, "l")
            y += size * 1.32
        return y

    def image(self) -> Image.Image:
        """The finished panel, clear at its round corners."""
        picture = draw(self.ink.marks, Tile(0, 0, self.width, self.height))
        sheet = Image.new("RGB", picture.size, rgb(self.style.panel)[:3])
        sheet.paste(picture, (0, 0), picture)
        for inlay, corner in self.inlays:
            sheet.paste(inlay, corner, inlay)
        write(sheet, self.texts)
        sheet.putalpha(picture.getchannel("A"))
        return sheet


def wrapped(text: str, face: str, size: float, width: float) -> Iterator[str]:
    """Lines of text that fit a width."""
    found = font(face, size)
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and found.getlength(longer) > width:
            yield line
            line = word
        else:
            line = longer
    if line:
        yield line
