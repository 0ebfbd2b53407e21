"""The scenarios of Army Group Center: stacks, the front on the border, divisions where they stood."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Scenario
from fieldpost.hexes import Hex, distance, neighbors
from tests.maps.test_efs_map import off

SCENARIOS = ("border-battles", "smolensk", "campaign", "brest")
AXIS_SOIL = {"germany", "west-poland"}
# Where units stood at dawn of 22 June 1941: latitude, longitude; and how many hexes our set-up may be off.
JUNE = """
45ID 52.08 23.58 2, 31ID 52.15 23.45 3, 34ID 51.95 23.52 3, PzR6 51.85 23.50 4, PzR35 51.75 23.50 4,
PzR18 52.17 23.38 3, PzR39 52.18 23.28 3, 167ID 52.20 23.20 3, 292ID 52.48 22.45 3, 137ID 52.57 22.35 3,
263ID 52.65 22.10 4, 7ID 52.90 21.80 4, PzR25 54.27 23.05 4, PzR21 54.22 23.20 4, PzR29 54.12 23.35 4,
PzR27 54.05 23.20 4, 28ID 53.95 23.15 4, 8ID 53.95 23.35 4, 87ID 53.65 22.30 4, 256ID 53.95 22.85 4, RR1
51.65 23.45 4, RD6 52.10 23.70 2, RD42 52.15 23.85 4, TD22 52.03 23.75 4, RD75 51.79 24.07 3, RD49 52.37
23.37 3, RD113 52.45 22.90 4, RD86 52.80 22.40 4, RD13 53.00 22.15 4, RD8 53.35 22.15 4, RD2 53.47 22.65
3, RD27 53.84 23.00 3, RD56 53.80 23.60 4, RD85 53.68 23.83 3, TD7 53.20 23.05 5, TD4 53.15 23.35 5, TD5
54.40 24.05 3, RD128 54.30 23.60 5, RD126 54.48 23.75 5, HQ3 53.68 23.83 3, HQ10 53.13 23.16 4, HQ4 52.21
24.36 4, TD30 52.56 24.46 3, RD100 54.05 27.75 4, RD161 53.90 27.56 3, RD64 54.01 27.28 4, RD108 53.68
27.14 4
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return load("efs")


@pytest.fixture(params=SCENARIOS)
def scenario(request: pytest.FixtureRequest, game: Game) -> Scenario:
    return game.scenario[str(request.param)]


def _standing(game: Game, scenario: Scenario) -> Iterator[tuple[str, Hex]]:
    for placement in scenario.set_up:
        if placement.hex is not None:
            for unit in placement.units:
                yield unit.id, game.map.lattice.hex(placement.hex, scenario.sheet)


def _side(game: Game, unit: str) -> str:
    return game.unit_type[game.counter[unit].type].side


def test_there_are_four_playable_scenarios(game: Game) -> None:
    assert {s.id: (s.first_turn, s.last_turn) for s in game.scenarios if s.playable} == {
        "border-battles": (1, 5),
        "smolensk": (10, 19),
        "campaign": (1, 36),
        "brest": (1, 3),
    }


def test_no_hex_holds_more_than_ten_points(game: Game, scenario: Scenario) -> None:
    points: Tally[Hex] = Tally()
    for unit, hex_ in _standing(game, scenario):
        points[hex_] += game.unit_type[game.counter[unit].type].stacking  # type: ignore[assignment]
    assert {game.map.lattice.label(h): p for h, p in points.items() if p > 10} == {}


def test_nobody_stands_in_a_lake_and_no_motor_in_a_swamp(game: Game, scenario: Scenario) -> None:
    for unit, hex_ in _standing(game, scenario):
        terrain = game.map.terrain[hex_]
        assert terrain != "lake", unit
        if game.unit_type[game.counter[unit].type].mobility.startswith("motorized"):
            assert terrain != "swamp", unit


def test_no_hex_is_held_by_both_sides(game: Game, scenario: Scenario) -> None:
    sides: dict[Hex, set[str]] = {}
    for unit, hex_ in _standing(game, scenario):
        sides.setdefault(hex_, set()).add(_side(game, unit))
    assert all(len(found) == 1 for found in sides.values())


