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
    first, _, others = " ".join(line.words).partition(" ")
    manner = words.manners.find(first)
    units, _, aim = (" ".join(line.words) if manner is None else others).partition(" at ")
    value = aim.partition(" ")[0]
    if line.roll is None or not value.isdecimal():
        return None
    sides, values = line.roll
    return Volley(tuple(units.split()), int(value), sides, values, manner or "")
