"""`fieldpost games`."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.definition import games_in_the_box, load
from fieldpost.definition.places import maps_in_the_box
from tests.fieldpost.commands.running import run
from tests.fieldpost.definition.patching import EXAMPLE, change, copy_of_example

Capture = pytest.CaptureFixture[str]


def test_every_game_in_the_box_is_listed_with_what_the_contract_says(capsys: Capture) -> None:
    result = run(capsys, "games", "--json")
    assert result.status == 0
    assert [entry["id"] for entry in result.json] == games_in_the_box()
    for entry in result.json:
        assert {"id", "title", "scenarios", "provenance"} <= entry.keys()
        for scenario in entry["scenarios"]:
            assert {"id", "title", "playable"} <= scenario.keys()
            assert scenario["playable"] or scenario["why_not"]


def test_every_table_counter_and_layer_says_where_it_comes_from(capsys: Capture) -> None:
    (entry,) = run(capsys, "games", "wfm", "--json").json
    game, provenance = load("wfm"), entry["provenance"]
    assert provenance["tables"].keys() == game.table.keys()
    assert all("source" in origin for origin in provenance["tables"].values())
    counted = sum(part["count"] for parts in provenance["counters"].values() for part in parts)
    assert counted == len(game.counters)
    cells = provenance["map"]["layers"]["grid terrain"]
    assert sum(cells.values()) == len(game.map.hexes)


def test_people_read_why_a_scenario_cannot_be_played(capsys: Capture) -> None:
    out = run(capsys, "games", "wfm").out
    assert "turning-point  Turning Point (turns 22-24)\n" in out
    assert "fall-barbarossa  Fall Barbarossa (turns 1-12): not playable yet, " in out
    assert "    table combat-results: reconstructed: " in out


def test_options_are_listed_with_their_default_first(capsys: Capture) -> None:
    assert "    strategic-panzer turn | one-phase: A panzer unit " in run(capsys, "games", "wfm").out
    (entry,) = run(capsys, "games", "wfm", "--json").json
    assert {option["id"] for option in entry["options"]} == {option.id for option in load("wfm").options}


def test_maps_that_have_no_game_yet_are_named(capsys: Capture) -> None:
    alone = sorted(set(maps_in_the_box()) - set(games_in_the_box()))
    out = run(capsys, "games").out
    assert [line for line in out.splitlines() if line.startswith("maps without a game yet")] == (
        [f"maps without a game yet: {', '.join(alone)}"] if alone else []
    )


def test_without_a_name_every_table_is_told_in_short(capsys: Capture) -> None:
    out = run(capsys, "games").out
    assert len(out.splitlines()) < 25 * len(games_in_the_box())
    for name in games_in_the_box():
        assert all(table in out for table in load(name).table)


def test_a_folder_of_ones_own_is_a_game_too(capsys: Capture) -> None:
    out = run(capsys, "games", EXAMPLE).out
    assert out.startswith("ferry-at-dawn  Ferry at Dawn")
    assert "map grid terrain: 1 rule, 41 editorial" in out


def test_a_game_that_cannot_be_read_is_named_and_the_others_listed(capsys: Capture, tmp_path: Path) -> None:
    broken = copy_of_example(tmp_path)
    change(broken / "game.yaml", "designer: The", "desinger: The")
    result = run(capsys, "games", broken, EXAMPLE)
    assert result.status == 2
    assert "cannot be used, 1 fault" in result.out
    assert "Ferry at Dawn" in result.out


def test_how_a_scenario_is_won_and_what_hangs_on_an_option_is_shown(capsys: Capture) -> None:
    out = " ".join(run(capsys, "games", "wfm").out.split())
    assert "58 or more: Axis victory; 51 to 57: Draw; 50 or less: Soviet victory" in out
    (entry,) = run(capsys, "games", "wfm", "--json").json
    for scenario in load("wfm").scenarios:
        shown = next(row["victory"] for row in entry["scenarios"] if row["id"] == scenario.id)
        assert shown["text"] == (scenario.victory.text if scenario.victory else None)
    for option in load("wfm").options:
        assert not option.note or " ".join(option.note.split()) in out


def test_rights_are_shown(capsys: Capture) -> None:
    assert "  rights: private (docs/rights.md)\n" in run(capsys, "games", "wfm").out
    own, others = run(capsys, "games", EXAMPLE, "wfm", "--json").json
    assert (own["rights"], own["publishable"]) == ("own", True)
    assert (others["rights"], others["publishable"]) == ("private", False)
