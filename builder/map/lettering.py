"""Text on the map: what is written where, straight or along a curve, with a halo."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from builder.fonts import font
from builder.map.palette import Color

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Glyph:
    """A letter or a line of text, centred on its point and turned by an angle (clockwise, radians)."""

    text: str
    x: float
    y: float
    angle: float = 0.0


@dataclass(frozen=True)
class Label:
    """One name, number or note with every box it covers."""

    text: str
    kind: str  # number, place, water, river, line, zone, badge
    glyphs: tuple[Glyph, ...]
    face: str
    size: float
    color: Color
    halo: Color | None
    halo_px: float
    boxes: tuple[Box, ...]


@lru_cache(maxsize=512)
def cap_middle(face: str, size: float) -> float:
    """Where the middle of the capitals lies, down from the baseline."""
    cap = font(face, size).getbbox("H", anchor="ls")
    return (cap[1] + cap[3]) / 2


@lru_cache(maxsize=16384)
def extent(text: str, face: str, size: float) -> tuple[float, float, float]:
    """The width of a line of text, and how far its letters rise above and fall below their middle."""
    found = font(face, size)
    whole = found.getbbox(text, anchor="ls")
    middle = cap_middle(face, size)
    return float(found.getlength(text)), middle - whole[1], whole[3] - middle


def box_at(text: str, face: str, size: float, x: float, y: float, pad: float = 1.0) -> Box:
    """What a line of text covers when the middle of its capitals stands at a point."""
    width, above, below = extent(text, face, size)
    return x - width / 2 - pad, y - above - pad, x + width / 2 + pad, y + below + pad


def write(image: Image.Image, labels: Iterable[Label]) -> None:
    """All halos of a kind come before its letters, so that no halo bites into a letter."""
    pen = ImageDraw.Draw(image)
    for label in labels:
        found = font(label.face, label.size)
        for glyph in label.glyphs:
            if abs(glyph.angle) > 0.01:
                _write_turned(image, label, glyph, found)
            else:
                _write_straight(pen, label, glyph, found)


def _write_straight(
    pen: ImageDraw.ImageDraw, label: Label, glyph: Glyph, found: ImageFont.FreeTypeFont
) -> None:
    width = extent(glyph.text, label.face, label.size)[0]
    place = (round(glyph.x - width / 2), round(glyph.y - cap_middle(label.face, label.size)))
    if label.halo is not None:
        pen.text(
            place, glyph.text, label.halo, found, "ls", stroke_width=label.halo_px, stroke_fill=label.halo
        )
    pen.text(place, glyph.text, label.color, found, "ls")


def _write_turned(image: Image.Image, label: Label, glyph: Glyph, found: ImageFont.FreeTypeFont) -> None:
    fine = 3
    large = font(label.face, label.size * fine)
    side = int(max(label.size * 2.4, found.getlength(glyph.text) + label.size) + 2 * label.halo_px) + 4
    middle = cap_middle(label.face, label.size * fine)
    spot = (side * fine / 2 - large.getlength(glyph.text) / 2, side * fine / 2 - middle)
    left, top = math.floor(glyph.x - side / 2), math.floor(glyph.y - side / 2)
    shift = (round((glyph.x - side / 2 - left) * fine), round((glyph.y - side / 2 - top) * fine))
    for color, stroke in ((label.halo, label.halo_px), (label.color, 0.0)):
        if color is None:
            continue
        mask = Image.new("L", (side * fine, side * fine))
        ImageDraw.Draw(mask).text(spot, glyph.text, 255, large, "ls", stroke_width=stroke * fine)
        turned = mask.rotate(-math.degrees(glyph.angle), Image.Resampling.BICUBIC, translate=shift)
        small = turned.reduce(fine)
        if color[3] < 255:
            small = small.point([value * color[3] // 255 for value in range(256)])
        image.paste(color[:3], (left, top), small)
