"""`fieldpost lint`."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.definition import games_in_the_box
from tests.fieldpost.commands.running import run
from tests.fieldpost.definition.patching import EXAMPLE, change, copy_of_example

Capture = pytest.CaptureFixture[str]


def test_a_sound_game_ends_with_status_0(capsys: Capture) -> None:
    result = run(capsys, "lint", EXAMPLE)
    assert result.status == 0
    assert "no faults (42 hexes, 10 counters, 2 tables, 1 scenario)" in result.out


def test_a_faulty_game_ends_with_status_2_and_shows_the_line(capsys: Capture, tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "counters.yaml", "type: blue-tanks", "type: blue-tank")
    result = run(capsys, "lint", game)
    assert result.status == 2
    assert "counters.yaml:9:11: there is no unit type 'blue-tank'" in result.out
    assert "  - type: blue-tank" in result.out
    assert "did you mean: blue-tanks" in result.out
    assert result.out.rstrip().endswith("one fault")


def test_faults_are_data_too(capsys: Capture, tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "counters.yaml", "type: blue-tanks", "type: blue-tank")
    result = run(capsys, "lint", game, "--json")
    assert result.status == 2
    ((entry),) = result.json
    assert entry["ok"] is False
    (problem,) = entry["problems"]
    assert (problem["line"], problem["column"], problem["nearest"]) == (9, 11, "blue-tanks")


def test_without_a_game_every_game_in_the_box_is_checked(capsys: Capture) -> None:
    result = run(capsys, "lint", "--json")
    assert [entry["game"] for entry in result.json] == games_in_the_box()


def test_an_overlay_is_checked_with_its_game(capsys: Capture, tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("game: ferry-at-dawn\ncounters: [{id: TankB, steps: [1-1]}]\n")
    result = run(capsys, "lint", EXAMPLE, "--overlay", mine)
    assert result.status == 2
    assert "mine.yaml:2:32: '1-1' does not fit" in result.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lint", "wfn"], "Did you mean wfm?"),
        (["lint", "wfm", "--overlay", "no-such-file.yaml"], "there is no overlay file"),
        (["lint", "--overlay", "mine.yaml"], "an overlay is of one game"),
        (["lint", "--schema", "gmae"], "invalid choice"),
    ],
)
def test_wrong_input_ends_with_status_2_and_a_helpful_line(
    capsys: Capture, arguments: list[str], words: str
) -> None:
    result = run(capsys, *arguments)
    assert result.status == 2
    assert words in result.err


def test_a_schema_is_printed(capsys: Capture) -> None:
    result = run(capsys, "lint", "--schema", "scenario")
    assert result.status == 0
    assert result.json["title"] == "fieldpost scenario"


def test_a_program_of_rules_that_is_no_python_is_told(capsys: Capture, tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    rules = game / "rules.py"
    rules.write_text("RULES = None\ndef broken(:\n")
    result = run(capsys, "lint", game)
    assert result.status == 2
    assert "rules.py:" in result.out
    assert "this is no Python" in result.out
    assert "def broken(:" in result.out
    rules.write_bytes(b"x = '\x00'")
    assert run(capsys, "lint", game).status == 2


def test_what_is_published_needs_its_rights_stated(capsys: Capture, tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    assert run(capsys, "lint", game, "--publish").status == 0
    change(game / "game.yaml", "rights: own", "rights: private")
    refused = run(capsys, "lint", game, "--publish")
    assert refused.status == 2
    assert "the rights are others'" in refused.out
    assert run(capsys, "lint", game).status == 0
    change(game / "game.yaml", "rights: private", "")
    assert "nothing says whose rights these are" in run(capsys, "lint", game, "--publish").out


def test_rights_are_one_of_three_words(capsys: Capture, tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "game.yaml", "rights: own", "rights: 'permission: A. Designer, 3 May 2026'")
    assert run(capsys, "lint", game, "--publish").status == 0
    change(game / "game.yaml", "rights: 'permission: A. Designer, 3 May 2026'", "rights: mine")
    assert "own, private, or" in run(capsys, "lint", game).out
