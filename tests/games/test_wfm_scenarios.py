"""The three scenarios that the text describes but does not set up."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fieldpost.definition import Game, load

LEVELS = [
    "Soviet Strategic",
    "Soviet Operational",
    "Soviet Tactical",
    "Draw",
    "Axis Tactical",
    "Axis Operational",
    "Axis Strategic",
]
CITIES = {
    "fall-barbarossa": "2706:30 5104:20 1418:20 6313:15 5301:15 3902:15 4508:15 5718:15",
    "war-for-the-motherland": (
        "3634:50 2706:50 2933:40 6327:40 6127:40 1418:30 6313:30 4508:20 5104:20 3902:20 5301:15 4419:15 "
        "5718:15 4032:15 2227:15 3015:15 3026:10 3322:10 4529:10 4822:10 4725:10 5522:10 3729:10"
    ),
}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("wfm")


@pytest.mark.parametrize(
    ("name", "last", "sheets"),
    [
        ("fall-barbarossa", 12, ("C",)),
        ("road-to-stalingrad", 24, ("C", "E")),
        ("war-for-the-motherland", 40, ("C", "E", "N")),
    ],
)
def test_length_and_sheets(game: Game, name: str, last: int, sheets: tuple[str, ...]) -> None:
    scenario = game.scenario[name]
    assert (scenario.first_turn, scenario.last_turn, scenario.sheets) == (1, last, sheets)
    assert not scenario.playable
    assert scenario.why_not


def test_only_turning_point_is_playable(game: Game) -> None:
    assert [s.id for s in game.scenarios if s.playable] == ["turning-point"]


@pytest.mark.parametrize(
    ("name", "first", "draw", "last"),
    [
        ("fall-barbarossa", 190, (231, 250), 291),
        ("road-to-stalingrad", 220, (261, 280), 321),
        ("war-for-the-motherland", 450, (511, 530), 591),
    ],
)
def test_victory_levels(game: Game, name: str, first: int, draw: tuple[int, int], last: int) -> None:
    victory = game.scenario[name].victory
    assert victory is not None
    assert [b.result for b in victory.bands] == LEVELS
    assert (victory.bands[0].high, victory.bands[-1].low) == (first, last)
    assert (victory.bands[3].low, victory.bands[3].high) == draw
    for below, above in pairwise(victory.bands):
        assert below.high is not None
        assert above.low == below.high + 1


@pytest.mark.parametrize(("name", "text"), CITIES.items())
def test_victory_cities(game: Game, name: str, text: str) -> None:
    victory = game.scenario[name].victory
    assert victory is not None
    assert " ".join(f"{c.hex}:{c.points}" for c in victory.cities) == text


@pytest.mark.parametrize("name", CITIES)
def test_victory_cities_are_places_of_the_map(game: Game, name: str) -> None:
    victory = game.scenario[name].victory
    assert victory is not None
    for city in victory.cities:
        places = game.map.places_at.get(game.map.lattice.hex(city.hex, "C"), ())
        assert city.name in {p.name for p in places}, city


def test_cities_of_the_campaign_are_worth_500(game: Game) -> None:
    victory = game.scenario["war-for-the-motherland"].victory
    assert victory is not None
    assert sum(c.points for c in victory.cities) == 500


def test_destroyed_assets_count_in_the_middle_scenario(game: Game) -> None:
    victory = game.scenario["road-to-stalingrad"].victory
    assert victory is not None
    assert victory.points["destroyed-oil-field"] == 10
    assert victory.points["destroyed-oil-pipeline"] == 8
    assert victory.points["destroyed-economic-asset"] == 5


@pytest.mark.parametrize("name", ["fall-barbarossa", "road-to-stalingrad", "war-for-the-motherland"])
def test_first_turn_has_its_special_rules(game: Game, name: str) -> None:
    rules = {r.id: r for r in game.scenario[name].special_rules}
    assert rules["rivers-ignored"].values["turn"] == rules["frozen-fronts"].values["turn"] == 1
