"""Whole games of random legal play: nothing in them is illegal, as events, as a turn sheet or as logs."""

from __future__ import annotations

import functools
import os

import pytest

from players.game import Played, play
from players.mail import said_of_logs
from players.table import game_of
from validator import sheet
from validator.model.events import Attacked, Declared, Moved, PhaseBegan, Placed, Replaced, Rolled
from validator.model.findings import Verdict

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
GAMES = range(220 if SOAK else 10)
AS_LOGS = range(60 if SOAK else 3)


@functools.lru_cache(maxsize=12)
def game(seed: int) -> Played:
    return play("wfm", "turning-point", seed)


@pytest.mark.parametrize("seed", GAMES)
def test_nothing_in_a_random_game_is_called_illegal(seed: int) -> None:
    played = game(seed)  # raises at the first accusation
    assert not [f for f in played.referee.findings if f.fault.verdict is Verdict.ILLEGAL]
    assert not played.referee.case.unchecked
    assert played.referee.actions > 150


@pytest.mark.parametrize("scenario", ["fall-barbarossa", "road-to-stalingrad", "war-for-the-motherland"])
def test_nothing_in_the_other_scenarios_is_called_illegal(scenario: str) -> None:
    for seed in GAMES:
        assert play("wfm", scenario, seed).events  # as above


@pytest.mark.parametrize("seed", AS_LOGS)
def test_nothing_is_called_illegal_in_its_logs_each_read_by_itself(seed: int) -> None:
    assert said_of_logs("wfm", "turning-point", game(seed).events) == []


@pytest.mark.parametrize("seed", AS_LOGS)
def test_the_turn_sheet_of_a_game_holds_the_game(seed: int) -> None:
    played, definition = game(seed), game_of()
    text = sheet.write(definition, definition.scenario[played.scenario], played.events)
    assert sheet.read(text, lambda _: definition).events == played.events


def test_random_play_uses_what_the_rules_offer() -> None:
    events = [event for seed in range(10) for event in game(seed).events]
    modes = {event.mode for event in events if isinstance(event, Moved)}
    assert {"", "strategic", "retreat", "advance"} <= modes
    assert any(event.overrun for event in events if isinstance(event, Attacked))
    reasons = {event.reason for event in events if isinstance(event, Rolled)}
    assert {"combat", "attrition", "army return"} <= reasons
    assert {"", "breakdown"} <= {event.why for event in events if isinstance(event, Replaced)}
    assert any(isinstance(event, Placed) for event in events)
    assert {"victory-points", "victory"} <= {e.what for e in events if isinstance(e, Declared)}


def test_a_game_has_its_three_turns_without_the_phases_that_are_skipped() -> None:
    phases = [(e.turn, e.phase) for e in game(0).events if isinstance(e, PhaseBegan)]
    assert [turn for turn, phase in phases if phase == "supply"] == [22, 23, 24]
    assert (22, "axis-move") not in phases
    assert len(phases) == 3 * 7 - 2


def test_the_same_seed_plays_the_same_game() -> None:
    assert play("wfm", "turning-point", 3).events == game(3).events
