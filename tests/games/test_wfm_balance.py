"""The printed victory levels of Turning Point are in reach of both sides, as crude players play it."""

from __future__ import annotations

import pytest

from fieldpost.definition import Game, load
from tools.balance.wfm import AXIS_POLICIES, Match, score

pytestmark = pytest.mark.xdist_group("balance")  # one worker, so that it is made once

GAMES = 12


@pytest.fixture(scope="module")
def game() -> Game:
    return load("wfm")


@pytest.fixture(scope="module")
def points(game: Game) -> dict[str, list[int]]:
    return {p: [Match(game, seed, p).play() for seed in range(1, GAMES + 1)] for p in AXIS_POLICIES}


def test_both_sides_can_win(points: dict[str, list[int]]) -> None:
    found = [p for policy in points.values() for p in policy]
    assert max(found) >= 58
    assert min(found) <= 50


def test_a_sound_axis_plan_mostly_ends_near_the_draw(points: dict[str, list[int]]) -> None:
    middle = sorted(points["hold"])[GAMES // 4 : -GAMES // 4]
    assert all(45 <= p <= 62 for p in middle)


def test_a_game_is_the_same_with_the_same_seed(game: Game) -> None:
    assert Match(game, 7, "hold").play() == Match(game, 7, "hold").play()


@pytest.mark.parametrize(
    ("cell", "worth"), [("AE", -6), ("A2", -2), ("2/1", -1), ("1/1", 0), ("1/3", 2), ("D4", 4), ("DE", 6)]
)
def test_worth_of_a_result(cell: str, worth: int) -> None:
    assert score(cell) == worth
