"""`fieldpost new`: what it makes is a whole game with its own names."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.definition import load
from tests.fieldpost.commands.running import run

Capture = pytest.CaptureFixture[str]


def test_a_new_game_has_no_faults_and_bears_its_folders_name(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "deep" / "hill-112"
    assert run(capsys, "new", folder).status == 0
    assert run(capsys, "lint", folder).status == 0
    game = load(str(folder))
    assert (game.id, game.title) == ("hill-112", "Hill 112")


def test_a_title_may_hold_any_character(tmp_path: Path, capsys: Capture) -> None:
    title = 'The "Bridge": a \\ game # of 2'
    assert run(capsys, "new", tmp_path / "bridge", "--title", title).status == 0
    assert load(str(tmp_path / "bridge")).title == title


def test_it_says_what_to_do_next(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "mine"
    told = run(capsys, "new", folder).out
    assert "42 hexes, 10 counters" in told
    assert f"fieldpost lint {folder}" in told
    assert f"fieldpost build {folder}" in told


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path, capsys: Capture) -> None:
    kept = tmp_path / "mine" / "notes.txt"
    kept.parent.mkdir()
    kept.write_text("mine")
    result = run(capsys, "new", kept.parent)
    assert result.status == 2
    assert "exists already" in result.err
    assert [path.name for path in tmp_path.rglob("*")] == ["mine", "notes.txt"]


@pytest.mark.parametrize("name", ["---", "日本", "My Game"])
def test_a_name_that_is_no_id_is_refused(name: str, tmp_path: Path, capsys: Capture) -> None:
    result = run(capsys, "new", tmp_path / name)
    assert result.status == 2
    assert "small letters, figures and hyphens" in result.err
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").touch()
    result = run(capsys, "new", tmp_path / "file" / "game")
    assert result.status == 2
    assert "Not a directory" in result.err
