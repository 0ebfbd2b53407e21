"""What the standard referee remembers of a phase, of a turn and of the whole game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from validator.engine import case
from validator.procedures import battlebook
from validator.procedures.marches import Trip

Party = battlebook.Party
Battle = battlebook.Battle[Party]


@dataclass
class InPhase(case.Memory):
    trips: dict[str, Trip] = field(default_factory=dict)
    battles: list[Battle] = field(default_factory=list)
    crossed: dict[str, dict[str, None]] = field(default_factory=dict)  # by kind of hexside, the units


@dataclass
class InTurn(case.Memory):
    crossed: dict[str, dict[str, None]] = field(default_factory=dict)


@dataclass
class InGame(case.Memory):
    battles: list[Battle] = field(default_factory=list)  # of the present phase: the next may go on with them
    began: dict[str, int] = field(default_factory=dict)  # the step of each unit when it came into play


Case = case.Case[Any, Any, Any]
"""With `rules.py` of its own a game may remember more: the memories hold what is above at least."""
