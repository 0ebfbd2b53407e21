"""Disorder in random games with a `rules:` block."""

from __future__ import annotations

from collections import Counter
from random import Random

from players.game import play
from players.standard.game import player
from players.table import EXAMPLE, game_of
from tests.validator.acts.disorder import KINDS, illegal, phases


def test_disorder_accuses_nobody() -> None:
    tried: Counter[str] = Counter()
    for seed in (1, 2, 3):
        random = Random(seed)
        for phase in phases(play(EXAMPLE, "dawn", seed, player=player(game_of(EXAMPLE)))):
            for kind, disorder in KINDS.items():
                events = disorder(phase, random)
                if events is None or list(events) == list(phase.events):
                    continue
                accused = [(fault.rule, fault.message) for fault in illegal(phase.judged(events, list))]
                assert accused == [], (kind, events)
                tried[kind] += 1
    moves = ("a way in two drags", "a wrong hex and back", "a wrong hex and straight on")
    assert min(tried[kind] for kind in moves) >= 10
    assert tried["two rolled before either is paid"] > 0
