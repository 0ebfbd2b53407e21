"""Pictures that were prepared from a module beforehand, for places that cannot draw: the site in a browser.

The page gets addresses of a made-up kind for them (`MARK`, "prepared:" and a file's name); who shows it puts
the pictures in their place.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from fieldpost import data
from fieldpost.geometry import Geometry
from fieldpost.hexes import Hex
from fieldpost.pages import MARK
from validator.report.html.board import Board, Ground, Sprites, smallest

PREFIX = f"{MARK}prepared:"


@dataclass(frozen=True)
class PreparedBoard(Ground):
    file: str


@dataclass(frozen=True)
class PreparedPictures:
    boards: tuple[PreparedBoard, ...]
    sheet: Sprites

    @classmethod
    def of(cls, game: str) -> PreparedPictures | None:
        path = data.compiled() / f"{game}.pictures.json"
        if not path.is_file():
            return None
        told = json.loads(path.read_text(encoding="utf-8"))
        boards = [
            PreparedBoard(board["width"], board["height"], Geometry.parse(board["geometry"]), board["file"])
            for board in told["boards"]
        ]
        sheet = told["sheet"]
        return cls(
            tuple(boards), Sprites(PREFIX + sheet["file"], sheet["cells"], sheet["columns"], sheet["rows"])
        )

    def board(self, hexes: Collection[Hex]) -> Board | None:
        best = smallest(self.boards, hexes)
        return best.board(PREFIX + best.file, hexes) if best else None

    def sprites(self, names: Iterable[str]) -> Sprites:
        cells = {name: self.sheet.cells[name] for name in names if name in self.sheet.cells}
        return Sprites(self.sheet.uri, cells, self.sheet.columns, self.sheet.rows)
