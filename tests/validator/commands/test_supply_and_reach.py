"""`fieldpost supply` and `fieldpost reach`: what they say, as text, data and picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from tests.validator.commands.asking import answer, said

SET_UP = ["--game", "wfm", "--scenario", "turning-point"]
SHEET = """game wfm turning-point
turn 22 supply
mark PzKG-2 out-of-supply
turn 22 sov-combat
turn 22 sov-move
move 24A 4509-4409
"""


@pytest.fixture
def turn(tmp_path: Path) -> str:
    path = tmp_path / "turn.txt"
    path.write_text(SHEET)
    return str(path)


def test_supply_of_a_set_up_names_each_unit_its_line_and_its_length(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = answer(capsys, "supply", *SET_UP)
    units = {unit["unit"]: unit for unit in data["units"]}
    assert len(units) == 49
    italians = units["It8A"]
    assert (italians["status"], italians["by"]) == ("supplied", "source")
    assert (italians["length"], italians["limit"]) == ("2", "4")
    assert [label[-4:] for label in italians["line"]] == ["4516", "4617", "4717"]
    assert {name for name, unit in units.items() if unit["status"] != "supplied"} == {"PzKG-2"}


def test_supply_tells_what_cuts_a_line_and_how_the_unit_is_marked(
    capsys: pytest.CaptureFixture[str], turn: str
) -> None:
    (unit,) = answer(capsys, "supply", turn, "--wanting")["units"]
    assert (unit["unit"], unit["status"], unit["marked"]) == ("PzKG-2", "out of supply", "out of supply")
    assert unit["text"].startswith("5 1/2 hexes to SD-2 ")
    assert "4 allowed" in unit["text"]
    assert "now marked" not in said(capsys, "supply", turn, "--wanting")
    assert "now marked supplied" in said(capsys, "supply", *SET_UP, "--wanting")


def test_supply_looks_at_the_end_of_the_file(capsys: pytest.CaptureFixture[str], turn: str) -> None:
    data = answer(capsys, "supply", turn, "--unit", "24A")
    assert (data["turn"], data["phase"]) == (22, "sov-move")
    assert data["units"][0]["hex"].endswith("4409")


def test_supply_of_one_side_only(capsys: pytest.CaptureFixture[str]) -> None:
    sides = {unit["side"] for unit in answer(capsys, "supply", *SET_UP, "--side", "soviet")["units"]}
    assert sides == {"soviet"}


def test_depots_tell_their_chain(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "supply", *SET_UP, "--unit", "SD-2")
    assert "in the chain by SD-1" in text
    assert text.count("source") == 1


def test_reach_prices_every_hex_and_shows_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "reach", "3PzK", *SET_UP)
    costs = {h["hex"][-4:]: h for h in data["hexes"]}
    assert (data["turn"], data["phase"]) == (22, "ger-mech")  # 16.45: no axis-move in turn 22
    assert data["budget"] == "7"
    assert all(h["path"][0].endswith("6407") for h in costs.values())
    assert costs["6307"]["cost"] == "4"  # one, and three for leaving the zone of the army in 6406
    assert "6406" not in costs


def test_reach_knows_the_phases_that_check_knows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = answer(capsys, "reach", "11AK", *SET_UP)
    assert (data["turn"], data["phase"]) == (23, "axis-move")
    path = tmp_path / "turn.txt"
    path.write_text("game wfm turning-point\nturn 22 axis-move\nsay hello\n")
    data = answer(capsys, "reach", str(path), "3PzK")
    assert (data["turn"], data["phase"]) == (22, "ger-mech")


def test_a_list_of_the_wanting_says_how_many_of_how_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Axis: 1 of 25 units not in supply" in said(capsys, "supply", *SET_UP, "--wanting")
    assert "Soviet: 0 of 24 units not in supply" in said(capsys, "supply", *SET_UP, "--wanting")


def test_unit_beside_the_enemy_may_always_go_one_hex(capsys: pytest.CaptureFixture[str]) -> None:
    (only,) = answer(capsys, "reach", "51AK", *SET_UP)["hexes"]
    assert (only["hex"][-4:], only["minimum"]) == ("4710", True)
    assert "1 hex for up to 4 points" in said(capsys, "reach", "51AK", *SET_UP)


def test_reach_answers_whether_a_hex_can_be_reached(capsys: pytest.CaptureFixture[str]) -> None:
    can = answer(capsys, "reach", "40PzK", *SET_UP, "--to", "6106")["to"]
    cannot = answer(capsys, "reach", "3PzK", *SET_UP, "--to", "5505")["to"]
    assert can["reached"] is True
    assert cannot["reached"] is False
    assert "13 MP needed, 7 available" in cannot["text"]


def test_reach_by_other_ways_of_moving(capsys: pytest.CaptureFixture[str]) -> None:
    assert "may not use strategic movement" in said(capsys, "reach", "4AB", *SET_UP, "--mode", "strategic")
    assert "no unit moves by sea" in said(capsys, "reach", "37A", *SET_UP, "--mode", "sea")


@pytest.mark.parametrize("command", [["supply"], ["reach", "3PzK"]])
def test_picture_is_drawn_beside_and_renamed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]
) -> None:
    path = tmp_path / "out.png"
    said(capsys, *command, *SET_UP, "--picture", str(path))
    with Image.open(path) as image:
        colours = image.convert("RGB").getcolors(1 << 20) or []
        assert min(image.size) > 300
    assert len(colours) > 20
    assert [p.name for p in tmp_path.iterdir()] == ["out.png"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["supply"], "no file to read"),
        (["supply", *SET_UP, "--side", "red"], "no side 'red'"),
        (["supply", *SET_UP, "--unit", "99A"], "'99A' is no unit"),
        (["supply", *SET_UP, "--picture", "map.gif"], "pictures are PNG"),
        (["supply", "--game", "wfm", "--scenario", "x"], "no scenario 'x'"),
        (["reach", "3PzX", *SET_UP], "no unit '3PzX'"),
        (["reach", "57PzK", *SET_UP], "not on the map"),
        (["reach", "3PzK", *SET_UP, "--to", "9999"], "no hex '9999'"),
        (["reach", "3PzK", *SET_UP, "--to", "E2101"], "not in play"),
        (["reach", "3PzK", *SET_UP, "--mode", "fly"], "no way of moving 'fly'"),
    ],
)
def test_what_a_user_can_get_wrong_is_said(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert words in said(capsys, *arguments, status=2)
