"""How large a module's board pictures are, read from their first bytes only."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterable
from typing import BinaryIO

from PIL import Image, UnidentifiedImageError

from fieldpost.vassal.grid import Size

_HEAD_BYTES = 1 << 20
_SVG_SIZE = r'<svg\b[^>]*?\b{}="(\d+(?:\.\d+)?)(?:px)?"'


def picture_sizes(stream: BinaryIO, names: Iterable[str]) -> dict[str, Size]:
    """Of each picture in a module's `images/` that is there and tells its size."""
    sizes: dict[str, Size] = {}
    try:
        with zipfile.ZipFile(stream) as archive:
            for name in names:
                size = picture_size(archive, name)
                if size is not None:
                    sizes[name] = size
    except zipfile.BadZipFile:
        pass
    return sizes


def picture_size(archive: zipfile.ZipFile, name: str) -> Size | None:
    """Of one picture of a module that is open."""
    try:
        with archive.open(f"images/{name}") as stream:
            head = stream.read(_HEAD_BYTES)
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return None
    return _svg_size(head) if name.lower().endswith(".svg") else _raster_size(head)


def _raster_size(head: bytes) -> Size | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(head)) as picture:
                return Size(*picture.size)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return None


def _svg_size(head: bytes) -> Size | None:
    text = head.decode("utf-8", "replace")
    found = [re.search(_SVG_SIZE.format(side), text) for side in ("width", "height")]
    if not all(found):
        return None
    width, height = (int(float(match[1])) for match in found if match)
    return Size(width, height)
