"""The victory lines of Land Without End are in reach of both sides, as crude players play it."""

from __future__ import annotations

import pytest

from fieldpost.definition import Game, load
from fieldpost.hexes import Hex, neighbors
from tools.balance.lwe import PLANS, Match, Outcome
from tools.balance.lwe.battles import surrounds

pytestmark = pytest.mark.xdist_group("balance")  # one worker, so that it is made once

SHORT, SHORT_GAMES = "army-group-centre", 16
IN_1941 = {5: 46, 9: 68}  # points of what had fallen by the end of July and of August


@pytest.fixture(scope="module")
def game() -> Game:
    return load("lwe")


@pytest.fixture(scope="module")
def short(game: Game) -> dict[str, list[int]]:
    seeds = range(1, SHORT_GAMES + 1)
    return {plan: sorted(Match(game, SHORT, seed, plan).play().final for seed in seeds) for plan in PLANS}


@pytest.fixture(scope="module")
def summers(game: Game) -> list[Outcome]:
    """The campaign to the end of August."""
    return [Match(game, "campaign", seed).play(to_the_end=True, last_turn=9) for seed in (1, 2)]


def test_every_result_of_the_short_scenario_is_in_reach(game: Game, short: dict[str, list[int]]) -> None:
    victory = game.scenario[SHORT].victory
    assert victory is not None
    found = [points for plan in PLANS for points in short[plan]]
    for band in victory.bands:
        low, high = band.low or -99, band.high if band.high is not None else 999
        assert any(low <= points <= high for points in found), band.result


def test_a_timid_player_does_worse(short: dict[str, list[int]]) -> None:
    assert short["timid"][SHORT_GAMES // 2] < short["bold"][SHORT_GAMES // 2] - 2


def test_the_campaign_keeps_the_pace_of_1941(summers: list[Outcome]) -> None:
    for turn, held in IN_1941.items():
        for outcome in summers:
            assert held * 0.7 <= outcome.points[turn] <= held * 1.35, (turn, outcome.points)


def test_minsk_falls_early_and_moscow_not_before_it_could_be_reached(summers: list[Outcome]) -> None:
    for outcome in summers:
        assert outcome.taken["Minsk"] <= 4
        assert outcome.taken.get("Moscow", 99) >= 6


def test_losses_are_the_red_army_s_but_not_only(summers: list[Outcome]) -> None:
    for outcome in summers:
        german = sum(lost["german"] for lost in outcome.losses.values())
        soviet = sum(lost["soviet"] for lost in outcome.losses.values())
        assert 10 <= german <= 90
        assert soviet > 3 * german


def test_a_game_is_the_same_with_the_same_seed(game: Game) -> None:
    assert Match(game, SHORT, 7).play() == Match(game, SHORT, 7).play()


@pytest.mark.parametrize(
    ("places", "concentric"),
    [
        ([0, 3], True),
        ([0, 1], False),
        ([0, 2], False),
        ([0, 2, 4], True),
        ([0, 1, 2], False),
        ([0, 1, 2, 3], True),
    ],
)
def test_concentric_positions(places: list[int], concentric: bool) -> None:
    ring = neighbors(Hex(0, 0))
    assert surrounds({ring[i] for i in places}, Hex(0, 0)) is concentric
