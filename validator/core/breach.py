"""A rule that something breaks: the one form in which every module of the core says so."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from validator.core.board import HexId


@dataclass(frozen=True, slots=True)
class Breach:
    """The rule's key, where it is broken and by whom; where it is a matter of numbers, which."""

    key: str
    hexes: tuple[HexId, ...] = ()
    units: tuple[str, ...] = ()
    needed: Fraction | int | None = None
    available: Fraction | int | None = None
    detail: str = ""  # a kind, a name, a nearer reason; never a sentence