@pytest.mark.parametrize("name", ["border-battles", "campaign", "brest"])
def test_on_22_june_each_side_stands_on_its_own_soil(game: Game, name: str) -> None:
    country = game.map.grid["country"].values
    for unit, hex_ in _standing(game, game.scenario[name]):
        assert (country[hex_] in AXIS_SOIL) == (_side(game, unit) == "axis"), unit


def test_the_axis_front_of_22_june_lies_along_the_border(game: Game) -> None:
    country = game.map.grid["country"].values
    axis = {h for u, h in _standing(game, game.scenario["campaign"]) if _side(game, u) == "axis"}
    at_border = {h for h in axis if any(country.get(n, "germany") not in AXIS_SOIL for n in neighbors(h))}
    assert len(at_border) >= 15
    rows = {int(game.map.lattice.label(h)[-2:]) for h in at_border}
    assert min(rows) <= 38
    assert max(rows) >= 64


def test_divisions_stand_near_where_history_had_them(game: Game) -> None:
    where = dict(_standing(game, game.scenario["campaign"]))
    entries = [entry.split() for entry in JUNE.replace("\n", " ").split(",")]
    far = {
        unit: round(off(float(lat), float(lon), where[unit]), 1)
        for unit, lat, lon, most in entries
        if off(float(lat), float(lon), where[unit]) > float(most) + 0.5
    }
    assert len(entries) >= 40
    assert far == {}


def test_in_july_the_panzers_stand_before_the_dnieper_and_the_dvina(game: Game) -> None:
    where = dict(_standing(game, game.scenario["smolensk"]))
    place = {p.name: p.hex for p in game.map.places}
    assert distance(where["PzR25"], place["Vitebsk"]) <= 6
    assert distance(where["PzR6"], place["Rogachev"]) <= 8
    assert distance(where["PzR39"], place["Orsha"]) <= 8
    assert distance(where["HQ16"], place["Smolensk"]) <= 2
    assert distance(where["RD172"], place["Mogilev"]) <= 1


def test_every_unit_of_the_campaign_stands_waits_or_comes(game: Game) -> None:
    campaign = game.scenario["campaign"]
    known = {u.id for p in campaign.set_up for u in p.units}
    known |= {u for r in campaign.reinforcements for u in r.units}
    later = {c.id for c in game.counters if c.enters and int(c.enters[2:]) > campaign.last_turn}
    spare = {c.id for c in game.counters if c.group == "Spare pool"}
    missing = {c.id for c in game.counters} - known - later - spare
    assert missing == set()


def test_nobody_comes_before_the_turn_on_his_counter(game: Game, scenario: Scenario) -> None:
    for entry in scenario.reinforcements:
        for unit in entry.units:
            assert game.counter[unit].enters == f"GT{entry.turn}", unit


def test_replacement_counters_lie_on_the_step_card(game: Game) -> None:
    for scenario in game.scenarios:
        card = next(p for p in scenario.set_up if p.box == "step-reduction")
        assert {game.counter[u.id].type for u in card.units} == {"infantry-division-replacement"}


def test_both_sides_have_sources_on_a_line_at_the_edge(game: Game, scenario: Scenario) -> None:
    on_line = {h for s in game.map.line_steps for h in s}
    for side in ("axis", "soviet"):
        labels = [h for s in scenario.supply_sources if s.side == side for h in s.hexes]
        assert labels
        assert {game.map.lattice.hex(label, scenario.sheet) for label in labels} <= on_line


def test_every_scenario_tells_capacity_limits_and_who_wins(game: Game) -> None:
    for scenario in game.scenarios:
        assert scenario.victory is not None
        assert {b.winner for b in scenario.victory.bands} == {"axis", "soviet", None}
    for name in ("campaign", "border-battles", "smolensk"):
        rules = {r.id for r in game.scenario[name].special_rules}
        assert {"rail-capacity", "conversion", "supply-limits", "mandates"} <= rules
