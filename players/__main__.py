"""A game as a turn sheet: python -m players GAME SCENARIO SEED."""

from __future__ import annotations

import argparse
import sys

from players.game import play
from validator import sheet

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m players", description="A random game as a turn sheet.")
    parser.add_argument("game", nargs="?", default="wfm")
    parser.add_argument("scenario", nargs="?", default="turning-point")
    parser.add_argument("seed", nargs="?", type=int, default=1)
    asked = parser.parse_args()
    played = play(asked.game, asked.scenario, asked.seed)
    definition = played.referee.case.game
    sys.stdout.write(sheet.write(definition, definition.scenario[asked.scenario], played.events))
