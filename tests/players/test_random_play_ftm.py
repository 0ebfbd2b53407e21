"""Random legal games of For the Motherland! to their last turn: nothing in them is accused."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from players.game import play
from validator.model.events import Attacked, Moved, Rolled
from validator.model.findings import Verdict

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
GAMES = [("barbarossa", seed) for seed in range(5 if SOAK else 1)]
GAMES += [("turn-of-the-tide", seed) for seed in range(5 if SOAK else 1)]
GAMES += [("campaign", seed) for seed in range(3 if SOAK else 0)]


@pytest.mark.parametrize(("scenario", "seed"), GAMES)
def test_legal_games_are_not_accused_to_their_last_turn(scenario: str, seed: int) -> None:
    """The table stops at the first accusation."""
    played = play("ftm", scenario, seed)
    case = played.referee.case
    assert case.turn == case.scenario.last_turn
    verdicts = Counter(finding.fault.verdict for finding in played.referee.findings)
    assert verdicts.keys() <= {Verdict.WARNING}
    assert not case.unchecked
    kinds = Counter(type(event) for event in played.events)
    assert min(kinds[Moved], kinds[Attacked], kinds[Rolled]) > 50
