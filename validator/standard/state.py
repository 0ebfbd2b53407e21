"""What the standard referee remembers of a phase, of a turn and of the whole game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from validator.core.board import HexId
from validator.core.combat import Worksheet
from validator.engine import case
from validator.procedures import battlebook

Party = battlebook.Party


@dataclass
class Trip:
    """The movement of one unit in one phase."""

    origin: HexId
    mode: str
    spent: int = 0  # twelfths of a movement point


@dataclass
class Battle(battlebook.Battle[Party]):
    sheet: Worksheet | None = None
    sound: bool = True  # declared as it may be: its odds can be judged


@dataclass
class InPhase(case.Memory):
    trips: dict[str, Trip] = field(default_factory=dict)
    battles: list[Battle] = field(default_factory=list)
    crossed: dict[str, list[str]] = field(default_factory=dict)  # by kind of hexside, the units


@dataclass
class InTurn(case.Memory):
    crossed: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class InGame(case.Memory):
    began: dict[str, int] = field(default_factory=dict)  # the step of each unit when it came into play


Case = case.Case[Any, Any, Any]
"""With `rules.py` of its own a game may remember more: the memories hold what is above at least."""
