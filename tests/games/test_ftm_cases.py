"""Worked cases of For the Motherland!, until its referee plays them: readable, and on the map."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fieldpost.definition import load
from fieldpost.definition.rulelist import load_rules
from fieldpost.hexes import Hex, distance
from validator.engine.rulebook import Rulebook
from validator.model import events as ev
from validator.services import cases

GAME = load("ftm")
ALL = cases.load("ftm")


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.rule)
def test_a_case_names_a_rule_and_shows_it_kept_and_broken(case: cases.Case) -> None:
    assert case.rule in {rule.id for rule in load_rules("ftm")}
    assert case.legal
    assert case.illegal
    assert case.legal != case.illegal


@pytest.mark.parametrize("kind", ["legal", "illegal"])
@pytest.mark.parametrize("case", ALL, ids=lambda case: case.rule)
def test_a_case_can_be_played_and_is_accused_of_nothing_without_rules(case: cases.Case, kind: str) -> None:
    assert cases.play(case, getattr(case, kind), GAME, Rulebook("ftm")) == []


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.rule)
def test_its_moves_go_from_hex_to_hex_over_land(case: cases.Case) -> None:
    moves = [
        event
        for kind in (case.legal, case.illegal)
        for event in cases._events(case, kind, GAME)
        if isinstance(event, ev.Moved) and event.mode not in ("sea", "strategic")
    ]
    for event in moves:
        path = [spot for spot in event.path if isinstance(spot, Hex)]
        assert len(path) == len(event.path)
        assert all(distance(a, b) == 1 for a, b in pairwise(path)), event
        assert all(GAME.map.terrain.get(hex_) not in (None, "sea", "lake") for hex_ in path), event
