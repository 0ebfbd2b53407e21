"""Text on the map: what is written where, straight or along a curve, with a halo."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFont

from builder.fonts import font
from builder.map.palette import Color

Box = tuple[float, float, float, float]
NUMBER = "number"  # the kind of labels that number hexes


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
    letters = [_letter(letter, face, size) for letter in text]
    width = sum(advance for advance, _, _ in letters)
    width += sum(_kerning(pair, face, size) for pair in map("".join, pairwise(text)))
    top = min((letter[1] for letter in letters), default=0.0)
    bottom = max((letter[2] for letter in letters), default=0.0)
    middle = cap_middle(face, size)
    return width, middle - top, bottom - middle


@lru_cache(maxsize=8192)
def _letter(letter: str, face: str, size: float) -> tuple[float, float, float]:
    """How wide a letter is, and where its ink begins and ends, down from the baseline."""
    found = font(face, size)
    _, top, _, bottom = found.getbbox(letter, anchor="ls")
    return float(found.getlength(letter)), top, bottom


@lru_cache(maxsize=8192)
def _kerning(pair: str, face: str, size: float) -> float:
    """How much wider two letters are side by side than apart."""
    apart = sum(_letter(letter, face, size)[0] for letter in pair)
    return float(font(face, size).getlength(pair)) - apart


def box_at(text: str, face: str, size: float, x: float, y: float, pad: float = 1.0) -> Box:
    """What a line of text covers when the middle of its capitals stands at a point."""
    width, above, below = extent(text, face, size)
    return x - width / 2 - pad, y - above - pad, x + width / 2 + pad, y + below + pad


def by_tile(labels: Iterable[Label], size: tuple[int, int]) -> dict[tuple[int, int], list[Label]]:
    """The labels that touch each tile of a grid of tiles, in their order."""
    found: dict[tuple[int, int], list[Label]] = defaultdict(list)
    for label in labels:
        reach = 1.5 * label.size + label.halo_px  # of letters that lean, and of halos
        lefts, tops, rights, bottoms = zip(*label.boxes, strict=True)
        left, top = min(lefts) - reach, min(tops) - reach
        right, bottom = max(rights) + reach, max(bottoms) + reach
        for column in range(int(left // size[0]), int(right // size[0]) + 1):
            for row in range(int(top // size[1]), int(bottom // size[1]) + 1):
                found[column, row].append(label)
    return found


def write(image: Image.Image, labels: Iterable[Label], corner: tuple[int, int] = (0, 0)) -> None:
    """Writes on a sheet, or on the part of it that begins at a corner.

    All halos of a kind come before its letters, so that no halo bites into a letter.
    """
    pen = ImageDraw.Draw(image)
    for label in labels:
        found = font(label.face, label.size)
        for glyph in label.glyphs:
            if abs(glyph.angle) > 0.01:
                _write_turned(image, label, glyph, found, corner)
            else:
                _write_straight(image, pen, label, glyph, found, corner)


def _write_straight(
    image: Image.Image,
    pen: ImageDraw.ImageDraw,
    label: Label,
    glyph: Glyph,
    found: ImageFont.FreeTypeFont,
    corner: tuple[int, int],
) -> None:
    width = extent(glyph.text, label.face, label.size)[0]
    x, y = round(glyph.x - width / 2), round(glyph.y - cap_middle(label.face, label.size))
    place = (x - corner[0], y - corner[1])
    if label.halo is not None:
        pen.text(
            place, glyph.text, label.halo, found, "ls", stroke_width=label.halo_px, stroke_fill=label.halo
        )
    if label.kind == NUMBER:  # there are thousands: set from letters that were drawn before
        pad = math.ceil(label.size)
        mask = _set(glyph.text, label.face, label.size)
        image.paste(label.color[:3], (place[0] - pad, place[1] - 2 * pad), mask)
    else:
        pen.text(place, glyph.text, label.color, found, "ls")


def _set(text: str, face: str, size: float) -> Image.Image:
    """A line of letters that need no kerning, as the typeface itself would set it."""
    pad = math.ceil(size)
    mask = Image.new("L", (math.ceil(extent(text, face, size)[0]) + 2 * pad, 3 * pad))
    x = 0.0
    for letter in text:
        mask.paste(255, (round(x), 0), _drawn(letter, face, size))
        x += _letter(letter, face, size)[0]
    return mask


@lru_cache(maxsize=256)
def _drawn(letter: str, face: str, size: float) -> Image.Image:
    """A letter with room on all sides."""
    pad = math.ceil(size)
    mask = Image.new("L", (math.ceil(_letter(letter, face, size)[0]) + 2 * pad, 3 * pad))
    ImageDraw.Draw(mask).text((pad, 2 * pad), letter, 255, font(face, size), "ls")
    return mask


def _write_turned(
    image: Image.Image,
    label: Label,
    glyph: Glyph,
    found: ImageFont.FreeTypeFont,
    corner: tuple[int, int],
) -> None:
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
        image.paste(color[:3], (left - corner[0], top - corner[1]), small)
