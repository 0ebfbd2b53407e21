"""Logs interpreted: what VASSAL did to pieces becomes what happened in the game."""

from validator.interpret.discreet import interpret
from validator.interpret.reader import Interpreter, Reading

__all__ = ["Interpreter", "Reading", "interpret"]
