"""The pictures of a module that a replay needs, made small enough for one file."""

from __future__ import annotations

import base64
import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from PIL import Image

from fieldpost.vassal import archive
from fieldpost.vassal.grid import Size
from fieldpost.vassal.module_pictures import picture_size

BYTES = 6_800_000
"""For all pictures; as text in the page they take a third more."""
PICTURE_PIXELS = 120_000_000
PICTURE_BYTES = 200 << 20
SHARES = (1.0, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05)
SVG_BYTES = 300_000
_LARGE = 400 * 400  # pixels: more is a board or a card, which may lose some sharpness
_ENDINGS = ("", ".svg", ".png", ".gif", ".jpg")
_FAULTS = (
    KeyError, OSError, ValueError, RuntimeError, NotImplementedError, EOFError, SyntaxError,
    zipfile.BadZipFile, zlib.error, Image.DecompressionBombError, MemoryError,
)  # fmt: skip
_ACTIVE_SVG = re.compile(rb"<script|<foreignObject|<!ENTITY|javascript:", re.IGNORECASE)


@dataclass(frozen=True)
class Picture:
    uri: str
    size: int


class Art:
    """The pictures of one module's file; nothing in it is run."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._sizes: dict[str, Size | None] = {}

    @classmethod
    def read(cls, path: Path) -> Art:
        return cls(archive.read_bytes(path))

    @cached_property
    def _zip(self) -> zipfile.ZipFile:
        return zipfile.ZipFile(io.BytesIO(self._data))

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self._zip.namelist())

    def size(self, name: str) -> Size | None:
        """Of a picture as the traits name it; old modules leave out the ending."""
        if name not in self._sizes:
            found = self._found(name)
            self._sizes[name] = picture_size(self._zip, found) if found else None
        return self._sizes[name]

    def _found(self, name: str) -> str | None:
        return next((name + ending for ending in _ENDINGS if f"images/{name}{ending}" in self._names), None)

    def image(self, name: str) -> Image.Image | None:
        """A picture as it is; None for one that is not there, too large, or drawn by a program (SVG)."""
        data = self._bytes(name)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Image.open(io.BytesIO(data or b"")) as picture:
                    fits = picture.width * picture.height <= PICTURE_PIXELS
                    return picture.convert("RGBA") if fits else None
        except _FAULTS:
            return None

    def pictures(self, names: Iterable[str]) -> dict[str, Picture]:
        """Each picture as a data URI, all of them within the limit; large ones lose sharpness first."""
        raw = {name: data for name in names if (data := self._bytes(name)) is not None}
        best: dict[str, Picture] = {}
        for share in SHARES:
            best = {
                name: picture for name, data in raw.items() if (picture := self._encoded(name, data, share))
            }
            if sum(picture.size for picture in best.values()) <= BYTES:
                return best
        return _within(best)

    def _bytes(self, name: str) -> bytes | None:
        found = self._found(name)
        if found is None:
            return None
        try:
            info = self._zip.getinfo(f"images/{found}")
            if info.file_size > PICTURE_BYTES or info.flag_bits & 1:
                return None
            with self._zip.open(info) as stream:
                data = stream.read(PICTURE_BYTES + 1)
        except _FAULTS:
            return None
        return data if len(data) <= PICTURE_BYTES else None

    def _encoded(self, name: str, data: bytes, share: float) -> Picture | None:
        if (self._found(name) or "").lower().endswith(".svg"):
            return _svg(data)
        try:
            return _raster(data, share)
        except _FAULTS:
            return None


def _svg(data: bytes) -> Picture | None:
    """As an image it can run nothing; what tries to is left out all the same."""
    if len(data) > SVG_BYTES or _ACTIVE_SVG.search(data):
        return None
    return Picture(_uri("svg+xml", data), len(data))


def _raster(data: bytes, share: float) -> Picture | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(data)) as picture:
            pixels = picture.width * picture.height
            if pixels > PICTURE_PIXELS:
                return None
            if picture.format == "JPEG":
                picture.draft("RGB", (round(picture.width * share), round(picture.height * share)))
            plain = "A" in picture.getbands() or "transparency" in picture.info
            image = picture.convert("RGBA" if plain else "RGB")
    large = pixels > _LARGE
    scale = share if large else max(share, 0.5)
    scale = min(scale, (16_000_000 / pixels) ** 0.5)
    if scale < 1 and min(image.size) * scale >= 1:
        image = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    out = io.BytesIO()
    if large:
        image.save(out, "WEBP", quality=70 if share > 0.5 else 55, method=2)
    else:
        image.save(out, "WEBP", quality=85, method=3)
    return Picture(_uri("webp", out.getvalue()), out.tell())


def _within(pictures: Mapping[str, Picture]) -> dict[str, Picture]:
    """The small ones first, as many as the limit allows."""
    kept: dict[str, Picture] = {}
    left = BYTES
    for name, picture in sorted(pictures.items(), key=lambda pair: pair[1].size):
        left -= picture.size
        if left < 0:
            break
        kept[name] = picture
    return kept


def _uri(kind: str, data: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
