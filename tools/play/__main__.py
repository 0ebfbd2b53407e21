"""A game as a turn sheet: python -m tools.play SEED."""

from __future__ import annotations

import sys

from tools.play.game import play
from validator import sheet

if __name__ == "__main__":
    played = play(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    game = played.referee.case.game
    sys.stdout.write(sheet.write(game, game.scenario[played.scenario], played.events))
