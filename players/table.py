"""A table at which a game is played: the referee keeps the position, the dice come from a seed."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Generic, Protocol, TypeVar

from fieldpost import data
from fieldpost.definition import load
from fieldpost.definition.model import Game
from validator.core.board import Board, HexId
from validator.engine.case import AnyCase
from validator.engine.referee import Referee
from validator.model.events import Event, Moved, Rolled
from validator.model.findings import Finding, Verdict
from validator.model.position import Position, Unit
from validator.services import rulebooks

ACCUSED = "the referee accuses random legal play"


class FieldLike(Protocol):
    """What every game's field tells."""

    board: Board

    def id(self, spot: object) -> HexId | None: ...

    def units(self, hex_id: HexId) -> list[Unit]: ...

    def of_side(self, side: str) -> Iterator[tuple[HexId, Unit]]: ...


F = TypeVar("F", bound=FieldLike)


class Accused(AssertionError):
    """Something legal as the player works it out is illegal to the referee."""

    def __init__(self, event: Event | None, findings: list[Finding]) -> None:
        said = "; ".join(f"[{f.fault.rule}] turn {f.turn} {f.phase}: {f.fault.message}" for f in findings)
        super().__init__(f"{ACCUSED}: {said} ({event})")
        self.event, self.findings = event, findings


EXAMPLE = "standard"  # the game in examples/, which is refereed by its data


@functools.cache
def game_of(name: str = "wfm") -> Game:
    return load(data.path("examples", "first-game") if name == EXAMPLE else name)


def new_referee(game_id: str, scenario: str) -> Referee:
    return referee_of(game_of(game_id), scenario)


def referee_of(game: Game, scenario: str) -> Referee:
    rules = rulebooks.of(game)
    assert rules is not None
    return Referee(game, game.scenario[scenario], rules, {})


class Table(Generic[F]):
    """What all games share; each game's own table says what its field is."""

    game_id: str

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        self.game = self.find_game()
        self.referee = referee_of(self.game, scenario)
        self.random = Random(seed)
        self.events: list[Event] = []
        self.battle = 0
        self.strict = strict
        self._field: F | None = None
        self._field_at = 0

    def find_game(self) -> Game:
        return game_of(self.game_id)

    @property
    def case(self) -> AnyCase:
        return self.referee.case

    @property
    def position(self) -> Position:
        return self.referee.case.position

    @property
    def field(self) -> F:
        """The field as it is now; it is another after each event."""
        if self._field is None or self._field_at != len(self.events):
            self._field, self._field_at = self.make_field(), len(self.events)
        return self._field

    def make_field(self) -> F:
        raise NotImplementedError

    def do(self, *events: Event) -> None:
        for event in events:
            if isinstance(event, Moved) and len(event.path) == 2:
                event = replace(
                    event, dragged=True
                )  # the player looks for the cheapest way, and shows its ends
            findings = self.referee.judge(event)
            self.events.append(event)
            self._look(event, findings)

    def close(self) -> None:
        known = len(self.referee.findings)
        self.referee.close()
        self._look(None, self.referee.findings[known:])

    def _look(self, event: Event | None, findings: list[Finding]) -> None:
        bad = [finding for finding in findings if finding.fault.verdict is Verdict.ILLEGAL]
        if bad and self.strict:
            raise Accused(event, bad)

    # --- chance ---

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def die(self) -> int:
        return self.random.randint(1, 6)

    def roll(self, reason: str, about: str | None = None, battle: int | None = None) -> int:
        value = self.die()
        self.do(Rolled((value,), 6, reason, about, battle))
        return value

    # --- who is where ---

    def units(self, side: str) -> list[Unit]:
        return [unit for _, unit in self.field.of_side(side)]

    def at(self, unit: Unit) -> HexId:
        found = self.field.id(unit.spot)
        assert found is not None
        return found

    def hexes_of(self, side: str) -> dict[HexId, list[Unit]]:
        found: dict[HexId, list[Unit]] = {}
        for hex_id, unit in self.field.of_side(side):
            found.setdefault(hex_id, []).append(unit)
        return found


class Stuck(RuntimeError):
    """The player does not know how to go on."""
