"""Logs interpreted: what VASSAL did to pieces becomes what happened in the game."""

from validator.interpret.reader import Interpreter, Reading, interpret

__all__ = ["Interpreter", "Reading", "interpret"]
