"""The turn tracker: a counter of turns with the phases below it, one for each order of phases a game knows.

VASSAL runs through one counter after the other, so a game whose phases change their order has two.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from fieldpost.definition.model import Game, Phase
from fieldpost.vassal.saving import TurnLevel

_NO_END = -1


class Stage(NamedTuple):
    """Turns that share an order of phases."""

    first: int
    last: int  # -1: to the end
    phases: tuple[Phase, ...]


def stages(game: Game) -> list[Stage]:
    firsts = [order.first_turn for order in game.orders] or [game.turn_track.turns[0].number]
    lasts = [later - 1 for _, later in pairwise(firsts)]
    return [
        Stage(first, last, game.phases(first)) for first, last in zip(firsts, [*lasts, _NO_END], strict=True)
    ]


def state(game: Game, turn: int, phase: int = 0) -> tuple[list[TurnLevel], int]:
    """The tracker in a phase of a turn: its counters, and which of them counts."""
    found = stages(game)
    active = max(number for number, stage in enumerate(found) if number == 0 or stage.first <= turn)
    return [
        _level(stage, turn, phase) if number == active else _level(stage, stage.first, 0)
        for number, stage in enumerate(found)
    ], active


def _level(stage: Stage, turn: int, phase: int) -> TurnLevel:
    below = TurnLevel(phase, len(stage.phases))
    return TurnLevel(turn, children=(below,), loop=stage.last != _NO_END, loop_limit=stage.last)
