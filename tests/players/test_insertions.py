"""One random event put into a legal game does not pass unseen; the game as it was played gives nothing."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from random import Random

import pytest

from players.game import Played, play
from players.insertions import MAKERS, Inserted, insertions, insertions_in_logs
from tests.processes import alone

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
NUMBER = {"wfm": 150, "lwe": 150, "ftm": 100, "wie": 80}
IN_LOGS = {"wfm": 24, "lwe": 16, "ftm": 16, "wie": 10}  # each takes half a second and more
FLOOR = 0.97
SAMPLES = [
    ("wfm", "turning-point"),
    ("lwe", "army-group-centre"),
    ("ftm", "turn-of-the-tide"),
    ("wie", "citadel"),
]
EXPLAINED = {
    "a step to a neighbour": "a legal step, or one into the hex that a battle has opened",
    "a marker on a unit": "helps such as `moved`, and markers that the phase allows",
    "a marker in a hex": "a control marker that shows who holds the hex; a partisan set as it may be",
    "a marker taken off": "a marker that nobody needed to lay",
    "a marker set beside the map": "a marker that says nothing there, or the right thing",
    "a unit placed": "a reinforcement that is due and comes where it may",
    "a unit placed in a box": "a counter that is in no play moved to another box of its side",
    "a unit taken off": "a unit in a hex with others, which may be cut down to the limit",
    "an attack": "an attack that may be made now, and that the next one takes the place of",
    "a roll": "a die while one is due",
    "a result": "a result while one is due, that the battle may have",
    "counters exchanged": "units that may be exchanged now",
    "a declaration": "a word that may be said now",
}


@cache
def played(game: str, scenario: str) -> Played:
    return play(game, scenario, 0)


@cache
def tried(game: str, scenario: str) -> list[Inserted]:
    return alone(_tried, game, scenario)


def _tried(game: str, scenario: str) -> list[Inserted]:
    return list(insertions(played(game, scenario), Random(7), 2000 if SOAK else NUMBER[game]))


def _tried_in_logs(game: str, scenario: str, number: int) -> list[Inserted]:
    return list(insertions_in_logs(played(game, scenario), Random(7), number))


samples = pytest.mark.parametrize(
    ("game", "scenario"),
    [pytest.param(*sample, marks=pytest.mark.xdist_group(f"insertions-{sample[0]}")) for sample in SAMPLES],
)


@samples
def test_random_events_are_told(game: str, scenario: str) -> None:
    made = tried(game, scenario)
    missed = [(one.kind, one.turn, one.phase, one.event) for one in made if not one.said and not one.custom]
    assert len(made) - len(missed) >= FLOOR * len(made), missed


@samples
def test_what_is_not_told_is_explained(game: str, scenario: str) -> None:
    assert {one.kind for one in tried(game, scenario) if not one.said and not one.custom} <= EXPLAINED.keys()


@samples
def test_random_events_in_logs_are_told_or_not_understood(game: str, scenario: str) -> None:
    number = 400 if SOAK else IN_LOGS[game]
    made = alone(_tried_in_logs, game, scenario, number)
    missed = [one for one in made if not one.said and not one.custom]
    assert len(made) > number / 2
    assert len(missed) <= max(1, (1 - FLOOR) * len(made)), missed
    assert {one.kind for one in missed} <= EXPLAINED.keys(), missed


@samples
def test_all_kinds_were_tried(game: str, scenario: str) -> None:
    made = Counter(one.kind for one in tried(game, scenario))
    absent = {"a chit drawn", "a chit handed back", "a marker taken off"}  # lwe has no chits, and few markers
    if game == "wie":
        absent |= {
            "a step restored",
            "a step lost",
            "a result",
        }  # counters of one step, battles without results
    assert made.keys() >= MAKERS.keys() - absent
