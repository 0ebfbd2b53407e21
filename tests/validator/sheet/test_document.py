"""docs/turn-sheet.md says what the table of verbs says."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from validator import sheet
from validator.sheet.verbs import VERBS, Verb

DOCUMENT = Path(__file__).parents[3] / "docs" / "turn-sheet.md"
HEADING = "game wfm turning-point\n"


@functools.cache
def game(name: str = "wfm") -> Game:
    return load(name)


def grammar() -> str:
    """The table of the document, made from the table of the program."""
    rows = sorted(VERBS, key=lambda verb: verb.name)
    form = ((f"`{v.name} {v.form}`".replace("|", "\\|"), v.meaning, f"`{v.example}`") for v in rows)
    return "\n".join(
        ["| line | means | for example |", "| --- | --- | --- |", *(f"| {' | '.join(r)} |" for r in form)]
    )


def test_the_document_holds_the_grammar_of_the_table() -> None:
    text = DOCUMENT.read_text()
    shown = re.search(r"<!-- verbs.*?-->\n(.*)<!-- end of verbs -->", text, re.DOTALL)
    assert shown is not None
    assert shown[1].strip() == grammar()


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_the_example_of_a_verb_is_read_and_written_as_it_stands(verb: Verb) -> None:
    assert verb.example.startswith(f"{verb.name} ")
    heading = {"wfm": HEADING, "wie": "game wie citadel\n"}[verb.game]
    events = sheet.read(f"{heading}{verb.example}", game).events
    assert isinstance(events[0], verb.event)
    scenario = {"wfm": "turning-point", "wie": "citadel"}[verb.game]
    again = sheet.write(game(verb.game), game(verb.game).scenario[scenario], events)
    assert sheet.read(again, game).events == events


def test_the_sheets_in_the_document_can_be_read() -> None:
    blocks = re.findall(r"^```\n(game .*?)^```", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        assert sheet.read(block, game).events
