"""Games as data: YAML read into typed, frozen objects, with every fault and where it stands."""

from fieldpost.definition.loading import load, load_game_or_map, load_map
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.model import Game
from fieldpost.definition.places import games_in_the_box, known_games
from fieldpost.definition.problems import DefinitionError, Problem

__all__ = [
    "DefinitionError",
    "Game",
    "GameMap",
    "Problem",
    "games_in_the_box",
    "known_games",
    "load",
    "load_game_or_map",
    "load_map",
]
