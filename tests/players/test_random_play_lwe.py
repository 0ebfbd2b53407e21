"""Random legal play of Land Without End: whole campaigns to the count of points, and the short scenario."""

from __future__ import annotations

import functools
import os

import pytest

from players.game import Played, play
from players.mail import parts, referee_of, said_in_a_row, said_of_chain, said_of_each, said_of_logs
from players.table import game_of
from validator import sheet
from validator.interpret import Reading
from validator.model.events import (
    Attacked,
    Declared,
    Marked,
    Moved,
    PhaseBegan,
    Placed,
    Removed,
    Replaced,
    ResultNamed,
    Rolled,
    StepChanged,
)

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
SHORT, CAMPAIGN = "army-group-centre", "campaign"
CAMPAIGNS = [
    pytest.param(CAMPAIGN, seed, marks=[pytest.mark.slow, pytest.mark.xdist_group(f"campaign {seed}")])
    for seed in (range(40) if SOAK else (0,))
]
GAMES = [*((SHORT, seed) for seed in (range(300) if SOAK else range(6))), *CAMPAIGNS]
BY_THEMSELVES = [*((SHORT, seed) for seed in range(60 if SOAK else 2)), *(CAMPAIGNS[:4] if SOAK else ())]
SEEDS = range(20)  # more than enough: most wars last to the end
HISTORY = ("whether a pause", "whether Directive 3", "whether a line of supply")
one_process = pytest.mark.xdist_group("campaign 0")  # so that it is played once


@functools.lru_cache(maxsize=8)
def game(scenario: str, seed: int) -> Played:
    return play("lwe", scenario, seed)


@pytest.mark.parametrize(("scenario", "seed"), GAMES)
def test_nothing_in_a_random_game_is_accused_or_left_unchecked(scenario: str, seed: int) -> None:
    played = game(scenario, seed)  # raises at the first accusation
    assert not played.referee.findings
    assert not played.referee.case.unchecked
    assert played.referee.actions > (300 if scenario == SHORT else 2500)


@pytest.mark.parametrize(("scenario", "seed"), CAMPAIGNS)
def test_a_campaign_goes_to_its_end_and_its_points_are_counted(scenario: str, seed: int) -> None:
    events = game(scenario, seed).events
    turns = {event.turn for event in events if isinstance(event, PhaseBegan)}
    won = [event.value for event in events if isinstance(event, Declared) and event.what == "victory"]
    assert len(won) == 1
    assert turns == set(range(1, 23)) or won[0] == "German major victory"
    assert [e for e in events if isinstance(e, Declared) and e.what == "victory-points"]


@functools.cache
def long_war() -> Played:
    """The first campaign that Moscow does not end."""
    games = (game(CAMPAIGN, seed) for seed in SEEDS)
    return next(g for g in games if {22} <= {e.turn for e in g.events if isinstance(e, PhaseBegan)})


@one_process
def test_one_campaign_is_played_to_turn_22() -> None:
    phases = [event for event in long_war().events if isinstance(event, PhaseBegan)]
    assert (phases[-1].turn, phases[-1].phase) == (22, "turn-end")
    assert len(phases) == 22 * 14  # one of the two phases of German prepared assaults is passed over


@pytest.mark.parametrize(("scenario", "seed"), [(SHORT, 0), (SHORT, 1), *CAMPAIGNS[:1]])
def test_the_turn_sheet_of_a_game_holds_the_game(scenario: str, seed: int) -> None:
    played, definition = game(scenario, seed), game_of("lwe")
    text = sheet.write(definition, definition.scenario[scenario], played.events)
    assert sheet.read(text, lambda _: definition).events == played.events


@one_process
def test_a_campaign_uses_what_the_rules_offer() -> None:
    events = long_war().events
    modes = {event.mode for event in events if isinstance(event, Moved)}
    assert {"", "march", "sea", "retreat", "advance"} <= modes
    attacks = [event for event in events if isinstance(event, Attacked)]
    assert {event.overrun for event in attacks} == {True, False}
    assert any(event.support for event in attacks)
    reasons = {event.reason for event in events if isinstance(event, Rolled)}
    assert {"combat", "overrun", "weather", "attenuated supply"} <= reasons
    assert {"AS", "AL1", "DR", "DE", "BB"} <= {e.result for e in events if isinstance(e, ResultNamed)}
    assert {"reorganize", "convert"} <= {event.why for event in events if isinstance(event, Replaced)}
    assert {"victory-points", "victory"} <= {e.what for e in events if isinstance(e, Declared)}
    kinds = {type(event) for event in events}
    assert {Marked, Placed, Removed, StepChanged} <= kinds


@one_process
def test_battles_are_fought_in_every_turn_by_both_sides() -> None:
    fought: dict[int, set[str]] = {}
    turn, game_ = 0, game_of("lwe")
    for event in long_war().events:
        turn = event.turn if isinstance(event, PhaseBegan) else turn
        if isinstance(event, Attacked):
            fought.setdefault(turn, set()).add(game_.unit_type[game_.counter[event.units[0]].type].side)
    assert sum("german" in sides for sides in fought.values()) >= 18
    assert sum("soviet" in sides for sides in fought.values()) >= 18


@pytest.mark.parametrize("seed", range(60 if SOAK else 3))
def test_nothing_is_called_illegal_in_its_logs_read_the_one_after_the_other(seed: int) -> None:
    assert said_of_chain(game(SHORT, seed)) == []


@pytest.mark.parametrize(("scenario", "seed"), BY_THEMSELVES)
def test_nothing_is_called_illegal_in_its_logs_each_read_by_itself(scenario: str, seed: int) -> None:
    assert said_of_logs("lwe", scenario, game(scenario, seed).events) == []


# --- one log out of the middle of a campaign --------------------------------------------------------------


@functools.cache
def logs() -> list[Reading]:
    """Of the long war, as they begin: who holds what, weather and pauses are not told."""
    return list(parts("lwe", CAMPAIGN, long_war().events))


@one_process
@pytest.mark.parametrize("turns", [range(8, 14), range(20, 23)], ids=["summer", "winter"])
def test_nothing_is_called_illegal_in_a_log_from_the_middle(turns: range) -> None:
    some = [log for log in logs() if log.start.turn in turns]
    assert len(some) == 2 * len(turns)
    assert all(log.start.partial and not log.start.control for log in some)
    assert said_of_each("lwe", CAMPAIGN, some) == []


@one_process
@pytest.mark.parametrize("first", [3, 30])
def test_nothing_is_called_illegal_in_a_row_of_logs_that_begins_in_the_middle(first: int) -> None:
    assert said_in_a_row("lwe", CAMPAIGN, logs()[first : first + 6]) == []


@one_process
def test_of_a_log_from_the_middle_little_is_left_unchecked_and_that_is_told() -> None:
    log = next(log for log in logs() if log.start.turn == 12)
    referee = referee_of("lwe", CAMPAIGN, log)
    referee.feed(log.events)
    left = referee.report().unchecked
    assert all(one.reason.startswith(HISTORY) for one in left)
    assert sum(one.count for one in left) < len(log.events) / 4


def test_the_same_seed_plays_the_same_game() -> None:
    assert play("lwe", SHORT, 3).events == game(SHORT, 3).events
