"""The pictures of a module that a replay needs, made small enough for one file."""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from PIL import Image

from fieldpost.pages import data_uri
from fieldpost.progress import track
from fieldpost.vassal.grid import Size
from fieldpost.vassal.unzipping import ZIP_FAULTS
from validator.anygame.picturefiles import BYTES, PICTURE_PIXELS, Picture, PictureFiles, svg

SHARES = (1.0, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05)  # of the pixels of each side
_CAREFUL = 1.2
"""How much larger a share is tried than the one that would do if bytes went by pixels."""
_EMBEDDED = re.compile(rb"href\s*=\s*[\x22\x27]data:image/(?:png|jpe?g);base64,([\w+/=\s]+)[\x22\x27]")
_NOT_PLAIN = re.compile(rb"<(use|filter|pattern|mask|marker)\b|href\s*=\s*[\x22\x27](?!#)|@import|url\((?!#)")
"""What leads outside of a drawing, or can make it grow without end."""
_DRAWING_PIXELS = 16_000_000
_LARGE = 400 * 400  # pixels: more is a board or a card, which may lose some sharpness
_FAULTS = (*ZIP_FAULTS, KeyError, SyntaxError, Image.DecompressionBombError, MemoryError)


class Art(PictureFiles):
    """Large pictures lose sharpness first."""

    def image(self, name: str) -> Image.Image | None:
        """A picture as it is; None for one that is not there, too large, or no plain drawing."""
        data = self.bytes_of(name)
        try:
            if self._is_svg(name):
                data = _drawn(data or b"", self.size(name))
            with _opened(data or b"") as picture:
                return picture.convert("RGBA")
        except _FAULTS:
            return None

    def pictures(self, names: Iterable[str], most: int = BYTES) -> dict[str, Picture]:
        raw = {name: data for name in names if (data := self.bytes_of(name)) is not None}
        best, share = self._made(raw, 1.0), 1.0
        while (size := sum(picture.size for picture in best.values())) > most and share > SHARES[-1]:
            likely = (most / size) ** 0.5 * share * _CAREFUL
            smaller = [one for one in SHARES if one < share]
            share = next((one for one in smaller if one <= likely), smaller[-1])
            best = self._made(raw, share)
        return best if size <= most else _within(best, most)

    def _made(self, raw: Mapping[str, bytes], share: float) -> dict[str, Picture]:
        each = track(raw.items(), len(raw), "pictures put in")
        return {name: picture for name, data in each if (picture := self._encoded(name, data, share))}

    def _encoded(self, name: str, data: bytes, share: float) -> Picture | None:
        if self._is_svg(name):
            return svg(data)
        try:
            return _raster(data, share)
        except _FAULTS:
            return None


def _drawn(drawing: bytes, size: Size | None) -> bytes:
    """An SVG as PNG, if it is all its own, of shapes and pictures of bearable size; else ValueError."""
    inner = [base64.b64decode(text) for text in _EMBEDDED.findall(drawing)]
    if svg(drawing) is None or size is None or _NOT_PLAIN.search(_EMBEDDED.sub(b"", drawing)):
        raise ValueError
    if max([_area(picture) for picture in inner] + [size.width * size.height]) > _DRAWING_PIXELS:
        raise ValueError
    import resvg_py

    png: bytes = resvg_py.svg_to_bytes(svg_string=drawing.decode("utf-8-sig"))
    return png


def _area(data: bytes) -> int:
    with Image.open(io.BytesIO(data)) as picture:
        return picture.width * picture.height


@contextmanager
def _opened(data: bytes) -> Iterator[Image.Image]:
    """A picture of a bearable size; else ValueError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > PICTURE_PIXELS:
                raise ValueError
            yield picture


def _raster(data: bytes, share: float) -> Picture:
    with _opened(data) as picture:
        pixels = picture.width * picture.height
        if picture.format == "JPEG":
            picture.draft("RGB", (round(picture.width * share), round(picture.height * share)))
        seen_through = "A" in picture.getbands() or "transparency" in picture.info
        image = picture.convert("RGBA" if seen_through else "RGB")
    large = pixels > _LARGE
    least, quality, method = (0.0, 70 if share > 0.5 else 55, 2) if large else (0.5, 85, 3)
    scale = min(max(share, least), (16_000_000 / pixels) ** 0.5)
    if scale < 1 and min(image.size) * scale >= 1:
        image = image.resize((round(image.width * scale), round(image.height * scale)))
    out = io.BytesIO()
    image.save(out, "WEBP", quality=quality, method=method)
    return Picture(data_uri("webp", out.getvalue()), out.tell())


def _within(pictures: Mapping[str, Picture], most: int) -> dict[str, Picture]:
    """The small ones first, as many as the limit allows."""
    kept: dict[str, Picture] = {}
    left = most
    for name, picture in sorted(pictures.items(), key=lambda pair: pair[1].size):
        left -= picture.size
        if left < 0:
            break
        kept[name] = picture
    return kept
