"""Logs of one phase: put in their order, begun anew within another one, or without a change on the board."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fieldpost.commands.running import Run, run
from tests.validator.typed_logs import Table

Capture = pytest.CaptureFixture[str]
OPENING = ("turn 22 supply", "turn 22 axis-move", "turn 22 axis-combat", "turn 22 sov-move")
FIRST, SECOND, THIRD = "move 28A 5405..5404", "move 9A 5210..5310", "move 37A 5006..5106"


def audit(capsys: Capture, folder: Path) -> Run:
    return run(capsys, "audit", folder, "--json")


def table() -> Table:
    made = Table("wfm", "turning-point")
    made.play(*OPENING)
    return made


def names(done: Run) -> list[str]:
    return [log["file"] for log in done.json["logs"]]


def test_logs_of_one_phase_are_put_in_order_whatever_they_are_called(tmp_path: Path, capsys: Capture) -> None:
    one = table()
    for name, line in (("c", FIRST), ("a", SECOND), ("b", THIRD)):
        one.play(line)
        one.cut(tmp_path / f"{name}.vlog")
    done = audit(capsys, tmp_path)
    assert names(done) == ["c.vlog", "a.vlog", "b.vlog"]
    assert done.json["chain"] == []


def test_a_log_that_changes_nothing_on_the_board_is_no_version(tmp_path: Path, capsys: Capture) -> None:
    one = table()
    one.play("turn 22 sov-combat")
    one.cut(tmp_path / "z.vlog")
    one.play("attack 62A x 4609 in 4 : 1d6=3")
    one.cut(tmp_path / "y.vlog")
    one.play("move 28A 5405..5404")
    one.cut(tmp_path / "x.vlog")
    done = audit(capsys, tmp_path)
    assert names(done) == ["z.vlog", "y.vlog", "x.vlog"]
    assert done.json["set_aside"] == []
    assert done.json["chain"] == []


def test_two_dice_for_one_battle_are_versions(tmp_path: Path, capsys: Capture) -> None:
    for name, die in (("a", 3), ("b", 6)):
        one = table()
        one.play("turn 22 sov-combat")
        one.writer.begin_anew()
        one.play(f"attack 62A x 4609 in 4 : 1d6={die}")
        one.cut(tmp_path / f"{name}.vlog")
    (link,) = audit(capsys, tmp_path).json["chain"]
    assert link["kind"] == "re-rolled"


def test_a_restarted_log_is_told_and_what_followed_is_void(tmp_path: Path, capsys: Capture) -> None:
    one = table()
    one.play(FIRST)
    again = table()
    again.play(FIRST)
    again.writer.begin_anew()
    one.play(SECOND)
    one.cut(tmp_path / "a.vlog")
    again.play(SECOND, THIRD)
    again.cut(tmp_path / "b.vlog")
    done = audit(capsys, tmp_path)
    (link,) = done.json["chain"]
    assert (link["kind"], link["before"], link["after"]) == ("restarted", "a.vlog", "b.vlog")
    assert "moved in this phase" not in str(done.json["findings"])


@pytest.mark.parametrize("moved_first", [False, True])
def test_a_die_in_what_is_void_is_told_with_both_results(
    moved_first: bool, tmp_path: Path, capsys: Capture
) -> None:
    one, again = table(), table()
    for each in (one, again):
        each.play("turn 22 sov-combat")
    again.writer.begin_anew()
    one.play("attack 62A x 4609 in 4 : 1d6=2")
    if moved_first:
        one.play("move 28A 5405..5404")
    one.cut(tmp_path / "a.vlog")
    again.play("attack 62A x 4609 in 4 : 1d6=6")
    again.cut(tmp_path / "b.vlog")
    done = audit(capsys, tmp_path)
    (link,) = done.json["chain"]
    assert link["kind"] == "re-rolled"
    assert "2 for combat in a.vlog" in link["message"]
    assert "6 for combat in b.vlog" in link["message"]
    assert "attacked before" not in str(done.json["findings"])
    assert done.status == 1
