"""The picture files of a module, and how they go into a replay where nothing can make them smaller."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Self

from fieldpost.pages import MARK, data_uri
from fieldpost.vassal import archive
from fieldpost.vassal.grid import Size
from fieldpost.vassal.module_pictures import picture_size
from fieldpost.vassal.unzipping import ZIP_FAULTS
from validator.anygame.svgparts import with_parts

BYTES = 6_800_000
"""For all pictures; as text in the page they take a third more."""
PICTURE_PIXELS = 120_000_000
PICTURE_BYTES = 200 << 20
SVG_BYTES = 300_000
_ENDINGS = ("", ".svg", ".png", ".gif", ".jpg")
_FAULTS = (*ZIP_FAULTS, KeyError)
_ACTIVE_SVG = re.compile(rb"<script|<foreignObject|<!ENTITY|javascript:", re.IGNORECASE)


@dataclass(frozen=True)
class Picture:
    uri: str
    size: int


class PictureFiles:
    """The pictures of a module's file and of its extensions'; nothing in them is run."""

    def __init__(self, *files: BinaryIO) -> None:
        self._files = files
        self._sizes: dict[str, Size | None] = {}

    @classmethod
    def read(cls, *paths: Path) -> Self:
        return cls(*map(archive.opened, paths))

    @cached_property
    def _zips(self) -> list[tuple[zipfile.ZipFile, frozenset[str]]]:
        opened = list(map(zipfile.ZipFile, self._files))
        return [(one, frozenset(one.namelist())) for one in opened]

    def size(self, name: str) -> Size | None:
        """Of a picture as the traits name it; old modules leave out the ending."""
        if name not in self._sizes:
            found = self._found(name)
            self._sizes[name] = picture_size(*found) if found else None
        return self._sizes[name]

    def pictures(self, names: Iterable[str], most: int = BYTES) -> dict[str, Picture]:
        """Each picture as a data URI, all of them together of so many bytes at most."""
        raise NotImplementedError

    def _found(self, name: str) -> tuple[zipfile.ZipFile, str] | None:
        """The file that has it, the module's before those of extensions, and its whole name."""
        for opened, names in self._zips:
            for ending in _ENDINGS:
                if f"images/{name}{ending}" in names:
                    return opened, name + ending
        return None

    def bytes_of(self, name: str) -> bytes | None:
        """A picture's file; a drawing with the parts of others that it uses."""
        data = self._file(name)
        return with_parts(data, self._file) if data is not None and self._is_svg(name) else data

    def _file(self, name: str) -> bytes | None:
        found = self._found(name)
        if found is None:
            return None
        opened, whole = found
        try:
            info = opened.getinfo(f"images/{whole}")
            if info.file_size > PICTURE_BYTES or info.flag_bits & 1:
                return None
            with opened.open(info) as stream:
                data = stream.read(PICTURE_BYTES + 1)
        except _FAULTS:
            return None
        return data if len(data) <= PICTURE_BYTES else None

    def _is_svg(self, name: str) -> bool:
        found = self._found(name)
        return found is not None and found[1].lower().endswith(".svg")


class Dropped(PictureFiles):
    """In a browser: each picture is named `dropped:3` behind a mark; the page puts it in, made smaller."""

    def __init__(self, *files: BinaryIO) -> None:
        super().__init__(*files)
        self.given: list[str] = []

    def pictures(self, names: Iterable[str], most: int = BYTES) -> dict[str, Picture]:
        found: dict[str, Picture] = {}
        for name in names:
            size = self.size(name)
            if self._is_svg(name):
                if (drawn := svg(self.bytes_of(name) or b"")) is not None:
                    found[name] = drawn
            elif size is not None and size.width * size.height <= PICTURE_PIXELS:
                if name not in self.given:
                    self.given.append(name)
                found[name] = Picture(f"{MARK}dropped:{self.given.index(name)}", 0)
        return found


def svg(data: bytes) -> Picture | None:
    """As an image it can run nothing; what tries to is left out all the same."""
    if not data or len(data) > SVG_BYTES or _ACTIVE_SVG.search(data):
        return None
    return Picture(data_uri("svg+xml", data), len(data))
