"""Games that are refereed by their data: the `rules:` block of `game.yaml`, without a line of Python."""

from fieldpost.definition.model import Game
from validator.engine.rulebook import Rulebook
from validator.standard import arrivals, combat, movement, sequence, settling, stacking, victory
from validator.standard.state import InGame, InPhase, InTurn

__all__ = ["rulebook_of"]


def rulebook_of(game: Game) -> Rulebook:
    """What the block of a game configures; what it leaves out is named in every report."""
    rules = Rulebook(game.id, InGame, InTurn, InPhase, boxes=True)
    for chapter in (sequence, movement, stacking, combat, settling, arrivals, victory):
        chapter.install(rules, game)
    return rules
