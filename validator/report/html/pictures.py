"""A module's own pictures for a report: its map, smaller, and its counters on one sheet."""

from __future__ import annotations

import io
import os
import warnings
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from fieldpost.geometry import BOARD_PROPERTY, GAME_PROPERTY, Geometry
from fieldpost.hexes import Hex
from fieldpost.pages import data_uri
from fieldpost.vassal.module import Module
from fieldpost.vassal.unzipping import ZIP_FAULTS
from validator.report.html.board import Board, Ground, Sprites, smallest

MAP_PIXELS = 12_000_000  # a telephone still shows so many
MAP_BYTES = 3_000_000  # a third more as text
PICTURE_PIXELS = 120_000_000
MAP_QUALITIES = (72, 56, 40, 24)
CELL_PX = 76  # of a counter on the sheet of counters
COLUMNS = 24
_FAULTS = (*ZIP_FAULTS, KeyError, SyntaxError, Image.DecompressionBombError)


class ModulePictures:
    """The pictures of a module that was built from the game's data."""

    def __init__(self, path: Path, module: Module) -> None:
        self.path = path
        properties = {item.name: item.value for item in module.properties}
        self.game = properties.get(GAME_PROPERTY, "").partition(" ")[0]
        images = {board.name: board.image for map_ in module.maps for board in map_.boards if board.image}
        self._boards = {
            images[board]: Geometry.parse(value)
            for name, value in properties.items()
            if name.startswith(BOARD_PROPERTY) and (board := name.removeprefix(BOARD_PROPERTY)) in images
        }

    @classmethod
    def read(cls, path: Path) -> ModulePictures:
        return cls(path, Module.read(path))

    def board(self, hexes: Collection[Hex]) -> Board | None:
        """The smallest board that holds all the hexes."""
        best = smallest(self.boards(), hexes)
        return best.board(data_uri("webp", best.webp()), hexes) if best else None

    def boards(self) -> Iterator[PicturedBoard]:
        """Every board that has a picture."""
        for name, geometry in self._boards.items():
            picture = self._open(name)
            if picture is not None:
                yield PicturedBoard(*picture.size, geometry, picture)

    def sprites(self, names: Iterable[str]) -> Sprites:
        """The counters of these names (`unit-3PzK-1`) that the module has."""
        data, cells, columns, rows = self.sheet(names)
        return Sprites(data_uri("webp", data), cells, columns, rows)

    def sheet(self, names: Iterable[str]) -> tuple[bytes, dict[str, int], int, int]:
        """One picture with these counters, the number of each, and how many columns and rows it has."""
        found = list(self._counters(names))
        rows = max(1, -(-len(found) // COLUMNS))
        columns = max(1, min(COLUMNS, len(found)))
        sheet = Image.new("RGBA", (columns * CELL_PX, rows * CELL_PX))
        for number, (_, counter) in enumerate(found):
            left, top = number % columns * CELL_PX, number // columns * CELL_PX
            sheet.paste(counter, (left, top))
        return (
            _webp(sheet, quality=80, method=4),
            {name: n for n, (name, _) in enumerate(found)},
            columns,
            rows,
        )

    def _counters(self, names: Iterable[str]) -> Iterator[tuple[str, Image.Image]]:
        try:
            archive = zipfile.ZipFile(self.path)
        except _FAULTS:
            return
        with archive:
            for name in names:
                picture = _picture(archive, f"{name}.png")
                if picture is not None:
                    yield name, picture.convert("RGBA").resize((CELL_PX, CELL_PX), Image.Resampling.LANCZOS)

    def _open(self, name: str) -> Image.Image | None:
        try:
            with zipfile.ZipFile(self.path) as archive:
                return _picture(archive, name)
        except _FAULTS:
            return None


def _picture(archive: zipfile.ZipFile, name: str) -> Image.Image | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(archive.read(f"images/{name}")))
    except _FAULTS:
        return None
    return picture if picture.width * picture.height <= PICTURE_PIXELS else None


def find(game: Game, wanted: Path | None, log: Path) -> ModulePictures | None:
    """The module asked for; else one of this game beside the log, or in dist/."""
    if wanted is not None:
        return ModulePictures.read(wanted)
    for folder in (Path(os.path.realpath(log)).parent, Path("dist")):
        for path in sorted(folder.glob("*.vmod"), key=lambda path: path.stat().st_mtime, reverse=True):
            try:
                found = ModulePictures.read(path)
            except FieldpostError:
                continue
            if found.game == game.id:
                return found
    return None


@dataclass(frozen=True)
class PicturedBoard(Ground):
    picture: Image.Image

    def webp(self) -> bytes:
        """Within the limits of a report, as sharp as they allow."""
        picture = self.picture.convert("RGB")
        share = (MAP_PIXELS / self.area) ** 0.5
        if share < 1:
            picture = picture.resize((round(self.width * share), round(self.height * share)))
        data = b""
        for quality in MAP_QUALITIES:
            data = _webp(picture, quality=quality, method=2)
            if len(data) <= MAP_BYTES:
                break
        return data


def _webp(picture: Image.Image, **options: int) -> bytes:
    data = io.BytesIO()
    picture.save(data, "WEBP", **options)
    return data.getvalue()
