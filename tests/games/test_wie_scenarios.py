"""War in the East: the scenarios' forces, whose hexes they stand in, and what waits beside the map."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Scenario
from fieldpost.hexes import Hex, neighbors
from players.table import new_referee
from validator.games.wie.book import SIDES, SOVIET
from validator.games.wie.c03_money import LEND_LEASE_POINTS, LEND_LEASE_TURN, income_of
from validator.games.wie.field import field_of

READY = ("barbarossa", "typhoon", "uranus", "citadel")
OPTIONAL = ("tank-destroyer", "heavy-armor")
HELD = {"barbarossa": None, "typhoon": "axis-1941", "uranus": "axis-1942", "citadel": "axis-1943"}
FINLAND = {
    "infantry": 5,
    "light-infantry": 3,
    "motorized": 1,
    "artillery": 1,
    "fighter": 1,
    "headquarters": 1,
}
NINE_HEADQUARTERS = 9 * 2  # the most that may order battle in a turn, at two points
INCOME = {  # of the first turn, as docs/wie.md has it
    "barbarossa": {"axis": 50, "soviet": 102},
    "typhoon": {"axis": 90, "soviet": 68},
    "uranus": {"axis": 103, "soviet": 78},
    "citadel": {"axis": 89, "soviet": 104},
}
MINOR = {"light-infantry": 6, "armor": 2, "motorized": 1, "artillery": 1}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("wie")


@pytest.fixture(params=READY)
def scenario(request: pytest.FixtureRequest, game: Game) -> Scenario:
    return game.scenario[str(request.param)]


def placed(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Unit and where it begins: a hex or a box."""
    for placement in scenario.set_up:
        for unit in placement.units:
            yield unit.id, str(placement.hex or placement.box)


def kind(game: Game, unit: str) -> str:
    return str(game.unit_type[game.counter[unit].type].values["kind"])


def side(game: Game, unit: str) -> str:
    return game.unit_type[game.counter[unit].type].side


def on_map(game: Game, scenario: Scenario) -> Iterator[tuple[str, Hex]]:
    for unit, spot in placed(scenario):
        if spot.isdigit():
            yield unit, game.map.lattice.hex(spot)


def holders(game: Game, scenario: Scenario) -> dict[Hex, str]:
    held = {h: owner for h in game.map.hexes if (owner := game.holder_at_start(h))}
    for owner, labels in scenario.control.items():
        held |= dict.fromkeys(map(game.map.lattice.hex, labels), owner)
    return held


def wanted(game: Game, name: str) -> dict[str, int]:
    chart = game.table["order-of-battle"]
    return {r.id: int(n) for r in chart.rows if (n := chart.cell(r.id, name)) != "-" and r.id not in OPTIONAL}


@pytest.mark.parametrize("owner", ["axis", "soviet"])
def test_the_forces_are_those_of_the_table(game: Game, scenario: Scenario, owner: str) -> None:
    standing = [unit for unit, _ in on_map(game, scenario) if side(game, unit) == owner]
    assert Tally(kind(game, unit) for unit in standing) == wanted(game, f"{scenario.id}-{owner}")


@pytest.mark.parametrize("owner", ["axis", "soviet"])
def test_players_who_set_up_have_the_same_forces(game: Game, scenario: Scenario, owner: str) -> None:
    own = game.scenario[f"{scenario.id}-free"]
    waiting = [unit for unit, spot in placed(own) if spot == f"{owner}-set-up"]
    assert Tally(kind(game, unit) for unit in waiting) == wanted(game, f"{scenario.id}-{owner}")
    assert not list(on_map(game, own))


@pytest.mark.parametrize("owner", ["axis", "soviet"])
def test_optional_units_wait_in_their_box(game: Game, scenario: Scenario, owner: str) -> None:
    chart = game.table["order-of-battle"]
    wanted = {name: int(chart.cell(name, f"{scenario.id}-{owner}")) for name in OPTIONAL}
    if (scenario.id, owner) == ("barbarossa", "axis"):
        wanted["heavy-armor"] += 1  # the one that the chart brings in turn 2
    waiting = [unit for unit, spot in placed(scenario) if spot == f"{owner}-optional"]
    assert Tally(kind(game, unit) for unit in waiting) == wanted


def test_light_grey_contingents_are_part_of_it(game: Game, scenario: Scenario) -> None:
    standing = [unit for unit, _ in on_map(game, scenario)]
    traits = {unit: game.unit_type[game.counter[unit].type].traits for unit in standing}
    finns = [unit for unit in standing if "finnish" in traits[unit]]
    allies = [unit for unit in standing if "minor" in traits[unit] and unit not in finns]
    assert Tally(kind(game, unit) for unit in finns) == FINLAND
    assert Tally(kind(game, unit) for unit in allies) == MINOR


def test_everybody_stands_on_his_own_side_of_the_front(game: Game, scenario: Scenario) -> None:
    held = holders(game, scenario)
    wrong = [unit for unit, hex_ in on_map(game, scenario) if held.get(hex_) != side(game, unit)]
    assert wrong == []
    wet = [u for u, h in on_map(game, scenario) if game.map.terrain[h] in ("sea", "lake")]
    assert wet == []
    assert {game.map.lattice.label(h) for h in game.map.unplayable}.isdisjoint(s for _, s in placed(scenario))


