"""Turning Point as the rules print it (16.0 to 16.5), typed in a second time."""

from __future__ import annotations

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Counter, Scenario, UnitType
from fieldpost.hexes import Hex, neighbors

# Hex, what stands there with its factors; Kampfgruppen, depots and support groups have no name there.
AXIS = """
6511 InfKG 2-3-5
6407 3PzK 9-8-7
6306 PzKG 4-3-8
6316 49GbK 4-6-4
6211 SD 0-1-4
6105 40PzK 9-8-7
6108 SD 0-1-4
5815 SD 0-1-4
5505 PzKG 4-3-8
5211 Ru4AHQ 0-1-8
5216 4AB 0-1-4
5108 Ru7AK 2-3-3
4909 Ru6AK 2-3-3
4810 PzKG 4-3-8
4913 Ru3AHQ 0-1-8
4913 SD 0-1-4
4709 51AK 5-7-4
4611 11AK 5-7-4
4610 8AK 5-7-4
4610 PzKG 4-3-8
4612 Ru4AK 2-3-3
4613 Ru5AK 2-3-3
4614 Ru2AK 2-3-3
4615 Ru1AK 2-3-3
4516 It8A 4-5-3
"""
SOVIET = """
6812 TcsHQ 0-1-8
6612 37A C-3
6507 9A C-3
6403 NcsHQ 0-1-8
6406 58A C-3
6416 46A C-3
6205 44A C-3
5405 28A C-3
5008 51A C-3
5008 OSG 0-1-3
4908 57A C-3
4806 StgHQ 0-1-8
4809 64A C-3
4708 62A C-3
4609 66A C-3
4509 24A C-3
4510 65A C-3
4511 21A C-3
4512 5TkA A-7
4512 OSG 0-1-3
4513 1GdA B-4
4311 3GdA B-4
4515 6A C-3
4312 SWHQ 0-1-8
"""
ARRIVALS = {
    (23, "axis"): {("57PzK", "9-8-7"), ("InfKG", "2-3-5")},
    (24, "axis"): {("InfKG", "2-3-5")},
    (23, "soviet"): {("2GdA", "B-4"), ("5ShA", "B-3")},
}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("wfm")


@pytest.fixture(scope="module")
def scenario(game: Game) -> Scenario:
    return game.scenario["turning-point"]


def _kind(game: Game, counter: Counter) -> UnitType:
    return game.unit_type[counter.type]


def _printed(game: Game, unit: str) -> tuple[str, str]:
    """Name and factors; of numbered units the name without its number."""
    name = unit.split("-")[0] if unit.split("-")[0] in ("InfKG", "PzKG", "SD", "OSG") else unit
    return name, game.counter[unit].steps[0]


def _entries(text: str) -> list[tuple[str, str, str]]:
    return sorted(tuple(line.split()) for line in text.strip().splitlines())  # type: ignore[misc]


def _set_up(game: Game, scenario: Scenario, side: str) -> list[tuple[str, str, str]]:
    return sorted(
        (p.hex or "", *_printed(game, u.id))
        for p in scenario.set_up
        for u in p.units
        if _kind(game, game.counter[u.id]).side == side
    )


@pytest.mark.parametrize(("side", "text"), [("axis", AXIS), ("soviet", SOVIET)])
def test_set_up_is_that_of_the_rulebook_entry_by_entry(
    game: Game, scenario: Scenario, side: str, text: str
) -> None:
    assert _set_up(game, scenario, side) == _entries(text)


def test_all_start_at_full_strength_but_the_marker_of_the_62nd_army(scenario: Scenario) -> None:
    placed = [u for p in scenario.set_up for u in p.units]
    assert {u.step for u in placed} == {1}
    assert [(u.id, [(m.id, m.face) for m in u.markers]) for u in placed if u.markers] == [
        ("62A", [("csm-c-6-9", 2)])
    ]


def test_marker_of_the_62nd_army_is_6_9_and_3_5(game: Game) -> None:
    marker = game.marker["csm-c-6-9"]
    assert [f.text for f in marker.faces] == ["6-9", "3-5"]
    assert [marker.values[n] for n in ("class", "attack", "defense", "back-attack", "back-defense")] == [
        "C",
        6,
        9,
        3,
        5,
    ]
    assert not marker.values["starred"]


def test_reinforcements_are_those_of_the_rulebook(game: Game, scenario: Scenario) -> None:
    found = {(r.turn, r.side): {_printed(game, u) for u in r.units} for r in scenario.reinforcements}
    assert found == ARRIVALS


def _points(game: Game, scenario: Scenario, units: list[str]) -> dict[str, int]:
    """Army points by 15.21: of a printed unit all its steps, panzer steps twice."""
    assert scenario.victory is not None
    worth = scenario.victory.points
    total = {"airbase": 0, "supply-depot": 0, "panzer-step": 0, "other-step": 0}
    for unit in units:
        kind = _kind(game, game.counter[unit])
        if kind.side != "axis":
            continue
        if "airbase" in kind.traits:
            name = "airbase"
        elif "depot" in kind.traits:
            name = "supply-depot"
        else:
            name = "panzer-step" if "panzer" in kind.traits else "other-step"
        total[name] += kind.steps * worth[name]
    return total


