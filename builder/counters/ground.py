"""The piece of cardboard: ground, step stripes, edge, light on its rim, rounded corners."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw

from builder.counters.colors import BLACK, WHITE, Rgb, mix
from builder.counters.layout import Layout

SCALE = 8
LIGHT, SHADE = 0.05, 0.05  # how much the ground brightens to the top and darkens to the bottom


def shades(color: Rgb) -> tuple[Rgb, Rgb]:
    """The lightest and the darkest shade of a ground."""
    return mix(color, WHITE, LIGHT), mix(color, BLACK, SHADE)


@lru_cache(maxsize=256)
def ground(layout: Layout, color: Rgb, stripe: Rgb | None = None, stripes: int = 0) -> Image.Image:
    """A blank counter; copy it before drawing on it."""
    size = layout.size
    picture = _gradient(size, color)
    if stripe is not None:
        draw = ImageDraw.Draw(picture)
        for top, bottom in layout.stripes(stripes):
            draw.rectangle((0, top, size - 1, bottom - 1), fill=stripe)
    face, rim, lit, shaded = _masks(size, layout.radius)
    picture.paste(mix(color, WHITE, 0.6), mask=lit)
    picture.paste(mix(color, BLACK, 0.45), mask=shaded)
    edged = Image.new("RGB", (size, size), mix(color, BLACK, 0.55))
    edged.paste(picture, mask=face)
    edged.putalpha(rim)
    return edged


def _gradient(size: int, color: Rgb) -> Image.Image:
    top, bottom = shades(color)
    ramp = Image.linear_gradient("L").resize((size, size), Image.Resampling.BILINEAR)
    return Image.composite(Image.new("RGB", ramp.size, bottom), Image.new("RGB", ramp.size, top), ramp)


@lru_cache(maxsize=16)
def _masks(size: int, radius: int) -> tuple[Image.Image, Image.Image, Image.Image, Image.Image]:
    """The face inside the edge, the whole outline, the lit rim (top, left), the shaded rim."""
    outline, face = _rounded(size, 0, radius), _rounded(size, 1, radius)
    lit = ImageChops.subtract(face, _shifted(face, 1))
    shaded = ImageChops.subtract(face, _shifted(face, -1))
    return face, outline, _thinned(lit, 0.75), _thinned(shaded, 0.55)


def _rounded(size: int, inset: int, radius: int) -> Image.Image:
    mask = Image.new("L", (size * SCALE, size * SCALE), 0)
    low, high = inset * SCALE, (size - inset) * SCALE - 1
    ImageDraw.Draw(mask).rounded_rectangle((low, low, high, high), (radius - inset) * SCALE, fill=255)
    return mask.reduce(SCALE)


def _shifted(mask: Image.Image, by: int) -> Image.Image:
    moved = Image.new("L", mask.size, 0)
    moved.paste(mask, (by, by))
    return moved


def _thinned(mask: Image.Image, share: float) -> Image.Image:
    return mask.point(lambda v: round(v * share))
