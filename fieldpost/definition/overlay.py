"""Overlays: files in which an owner replaces reconstructed tables, counters or hexes by his own copy's."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.definition.atlas import Atlas
from fieldpost.definition.files import GameFile
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.model import Game
from fieldpost.definition.reader import Reader


@dataclass(frozen=True)
class OverlayFile:
    game: str
    note: str = ""


class Overlay:
    def __init__(self, file: OverlayFile, reader: Reader) -> None:
        self.file = file
        self.reader = reader

    def change_map(self, map_: GameMap, atlas: Atlas) -> GameMap:
        return map_

    def change_game(self, game: Game, file: GameFile) -> Game:
        return game
