"""Rounds and volleys as logs tell them."""

from __future__ import annotations

import pytest

from fieldpost.definition import load
from fieldpost.definition.words import Vocabulary
from fieldpost.hexes import Hex
from validator.interpret.battles import Battles
from validator.interpret.protocol import Line, parse
from validator.interpret.volleys import Volley, volley_of
from validator.interpret.words import unknown
from validator.model.events import Attacked, Origin

WORDS = Vocabulary(load("wie"))


def line(text: str) -> Line:
    found = parse(f"* Ann fires [fp] {text}")
    assert found is not None
    return found


def test_a_volley_holds_units_value_and_dice() -> None:
    assert volley_of(line("fire GB-1 at 8 2d12=7,3 #4"), WORDS) == Volley(("GB-1",), 8, 12, (7, 3))
    guns = volley_of(line("fire anti-air SArt-1 at 1 1d10=4"), WORDS)
    assert guns == Volley(("SArt-1",), 1, 10, (4,), "anti-air")


@pytest.mark.parametrize(
    "text", ["fire GB-1 8 1d12=3", "fire at 8 1d12=3", "fire GB-1 at 8", "fire GB-1 at 8 1d12=13"]
)
def test_a_volley_written_otherwise_is_not_understood(text: str) -> None:
    assert volley_of(line(text), WORDS) is None
    assert unknown(line(text), WORDS, load("wie")) is not None


def test_what_follows_a_round_belongs_to_its_battle() -> None:
    spots = {"Pz-1": Hex(0, 0), "SI-1": Hex(1, 0)}
    battles = Battles(where=spots.get)
    battles.attack(line("attack Pz-1 @1114 #1"), Origin())
    battles.target(line("target SI-1 @1214 #1"), Hex(1, 0), ["SI-1"], Origin())
    assert list(battles.fight(1)) == [Attacked(1, ("Pz-1",), (Hex(1, 0),))]
    assert battles.loser("SI-1") == 1
    assert battles.follow_up("SI-1", (Hex(1, 0), Hex(2, 0))) == ("retreat", 1)
    assert battles.follow_up("Pz-1", (Hex(0, 0), Hex(1, 0))) == ("advance", 1)
