"""Pictures of one's own on counters: whole faces, and in the place of a symbol."""

from __future__ import annotations

from PIL import Image, ImageChops

from builder.art import loaded
from builder.counters.colors import Rgb
from builder.counters.look import ArtLook
from builder.counters.pen import Area
from fieldpost.definition.artmodel import ArtFile


def draw_art(look: ArtLook, size_px: int) -> Image.Image:
    """The whole face: the picture as large as fits, in the middle of its square; RGBA."""
    face = Image.new("RGBA", (size_px, size_px), (0, 0, 0, 0))
    picture = loaded(look.art, (size_px, size_px))
    at = (size_px - picture.width) // 2, (size_px - picture.height) // 2
    face.paste(picture, at, picture)
    return face


def stamp(picture: Image.Image, art: ArtFile, area: Area, ink: Rgb, aside: int = 0) -> None:
    """Puts a picture into an area. One in a single grey or black takes the ink; others keep their colours."""
    drawn = loaded(art, (max(1, int(area.width)), max(1, int(area.height))))
    at = (
        round((area.left + area.right - drawn.width) / 2) + aside,
        round((area.top + area.bottom - drawn.height) / 2),
    )
    picture.paste(
        ink if _is_stencil(drawn) else drawn.convert("RGB"),
        (*at, at[0] + drawn.width, at[1] + drawn.height),
        drawn.getchannel("A"),
    )


def _is_stencil(picture: Image.Image) -> bool:
    """Whether every pixel that shows is of one dark shade, and some are clear."""
    alpha = picture.getchannel("A")
    if alpha.getextrema()[0] == 255:
        return False
    solid = alpha.point(lambda value: 255 if value > 127 else 0)
    bands = (ImageChops.multiply(band, solid) for band in picture.convert("RGB").split())
    return not any(band.point(lambda value: 255 if value >= 90 else 0).getbbox() for band in bands)
