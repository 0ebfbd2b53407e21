"""Set-ups of Land Without End: every unit has its place, within its area and the stacking limit."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from fractions import Fraction

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Scenario
from validator.model import position as positions

LIMIT = 6  # 6.1
SCENARIOS = ["campaign", "army-group-centre"]
POINTS = {"city": 4, "large-town": 2, "small-town": 1}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("lwe")


@pytest.fixture(params=SCENARIOS)
def scenario(game: Game, request: pytest.FixtureRequest) -> Scenario:
    return game.scenario[request.param]


def _stood(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Hex and unit of the set-up on the map."""
    for placement in scenario.set_up:
        if placement.hex is not None:
            yield from ((placement.hex, unit.id) for unit in placement.units)


def _side(game: Game, unit: str) -> str:
    return game.unit_type[game.counter[unit].type].side


def _country(game: Game, label: str) -> str:
    return game.map.grid["country"].values[game.map.lattice.hex(label)]


def _area(game: Game, code: str) -> set[str]:
    return {game.map.lattice.label(h) for h in game.map.area[f"deployment-{code.lower()}"].hexes}


def test_playable_scenarios_hold_a_unit_once(scenario: Scenario) -> None:
    units = [u.id for p in scenario.set_up for u in p.units] + [
        u for r in scenario.reinforcements for u in r.units
    ]
    assert scenario.playable
    assert len(units) == len(set(units)) > 150


def test_the_campaign_holds_every_counter(game: Game) -> None:
    campaign = game.scenario["campaign"]
    units = {u.id for p in campaign.set_up for u in p.units}
    units |= {u for r in campaign.reinforcements for u in r.units}
    assert units == set(game.counter)


def test_no_hex_holds_more_than_six_divisions(game: Game, scenario: Scenario) -> None:
    weights: dict[str, Fraction] = {}
    for label, unit in _stood(scenario):
        weights[label] = weights.get(label, Fraction(0)) + game.unit_type[game.counter[unit].type].stacking
    assert max(weights.values()) == LIMIT


def test_no_hex_holds_two_nations_or_two_zones(game: Game, scenario: Scenario) -> None:
    nations: dict[str, set[str]] = {}
    zones = Tally[str]()
    for label, unit in _stood(scenario):
        kind = game.unit_type[game.counter[unit].type]
        nation = kind.nationality.removesuffix("-mechanized") if kind.side == "german" else kind.side
        nations.setdefault(label, set()).add(nation)
        zones[label] += kind.id == "fortified-zone"
    assert all(len(found) == 1 for found in nations.values())
    assert max(zones.values()) == 1


def test_a_fortified_zone_lies_on_top_of_its_stack(game: Game, scenario: Scenario) -> None:
    for placement in scenario.set_up:
        kinds = [game.counter[unit.id].type for unit in placement.units]
        assert "fortified-zone" not in kinds[:-1]


def test_units_stand_on_land(game: Game, scenario: Scenario) -> None:
    for label, unit in _stood(scenario):
        assert game.map.terrain[game.map.lattice.hex(label)] not in ("sea", "lake"), unit


def test_soviet_units_stand_in_their_area_or_hex(game: Game, scenario: Scenario) -> None:
    for label, unit in _stood(scenario):
        if _side(game, unit) == "soviet":
            code = game.counter[unit].setup or ""
            allowed = _area(game, code) if code.endswith("A") else set(code.split())
            assert label in allowed, unit


def test_german_side_stands_in_greater_germany_or_in_romania(game: Game, scenario: Scenario) -> None:
    for label, unit in _stood(scenario):
        if _side(game, unit) == "german":
            home = "romania" if game.counter[unit].setup == "R" else "greater-germany"
            assert _country(game, label) == home, unit


def test_steps_are_full_at_the_start(scenario: Scenario) -> None:
    assert {unit.step for p in scenario.set_up for unit in p.units} == {1}


def test_arrivals_come_in_the_turn_on_their_counter(game: Game, scenario: Scenario) -> None:
    for arrival in scenario.reinforcements:
        for unit in arrival.units:
            assert game.counter[unit].enters == f"GT{arrival.turn}"
            assert _side(game, unit) == arrival.side


