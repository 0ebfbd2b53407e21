"""What a report shows the game with: a map, as picture or drawing, and the pictures of its counters."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from fieldpost.definition.model import Game, Scenario
from fieldpost.geometry import Geometry
from fieldpost.hexes import Hex


@dataclass(frozen=True)
class Board:
    """`markup` fills `width` x `height`; hexes lie on it as the geometry says."""

    markup: str
    width: int
    height: int
    geometry: Geometry
    hexes: tuple[Hex, ...]
    drawn: bool


def hexes_in_play(game: Game, scenario: Scenario, used: Iterable[Hex] = ()) -> list[Hex]:
    """The scenario's own part of the map, and whatever hex was used beside it."""
    area = game.map.area.get(scenario.area or "")
    chosen = set(area.hexes) if area else set(game.map.terrain)
    return sorted((chosen | set(used)) & set(game.map.terrain))


@dataclass(frozen=True)
class Sprites:
    """One picture with all counters in rows; `cells` numbers them by name."""

    uri: str
    cells: dict[str, int]
    columns: int
    rows: int


class Pictures(Protocol):
    """Where the pictures of a game come from: its module, or what was prepared from one for the site."""

    def board(self, hexes: Collection[Hex]) -> Board | None:
        """The smallest board that holds all the hexes."""

    def sprites(self, names: Iterable[str]) -> Sprites:
        """The counters of these names (`unit-3PzK-1`) that there are."""


def holds(width: int, height: int, geometry: Geometry, hexes: Iterable[Hex]) -> bool:
    return all(0 <= x < width and 0 <= y < height for x, y in map(geometry.center, hexes))


def picture_markup(uri: str, width: int, height: int) -> str:
    return f'<img class="ground" src="{uri}" width="{width}" height="{height}" alt="">'
