"""Judges only read: asked in another order they find the same, and they write nothing.

Ten orders, which take turns from event to event; in long runs each event of a case has all ten.
"""

from __future__ import annotations

import copy
import functools
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from players.game import play
from validator import sheet
from validator.engine import rulebook
from validator.engine.case import AnyCase, Memory
from validator.engine.referee import Referee
from validator.engine.rulebook import Hook, Rulebook
from validator.model.events import Event
from validator.model.findings import Fault
from validator.model.position import Position
from validator.services import cases, turnfile
from validator.services.turnfile import Turnfile, Wanted

GAMES = ["wfm", "lwe", "ftm", "wie"]
SCENARIOS = {"wfm": "turning-point", "lwe": "army-group-centre", "ftm": "turn-of-the-tide", "wie": "citadel"}
SEEDS = range(10)
SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
MOST_EVENTS = 1000
SAMPLES = Path(__file__).parents[3] / "examples" / "samples"


@functools.cache
def definition(game: str) -> Game:
    return load(game)


def book_of(game: str) -> Rulebook:
    found = rulebook.load(game)
    assert found is not None
    return found


class Reordered(Rulebook):
    """The same rules; judges are asked in other orders too, and nothing worked out is kept.

    What reducers and events alone may change is compared before and after.
    """

    IN_TURN = itertools.cycle(SEEDS)
    ORDERS = len(SEEDS) if SOAK else 3

    def judge(self, hooks: Sequence[Hook], *arguments: Any) -> Iterator[Fault]:
        case = arguments[0]
        asked = list(rulebook.asked(hooks, *arguments))
        before = written(case) if asked else []
        plain = sorted(super().judge(asked, *arguments), key=repr)
        for seed in itertools.islice(self.IN_TURN, self.ORDERS if len(asked) > 1 else 0):
            case.of_event.clear()
            case.cache.clear()
            mixed = Random(seed).sample(asked, len(asked))
            assert sorted(super().judge(mixed, *arguments), key=repr) == plain, "the order of judges matters"
        names = [hook.ask.__name__ for hook in asked]
        assert not asked or written(case) == before, f"one of {names} writes"
        yield from plain


class ReorderedOnce(Reordered):
    """One order for each event."""

    ORDERS = 1


def reordered(book: Rulebook, kind: type[Reordered] = Reordered) -> Rulebook:
    return kind(**{each.name: getattr(book, each.name) for each in fields(book)})


def found_in_cases(game: str, book: Rulebook) -> list[list[tuple[str, str]]]:
    return [
        [(f.fault.rule, f.fault.message) for f in cases.play(case, lines, definition(game), book)]
        for case in cases.load(game)
        for lines in (case.legal, case.illegal)
        if lines
    ]


@functools.cache
def in_order(game: str) -> list[list[tuple[str, str]]]:
    return found_in_cases(game, book_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_cases_are_judged_alike_whatever_the_order_of_the_judges_and_none_writes(game: str) -> None:
    assert found_in_cases(game, reordered(book_of(game))) == in_order(game)


@functools.cache
def random_game(game: str) -> list[Event]:
    return play(game, SCENARIOS[game], 1).events


def found_in_game(game: str, book: Rulebook) -> list[tuple[str, str, int]]:
    """The first events, with one left out in each ten, so that there is something to find."""
    scenario = definition(game).scenario[SCENARIOS[game]]
    referee = Referee(definition(game), scenario, book, {})
    referee.feed(event for number, event in enumerate(random_game(game)[:MOST_EVENTS]) if number % 10 != 9)
    referee.close()
    return [(f.fault.rule, f.fault.message, f.turn) for f in referee.findings]


@pytest.mark.parametrize("game", GAMES)
def test_random_games_are_judged_alike_too(game: str) -> None:
    plain = found_in_game(game, book_of(game))
    assert plain
    assert found_in_game(game, reordered(book_of(game), ReorderedOnce)) == plain


@functools.cache
def sample(name: str) -> Turnfile:
    return turnfile.read(SAMPLES / name / "game.txt", Wanted())


def found_in_sample(name: str, book: Rulebook) -> list[tuple[str, str, int]]:
    turn = sample(name)
    referee = Referee(turn.game, turn.scenario, book, {}, turn.options, turn.start.copy())
    for event in turn.events:
        referee.judge(sheet.expand(event, referee.case.position))
    referee.close()
    return [(f.fault.rule, f.fault.message, f.turn) for f in referee.findings]


@pytest.mark.parametrize("name", ["turning-point", "turning-point-faulty"])
def test_the_sample_games_are_judged_alike_too(name: str) -> None:
    plain = found_in_sample(name, book_of("wfm"))
    assert bool(plain) == name.endswith("faulty")
    assert found_in_sample(name, reordered(book_of("wfm"))) == plain


def test_judges_that_hang_on_their_order_are_noticed() -> None:
    book = book_of("lwe")

    def asked_first(case: AnyCase) -> Iterator[Fault]:
        case.about("asked", lambda: "first")
        yield from ()

    def asked_later(case: AnyCase) -> Iterator[Fault]:
        if case.about("asked", lambda: "later") == "first":
            yield Fault("lwe-1.1", "asked second")

    spoiled = replace(book, phase_end=[*book.phase_end, Hook(asked_first), Hook(asked_later)])
    with pytest.raises(AssertionError, match="order"):
        found_in_cases("lwe", reordered(spoiled))


# --- what judges may not write ---------------------------------------------------------------------------


def written(case: AnyCase) -> list[Any]:
    """All that only reducers and events may change."""
    memories = [_contents(memory) for memory in (case.in_game, case.in_turn, case.in_phase)]
    return [*memories, _standing(case.position)]


def _contents(memory: Memory) -> dict[str, Any]:
    kept = {each.name: getattr(memory, each.name) for each in fields(memory) if each.name != "events"}
    return {name: value if name in UNCOPIED else copy.deepcopy(value) for name, value in kept.items()}


UNCOPIED = ("supply", "soviet_turn")  # worked out of a position; they hold the case itself


def _standing(position: Position) -> tuple[Any, ...]:
    units = {name: (unit.spot, unit.step, dict(unit.marks)) for name, unit in position.units.items()}
    marks = {hex_: dict(marks) for hex_, marks in position.marks.items() if marks}
    decks = {deck: list(chits) for deck, chits in position.decks.items()}
    beside = dict(position.pointers), dict(position.control), decks
    return units, marks, *beside, position.version


def test_a_judge_that_writes_is_noticed() -> None:
    book = book_of("lwe")

    def careless(case: AnyCase) -> Iterator[Fault]:
        case.in_phase.overstacked.add(1)
        yield from ()

    spoiled = replace(book, phase_end=[*book.phase_end, Hook(careless)])
    with pytest.raises(AssertionError, match="careless"):
        found_in_cases("lwe", reordered(spoiled))
