"""Colours: mixing, and contrast as WCAG 2 defines it."""

from __future__ import annotations

from functools import cache

from fieldpost.errors import FieldpostError

Rgb = tuple[int, int, int]

BLACK: Rgb = (0, 0, 0)
WHITE: Rgb = (255, 255, 255)
NEEDED_CONTRAST = 4.5
PLAIN_CONTRAST = 1.25  # of one area beside another


@cache
def rgb(color: str) -> Rgb:
    """#rrggbb as three numbers."""
    digits = color.removeprefix("#")
    try:
        value = int(digits, 16)
    except ValueError:
        value = -1
    if len(digits) != 6 or value < 0:
        raise FieldpostError(f"{color!r} is no colour", "Write six hexadecimal digits: #8fa3b5.")
    return value >> 16, value >> 8 & 255, value & 255


def mix(color: Rgb, other: Rgb, share: float) -> Rgb:
    """`color` with so large a share of `other` (0 to 1)."""
    r, g, b = (round(c + (o - c) * share) for c, o in zip(color, other, strict=True))
    return r, g, b


@cache
def luminance(color: Rgb) -> float:
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in color))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@cache
def contrast(one: Rgb, other: Rgb) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@cache
def stripe_on(ground: Rgb, ink: Rgb) -> Rgb:
    """The colour of a stripe that shows on the ground and leaves ink on it readable; pale if that can be."""
    shades = [mix(ground, toward, share) for toward in (WHITE, BLACK) for share in (0.68, 0.5, 0.35, 0.22)]
    readable = [s for s in shades if contrast(s, ink) >= NEEDED_CONTRAST + 0.3]
    plain = (s for s in readable if contrast(s, ground) >= PLAIN_CONTRAST)
    return next(plain, max(readable, key=lambda shade: contrast(shade, ground), default=ground))
