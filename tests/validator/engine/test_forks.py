"""A fork goes on by itself: neither referee changes what the other knows."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import pytest

from players.game import Played, play
from validator.engine.forks import copier, forked
from validator.engine.referee import Referee
from validator.model.events import PhaseBegan
from validator.model.position import Position, Unit

GAMES = [
    ("wfm", "turning-point"),
    ("ftm", "turn-of-the-tide"),
    ("lwe", "army-group-centre"),
    ("wie", "citadel"),
]
EVENTS = 150
each_game = pytest.mark.parametrize(("game", "scenario"), GAMES)


@cache
def played(game: str, scenario: str) -> Played:
    return play(game, scenario, 1)


def _new(of: Played) -> Referee:
    case = of.referee.case
    return Referee(case.game, case.scenario, of.referee.rules, {}, dict(case.options))


@each_game
def test_a_fork_finds_what_the_original_finds(game: str, scenario: str) -> None:
    of = played(game, scenario)
    events = of.events[:EVENTS]
    plain, forks = _new(of), [_new(of)]
    for event in events:
        if isinstance(event, PhaseBegan):
            forks.append(forks[-1].fork())
        forks[-1].judge(event)
    plain.feed(events)
    assert len(forks) > 3
    assert forks[-1].report() == plain.report()
    assert _remembered(forks[-1]) == _remembered(plain)


@each_game
def test_what_a_fork_does_leaves_the_original_as_it_was(game: str, scenario: str) -> None:
    of = played(game, scenario)
    referee = _new(of)
    referee.feed(of.events[:EVENTS])
    before = _remembered(referee), len(referee.findings), referee.case.position.version
    referee.fork().feed(of.events[EVENTS : 2 * EVENTS])
    assert (_remembered(referee), len(referee.findings), referee.case.position.version) == before


@each_game
def test_nothing_that_may_change_belongs_to_both(game: str, scenario: str) -> None:
    of = played(game, scenario)
    referee = _new(of)
    referee.feed(of.events[:EVENTS])
    case, twin = referee.case, referee.fork().case
    for ours, theirs in (
        (case.in_game, twin.in_game),
        (case.in_turn, twin.in_turn),
        (case.in_phase, twin.in_phase),
    ):
        shared = set(_changeable(ours)) & set(_changeable(theirs))
        assert shared == set()


def test_what_two_memories_share_their_copies_share() -> None:
    one: list[list[int]] = [[1], [2]]
    one.append(one[0])
    twin = forked(one, {})
    assert twin == one
    assert twin[0] is not one[0]
    assert twin[0] is twin[2]


def _remembered(referee: Referee) -> str:
    case = referee.case
    return repr([_plain(memory) for memory in (case.in_game, case.in_turn, case.in_phase)])


def _plain(value: Any) -> Any:
    """A memory as values that can be compared: boards, fields and positions by their type alone."""
    if isinstance(value, dict):
        return sorted((repr(key), repr(_plain(each))) for key, each in value.items())
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if is_dataclass(value) and not getattr(value, "shared", False):
        return type(value).__name__, [_plain(getattr(value, each.name)) for each in fields(value)]
    return value if isinstance(value, str | int | None) else type(value).__name__


def _changeable(value: Any) -> list[int]:
    """The ids of all lists, sets, dicts and dataclasses in a memory that may change."""
    assert not isinstance(value, Unit | Position)
    if copier(value) is None:
        return []
    found = [] if isinstance(value, tuple) else [id(value)]
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list | tuple):
        parts = list(value)
    elif is_dataclass(value):
        parts = [getattr(value, each.name) for each in fields(value)]
    else:
        parts = []
    return [*found, *(one for part in parts if not isinstance(part, Position) for one in _changeable(part))]
