"""What a game can show beside its verdicts: supply lines, and where a unit may go.

A game that can has a module `validator.games.<id>.shows` with `supply(case)` and `reach(case, unit, mode)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.referee import Case


@dataclass(frozen=True)
class SupplyLine:
    """A unit's supply as the rules find it, and what it is marked with."""

    unit: str
    side: str
    hex: Hex
    status: str  # supplied, out of supply, lack of supply, isolated
    marked: str
    by: str  # what supplies it, or saves it from the worst
    length: Fraction | None  # of the line, in hexes
    limit: Fraction | None
    line: tuple[Hex, ...]
    text: str  # the line in words, or what cuts it

    @property
    def supplied(self) -> bool:
        return self.status == "supplied"


@dataclass(frozen=True)
class Reached:
    hex: Hex
    cost: Fraction
    path: tuple[Hex, ...]
    minimum: bool = False  # only because a unit may always go one hex


@dataclass(frozen=True)
class Answer:
    """Whether one hex can be reached, and how or why not."""

    hex: Hex
    reached: bool
    text: str


@dataclass(frozen=True)
class Reach:
    """Everywhere a unit may go; no hexes and a reason, if it may not move in that way at all."""

    unit: str
    side: str
    start: Hex
    mode: str
    phase: str
    budget: Fraction
    hexes: tuple[Reached, ...]
    reason: str = ""
    answer: Answer | None = None


class Shows(Protocol):
    MODES: Sequence[str]

    def supply(self, case: Case) -> list[SupplyLine]: ...

    def reach(self, case: Case, unit: str, mode: str, target: Hex | None) -> Reach: ...


def of(game: Game) -> Shows:
    """What a game can show; an error for a game that cannot."""
    name = f"validator.games.{game.id}.shows"
    if game.id.isidentifier() and find_spec(f"validator.games.{game.id}") and find_spec(name):
        module: Shows = import_module(name)
        return module
    raise FieldpostError(
        f"{game.title} cannot show supply and reach yet", "'fieldpost games' lists what is in the box."
    )