def test_units_off_the_map_wait_in_their_boxes(game: Game) -> None:
    boxes = {p.box: {u.id for u in p.units} for p in game.scenario["campaign"].set_up if p.box and p.units}
    assert boxes["replacement-pool"] == {c.id for c in game.counters if c.setup == "RP"}
    assert boxes["off-map"] == {c.id for c in game.counters if c.setup == "*"}
    assert boxes["special-entry"] == {c.id for c in game.counters if c.setup == "**"}
    assert all(not game.counter[u].setup for u in boxes["okh-reserve"])
    assert set(boxes) - {"okh-reserve", "airfield"} == {"replacement-pool", "off-map", "special-entry"}


def test_counters_of_the_record_stand_at_their_start(game: Game) -> None:
    lying = {p.box: {m.id for m in p.markers} for p in game.scenario["campaign"].set_up if p.markers}
    assert {"vp-hundreds", "vp-tens", "vp-ones"} == lying["track-0"]
    assert (lying["track-1"], lying["track-4"]) == ({"replacements-tens"}, {"replacements-ones"})
    assert lying["weather-dry"] == {"weather-north", "weather-south"}


def test_supply_sources_are_the_edges_of_the_rules(game: Game) -> None:
    edges = {e.id: {game.map.lattice.label(h) for h in e.hexes} for e in game.map.edges}
    sources = {s.side: set(s.hexes) for s in game.scenario["campaign"].supply_sources}
    assert sources["german"] == edges["german-supply"]
    assert sources["soviet"] == edges["soviet-supply-east"] | edges["soviet-supply-south"]


def test_short_scenario_keeps_to_its_area(game: Game) -> None:
    short = game.scenario["army-group-centre"]
    area = {game.map.lattice.label(h) for h in game.map.area["army-group-centre"].hexes}
    assert {label for label, _ in _stood(short)} <= area
    assert {h for s in short.supply_sources for h in s.hexes} <= area
    for arrival in short.reinforcements:
        if arrival.side == "soviet":
            for unit in arrival.units:
                assert set((game.counter[unit].setup or "").split()) & area, unit


def test_pool_of_the_short_scenario_is_what_its_corps_are_worth(game: Game) -> None:
    short = game.scenario["army-group-centre"]
    units = [u for _, u in _stood(short)] + [u for r in short.reinforcements for u in r.units]
    corps = [game.counter[u] for u in units if game.counter[u].type == "rifle-corps"]
    pool = next(p.units for p in short.set_up if p.box == "replacement-pool")
    assert len(pool) == sum(int(c.steps[0].split("-")[0]) for c in corps)


def _towns(game: Game, labels: set[str] | None = None) -> int:
    label = game.map.lattice.label
    return sum(
        POINTS[p.kind]
        for p in game.map.places
        if p.kind in POINTS
        and _country(game, label(p.hex)) == "soviet-union"
        and (labels is None or label(p.hex) in labels)
    )


def test_every_result_is_within_reach_of_the_towns(game: Game, scenario: Scenario) -> None:
    assert scenario.victory is not None
    area = game.map.area[scenario.area].hexes if scenario.area else game.map.hexes
    points = _towns(game, {game.map.lattice.label(h) for h in area})
    lows = [band.low for band in scenario.victory.bands if band.low is not None]
    assert max(lows) < points


def test_areas_and_boxes_of_special_rules_exist(game: Game, scenario: Scenario) -> None:
    boxes, edges = {b.id for b in game.boxes}, {e.id for e in game.map.edges}
    for rule in scenario.special_rules:
        if "area" in rule.values:
            assert rule.values["area"] in game.map.area
        if "box" in rule.values:
            assert rule.values["box"] in boxes
        if "edge" in rule.values:
            assert rule.values["edge"] in edges


def test_the_position_starts_with_every_unit_where_the_set_up_says(game: Game, scenario: Scenario) -> None:
    position = positions.start(game, scenario)
    for label, unit in _stood(scenario):
        assert position.units[unit].spot == game.map.lattice.hex(label)
