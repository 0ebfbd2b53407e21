"""`fieldpost supply` and `fieldpost reach` for Land Without End: supply, Rollbahnen, Directive 3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.validator.commands.asking import answer, said

SET_UP = ["--game", "lwe", "--scenario", "army-group-centre"]
# 13Pz has opened the road from Lvov, 44ID stands beyond the GAS Line, 10RD is shut in at the western edge.
SHEET = """game lwe campaign
turn 9 turn-start
{first}
remove 6RC
remove 49RC
remove 24Mech
move 13Pz 1024-1025-1125-1126-1227-1327-1428-1528-1529-1630-1730-1831-1931-2032-2132-2133-2234-2334-2435-2535
move 13Pz 2535-2636-2736-2837-2838-2839-2939-3040
place 44ID 3340
place 14Pz 3818
place 10RD 1018
place 7ID 1017
place 23ID 1019
place 258ID 1117
place 268ID 1118
place ICA 2141
mark 44ID out-of-supply:2
mark 13Pz out-of-supply:2
turn 9 german-move
"""


def sheet(folder: Path, first: str) -> str:
    path = folder / "turn.txt"
    path.write_text(SHEET.format(first=first))
    return str(path)


@pytest.fixture
def turn(tmp_path: Path) -> str:
    """Directive 3 is ended."""
    return sheet(tmp_path, "declare rescind-dd3")


def test_all_units_of_the_set_up_are_in_supply_and_tell_their_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    units = {unit["unit"]: unit for unit in answer(capsys, "supply", *SET_UP)["units"]}
    assert {unit["status"] for unit in units.values()} == {"supplied"}
    panzers = units["3Pz"]
    assert (panzers["by"], panzers["length"], panzers["limit"]) == ("source", "3", "12")
    assert panzers["line"] == ["1319", "1219", "1118", "1018"]
    assert (units["1RC"]["by"], units["1RC"]["limit"]) == ("source", None)
    assert "German: 0 of 47 units not in supply" in said(capsys, "supply", *SET_UP, "--wanting")


def test_supply_tells_the_rollbahn_and_who_is_beyond_the_gas_line(
    capsys: pytest.CaptureFixture[str], turn: str
) -> None:
    units = {unit["unit"]: unit for unit in answer(capsys, "supply", turn, "--side", "german")["units"]}
    assert (units["13Pz"]["status"], units["13Pz"]["by"]) == ("supplied", "Rollbahn")
    assert units["44ID"]["status"] == "attenuated"
    assert "beyond the GAS Line" in units["44ID"]["text"]
    assert units["14Pz"]["status"] == "out of supply"
    wanting = said(capsys, "supply", turn, "--side", "german", "--wanting")
    assert "14Pz" in wanting
    assert "44ID" not in wanting


def test_a_marker_that_differs_is_told_and_none_is_asked_for(
    capsys: pytest.CaptureFixture[str], turn: str
) -> None:
    text = said(capsys, "supply", turn, "--unit", "13Pz", "--unit", "44ID", "--unit", "14Pz")
    assert text.count("now marked") == 1
    assert "(now marked attenuated)" in next(row for row in text.splitlines() if "13Pz" in row)


def test_directive_3_supplies_a_unit_that_is_shut_in(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, turn: str
) -> None:
    (ended,) = answer(capsys, "supply", turn, "--unit", "10RD")["units"]
    assert (ended["status"], ended["by"]) == ("out of supply", "")
    (in_force,) = answer(capsys, "supply", sheet(tmp_path, ""), "--unit", "10RD")["units"]
    assert (in_force["status"], in_force["by"]) == ("supplied", "Directive 3")
    assert "no open line from 1018" in in_force["text"]


def test_reach_prices_every_hex_of_the_first_turn(capsys: pytest.CaptureFixture[str]) -> None:
    data = answer(capsys, "reach", "3Pz", *SET_UP)
    costs = {h["hex"]: h["cost"] for h in data["hexes"]}
    assert (data["phase"], data["budget"]) == ("german-move", "14")
    assert costs["1219"] == "1"
    assert "1420" not in costs  # Brest-Litovsk is held
    assert "Stacking" not in said(capsys, "reach", "3Pz", *SET_UP)


def test_a_rollbahn_leads_farther_than_the_allowance(capsys: pytest.CaptureFixture[str], turn: str) -> None:
    along = answer(capsys, "reach", turn, "13Pz", "--to", "2132")["to"]
    assert along["reached"] is True
    assert "12 of 12 MP" in along["text"]
    assert answer(capsys, "reach", turn, "13Pz")["budget"] == "10"


def test_germans_do_not_reach_hexes_out_of_supply(capsys: pytest.CaptureFixture[str], turn: str) -> None:
    far = answer(capsys, "reach", turn, "44ID", "--to", "3540")["to"]
    assert far["reached"] is True
    assert "is out of supply and may not move" in said(capsys, "reach", turn, "14Pz")
    out = answer(capsys, "reach", turn, "13Pz", "--to", "2341")["to"]
    assert out["reached"] is False
    assert "moves out of supply: no open line of 12 hexes from 2341" in out["text"]


def reached(
    capsys: pytest.CaptureFixture[str], folder: Path, unit: str, *lines: str, mode: str = "march"
) -> Any:
    path = folder / "asked.txt"
    path.write_text("\n".join(["game lwe campaign", "position empty", *lines, ""]))
    return answer(capsys, "reach", str(path), unit, "--mode", mode)


def hexes(data: Any) -> set[str]:
    return {h["hex"] for h in data["hexes"]}


def test_an_empty_city_or_line_hex_is_german_once_it_is_entered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    held = "1926+1927+2028+2128+2229+2328+1826+1725+1625+1524+1424+1423+1322+1222+1121+1021"
    moment = "turn 2 german-move"
    data = reached(capsys, tmp_path, "9ID", "given place 9ID 2429", f"given control {held} german", moment)
    assert {"2529", "2227"} <= hexes(data)
    given = "given place 9ID 1929", "given control 1928+1929 german"
    assert {"1830", "2028", "2227"} <= hexes(reached(capsys, tmp_path, "9ID", *given, moment))


def test_hexes_of_other_nations_and_beyond_the_sector_line_are_not_offered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = "given place 257ID 1211", "given place R2 1213", "given place CSIR 1211", "turn 2 german-move"
    near = hexes(reached(capsys, tmp_path, "257ID", *given))
    assert "1112" in near
    assert "1213" not in near
    assert hexes(reached(capsys, tmp_path, "CSIR", *given)) == set()


def test_full_ports_are_not_offered(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = "given place ICA 2548", "given place 17RC 3348", "turn 5 soviet-move"
    assert "3348" in hexes(reached(capsys, tmp_path, "ICA", *given, mode="sea"))
    full = reached(capsys, tmp_path, "ICA", "given place 28RC 3348", *given, mode="sea")
    assert "3348" not in hexes(full)


def test_reach_shows_mobile_assaults_and_the_extra_hexes_of_a_rollbahn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = answer(capsys, "reach", "3Pz", *SET_UP)
    assert {"hex": "1421", "from": "1320", "cost": "7", "by": "mobile assault"} in data["targets"]
    assert all(int(target["cost"]) <= 14 for target in data["targets"])
    along = reached(capsys, tmp_path, "9ID", "given place 9ID 1711", "turn 4 german-move")
    extra = [h for h in along["hexes"] if h["bonus"]]
    assert {h["cost"] for h in extra} == {"6"}
    assert along["leaves_out"] == [
        "The unit moves alone: what units that move first change, or a stack does together, is not looked at."
    ]


@pytest.mark.parametrize(
    ("unit", "mode", "words"),
    [
        ("FZ-2913", "march", "FZ-2913 is static"),
        ("ICA", "march", "ICA moves by sea only"),
        ("21RC", "sea", "does not move by sea: rifle corps units never do"),
        ("13Pz", "sea", "does not move by sea: no unit of the German side does"),
    ],
)
def test_units_that_do_not_move_so_say_why(
    capsys: pytest.CaptureFixture[str], turn: str, unit: str, mode: str, words: str
) -> None:
    assert words in said(capsys, "reach", turn, unit, "--mode", mode)


def test_the_coastal_army_sails_to_soviet_ports(capsys: pytest.CaptureFixture[str], turn: str) -> None:
    ports = {h["hex"] for h in answer(capsys, "reach", turn, "ICA", "--mode", "sea")["hexes"]}
    assert "2548" in ports
    assert "1041" not in ports


@pytest.mark.parametrize("command", [["supply"], ["reach", "3Pz"]])
def test_picture_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "out.png"
    said(capsys, *command, *SET_UP, "--picture", str(path))
    with Image.open(path) as image:
        assert len(image.convert("RGB").getcolors(1 << 20) or []) > 20
