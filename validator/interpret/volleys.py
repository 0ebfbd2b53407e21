"""Volleys and rounds as lines of a log tell them: `[fp] fire GeInf-1 at 4 1d12=7 #3`."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.definition.words import Vocabulary
from validator.interpret.protocol import Line


@dataclass(frozen=True)
class Volley:
    units: tuple[str, ...]
    value: int
    sides: int
    values: tuple[int, ...]
    manner: str = ""


def volley_of(line: Line, words: Vocabulary) -> Volley | None:
    """None for a line that is written otherwise."""
    said = list(line.words)
    manner = words.manners.find(said[0]) if said else None
    if manner is not None:
        del said[0]
    if "at" not in said or line.roll is None:
        return None
    at = said.index("at")
    if not said[:at] or at + 1 >= len(said) or not said[at + 1].isdecimal():
        return None
    sides, values = line.roll
    if not all(1 <= value <= sides for value in values):
        return None
    return Volley(tuple(said[:at]), int(said[at + 1]), sides, values, manner or "")
