"""A game of one's own on the page: known by its id, judged by its data, its program never run."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from desk import judging, tasks
from desk.questions import Played, Question, answer
from fieldpost.definition import compiled, known_games, load
from fieldpost.definition.places import name_own_games
from fieldpost.errors import FieldpostError
from tests.fieldpost.definition.patching import copy_of_example
from validator.commands import rules
from validator.services import rulebooks

SHEET = "game ferry-at-dawn dawn\nturn 1 blue-movement\nmove 2B 0402-0302\nmove MilR-1 0603-0602\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIELDPOST_GAMES", "")
    game = copy_of_example(tmp_path)
    (game / "rules.py").write_text("raise SystemExit('run')")
    name_own_games([game])
    return game


def test_it_is_told_of_among_the_games(folder: Path) -> None:
    assert known_games()[-1] == "ferry-at-dawn"
    told = tasks._told("ferry-at-dawn")
    assert (told["title"], told["playable"]) == ("Ferry at Dawn", True)
    statuses = {rule["id"]: rule["status"] for rule in rules.describe("ferry-at-dawn", program=False)}
    assert statuses["ferry-4.2"] == "enforced"


def test_what_is_dropped_is_judged_by_its_data(folder: Path, tmp_path: Path) -> None:
    turn = tmp_path / "turn.txt"
    turn.write_text(SHEET)
    judged = judging.judge([judging.Source(turn, "turn.txt")], judging.Asked())
    (audit,) = judged.audits
    assert [finding["rule"] for finding in judged.data()["findings"]] == ["ferry-2.1"]
    played = Played.of(audit)
    found = answer(played, Question("unit", 0, "TankB"))
    assert found["modes"] == ["march"]
    assert found["supply"]["status"] == "supplied"
    assert found["reach"]


def test_it_can_be_put_into_the_site(folder: Path) -> None:
    game = load("ferry-at-dawn")
    kept = pickle.loads(compiled.dump(game, rulebooks.entries(game)))
    book = rulebooks.of(kept.game)
    assert book is not None
    assert "ferry-4.2" in book.enforced
    assert "ferry-4.2" in {rule.id for rule in kept.rules}


def test_a_folder_without_a_game_and_an_id_that_is_taken_are_refused(folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(FieldpostError, match="no game"):
        name_own_games([empty])
    text = (folder / "game.yaml").read_text()
    (folder / "game.yaml").write_text(text.replace("id: ferry-at-dawn", "id: wfm"))
    with pytest.raises(FieldpostError, match="another game"):
        name_own_games([folder])
