"""Every face of a game's counters and markers: the name of its picture and how to draw it."""

from __future__ import annotations

import hashlib
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from builder.counters.art import draw_art
from builder.counters.chit import draw_marker_look, draw_side_look
from builder.counters.face import draw_back, draw_counter
from builder.counters.look import (
    ArtLook,
    BackLook,
    CounterLook,
    Look,
    SideLook,
    counter_look,
    marker_look,
)
from fieldpost.definition.model import Counter, Game, Marker

DRAWING = 3  # counts changes of how counters are drawn; a cache of pictures keeps to it
SIZE_PX = 75


def draw_look(look: Look, size_px: int = SIZE_PX) -> Image.Image:
    if isinstance(look, ArtLook):
        return draw_art(look, size_px)
    if isinstance(look, CounterLook):
        return draw_counter(look, size_px)
    if isinstance(look, BackLook):
        return draw_back(look, size_px)
    return draw_side_look(look, size_px) if isinstance(look, SideLook) else draw_marker_look(look, size_px)


def draw(game: Game, counter: Counter, step: int, size_px: int = SIZE_PX) -> Image.Image:
    """A unit's counter with so many steps lost that `step` is up (1 is full strength); RGBA."""
    return draw_look(counter_look(game, counter, step), size_px)


def draw_marker(game: Game, marker: Marker, face: int, size_px: int = SIZE_PX) -> Image.Image:
    """A face of a marker (1 is the front); RGBA."""
    return draw_look(marker_look(game, marker, face), size_px)


@dataclass(frozen=True)
class Drawing:
    """Draws one face when called with a size; can be sent to another process."""

    look: Look

    def __call__(self, size_px: int = SIZE_PX) -> Image.Image:
        return draw_look(self.look, size_px)

    def key(self, size_px: int = SIZE_PX) -> str:
        """Equal keys, equal pictures."""
        return hashlib.sha256(repr((DRAWING, size_px, self.look)).encode()).hexdigest()[:32]


class Face(NamedTuple):
    file: str
    draw: Drawing


class Pictures:
    """The pictures of a game: a file name for each face. Faces that look alike share a picture."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._file: dict[Look, str] = {}
        self._taken: set[str] = set()
        for stem, look in _stems(game):
            if look not in self._file:
                self._file[look] = self._free(stem)

    def counter(self, counter: Counter, step: int) -> str:
        return self._file[counter_look(self._game, counter, step)]

    def marker(self, marker: Marker, face: int) -> str:
        return self._file[marker_look(self._game, marker, face)]

    def faces(self) -> Iterator[Face]:
        for look, file in self._file.items():
            yield Face(file, Drawing(look))

    def _free(self, stem: str) -> str:
        """Names differ in more than case: some file systems need that."""
        name, number = stem, 2
        while name.lower() in self._taken:
            name, number = f"{stem}_{number}", number + 1
        self._taken.add(name.lower())
        return f"{name}.png"


def _stems(game: Game) -> Iterator[tuple[str, Look]]:
    for counter in game.counters:
        for step in range(1, len(counter.steps) + 1):
            yield f"unit-{slug(counter.id)}-{step}", counter_look(game, counter, step)
    for marker in game.markers:
        for face in range(1, len(marker.faces) + 1):
            yield f"marker-{slug(marker.id)}-{face}", marker_look(game, marker, face)


def faces(game: Game) -> Iterator[Face]:
    """Each picture once: its file name in images/ and what draws it."""
    return Pictures(game).faces()


def slug(ident: str) -> str:
    """An id as part of a file name: plain letters, digits, hyphens."""
    plain = unicodedata.normalize("NFKD", ident).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-") or "x" + ident.encode().hex()


def png(picture: Image.Image) -> bytes:
    """The picture as a PNG that holds nothing but the picture."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=7)
    return out.getvalue()
