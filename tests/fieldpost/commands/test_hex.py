"""`fieldpost hex`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fieldpost.commands.running import run
from tests.fieldpost.definition.patching import EXAMPLE, change, copy_of_example

Capture = pytest.CaptureFixture[str]


def test_a_hex_as_data_holds_what_the_contract_says(capsys: Capture) -> None:
    facts = run(capsys, "hex", EXAMPLE, "0504", "--json").json
    assert facts["game"] == "ferry-at-dawn"
    assert facts["label"] == "0504"
    assert facts["sheet"] == "A"
    assert facts["terrain"] == "forest"
    assert facts["country"] == "red-bank"
    assert [(p["name"], p["kind"]) for p in facts["places"]] == [("Ferry House", "village")]
    assert facts["neighbours"] == ["0503", "0603", "0604", "0505", "0404", "0403"]
    assert facts["hexsides"] == {
        "0503/0504": [],
        "0504/0603": [],
        "0504/0604": [],
        "0504/0505": [],
        "0404/0504": ["river"],
        "0403/0504": ["ferry"],
    }


def test_each_fact_says_what_it_rests_on(capsys: Capture) -> None:
    facts = run(capsys, "hex", EXAMPLE, "0504", "--json").json
    assert facts["grids"]["terrain"]["rule"] == "6.1"
    assert facts["grids"]["country"]["source"] == "editorial"
    assert facts["places"][0]["rule"] == "6.1"
    assert facts["hexside_facts"]["0404/0504"]["along"][0]["name"] == "Long Water"
    assert facts["hexside_facts"]["0504/0603"]["crossed_by"] == ["road"]


def test_the_owner_at_start_is_the_scenarios(capsys: Capture) -> None:
    start = run(capsys, "hex", EXAMPLE, "0504", "--json").json["at_start"]["dawn"]
    assert (start["owner"], start["because"], start["units"]) == ("red", "control", ["FerryR"])
    start = run(capsys, "hex", EXAMPLE, "0402", "--json").json["at_start"]["dawn"]
    assert (start["owner"], start["because"]) == ("blue", "units")
    start = run(capsys, "hex", EXAMPLE, "0201", "--json").json["at_start"]["dawn"]
    assert (start["owner"], start["because"], start["rule"]) == ("blue", "rule", "3.2")


def test_people_read_it_in_a_glance(capsys: Capture) -> None:
    out = run(capsys, "hex", EXAMPLE, "0504").out
    assert out.startswith("0504  Ferry House (Village)  [ferry-at-dawn, sheet A]\n")
    assert "  terrain: forest (rule 6.1) - The landing lies under trees.\n" in out
    assert "    SW 0404/0504: Long Water (River; editorial)\n" in out
    assert "    NE 0504/0603: Road crosses\n" in out
    assert "  at start of dawn: red (by the scenario); units FerryR\n" in out


def test_a_corner_hex_has_fewer_neighbours(capsys: Capture) -> None:
    facts = run(capsys, "hex", EXAMPLE, "0101", "--json").json
    assert facts["neighbours"] == ["0201", "0102"]
    assert facts["areas"][0]["id"] == "blue-bank"
    assert run(capsys, "hex", EXAMPLE, "0703", "--json").json["edges"] == ["E"]


def test_moscow_is_where_the_rulebook_says(capsys: Capture) -> None:
    facts = run(capsys, "hex", "wfm", "2706", "--json").json
    assert ("Moscow", "major-city") in [(p["name"], p["kind"]) for p in facts["places"]]


def test_a_hex_on_two_sheets_has_two_labels(capsys: Capture) -> None:
    facts = run(capsys, "hex", "wfm", "E4717", "--json").json
    assert (facts["label"], facts["aliases"], facts["sheet"]) == ("4701", ["E4717"], "C")


def test_a_scenario_reads_bare_numbers_on_its_sheet(capsys: Capture) -> None:
    facts = run(capsys, "hex", "wfm", "4708", "--scenario", "turning-point", "--json").json
    assert facts["places"][0]["name"] == "Stalingrad"
    assert facts["at_start"]["turning-point"]["units"] == ["62A"]


def test_a_hex_of_the_lattice_that_the_map_has_not_is_refused(capsys: Capture, tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "map" / "map.yaml", "low: 1, high: 7", "low: 1, high: 9")
    result = run(capsys, "hex", game, "0903")
    assert result.status == 2
    assert result.err == "fieldpost: 0903 is not on the map of ferry-at-dawn\nNear it are 0702, 0703, 0704.\n"


def test_people_read_of_edges_supply_and_areas(capsys: Capture) -> None:
    out = run(capsys, "hex", EXAMPLE, "0701").out
    assert "  map edge: E\n" in out
    assert "red (by rule 3.2); supply source of red" in out
    assert "outside the playing area" in run(capsys, "hex", "wfm", "2706", "--scenario", "turning-point").out


def test_an_overlay_is_seen(capsys: Capture, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("game: ferry-at-dawn\nhexes: [{hexes: '0504', grid: terrain, value: hill}]\n")
    facts = run(capsys, "hex", EXAMPLE, "0504", "--overlay", mine, "--json").json
    assert facts["terrain"] == "hill"
    assert facts["grids"]["terrain"]["source"] == "owner"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["0909"], "A label looks like 0101."),
        (["Moscow"], "there is no hex 'Moscow'"),
        (["0504", "--scenario", "dwan"], "Did you mean dawn?"),
    ],
)
def test_wrong_input_ends_with_status_2_and_a_helpful_line(
    capsys: Capture, arguments: list[str], words: str
) -> None:
    result = run(capsys, "hex", EXAMPLE, *arguments)
    assert result.status == 2
    assert words in result.err


def test_a_place_is_found_by_its_name(capsys: Capture) -> None:
    assert run(capsys, "hex", EXAMPLE, "ferry house", "--json").json["label"] == "0504"
    assert run(capsys, "hex", EXAMPLE, "Ferry Castle").status == 2
