"""Logs of a module we know nothing of, told in sentences that give no secret away."""

from __future__ import annotations

import dataclasses

import pytest

from fieldpost.cli import main
from fieldpost.vassal import steps
from fieldpost.vassal.module import Module
from tests import oracle_files
from validator.anygame.one_log import Replay, cleaner
from validator.anygame.sentences import Teller

LOG = str(oracle_files.log("oracle"))


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["tell", LOG, *arguments]) == 0
    return capsys.readouterr().out


def test_steps_are_sentences_with_hexes_of_the_grid(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys)
    assert "Oracle Tester: 3rd Blue moves from 0305 to 0504." in text
    assert "2nd Blue becomes reduced 2nd Blue." in text
    assert "Oracle Tester: Rolls 2d6: 6." in text
    assert "  Turn 1 Blue Combat\n" in text


def test_a_card_out_of_a_deck_that_lies_face_down_keeps_its_name_to_itself(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = told(capsys)
    assert "moves from the deck Event Deck" in text
    assert not any(f"Event {number}" in text for number in range(1, 6))


def test_a_hidden_piece_moves_unseen() -> None:
    log = steps.read(LOG)
    teller = Teller(Replay(log, None), cleaner(log))
    hidden = [teller.tell(step) for step in log.steps if step.number >= 17]
    assert not any("1st Blue" in one.text for one in hidden)


def test_a_turn_may_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tell", LOG, "--turn", "7"]) == 2
    assert "nothing is told of that" in capsys.readouterr().err


def test_markdown_escapes_what_players_typed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "# Oracle Demo\n" in told(capsys, "--format", "markdown")


def test_a_card_removed_out_of_a_deck_that_lies_face_down_is_not_named() -> None:
    log = steps.read(LOG)
    replay = Replay(log, Module.read(oracle_files.MODULE))
    deck = next(one for one in replay.table.decks.values() if one.face_down and one.contents)
    cards = [card.id for card in deck.contents]
    step = dataclasses.replace(log.steps[0], commands=[f"-/{id}" for id in cards])
    told = Teller(replay, cleaner(log)).tell(step)
    assert not any(id in replay.table.pieces for id in cards)
    assert "card is removed" in told.text
    assert "Event" not in (told.text + "".join(told.pieces)).replace("Event Deck", "")


def test_a_value_that_a_step_sets_again_and_again_is_told_once() -> None:
    log = steps.read(LOG)
    sums = [f"MutableProperty\tSum\t{number}\t{number + 1}\tModule" for number in range(3)]
    picture = ["MutableProperty\tIcon\t\t<img src=a.png>\tModule"]
    step = dataclasses.replace(log.steps[0], commands=sums + picture)
    assert Teller(Replay(log, None), cleaner(log)).tell(step).sentences == ("Sum is now 3 (was 0).",)
