"""The turn tracker: a counter of turns with the phases below it, one for each order of phases a game knows.

VASSAL runs through one counter after the other, so a game whose phases change their order has two. The last
counter of an order goes on for ever; a scenario with an order of its own begins in a counter behind it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from fieldpost.definition.model import Game, Order, Phase, Scenario, phases_of
from fieldpost.vassal.saving import TurnLevel

_NO_END = -1


class Stage(NamedTuple):
    """Turns that share an order of phases."""

    first: int
    last: int  # -1: to the end
    phases: tuple[Phase, ...]


def stages(game: Game) -> list[Stage]:
    """The game's own stages, then those of each scenario that has phases in an order of its own."""
    return [stage for orders in _all_orders(game) for stage in _stages(game, orders)]


def state(
    game: Game, turn: int, phase: int = 0, scenario: Scenario | None = None
) -> tuple[list[TurnLevel], int]:
    """The tracker in a phase of a turn: its counters, and which of them counts."""
    played = (scenario.orders if scenario is not None else ()) or game.orders
    found, active = list[Stage](), 0
    for orders in _all_orders(game):
        run = _stages(game, orders)
        if orders == played:
            active = len(found) + max(n for n, stage in enumerate(run) if n == 0 or stage.first <= turn)
        found += run
    return [
        _level(stage, turn, phase) if number == active else _level(stage, stage.first, 0)
        for number, stage in enumerate(found)
    ], active


def _all_orders(game: Game) -> list[tuple[Order, ...]]:
    own = (scenario.orders for scenario in game.scenarios if scenario.playable and scenario.orders)
    return list(dict.fromkeys([game.orders, *own]))


def _stages(game: Game, orders: tuple[Order, ...]) -> list[Stage]:
    firsts = [order.first_turn for order in orders] or [game.turn_track.turns[0].number]
    lasts = [later - 1 for _, later in pairwise(firsts)]
    return [
        Stage(first, last, phases_of(game.sequence, orders, first))
        for first, last in zip(firsts, [*lasts, _NO_END], strict=True)
    ]


def _level(stage: Stage, turn: int, phase: int) -> TurnLevel:
    below = TurnLevel(phase, len(stage.phases))
    return TurnLevel(turn, children=(below,), loop=stage.last != _NO_END, loop_limit=stage.last)
