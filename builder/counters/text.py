"""Words and factors as masks, set on whole pixels and kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import ceil
from typing import NamedTuple

from PIL import Image, ImageDraw

from builder.fonts import cap_font

Face = str
SCALE = 8


class Setting(NamedTuple):
    """A set word: its mask, and how far its baseline lies under the mask's top edge."""

    mask: Image.Image
    baseline: int
    cap: int = 0  # how high its capitals are
    spans: tuple[tuple[int, int], ...] = ()  # of a row of factors: where each begins and ends

    @property
    def width(self) -> int:
        return self.mask.width


@lru_cache(maxsize=4096)
def word(text: str, face: Face, cap_px: int) -> Setting:
    """A word whose capitals are exactly `cap_px` high; the mask begins where its ink does.

    It is set several times too large and scaled down: spacing stays even at the smallest sizes, and
    feet and heads of the capitals still fall on whole pixels.
    """
    font = cap_font(face, cap_px * SCALE)
    left, top, right, bottom = (int(edge) for edge in font.getbbox(text, anchor="ls"))
    above, below = max(1, ceil(-top / SCALE)), max(0, ceil(bottom / SCALE))
    large = Image.new("L", (ceil(max(1, right - left) / SCALE) * SCALE, (above + below) * SCALE), 0)
    ImageDraw.Draw(large).text((-left, above * SCALE), text, fill=255, font=font, anchor="ls")
    return Setting(large.reduce(SCALE), above, cap_px)


def fitted(text: str, width_px: int, faces: Sequence[Face], caps: Sequence[int]) -> Setting | None:
    """The first of the sizes (and in it the first of the faces) that fits; None if none does."""
    for cap, face in product(caps, faces):
        setting = word(text, face, cap)
        if setting.width <= width_px:
            return setting
    return None


@lru_cache(maxsize=4096)
def factors(text: str, face: Face, cap_px: int, class_px: int, apart: int = 0) -> Setting:
    """Numbers with dashes between them, so many pixels farther apart; a class in capitals `class_px` high."""
    dash = Image.new("L", (max(3, round(cap_px * 0.34)), max(1, round(cap_px * 0.13))), 255)
    gap = max(1, round(cap_px * 0.13))
    parts = _parts(text)
    pieces: list[tuple[Image.Image, int]] = []  # mask, top above the baseline
    for i, part in enumerate(parts):
        if part == "-":
            pieces.append((dash, (cap_px + dash.height) // 2))
        else:
            setting = word(part, face, class_px if class_px and i == 0 else cap_px)
            pieces.append((setting.mask, setting.baseline))
    row = _row(pieces, gap + apart, max(cap_px, class_px))
    ends = [sum(mask.width + gap + apart for mask, _ in pieces[:i]) for i in range(len(pieces))]
    spans = [(x, x + pieces[i][0].width) for i, x in enumerate(ends) if parts[i] != "-"]
    return row._replace(spans=tuple(spans))


def _parts(text: str) -> list[str]:
    """`10-(8)-7` becomes 10, -, (8), -, 7."""
    return [part for part in text.replace("-", " - ").split() if part]


def _row(pieces: list[tuple[Image.Image, int]], gap: int, cap_px: int) -> Setting:
    above = max(top for _, top in pieces)
    below = max(mask.height - top for mask, top in pieces)
    row = Image.new("L", (sum(m.width for m, _ in pieces) + gap * (len(pieces) - 1), above + below), 0)
    x = 0
    for mask, top in pieces:
        row.paste(mask, (x, above - top))
        x += mask.width + gap
    return Setting(row, above, cap_px)
