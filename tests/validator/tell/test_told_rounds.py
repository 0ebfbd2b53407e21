"""Battles of rounds are told round by round, an account in one sentence, planes home after the battle."""

from __future__ import annotations

from tests.validator.tell.telling import told

TURN = """
turn 1 axis-reinforce
declare income = 50
declare treasury = 50
turn 1 axis-move
move GDB-1 1012-1111 as ground-support
turn 1 axis-combat
attack GI-1+Pz-3+GDB-1 x 1111
round 1
fire GI-1 at 3 : 2
fire SI-5 at 4 : 7
remove SLI-5 to soviet-eliminated in 1
round 2 under AGN
fire GI-1 at 3 : 9
fire SI-5 at 4 : 3
remove GI-1 to axis-eliminated in 1
retreat SI-5 1111-1211-1311
advance Pz-3 1112-1111
move GDB-1 1111-1012 as fly-home
"""


def test_each_round_is_told_with_what_came_of_it() -> None:
    said = told(TURN, "barbarossa", "wie")
    battle = next(text for text in said if "attacked" in text)
    first, second = battle.split("Round 2:")
    assert "Round 1: hits by Axis 1 of 1 and Soviet 0 of 1 dice." in first
    assert "(SLI-5) was eliminated" in first
    assert "hits by Axis 0 of 1 and Soviet 1 of 1 dice." in second
    for outcome in ("(GI-1) was eliminated", "(SI-5) fell back", "advanced into the hex"):
        assert outcome in second
        assert outcome not in first


def test_planes_are_told_by_what_they_fly_for_and_home_when_all_is_fought() -> None:
    said = told(TURN, "barbarossa", "wie")
    home = next(number for number, text in enumerate(said) if "flew home" in text)
    battle = next(number for number, text in enumerate(said) if "attacked" in text)
    assert home > battle
    assert any("flew in support of an attack" in text for text in said[:battle])


def test_an_account_is_one_sentence() -> None:
    assert "Booked: income 50, treasury 50." in told(TURN, "barbarossa", "wie")
