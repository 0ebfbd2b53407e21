"""Single faults put into random games: the referee finds them, each under a rule that it breaks."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from tools.play.faults import Trial, kinds, new_referee, trials
from tools.play.game import play

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
GAMES, EACH = (20, 3) if SOAK else (2, 1)
FLOOR = 0.95
FEWEST_KINDS = 40  # of those in the table, that the sample must have had a place for


@pytest.fixture(scope="module")
def tried() -> list[Trial]:
    return [
        trial
        for seed in range(GAMES)
        for trial in trials(play("wfm", "turning-point", seed), Random(seed), EACH)
    ]


def test_faults_are_found(tried: list[Trial]) -> None:
    found, total = Counter(t.fault.name for t in tried if t.found), Counter(t.fault.name for t in tried)
    for name, number in sorted(total.items()):
        print(f"{name:55} {found[name]:4} of {number:4}")
    missed = [(t.fault.name, t.fault.turn, t.fault.phase, t.said) for t in tried if not t.found]
    assert len(tried) - len(missed) >= FLOOR * len(tried), missed


def test_the_sample_is_of_many_kinds(tried: list[Trial]) -> None:
    assert len({trial.fault.name for trial in tried}) >= FEWEST_KINDS
    assert len(kinds("wfm")) >= 60


def test_the_rules_found_are_many(tried: list[Trial]) -> None:
    assert len({rule for trial in tried for rule in trial.accused}) >= 40


def test_a_fault_tried_apart_leaves_the_game_as_it_was(tried: list[Trial]) -> None:
    played = play("wfm", "turning-point", 0)
    before = len(new_referee(played).findings)
    assert any(trial.said for trial in trials(played, Random(0), 1, ["a fleet that stays", "a second die"]))
    referee = new_referee(played)
    referee.feed(played.events)
    assert len(referee.findings) == before


def test_what_the_child_judges_is_what_judging_the_whole_spoiled_game_says() -> None:
    played = play("wfm", "turning-point", 1)
    for trial in trials(played, Random(5), 1, ["points miscounted", "a marker into the wrong cup"]):
        referee = new_referee(played)
        referee.feed(trial.fault.applied(played.events))
        referee.close(game_over=True)
        assert trial.said
        assert set(trial.said) <= {(f.fault.rule, f.fault.message) for f in referee.findings}
