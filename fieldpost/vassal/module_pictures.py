"""How large a module's board pictures are, read from their first bytes only."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zipfile
from collections.abc import Iterable
from typing import BinaryIO

from fieldpost.vassal.grid import Size
from fieldpost.vassal.unzipping import ZIP_FAULTS

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
    head = head_of(archive, f"images/{name}")
    if head is None:
        return None
    return _svg_size(head) if name.lower().endswith(".svg") else _raster_size(head)


def head_of(archive: zipfile.ZipFile, entry: str) -> bytes | None:
    """The first megabyte of an entry; None if it is not there or cannot be read."""
    try:
        with archive.open(entry) as stream:
            return stream.read(_HEAD_BYTES)
    except (*ZIP_FAULTS, KeyError):
        return None


def _raster_size(head: bytes) -> Size | None:
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:  # in a browser
        return _size_by_head(head)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(head)) as picture:
                return Size(*picture.size)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, ValueError, SyntaxError):
        return None


_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def _size_by_head(head: bytes) -> Size | None:
    """Of a PNG, GIF or JPEG, which nearly all modules use."""
    try:
        if head.startswith(b"\x89PNG"):
            return Size(*struct.unpack_from(">II", head, 16))
        if head.startswith(b"GIF8"):
            return Size(*struct.unpack_from("<HH", head, 6))
        return _jpeg_size(head) if head.startswith(b"\xff\xd8") else None
    except (struct.error, IndexError):
        return None


def _jpeg_size(head: bytes) -> Size | None:
    """From segment to segment up to the one that begins a frame."""
    at = 2
    while at < len(head):
        marker, length = head[at + 1], struct.unpack_from(">H", head, at + 2)[0]
        if head[at] != 0xFF:
            return None
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", head, at + 5)
            return Size(width, height)
        at += 2 + length
    return None


def _svg_size(head: bytes) -> Size | None:
    text = head.decode("utf-8", "replace")
    found = [re.search(_SVG_SIZE.format(side), text) for side in ("width", "height")]
    if not all(found):
        return None
    width, height = (int(float(match[1])) for match in found if match)
    return Size(width, height)
