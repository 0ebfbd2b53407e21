"""The map that a report shows: a picture or a drawing, and where its hexes and boxes lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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
