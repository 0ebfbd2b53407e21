"""The mark of a unit's size over its box: XX, XXXX, III, KG, with a bracket if the data has one."""

from __future__ import annotations

import re
from functools import lru_cache

from PIL import Image

from builder.counters.pen import Area, Pen
from builder.counters.text import Setting, word

_STROKES = re.compile(r"[XI]+")
_BRACKETED = re.compile(r"[\[(](.*)[\])]")


@lru_cache(maxsize=512)
def size_mark(size: str, cap_px: int) -> Setting:
    """The mark as a mask; its letters stand on the baseline and are `cap_px` high."""
    inside = _BRACKETED.fullmatch(size)
    mark = _letters(inside[1] if inside else size, cap_px)
    return _bracketed(mark, cap_px) if inside else mark


def _letters(size: str, cap_px: int) -> Setting:
    return _strokes(size, cap_px) if _STROKES.fullmatch(size) else word(size, "sans-bold", cap_px)


def _strokes(size: str, cap_px: int) -> Setting:
    wide = {"X": max(5, round(cap_px * 0.86)), "I": max(1, round(cap_px * 0.22))}
    gap = max(2, round(cap_px * 0.24))
    width = sum(wide[c] for c in size) + gap * (len(size) - 1)
    stroke = cap_px * 0.2
    pen = Pen((width, cap_px), Area(0, 0, width, cap_px), stroke)
    x = 0
    for letter in size:
        _letter(pen, letter, x / width, (x + wide[letter]) / width, stroke / width)
        x += wide[letter] + gap
    return Setting(pen.mask(), cap_px)


def _letter(pen: Pen, letter: str, left: float, right: float, stroke: float) -> None:
    if letter == "I":
        pen.rectangle(left, 0, right, 1)
        return
    for start, end in ((left, right - stroke * 1.35), (right - stroke * 1.35, left)):
        pen.polygon((start, 0), (start + stroke * 1.35, 0), (end + stroke * 1.35, 1), (end, 1))


def _bracketed(mark: Setting, cap_px: int) -> Setting:
    """A bracket lying on top of the mark."""
    arm, line, over = max(2, round(cap_px * 0.35)), max(1, cap_px // 8), max(1, round(cap_px * 0.16))
    width = mark.width + 2 * (line + over)
    mask = Image.new("L", (width, mark.mask.height + line + over), 0)
    mask.paste(255, (0, 0, width, line))
    for left in (0, width - line):
        mask.paste(255, (left, 0, left + line, arm + line))
    mask.paste(mark.mask, (line + over, line + over))
    return Setting(mask, mark.baseline + line + over)
