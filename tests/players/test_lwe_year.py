"""The campaign to its last turn while nobody moves: all the rest of it is legal, and all of it comes up."""

from __future__ import annotations

import functools

import pytest

from players.game import Played, play
from players.lwe.game import WAITING
from players.lwe.points import level_of
from validator.model.events import (
    Declared,
    Event,
    Marked,
    Moved,
    PhaseBegan,
    Placed,
    Removed,
    Replaced,
    Rolled,
)

SEEDS = range(3)


@functools.cache
def year(seed: int) -> Played:
    return play("lwe", "campaign", seed, player=WAITING)  # raises at the first accusation


def events() -> list[Event]:
    return [event for seed in SEEDS for event in year(seed).events]


@pytest.mark.xdist_group("a quiet year")
@pytest.mark.parametrize("seed", SEEDS)
def test_it_goes_to_turn_22_and_its_points_are_counted(seed: int) -> None:
    played = year(seed)
    assert max(e.turn for e in played.events if isinstance(e, PhaseBegan)) == 22
    counts = [e.value for e in played.events if isinstance(e, Declared) and e.what == "victory-points"]
    last = played.events[-1]
    assert isinstance(last, Declared)
    assert last.value == f"{level_of(int(counts[-1]))} victory"
    assert not played.referee.case.unchecked
    assert not played.referee.findings


@pytest.mark.xdist_group("a quiet year")
def test_whatever_a_turn_offers_is_done_sometime() -> None:
    found = events()
    declared = {e.what for e in found if isinstance(e, Declared)}
    assert {"rescind-dd3", "weather", "victory-points", "victory", "concentrate-supply"} <= declared
    assert {"weather", "combat"} <= {e.reason for e in found if isinstance(e, Rolled)}
    assert {"reorganize", "convert"} == {e.why for e in found if isinstance(e, Replaced)}
    boxes = {e.box for e in found if isinstance(e, Removed)}
    assert {"german-withdrawn", "soviet-eliminated", "soviet-removed"} <= boxes
    assert any(isinstance(e, Marked) and e.marker == "supply-concentration" for e in found)
    returned = [e for e in found if isinstance(e, Moved) and e.path[0] == "soviet-eliminated"]
    assert returned
    assert any(isinstance(e, Placed) for e in found)


@pytest.mark.parametrize(
    ("count", "level"),
    [(86, "Soviet major"), (98, "Soviet minor"), (119, "German minor"), (130, "German major")],
)
def test_levels_of_victory_are_those_of_the_rules(count: int, level: str) -> None:
    assert level_of(count) == level
