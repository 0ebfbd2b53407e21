"""Whole games: the turns and phases that all games share, and who plays each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from players.table import Table
from validator.engine.referee import Referee
from validator.model.events import Event, PhaseBegan

Deed = Callable[[Any], object]
"""Something that is done at a table of the game."""


def _never(table: Any, turn: int, phase: str) -> bool:
    return False


@dataclass(frozen=True)
class Player:
    """How a game is played. `skipped`: which phases are passed over; `over`: whether the game has ended.

    `handed_over`: the phases whose beginning hands the game over in turn, and who mails then.
    """

    table: type[Table[Any]]
    phases: Mapping[str, Sequence[Deed]]
    handed_over: Sequence[tuple[str, str]]
    ending: Sequence[Deed] = ()
    skipped: Callable[[Any, int, str], bool] = _never
    over: Callable[[Any], bool] = lambda table: False


@dataclass(frozen=True)
class Played:
    game: str
    scenario: str
    seed: int
    events: list[Event]
    referee: Referee


def player_of(game: str) -> Player:
    """The player of a game that has one in `players/`."""
    found = import_module(f"players.{game}.game").PLAYER
    assert isinstance(found, Player)
    return found


def play(game: str, scenario: str, seed: int, *, strict: bool = True, player: Player | None = None) -> Played:
    """A game from its first turn to its last; what is illegal by the referee raises `Accused`."""
    player = player or player_of(game)
    table = player.table(scenario, seed, strict=strict)
    play_at(player, table)
    return Played(game, scenario, seed, table.events, table.referee)


def play_at(player: Player, table: Table[Any]) -> None:
    """A game at a table that is set up already."""
    _turns(player, table)
    for deed in player.ending:
        deed(table)
    table.close()


def _turns(player: Player, table: Table[Any]) -> None:
    scenario = table.case.scenario
    for turn in range(scenario.first_turn, scenario.last_turn + 1):
        for phase in table.game.phases(turn, scenario):
            if player.skipped(table, turn, phase.id):
                continue
            table.do(PhaseBegan(turn, phase.id))
            for deed in player.phases.get(phase.id, ()):
                deed(table)
            if player.over(table):
                return