def test_set_up_is_worth_71_army_points(game: Game, scenario: Scenario) -> None:
    """One airbase 4, four depots 8, sixteen panzer steps 32, twenty-seven other steps 27."""
    points = _points(game, scenario, [u.id for p in scenario.set_up for u in p.units])
    assert points == {"airbase": 4, "supply-depot": 8, "panzer-step": 32, "other-step": 27}
    assert sum(points.values()) == 71


def test_arrivals_are_worth_12_army_points(game: Game, scenario: Scenario) -> None:
    units = [u for r in scenario.reinforcements for u in r.units]
    assert sum(_points(game, scenario, units).values()) == 12


def test_points_of_the_unit_types_are_those_of_the_victory_rule(game: Game, scenario: Scenario) -> None:
    for counter in game.counters:
        kind = _kind(game, counter)
        if kind.side == "axis":
            assert _points(game, scenario, [counter.id]) is not None
            assert sum(_points(game, scenario, [counter.id]).values()) == kind.values["points"] * kind.steps


def test_victory_levels(scenario: Scenario) -> None:
    assert scenario.victory is not None
    bands = {(b.low, b.high): b.winner for b in scenario.victory.bands}
    assert bands == {(58, None): "axis", (51, 57): None, (None, 50): "soviet"}


def test_supply_sources(scenario: Scenario) -> None:
    assert {s.side: s.hexes for s in scenario.supply_sources} == {
        "axis": ("4717", "5317"),
        "soviet": ("4312", "4309", "4304", "6401", "7005"),
    }


def _hexes(game: Game, scenario: Scenario) -> dict[str, Hex]:
    return {u.id: game.map.lattice.hex(p.hex or "", scenario.sheet) for p in scenario.set_up for u in p.units}


FRONT = (
    "InfKG-1 3PzK PzKG-1 49GbK 40PzK PzKG-2 Ru7AK Ru6AK PzKG-3 51AK 11AK 8AK PzKG-4 "
    "Ru4AK Ru5AK Ru2AK Ru1AK It8A"
)


@pytest.mark.parametrize("unit", FRONT.split())
def test_axis_unit_of_the_front_is_adjacent_to_a_soviet_army(
    game: Game, scenario: Scenario, unit: str
) -> None:
    at = _hexes(game, scenario)
    armies = {h for u, h in at.items() if "draws-strength" in _kind(game, game.counter[u]).traits}
    assert armies.intersection(neighbors(at[unit]))


def test_no_other_axis_unit_is_adjacent_to_a_soviet_army(game: Game, scenario: Scenario) -> None:
    at = _hexes(game, scenario)
    armies = {h for u, h in at.items() if "draws-strength" in _kind(game, game.counter[u]).traits}
    beside = {
        u
        for u, h in at.items()
        if _kind(game, game.counter[u]).side == "axis" and armies.intersection(neighbors(h))
    }
    assert beside == set(FRONT.split())


def test_set_up_stands_on_land_in_the_playing_area(game: Game, scenario: Scenario) -> None:
    area = game.map.area[scenario.area or ""].hexes
    for unit, hex_ in _hexes(game, scenario).items():
        assert hex_ in area, unit
        assert game.map.terrain[hex_] not in ("sea", "lake"), unit


def test_playing_area_is_sheet_e_from_row_43(game: Game, scenario: Scenario) -> None:
    lattice = game.map.lattice
    for hex_ in game.map.area[scenario.area or ""].hexes:
        label = lattice.label(hex_, "E")
        assert int(label.removeprefix("E")[:2]) >= 43


def test_only_extended_depots(game: Game, scenario: Scenario) -> None:
    depots = [
        _kind(game, game.counter[u.id])
        for p in scenario.set_up
        for u in p.units
        if "depot" in _kind(game, game.counter[u.id]).traits
    ]
    assert len(depots) == 4
    assert all("extended" in kind.traits for kind in depots)


def test_special_rules_of_the_rulebook_are_all_there(scenario: Scenario) -> None:
    rules = {r.id: r for r in scenario.special_rules}
    assert {r.rule for r in rules.values()} == {"16.32", "16.33", "16.41", "16.43", "16.45"}
    assert rules["no-axis-opening"].values["turn"] == 22
    assert tuple(rules["no-axis-opening"].values["phases"]) == ("axis-move", "axis-combat")  # type: ignore[arg-type]


def _turn(code: str | None) -> int:
    return int(code.removeprefix("GT")) if code else 0


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_cup_holds_what_has_arrived_by_turn_21(game: Game, scenario: Scenario, name: str) -> None:
    """No starred A and C; the 62nd Army's marker is out of the cup (16.44)."""
    expected = {
        m.id: m.count - (m.id == "csm-c-6-9")
        for m in game.markers
        if m.kind == "strength"
        and m.values["class"] == name
        and _turn(m.enters) <= 21
        and not (m.values["starred"] and name in "AC")
    }
    content = next(d for d in scenario.decks if d.deck == f"csm-{name.lower()}")
    assert {i: content.markers.count(i) for i in set(content.markers)} == expected


def test_cups_hold_enough_for_every_army(game: Game, scenario: Scenario) -> None:
    cups = {d.deck: len(d.markers) for d in scenario.decks}
    units = [u.id for p in scenario.set_up for u in p.units] + ["2GdA", "5ShA"]
    for name in "ABC":
        armies = [u for u in units if _kind(game, game.counter[u]).values.get("class") == name]
        assert cups[f"csm-{name.lower()}"] >= len(armies) - (name == "C")
