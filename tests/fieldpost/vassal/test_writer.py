"""Saves and logs we write, as our own reader sees them; the engine's view: `tests/engine`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fieldpost.vassal import making, pieces, steps
from fieldpost.vassal.pieces import PieceDesign, PieceError
from fieldpost.vassal.table import Table
from fieldpost.vassal.writer import LogBuilder, SaveBuilder
from tests.fieldpost.vassal import sample_game as sample


def replayed(log: steps.Log) -> Table:
    table = Table.of(log)
    for step in log.steps:
        table.step(step)
    return table


def test_save_reads_back_as_it_was_built() -> None:
    table = Table.of(steps.parse(sample.position().text()))
    assert [piece.id for piece in table.at(sample.MAIN, *sample.HEX_0304)] == ["u1", "u2"]
    assert table.pieces["u2"].name == "reduced 2nd"
    assert table.decks["deck"].members == ("c1", "c2", "c3")
    assert table.properties["", "EastControl\tEast Front\tBattlefield\tMain Map"] == "Blue"
    assert table.turns == {"TurnTracker0": r"0|3;0;false;-1;1\;0\;0\;true,true,true,true"}
    assert table.players == {"player-1": ("Blue player", "Blue")}
    assert (table.notes["NOTES"], table.notes["PNOTES"]) == ("two\nlines", "public")


def test_members_stand_before_their_stack_and_the_save_is_no_new_game() -> None:
    parts = sample.position().parts()
    assert parts[0] == "begin_save"
    assert parts[-2:] == ["SETUP_STACK\t", "end_save"]
    group = parts[2]
    assert group.index("+/u1/") < group.index("+/stack-1/")


@pytest.mark.parametrize("id", ["", "null", "a/b", "a;b", "a|b", "@@1", "a\tb"])
def test_id_with_a_character_of_the_format_is_refused(id: str) -> None:
    with pytest.raises(PieceError, match="cannot be an id"):
        SaveBuilder(sample.DEMO).loose("Main", 1, 1, id, PieceDesign("x"))


def test_id_is_used_once() -> None:
    save = sample.position()
    with pytest.raises(PieceError, match="twice"):
        save.loose(sample.MAIN, 1, 1, "u1", PieceDesign("x"))


def test_prototype_left_in_a_piece_is_refused() -> None:
    design = PieceDesign("x", traits=(making.prototype("Unit"),))
    with pytest.raises(PieceError, match="no prototypes"):
        SaveBuilder(sample.DEMO).loose("Main", 1, 1, "u", design)


def test_log_replays_to_the_builders_own_table() -> None:
    builder = sample.turn_log()
    table = replayed(builder.log())
    assert not table.problems
    assert {id: piece.place for id, piece in table.pieces.items()} == {
        id: piece.place for id, piece in builder.table.pieces.items()
    }
    assert {id: piece.states for id, piece in table.pieces.items()} == {
        id: piece.states for id, piece in builder.table.pieces.items()
    }
    assert sorted(stack.members for stack in table.stacks.values()) == sorted(
        stack.members for stack in builder.table.stacks.values()
    )


def test_log_says_what_was_asked_of_it() -> None:
    table = replayed(sample.turn_log().log())
    assert [piece.id for piece in table.at(sample.MAIN, *sample.HEX_0304)] == ["u10", "u2", "u1"]
    assert table.pieces["u1"].layers == {"Step": 2}
    assert table.pieces["u1"].value("Fatigue") == "2"
    assert table.pieces["u2"].value("TextLabel") == "dug in"
    assert "r1" not in table.pieces
    assert table.decks["deck"].members == ("c2", "c1")
    assert table.decks["discards"].members == ("c3",)
    assert table.properties["Module", "VP"] == "8"


def test_each_call_is_one_step_and_carries_a_chat_line() -> None:
    log = sample.turn_log().log()
    assert len(log.steps) == 20
    assert all(any(text.startswith("CHAT") for text in step.commands) for step in log.steps)


def test_undo_is_recognised_and_puts_things_back() -> None:
    builder = LogBuilder.of(sample.position())
    before = {id: piece.place for id, piece in builder.table.pieces.items()}
    builder.move(["u2"], sample.MAIN, *sample.HEX_0404, "u2 moves")
    builder.undo()
    log = builder.log()
    assert [(step.undoes, step.undone_by) for step in log.steps] == [(None, 2), (1, None)]
    assert {id: piece.place for id, piece in replayed(log).pieces.items()} == before


def test_log_goes_on_from_one_that_was_read(tmp_path: Path) -> None:
    first = tmp_path / "first.vlog"
    sample.turn_log().write(first)
    builder = LogBuilder(steps.read(first))
    builder.move(["u9"], sample.MAIN, *sample.HEX_0504)
    assert len(builder.log().steps) == 21
    assert replayed(builder.log()).pieces["u9"].place == (sample.MAIN, *sample.HEX_0504)


def test_written_bytes_are_the_same_every_time() -> None:
    assert sample.turn_log().bytes() == sample.turn_log().bytes()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda log: log.move(["nobody"], sample.MAIN, 1, 1),
        lambda log: log.draw("discards", sample.MAIN, 1, 1),
        lambda log: log.discard("u1", "u2"),
        lambda log: log.reorder("deck", ["c1"]),
        lambda log: log.level("u1", "No such layer", 2),
        lambda log: log.create("u1", PieceDesign("x"), sample.MAIN, 1, 1),
        lambda log: log.delete("nobody"),
        lambda log: log.undo(),
    ],
)
def test_what_cannot_be_done_is_refused(wrong: Any) -> None:
    with pytest.raises(PieceError):
        wrong(LogBuilder.of(sample.position()))


def test_deck_type_names_its_deck() -> None:
    text = pieces.deck("d", pieces.deck_type(name="Chits"), "Main", 1, 2, [], True)
    table = Table()
    table.apply([text])
    assert table.decks["d"].name == "Chits"
