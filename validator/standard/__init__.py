"""Games that are refereed by their data: the `rules:` block of `game.yaml`, without a line of Python."""

from fieldpost.definition.model import Game
from validator.engine.rulebook import Rulebook
from validator.model.events import Replaced
from validator.standard import arrivals, book, combat, movement, sequence, stacking, victory
from validator.standard.state import InGame, InPhase, InTurn

__all__ = ["rulebook_of"]


def rulebook_of(game: Game) -> Rulebook:
    """What the block of a game configures; what it leaves out is named in every report."""
    duties = sequence.phases_that_go_on(game)
    held = book.cited(game, book.RETREAT)
    rules = Rulebook(game.id, InGame, InTurn, InPhase, held=held, duties=duties, boxes=True)
    rules.certain = (book.cited(game, book.STACKING),)
    book.name_not_checked(rules, "counters that give way to others", Replaced)
    for chapter in (sequence, movement, stacking, combat, arrivals, victory):
        chapter.install(rules, game)
    return rules
