"""A log as VASSAL steps through it, and what an undo takes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.vassal import archive, codec, steps
from fieldpost.vassal.codec import ESC
from tests.places import REPOSITORY

DATA = REPOSITORY / "tests" / "data" / "vassal"


def log(*step_commands: list[str]) -> steps.Log:
    """A log of an empty position with these steps."""
    parts = [codec.encode(["LOG\t" + command for command in step], ESC) for step in step_commands]
    return steps.parse(codec.encode(["begin_save", "", "end_save", *parts], ESC))


def links(found: steps.Log) -> list[tuple[int | None, int | None]]:
    return [(step.undoes, step.undone_by) for step in found.steps]


def test_step_is_a_part_in_which_one_command_is_known() -> None:
    found = log(["CHATa"], ["null", "null"], ["null", "CHATb"], ["HAKA:x"], ["null", "-/u1", "null"])
    assert [step.commands for step in found.steps] == [["CHATa"], ["CHATb"], ["-/u1"]]
    assert [step.number for step in found.steps] == [1, 2, 3]
    assert [step.part for step in found.steps] == [3, 5, 7]


def test_commands_of_a_step_come_in_order_of_execution() -> None:
    nested = codec.encode(["LOG\tCHAT1", codec.encode(["LOG\tCHAT2", "LOG\tCHAT3"], ESC), "LOG\tCHAT4"], ESC)
    found = steps.parse(codec.encode(["begin_save", "end_save", nested], ESC))
    assert found.steps[0].commands == ["CHAT1", "CHAT2", "CHAT3", "CHAT4"]


def test_setup_is_what_is_not_logged_even_behind_the_position() -> None:
    found = steps.parse(codec.encode(["begin_save", "end_save", "LOG\tCHATa", "CHATloaded"], ESC))
    assert found.setup == ["begin_save", "end_save", "CHATloaded"]


def test_save_has_no_steps() -> None:
    assert not steps.read(DATA / "battle.vsav").steps


def test_text_is_given_back() -> None:
    text = codec.encode(["begin_save", "", "end_save", "LOG\t", "LOG\t'x'", ""], ESC)
    assert steps.parse(text).text == text


MOVE = "M/u1/Main/3/4/null/Main/1/2/null/p"
BACK = "M/u1/Main/1/2/null/Main/3/4/null/p"


def test_new_undo_is_linked_by_its_chat() -> None:
    found = log(
        [MOVE, "CHAT* u1 moves"],
        ["M/u2/Main/3/4/null/Main/1/2/null/p", "CHAT* u2 moves"],
        ["UNDO\ttrue", "CHAT* UNDO: * u2 moves", "M/u2/Main/1/2/null/Main/3/4/null/p", "UNDO\tfalse"],
        ["UNDO\ttrue", "CHAT* UNDO: * u1 moves", BACK, "UNDO\tfalse"],
    )
    assert links(found) == [(None, 4), (None, 3), (2, None), (1, None)]


def test_old_undo_has_no_bracket() -> None:
    found = log([MOVE, "CHAT* u1 moves"], ["CHATx"], ["CHAT* UNDO: * u1 moves", BACK])
    assert links(found) == [(None, 3), (None, None), (1, None)]


def test_several_lines_are_taken_back_in_reverse_order() -> None:
    found = log(["CHATa", "CHATb"], ["CHAT* UNDO: b", "CHAT* UNDO: a"])
    assert links(found) == [(None, 2), (1, None)]


def test_undo_without_chat_is_linked_by_the_pieces_it_touches() -> None:
    found = log(["D/u1/b/a"], ["D/u2/b/a"], ["UNDO\ttrue", "D/u1/a/b", "UNDO\tfalse"])
    assert links(found) == [(None, 3), (None, None), (1, None)]


def test_undo_of_what_is_not_in_the_log_is_still_an_undo() -> None:
    found = log(["CHATx"], ["CHAT* UNDO: * something before"])
    assert links(found) == [(None, None), (0, None)]


@pytest.mark.parametrize(
    ("name", "undos"), [("oracle", 1), ("random1", 11), ("random2", 10), ("random3", 11)]
)
def test_every_undo_of_the_engines_logs_takes_back_the_step_before_it(name: str, undos: int) -> None:
    found = steps.read(DATA / f"{name}.vlog")
    links = [(step.number, step.undoes) for step in found.steps if step.is_undo]
    assert len(links) == undos
    assert all(before == number - 1 for number, before in links)


def test_empty_step_is_no_action() -> None:
    found = log(["UNDO\ttrue", "UNDO\tfalse"], ["CHATx"])
    assert [step.is_undo for step in found.steps] == [True, False]
    assert not any(step.empty for step in found.steps)


def test_log_that_is_a_module_is_an_error() -> None:
    with pytest.raises(archive.ArchiveError, match="neither a save nor a log"):
        steps.read(DATA / "demo.vmod")


def test_zip_of_several_logs_is_read_one_by_one(tmp_path: Path) -> None:
    inner = {name: (DATA / f"{name}.vlog").read_bytes() for name in ("random1", "oracle")}
    path = tmp_path / "turns.zip"
    path.write_bytes(archive.pack({f"{name}.vlog": data for name, data in inner.items()}))
    found = list(steps.read_all(path))
    assert [(log.name, len(log.steps)) for log in found] == [("oracle.vlog", 27), ("random1.vlog", 226)]
    with pytest.raises(archive.ArchiveError, match="an archive of logs and saves") as error:
        steps.read(path)
    assert error.value.hint == "It holds random1.vlog and oracle.vlog. Take one out and name that."


def test_a_log_alone_in_a_zip_is_read_whatever_the_zip_is_called(tmp_path: Path) -> None:
    path = tmp_path / "turn.vlog"
    path.write_bytes(archive.pack({"random1.vlog": (DATA / "random1.vlog").read_bytes(), "note.txt": b""}))
    assert (steps.read(path).name, len(steps.read(path).steps)) == ("random1.vlog", 226)
