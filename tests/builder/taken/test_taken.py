"""A module taken in builds a module with the same pieces in the same hexes; what is edited changes."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from builder.taken import pieces, rebuild, setups, take_apart
from fieldpost.cli import main
from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive, steps
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from tests import oracle_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    take_apart.take(oracle_files.MODULE, tmp_path / "demo")
    return tmp_path / "demo"


def positions(module: Path, setup: str) -> dict[str, Any]:
    log = steps.of(archive.member(module.read_bytes(), module.name, setup))
    return {
        id: (piece.place, piece.states[:-1], piece.type.text, piece.parent and piece.parent.members)
        for id, piece in Table.of(log).pieces.items()
    }


def test_the_module_comes_out_as_it_went_in(folder: Path) -> None:
    made = rebuild.make(folder, folder.parent)
    before, after = Module.read(oracle_files.MODULE), Module.read(made.path)
    assert after.root == before.root
    assert after.entries == before.entries
    assert positions(made.path, "battle.vsav") == positions(oracle_files.MODULE, "battle.vsav")


def test_a_piece_moves_by_its_hex_in_the_scenario(folder: Path) -> None:
    scenario = folder / "scenarios" / "battle.yaml"
    text = scenario.read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    stack = next(one for one in data["pieces"] if one.get("holds") == "stack" and one["at"] == "0305")
    stack["at"] = "0707"
    scenario.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    made = rebuild.make(folder, folder.parent)
    module = Module.read(made.path)
    moved = [place for place, *_ in positions(made.path, "battle.vsav").values() if place.map == "Main Map"]
    assert module.pixel("Main Map", "0707") in [(place.x, place.y) for place in moved]
    assert module.pixel("Main Map", "0305") not in [(place.x, place.y) for place in moved]


def test_a_piece_taken_out_of_the_yaml_is_out_of_the_module(folder: Path) -> None:
    maps = folder / "maps.yaml"
    data = yaml.safe_load(maps.read_text(encoding="utf-8"))
    first = data["maps"][0]
    first["holds"] = [one for one in first["holds"] if one.get("name") != "Blue start"]
    maps.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    made = rebuild.make(folder, folder.parent)
    assert made.pieces < 13


def test_names_of_sides_and_dice_are_said_in_yaml(folder: Path) -> None:
    said = folder / "module.yaml"
    text = said.read_text(encoding="utf-8").replace("name: Red", "name: Crimson").replace("2d6", "two dice")
    said.write_text(text, encoding="utf-8")
    module = Module.read(rebuild.make(folder, folder.parent).path)
    assert "Crimson" in module.sides
    assert "two dice" in [die.name for die in module.dice]


def test_the_version_does_not_lead_out_of_the_folder(folder: Path) -> None:
    said = folder / "module.yaml"
    text = said.read_text(encoding="utf-8").replace("version: '1.0'", "version: '../../x y'")
    assert "../../x y" in text
    said.write_text(text, encoding="utf-8")
    made = rebuild.make(folder, folder.parent / "dist")
    assert made.path == folder.parent / "dist" / "Oracle-Demo-x-y.vmod"


def test_no_password_goes_into_the_data(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            assert oracle_files.PASSWORD.encode() not in path.read_bytes(), path.name


def test_every_slot_says_its_prototypes_and_its_traits() -> None:
    for part in Module.read(oracle_files.MODULE).root.all(".PieceSlot"):
        piece = pieces.take(part.text)
        assert "text" not in piece
        assert pieces.give(piece) == part.text


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("module.yaml", "format: [", "no sound YAML"),
        ("module.yaml", "format: other", "not of the format"),
        ("maps.yaml", "- a list", "a list of settings was expected"),
        ("maps.yaml", "maps: [{is: map}]", "an entry without its part"),
        ("rest.xml", "<a>", "no sound XML"),
        ("scenarios/battle.yaml", "pieces: [{id: a, type: 700}]", "no type 700"),
        ("scenarios/battle.yaml", "pieces: [{id: a, type: 0, traits: {99: x}}]", "no trait 99"),
        ("pieces.yaml", "types: [", "no sound YAML"),
    ],
)
def test_a_slip_in_the_data_is_told_with_its_file(folder: Path, file: str, text: str, said: str) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(FieldpostError, match=said) as caught:
        rebuild.make(folder, folder.parent)
    assert Path(file).name in caught.value.message


def test_import_and_build_as_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "game"
    assert main(["import", str(oracle_files.MODULE), "-o", str(folder)]) == 0
    assert "13 pieces" in capsys.readouterr().out
    assert main(["import", str(oracle_files.MODULE), "-o", str(folder)]) == 2
    assert main(["build", str(folder), "-o", str(tmp_path / "dist")]) == 0
    assert (tmp_path / "dist" / "Oracle-Demo-1.0.vmod").is_file()


def test_an_import_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise FieldpostError("too late")

    monkeypatch.setattr("builder.taken.game.write", fail)
    with pytest.raises(FieldpostError, match="too late"):
        take_apart.take(oracle_files.MODULE, tmp_path / "demo")
    assert list(tmp_path.iterdir()) == []


def test_a_set_up_that_cannot_be_read_is_named_and_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(oracle_files.MODULE) as packed:
        entries = {name: packed.read(name) for name in packed.namelist()}
    (tmp_path / "module.vmod").write_bytes(archive.pack(entries | {"battle.vsav": b"no saved game"}))
    taken = take_apart.take(tmp_path / "module.vmod", tmp_path / "demo")
    assert any("battle.vsav is left out, it cannot be read" in line for line in taken.confirm)
    assert not (tmp_path / "demo" / "scenarios" / "battle.yaml").exists()


def test_empty_stacks_are_left_out() -> None:
    empty, full = "+/14480/stack/null;0;0;@@-1", "+/14481/stack/null;0;0;17013;@@-1"
    on_map = "+/14483/stack/Main Map;465;359;@@4"
    for mark in ("\x1b", "\\\x1b"):
        kept = ["begin", full, "+/14482/stack/Main Map;465;359;17014", "end"]
        text = mark.join([kept[0], empty, *kept[1:3], empty, on_map, kept[3]])
        assert setups.without_leftovers(text) == (mark.join(kept), 3)
    first_of_a_group = f"begin\x1b{empty}\\\x1b{full}\x1bend"
    assert setups.without_leftovers(first_of_a_group) == (first_of_a_group, 0)


def test_what_was_guessed_is_listed_to_confirm(folder: Path) -> None:
    text = (folder / "CONFIRM.md").read_text(encoding="utf-8")
    assert "| pieces of | types | pieces | sides |" in text
    assert "| Main Map / Blue start | 1 | 2 | Blue |" in text
    assert "## Passed through" in text


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("../outside.png", b"x", "points outside the archive"),
        ("buildFile.xml", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "defines its own entities"),
        ("buildFile.xml", b"<VASSAL.build.GameModule>", "no sound XML"),
    ],
)
@pytest.mark.parametrize("command", ["import", "inspect"])
def test_a_hostile_module_is_refused_with_its_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / "hostile.vmod"
    path.write_bytes(archive.pack({"buildFile.xml": b"<VASSAL.build.GameModule/>", name: content}))
    target = ["-o", str(tmp_path / "data")] if command == "import" else []
    assert main([command, str(path), *target]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_a_side_is_known_by_the_names_of_its_people() -> None:
    assert take_apart._names_side("Prussian", "Pieces / Prussia / I Corps", ())
    assert take_apart._names_side("Soviet", "Units", ("Soviets",))
    assert not take_apart._names_side("Red", "Reduced", ())
