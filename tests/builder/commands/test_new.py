from __future__ import annotations

from pathlib import Path

import pytest

from builder.commands.new import start
from fieldpost.cli import main
from fieldpost.definition import load


def test_a_new_game_has_its_own_id_and_title_and_no_faults(tmp_path: Path) -> None:
    folder = tmp_path / "steppe-raid"
    assert main(["new", str(folder), "--title", 'Raid: "the steppe"']) == 0
    game = load(folder)
    assert (game.id, game.title, game.map.id) == ("steppe-raid", 'Raid: "the steppe"', "steppe-raid")
    assert main(["lint", str(folder)]) == 0


def test_the_title_is_taken_from_the_folder(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "first-snow")]) == 0
    assert load(tmp_path / "first-snow").title == "First Snow"


def test_the_comments_of_the_example_stay(tmp_path: Path) -> None:
    start(tmp_path / "g", "g", "G")
    assert (tmp_path / "g" / "game.yaml").read_text().startswith("# ")


def test_a_folder_with_something_in_it_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    assert main(["new", str(tmp_path / "mine")]) == 2
    assert "exists already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["mine", "letter.txt"]


def test_a_name_that_is_no_id_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(tmp_path / "My Game!")]) == 2
    assert "my-game" in capsys.readouterr().err


def test_nothing_is_left_behind_where_it_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["new", str(tmp_path / "file" / "game")]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
