"""Copies for publishing hold what every player may see, and no byte of what is hidden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.vassal import archive, steps
from fieldpost.vassal.table import Table
from tests import oracle_files
from tests import secret_game as game
from tests.secret_game import BLUE
from tests.validator.anygame import test_hidden as hidden


def sealed(log: Path, module: Path | None, folder: Path, *more: str) -> Path:
    copy = folder / "sealed.vlog"
    known = ["--module", str(module)] if module else []
    assert main(["scrub", str(log), str(copy), "--seal", *known, *more]) == 0
    return copy


def module_of(folder: Path) -> Path:
    path = folder / "module.vmod"
    path.write_bytes(game.module(hidden.LOCATIONS))
    return path


def moves(line: str) -> list[str]:
    """Each move of a line by its number, without who made it; cards and covered pieces are left out."""
    number, _, said = line.replace("Oracle Tester: ", "").strip().partition(" ")
    known = (one for one in said.split(".") if " moves from " in one and not re.search(r"\?|ard\b|deck", one))
    return [f"{number} {one.strip()}" for one in known]


@pytest.mark.parametrize("with_module", [True, False])
@pytest.mark.parametrize("way", hidden.LEAKS)
def test_no_secret_is_in_the_bytes_of_a_sealed_copy(way: str, with_module: bool, tmp_path: Path) -> None:
    setup, step = hidden.LEAKS[way]
    (tmp_path / "log").mkdir()
    log = game.write(tmp_path / "log" / "game.vlog", game.log(setup, [step, []]))
    copy = sealed(log, module_of(tmp_path) if with_module else None, tmp_path)
    text = archive.read(copy).text or ""
    assert "SECRET" not in text
    assert BLUE not in text
    assert len(steps.read(copy).steps) == 2


def test_a_piece_comes_and_goes_as_all_see_it(tmp_path: Path) -> None:
    shown = [hidden.turned(["null"], [BLUE], hidden.HILL)]
    away = [hidden.turned([BLUE], ["null"], hidden.MILL)]
    setup = hidden.unit([hidden.HIDE], [BLUE], hidden.HILL)
    log = game.write(
        tmp_path / "game.vlog", game.log(setup, [shown, hidden.drag(hidden.HILL, hidden.MILL), away])
    )
    copy = steps.read(sealed(log, module_of(tmp_path), tmp_path))
    table = Table.of(copy)
    seen = []
    for step in copy.steps:
        table.step(step)
        seen.append([(piece.name, piece.place.x) for piece in table.pieces.values()])
    assert seen == [[("SECRET-NAME", 100)], [("SECRET-NAME", 200)], []]


@pytest.mark.parametrize("name", ["oracle", "random1", "random2", "random3"])
def test_a_sealed_copy_says_what_the_log_says(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ["--module", str(oracle_files.MODULE)]
    log = oracle_files.log(name)
    copy = sealed(log, oracle_files.MODULE, tmp_path)
    capsys.readouterr()
    told = []
    for one in (log, copy):
        assert main(["tell", str(one), *known]) == 0
        lines = capsys.readouterr().out.splitlines()
        told.append({said for line in lines for said in moves(line)})
    assert told[0]
    assert told[0] == told[1]


def test_ids_in_a_copy_cannot_be_typed_and_differ_from_copy_to_copy(tmp_path: Path) -> None:
    found = set()
    for number in range(2):
        copy = tmp_path / f"copy{number}.vlog"
        assert main(["scrub", str(oracle_files.log("oracle")), str(copy)]) == 0
        text = archive.read(copy).text or ""
        (sat,) = {part for part in text.split("\x1b") if part.startswith("PLAYER\t")}
        id = sat.split("\t")[1]
        assert "\n" in id  # a field for passwords takes one line
        found.add(id)
    assert len(found) == 2


def test_what_a_copy_still_holds_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scrub", str(oracle_files.log("oracle")), str(tmp_path / "copy.vlog")]) == 0
    assert "Still in it: the faces of masked and hidden pieces" in capsys.readouterr().out


def test_nobody_is_no_password(tmp_path: Path) -> None:
    setup = hidden.unit([hidden.MASK], ["nobody;false|0"], hidden.HILL)
    log = game.write(tmp_path / "game.vlog", game.log(setup, [["CHAT<Ann> - nobody moves"]]))
    assert main(["scrub", str(log), str(tmp_path / "copy.vlog")]) == 0
    text = archive.read(tmp_path / "copy.vlog").text or ""
    assert "nobody;false|0" in text
    assert "nobody moves" in text


def test_a_player_is_the_same_in_all_copies_of_one_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = hidden.unit([hidden.HIDE], [BLUE], hidden.HILL)
    logs = [
        game.write(tmp_path / "one.vlog", game.log(owner, [])),
        game.write(tmp_path / "two.vlog", game.log(owner, [], [f"PLAYER\t{game.RED}\tRolf\tRed"])),
    ]
    assert main(["scrub", *map(str, logs), str(tmp_path / "copies"), "--names"]) == 0
    assert capsys.readouterr().out.count("2 passwords taken out") == 2
    texts = [archive.read(tmp_path / "copies" / log.name).text or "" for log in logs]
    owners = {re.search(r"hide;.*?/(player-\d\n\w{16})\t", text, re.DOTALL)[1] for text in texts}  # type: ignore[index]
    assert len(owners) == 1
