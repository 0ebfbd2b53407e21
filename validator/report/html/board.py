"""What a report shows the game with: a map, as picture or drawing, and the pictures of its counters."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

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


@dataclass(frozen=True)
class Ground:
    """A picture of the map that a board may be made of."""

    width: int
    height: int
    geometry: Geometry

    @property
    def area(self) -> int:
        return self.width * self.height

    def holds(self, hexes: Iterable[Hex]) -> bool:
        centers = map(self.geometry.center, hexes)
        return all(0 <= x < self.width and 0 <= y < self.height for x, y in centers)

    def board(self, uri: str, hexes: Iterable[Hex]) -> Board:
        size = f'width="{self.width}" height="{self.height}"'
        markup = f'<img class="ground" src="{uri}" {size} alt="">'
        return Board(markup, self.width, self.height, self.geometry, tuple(hexes), drawn=False)


G = TypeVar("G", bound=Ground)


def smallest(grounds: Iterable[G], hexes: Collection[Hex]) -> G | None:
    """Of those that hold all the hexes."""
    fitting = (ground for ground in grounds if ground.holds(hexes))
    return min(fitting, key=lambda ground: ground.area, default=None)
