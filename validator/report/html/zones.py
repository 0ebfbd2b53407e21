"""Whose zones of control lie around a fault, as the game's own rules have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec

from fieldpost.definition.model import Game, Scenario
from fieldpost.hexes import Hex, neighbors, within
from validator.engine.case import AnyCase
from validator.engine.referee import new_case
from validator.model.position import Position
from validator.services import rulebooks
from validator.standard.queries import Standard

NEAR = 2  # hexes around a fault whose zones are shown
Zones = Callable[[AnyCase, str], Iterable[Hex]]


class ZoneFinder:
    """Asks the game's `shows.zones(case, side)`; a game without one has every neighbour of its units."""

    def __init__(self, game: Game, scenario: Scenario, position: Position) -> None:
        self._case = new_case(rulebooks.of(game), game, scenario, position)
        self._zones = of_game(game)

    def around(self, focus: Iterable[Hex]) -> dict[str, list[Hex]]:
        near = {hex_ for center in focus for hex_ in within(center, NEAR)}
        sides = (side.id for side in self._case.game.sides)
        return {side: sorted(near.intersection(self._zones(self._case, side))) for side in sides}


def of_game(game: Game) -> Zones:
    """A game's own; every neighbour of a unit that has a zone, for a game without."""
    if game.rules is not None:
        return Standard(game).zones
    name = f"validator.games.{game.id}.queries"
    try:
        if find_spec(name) is None:
            return _neighbors
    except ModuleNotFoundError:
        return _neighbors
    found: Zones = getattr(import_module(name), "zones", _neighbors)
    return found


def _neighbors(case: AnyCase, side: str) -> set[Hex]:
    on_map = case.game.map.terrain
    exerting = {unit.hex for unit in case.position.on_map(side) if unit.type.zoc}
    return {near for hex_ in exerting for near in neighbors(hex_) if near in on_map}
