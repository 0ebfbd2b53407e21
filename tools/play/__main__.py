"""A game as a turn sheet: python -m tools.play GAME SCENARIO SEED."""

from __future__ import annotations

import sys

from tools.play.game import play
from validator import sheet

if __name__ == "__main__":
    game, scenario, seed = (*sys.argv[1:], *("wfm", "turning-point", "1")[len(sys.argv) - 1 :])
    played = play(game, scenario, int(seed))
    definition = played.referee.case.game
    sys.stdout.write(sheet.write(definition, definition.scenario[scenario], played.events))
