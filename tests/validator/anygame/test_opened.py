"""After the game what was hidden is opened, with each side's word for it, and judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fieldpost.cli import main
from tests import secret_game as game
from tests.secret_game import BLUE, MAIN, Location
from tests.validator.anygame.test_hidden import (
    BAY,
    CAPE,
    DEPOT,
    FACE,
    FRONT,
    HIDE,
    HILL,
    LOCATIONS,
    MASK,
    MASKED,
    MILL,
    OPEN,
    drag,
    turned,
    unit,
)

FAR = Location(MAIN, 900, 900, "Far")
OTHER = "piece;;;other.png;Another unit"
PUBLIC = [game.piece("p", [HIDE, FACE], ["null", game.basic(HILL)]), game.stack("ps", HILL, "p")]
PUBLIC_MOVE = [game.move("p", HILL, MILL), game.stack("ps2", MILL, "p")]


def opened(
    folder: Path, capsys: pytest.CaptureFixture[str], *logs: str, agree: bool = True
) -> tuple[int, dict[str, Any]]:
    files = [game.write(folder / f"turn{number}.vlog", text) for number, text in enumerate(logs, 1)]
    (folder / "game.vmod").write_bytes(game.module([*LOCATIONS, FAR]))
    words = folder / "words.txt"
    words.write_text(f"Blue={BLUE}\n" if agree else "Blue=guessed\n", encoding="utf-8")
    capsys.readouterr()
    known = ["--module", str(folder / "game.vmod"), "--passwords", str(words)]
    status = main(["audit", *map(str, files), "--secrets", "--json", *known])
    printed = capsys.readouterr()
    assert BLUE not in printed.out + printed.err
    return status, json.loads(printed.out) if printed.out else {"error": printed.err}


def messages(found: dict[str, Any]) -> str:
    return "\n".join(one["message"] for one in found["findings"])


def test_nothing_is_opened_that_a_side_did_not_agree_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = opened(tmp_path, capsys, game.log(unit([HIDE], [BLUE], BAY), [[]]), agree=False)
    assert status == 2
    assert "Blue did not agree" in found["error"]
    assert "SECRET" not in found["error"]


def test_a_last_log_that_hides_nothing_is_agreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = game.log(unit([HIDE], [BLUE], BAY), [drag(BAY, CAPE), [turned(["null"], [BLUE], CAPE)]])
    status, found = opened(tmp_path, capsys, log, agree=False)
    assert status == 0
    assert found["agreed"] == {"Blue": "it hides nothing at the end of the last log"}
    (course,) = found["hidden"]
    assert course["stations"] == ["SECRET-BAY", "SECRET-CAPE"]
    assert course["shown"] == "as SECRET-NAME at SECRET-CAPE (turn1.vlog, step 2)"


def test_what_moved_as_far_as_its_kind_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = game.log([*PUBLIC, *unit([HIDE], [BLUE], BAY)], [PUBLIC_MOVE, drag(BAY, CAPE)])
    status, found = opened(tmp_path, capsys, log)
    assert (status, found["findings"], found["not_measured"]) == (0, [], 0)
    assert found["agreed"] == {"Blue": "by its player's password"}


def test_a_hidden_piece_that_moved_farther_is_doubtful(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = game.log([*PUBLIC, *unit([HIDE], [BLUE], BAY)], [PUBLIC_MOVE, drag(BAY, FAR)])
    status, found = opened(tmp_path, capsys, log)
    assert status == 0
    assert "SECRET-NAME moves 1000 pixels while hidden, pieces of its kind at most 100" in messages(found)


def test_a_swap_under_a_mask_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swap = ["-/u", game.piece("v", [MASK, OTHER], [MASKED, game.basic(HILL)]), game.stack("s3", HILL, "v")]
    status, found = opened(tmp_path, capsys, game.log(unit([MASK], [MASKED], HILL), [swap]))
    assert status == 1
    expected = "SECRET-NAME is taken out of the game while it is hidden, and Another unit put in its place"
    assert expected in messages(found)


def test_a_swap_between_two_logs_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = [game.piece("u", [MASK, OTHER], [MASKED, game.basic(MILL)]), game.stack("s", MILL, "u")]
    first = game.log(unit([MASK], [MASKED], HILL), [drag(HILL, MILL)])
    status, found = opened(tmp_path, capsys, first, game.log(other, [[]]))
    assert status == 1
    assert "SECRET-NAME was hidden, and is Another unit when this log begins" in messages(found)


def test_what_lay_in_a_private_window_was_hidden_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, found = opened(tmp_path, capsys, game.log(unit([], [], DEPOT), [drag(DEPOT, FRONT)]))
    assert found["hidden"][0]["side"] == "Blue"
    assert found["not_measured"] == 1


def test_it_is_told_in_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = [turned([OPEN], [MASKED], HILL)]
    log = game.write(tmp_path / "turn1.vlog", game.log(unit([MASK], [MASKED], HILL), [shown]))
    assert main(["audit", str(log), "--secrets"]) == 0
    text = capsys.readouterr().out
    assert "What was hidden is what was shown" in text
    assert "SECRET-NAME (Blue): Main Map 100,100; shown as SECRET-NAME at Main Map 100,100" in text
