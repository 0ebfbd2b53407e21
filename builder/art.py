"""Pictures of one's own, read in the size that is needed; drawings (SVG) are drawn in it."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from PIL import Image

from builder.fonts import FACES, path
from fieldpost.definition.artmodel import ArtFile
from fieldpost.errors import FieldpostError


@lru_cache(maxsize=64)
def loaded(art: ArtFile, room: tuple[int, int]) -> Image.Image:
    """The picture as large as fits into so many pixels; RGBA. Do not write on it."""
    scale = min(room[0] / art.width, room[1] / art.height)
    return scaled(art, (max(1, round(art.width * scale)), max(1, round(art.height * scale))))


def scaled(art: ArtFile, size: tuple[int, int]) -> Image.Image:
    """The picture in exactly this size; RGBA."""
    try:
        data = _svg(art, size) if art.drawing else Path(art.path).read_bytes()
        with Image.open(io.BytesIO(data)) as picture:
            clear = picture.convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise FieldpostError(f"{art.path}: this picture cannot be read ({error})") from error
    return clear if clear.size == size else clear.resize(size, Image.Resampling.LANCZOS)


def _svg(art: ArtFile, size: tuple[int, int]) -> bytes:
    try:
        import resvg_py
    except ModuleNotFoundError:
        raise FieldpostError("resvg-py is missing from this installation", "pip install resvg-py") from None
    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=Path(art.path).read_text(encoding="utf-8-sig"),
        width=size[0],
        height=size[1],
        skip_system_fonts=True,  # alike on every machine
        font_files=[str(path(face)) for face in FACES],
        font_family="Barlow Semi Condensed",
        sans_serif_family="Barlow Semi Condensed",
        monospace_family="Barlow Semi Condensed",
        serif_family="PT Serif",
    )
    return drawn
