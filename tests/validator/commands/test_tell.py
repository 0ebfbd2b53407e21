"""`fieldpost tell`: a whole game from its logs, and what it says to wrong questions."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY
from tests.validator.audit import mailed

Capture = pytest.CaptureFixture[str]
SAMPLE = REPOSITORY / "examples" / "samples" / "turning-point"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    for number, log in enumerate(Random(1).sample(mailed.whole(), 9)):
        (folder / f"{number}.vlog").write_bytes(log.data)
    return folder


def test_logs_in_any_order_become_one_story(game: Path, capsys: Capture) -> None:
    done = run(capsys, "tell", game)
    assert done.status == 0
    turns = [line for line in done.out.splitlines() if line.startswith("Turn ")]
    assert turns == [
        "Turn 22: November 1942, snow",
        "Turn 23: December 1942, snow",
        "Turn 24: January 1943, snow",
    ]
    assert "Battle losses of all 3 turns" in done.out


def test_logs_and_their_sheet_tell_the_same_battles(capsys: Capture) -> None:
    def battles(*paths: object) -> list[str]:
        turns = run(capsys, "tell", *paths, "--json").json["turns"]
        return [
            told["text"]
            for turn in turns
            for phase in turn["phases"]
            for told in phase["told"]
            if told["kind"] == "battle"
        ]

    by_logs = battles(*sorted(SAMPLE.glob("*.vlog")))
    by_sheet = battles(SAMPLE / "game.txt")
    assert by_logs == by_sheet
    assert len(by_logs) > 20


def test_a_missing_log_is_said_where_it_is_missing(tmp_path: Path, capsys: Capture) -> None:
    for number, log in enumerate(mailed.whole()):
        if number != 4:
            (tmp_path / log.name).write_bytes(log.data)
    assert "[a log is missing between " in run(capsys, "tell", tmp_path).out


def test_one_turn_of_one_side(game: Path, capsys: Capture) -> None:
    done = run(capsys, "tell", game, "--turn", "23", "--side", "soviet", "--format", "markdown")
    assert "## Turn 23" in done.out
    assert "## Turn 22" not in done.out


def test_wrong_questions_end_with_2_and_a_hint(game: Path, tmp_path: Path, capsys: Capture) -> None:
    for arguments, hint in (
        ((game, "--turn", "30"), "Turns in these files: 22, 23, 24"),
        ((game, "--side", "french"), "Sides: axis, soviet"),
        ((tmp_path,), "It takes logs and saves"),
    ):
        done = run(capsys, "tell", *arguments)
        assert (done.status, hint in done.err) == (2, True)


def test_a_log_of_another_module_is_told_without_rules(capsys: Capture) -> None:
    done = run(capsys, "tell", REPOSITORY / "tests" / "data" / "vassal" / "oracle.vlog")
    assert done.status == 0
    assert "The rules of this game are not known" in done.out


def test_no_mail_address_is_told(tmp_path: Path, capsys: Capture) -> None:
    box = mailed.in_mbox(tmp_path / "game.mbox", list(mailed.whole()))
    for form in ((), ("--json",), ("--format", "markdown")):
        said = run(capsys, "tell", box, *form)
        assert said.status == 0
        assert "example.org" not in said.out


def test_pieces_that_moved_between_logs_are_said(tmp_path: Path, capsys: Capture) -> None:
    for log in (*mailed.whole()[:7], *mailed.tampered(7, "SWHQ")):
        (tmp_path / log.name).write_bytes(log.data)
    assert "does not start where" in run(capsys, "tell", tmp_path).out


def test_a_log_that_breaks_off_is_told_to_where_it_does(tmp_path: Path, capsys: Capture) -> None:
    whole = (SAMPLE / "4-turn-23-axis.vlog").read_bytes()
    (tmp_path / "most.vlog").write_bytes(whole[: len(whole) * 9 // 10])
    done = run(capsys, "tell", tmp_path)
    assert done.status == 2
    assert "Axis Movement Phase" in done.out
    assert "Not used: most.vlog: its end, for the zip archive is cut short" in done.err
