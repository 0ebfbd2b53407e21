"""Random legal play of War in the East: each scenario to its end, and what sheets keep of it."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Sequence

import pytest

from players.game import Played, play
from players.logs import LogWriter, plain_board
from players.table import game_of, new_referee
from validator import sheet
from validator.interpret import interpret
from validator.model.events import (
    Attacked,
    Declared,
    Event,
    Fired,
    Moved,
    NotUnderstood,
    PhaseBegan,
    Rolled,
    RoundBegan,
    Unread,
)

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
SCENARIOS = ("barbarossa", "typhoon", "uranus", "citadel")
SET_UP_BY_PLAYERS = tuple(f"{name}-free" for name in SCENARIOS)
PLAYED = [(name, seed) for name in (*SCENARIOS, *SET_UP_BY_PLAYERS) for seed in range(10)]
GAMES = PLAYED if SOAK else [("citadel", 2), ("citadel-free", 1)]
one_process = pytest.mark.xdist_group("random wie")


@functools.lru_cache(maxsize=2)
def game(scenario: str, seed: int) -> Played:
    return play("wie", scenario, seed)


@one_process
@pytest.mark.parametrize(("scenario", "seed"), GAMES)
def test_nothing_in_a_random_game_is_accused(scenario: str, seed: int) -> None:
    played = game(scenario, seed)  # raises at the first accusation
    assert not played.referee.findings
    assert not played.referee.case.unchecked
    assert played.referee.case.turn == 24 or played.referee.case.in_game.over


@one_process
def test_nothing_is_accused_in_the_logs_of_a_random_game() -> None:
    """By module, log after log: dice of the toolbar name no unit, guns no plane, losses no battle."""
    played, definition = game("citadel", 2), game_of("wie")
    scenario = definition.scenario["citadel"]
    writer = LogWriter(plain_board(definition, scenario), definition, scenario)
    referee = new_referee("wie", "citadel")
    referee.case.by_hand = True
    for part in _player_turns(played.events, 99 if SOAK else 15):
        writer.begin_anew()
        writer.write(part)
        reading = interpret(writer.log(), definition, scenario)
        assert not [event for event in reading.events if isinstance(event, NotUnderstood | Unread)]
        referee.feed(reading.events)
    assert not referee.findings


def _player_turns(events: Sequence[Event], until: int) -> Iterator[list[Event]]:
    """As players mail them, up to a turn."""
    part: list[Event] = []
    for event in events:
        if isinstance(event, PhaseBegan) and event.turn >= until:
            break
        if isinstance(event, PhaseBegan) and event.phase.endswith("-reinforce") and part:
            yield part
            part = []
        part.append(event)
    yield part


@one_process
def test_a_random_game_has_a_bit_of_everything() -> None:
    events = game("citadel", 2).events
    modes = {event.mode for event in events if isinstance(event, Moved)}
    assert {"strategic", "non-combat", "retreat", "advance", "ground-support", "fly-home"} <= modes
    assert {"defensive-support", "interdiction", "interception"} <= modes
    assert {event.manner for event in events if isinstance(event, Fired)} >= {"salvo", "anti-air", "air"}
    assert {"income", "debt", "purchases", "treasury"} <= {e.what for e in events if isinstance(e, Declared)}
    for kind in (Attacked, RoundBegan, Fired, Rolled):
        assert any(isinstance(event, kind) for event in events)


@one_process
def test_a_random_game_is_the_same_as_a_turn_sheet() -> None:
    played, definition = game("citadel", 2), game_of("wie")
    events = [event for event in played.events if not isinstance(event, PhaseBegan) or event.turn <= 16]
    text = sheet.write(definition, definition.scenario["citadel"], events[:800])
    assert sheet.read(text, lambda _: definition).events == events[:800]