def test_finns_stand_in_finland_or_on_their_front(game: Game, scenario: Scenario) -> None:
    country = game.map.grid["country"].values
    for unit, hex_ in on_map(game, scenario):
        if "finnish" in game.unit_type[game.counter[unit].type].traits:
            assert country[hex_] == "finland" or hex_ in game.map.area["finnish-1941"].hexes, unit


def test_no_more_than_six_ground_units_stand_in_a_hex_and_planes_in_cities(
    game: Game, scenario: Scenario
) -> None:
    stacks = Tally[Hex]()
    cities = {p.hex for p in game.map.places if p.kind in ("red-city", "minor-city")}
    for unit, hex_ in on_map(game, scenario):
        stacks[hex_] += int(game.unit_type[game.counter[unit].type].stacking)
        if "air" in game.unit_type[game.counter[unit].type].traits:
            assert hex_ in cities, unit
    assert max(stacks.values()) <= 6


def test_fortifications_are_as_many_levels_as_the_table_has(game: Game, scenario: Scenario) -> None:
    """Each faces the enemy over its hexside, and infantry mans it."""
    held, chart = holders(game, scenario), game.table["scenarios"]
    levels = Tally[str]()
    for placement in scenario.set_up:
        for each in placement.markers:
            marker = game.marker[each.id]
            if marker.kind == "fortification":
                assert marker.side is not None
                levels[marker.side] += each.face
                hex_ = game.map.lattice.hex(str(placement.hex))
                way = ("n", "ne", "se", "s", "sw", "nw").index(str(marker.values["direction"]))
                assert held[hex_] == marker.side != held[neighbors(hex_)[way]]
                assert any(
                    "class-1" in game.unit_type[game.counter[u.id].type].traits for u in placement.units
                )
    assert {s: levels[s] for s in ("axis", "soviet")} == {
        s: int(chart.cell(scenario.id, f"fortifications-{s}")) for s in ("axis", "soviet")
    }


def test_the_front_is_the_area_of_the_map(game: Game, scenario: Scenario) -> None:
    name = HELD[scenario.id]
    areas = [game.map.area[name], game.map.area["finnish-1941"]] if name else []
    assert set(map(game.map.lattice.hex, scenario.control.get("axis", ()))) == {
        h for a in areas for h in a.hexes
    }
    assert game.scenario[f"{scenario.id}-free"].control == scenario.control


def test_every_set_up_lays_out_the_same_counters_once_each(game: Game, scenario: Scenario) -> None:
    """The rest is in the module's window of counters, for a side that has bought its pool empty."""
    first = game.scenario["barbarossa"]
    wanted = {unit for unit, _ in placed(first)} | {u for r in first.reinforcements for u in r.units}
    for each in (scenario, game.scenario[f"{scenario.id}-free"]):
        units = [unit for unit, _ in placed(each)] + [u for r in each.reinforcements for u in r.units]
        assert len(units) == len(set(units))
        assert set(units) == wanted
    left = Tally(kind(game, unit) for unit in game.counter if unit not in wanted)
    assert min(left[name] for name in ("infantry", "light-infantry", "armor", "artillery")) > 20


def test_reinforcements_lie_on_the_track_as_the_chart_has_them(game: Game, scenario: Scenario) -> None:
    chart = game.table["reinforcements"]
    for row in chart.rows:
        for owner in ("axis", "soviet"):
            due = [
                u
                for r in scenario.reinforcements
                if (r.turn, r.side) == (int(row.id), owner)
                for u in r.units
            ]
            if int(row.id) < scenario.first_turn:
                assert due == []
                continue
            wanted = Tally[str]()
            for part in chart.cell(row.id, owner).split(","):
                words = part.replace("minor ", "").split()
                if len(words) > 1 and words[1] != "heavy-armor":
                    wanted[words[1]] += int(words[0])
            assert Tally(kind(game, unit) for unit in due) == wanted, row.id


def test_the_siberian_army_and_the_counter_offensive_wait_in_their_boxes(
    game: Game, scenario: Scenario
) -> None:
    chart = game.table["order-of-battle"]
    for box, column in (("soviet-siberian", "siberian"), ("axis-counter-offensive", "counter-offensive")):
        waiting = [unit for unit, spot in placed(scenario) if spot == box]
        counted = {r.id: int(n) for r in chart.rows if (n := chart.cell(r.id, column)) != "-"}
        assert Tally(kind(game, unit) for unit in waiting) == counted


def test_headquarters_on_the_map_are_due_by_then(game: Game, scenario: Scenario) -> None:
    for unit, _ in on_map(game, scenario):
        first = game.counter[unit].values.get("from-turn", 1)
        assert int(str(first)) <= scenario.first_turn, unit


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize("side_", SIDES)
def test_money_matters(game: Game, name: str, side_: str) -> None:
    """The income of a turn pays nine headquarters twice over, and a fifth of the army at most."""
    case = new_referee("wie", name).case
    income = sum(income_of(case, field_of(case), side_).values())
    income += LEND_LEASE_POINTS if side_ == SOVIET and case.turn >= LEND_LEASE_TURN else 0
    units = [unit for unit, _ in on_map(game, game.scenario[name]) if side(game, unit) == side_]
    army = sum(int(game.unit_type[game.counter[unit].type].values.get("cost", 0)) for unit in units)
    assert income == INCOME[name][side_]
    assert 2 * NINE_HEADQUARTERS <= income <= army / 5
