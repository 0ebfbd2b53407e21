"""Where a piece is, as the game sees it: a hex, a box, or nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.geometry import BOARD_PROPERTY, Geometry
from fieldpost.hexes import HexError
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import chosen_boards
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Place
from validator.model.events import Spot


class Spots:
    """Tells spots from pixels: by the log's own ruler, else by the module that it was played with."""

    def __init__(self, game: Game, scenario: Scenario, table: Table, module: Module | None) -> None:
        self._game = game
        self._scenario = scenario
        self._module = module.numbered if module is not None else None
        self._main, self._ruler = _ruler(table)
        self.of = cache(self._find)
        self._further = {map_.name: map_.id for map_ in game.maps}
        if self._ruler is None and module is None:
            raise FieldpostError(
                "this log does not say where the hexes of its map lie",
                "Give the module it was played with: --module FILE.vmod",
            )

    @property
    def ruled(self) -> bool:
        """Whether the log was made by a module of ours, which says where its hexes lie."""
        return self._ruler is not None

    def _find(self, place: Place) -> Spot | None:
        if place.map is None:
            return None
        if place.map in self._further:  # as if it were a box
            return self._further[place.map]
        if self._ruler is not None:
            return self._by_ruler(self._ruler, place) if place.map == self._main else None
        return self._by_module(place)

    def _by_ruler(self, ruler: Geometry, place: Place) -> Spot | None:
        box = ruler.box_at(place.x, place.y)
        if box is not None:
            return box
        hex_ = ruler.hex_at(place.x, place.y)
        return hex_ if hex_ in self._game.map.hexes else None

    def _by_module(self, place: Place) -> Spot | None:
        assert self._module is not None
        assert place.map is not None
        try:
            location = self._module.locate(place.map, place.x, place.y)
        except FieldpostError:
            return None
        for name in filter(None, (location.label, location.zone)):
            try:
                return self._game.map.lattice.hex(name, self._scenario.sheet)
            except HexError:
                continue
        boxes = {box.name: box.id for box in self._game.boxes}
        return boxes.get(location.zone or "")


def _ruler(table: Table) -> tuple[str | None, Geometry | None]:
    """The map whose board the log describes, and how it lies there."""
    described = _boards(table.properties)
    for map_name, command in table.boards.items():
        for board in chosen_boards(command):
            if board.board in described:
                return map_name, Geometry.parse(described[board.board])
    return None, None


def _boards(properties: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """By board, the line of text that describes it."""
    return {
        name.removeprefix(BOARD_PROPERTY): value
        for (_, name), value in properties.items()
        if name.startswith(BOARD_PROPERTY)
    }
