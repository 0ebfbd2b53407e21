"""Files of strangers, from engines of twenty years: all are read, and given back byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.vassal import archive, codec, commands, pieces, secrets, steps, tree
from fieldpost.vassal.pieces import BasicState, DeckState, StackState
from fieldpost.vassal.steps import Log
from fieldpost.vassal.table import Table
from tests.places import Corpus, corpus

FOUND = corpus()
GAMES = FOUND.files("vlog", "vsav") if FOUND else []
NONE = "no corpus of strangers' files: set FIELDPOST_CORPUS to its folder"


def games(largest: int = 1 << 40) -> pytest.MarkDecorator:
    """All logs and saves up to a size, by number: their names are nobody's business."""
    found = [
        pytest.param(path, id=f"game{at}") for at, path in enumerate(GAMES) if path.stat().st_size <= largest
    ]
    none = pytest.param(None, id="none", marks=pytest.mark.skip(reason=NONE))
    return pytest.mark.parametrize("game", found or [none])


def all_texts(log: Log) -> list[str]:
    found = []
    for part in log.parts:
        node = tree.read(part)
        assert tree.write(node) == part
        found += [text.removeprefix(steps.LOG) for text in node]
    return found


def check_piece(command: commands.AddPiece) -> None:
    if command.type == "stack":
        assert StackState.read(command.state).write() == command.state
        return
    if command.type.startswith("deck;"):
        assert DeckState.read(command.state).write() == command.state
        return
    type = pieces.read_type(command.type)
    assert type.exact
    state = type.state(command.state)
    assert state.text == command.state
    assert BasicState.read(state.texts[-1]).write() == state.texts[-1]


@games()
def test_game_is_given_back_byte_for_byte(game: Path) -> None:
    content = archive.read(game)
    assert content.text is not None
    assert codec.deobfuscate(codec.obfuscate(content.text, 0xC3)) == content.text
    log = steps.parse(content.text)
    assert log.text == content.text
    for text in dict.fromkeys(all_texts(log)):
        assert commands.read(text).text == text
        command = commands.parse(text)
        if isinstance(command, commands.AddPiece):
            check_piece(command)


@games(largest=500_000)
def test_game_is_replayed_without_a_problem(game: Path) -> None:
    log = steps.read(game)
    table = Table.of(log)
    for step in log.steps:
        table.step(step)
    assert table.problems == []
    assert all(piece.name is not None and piece.layers is not None for piece in table.pieces.values())
    assert [step.number for step in log.steps if step.undoes == 0] == []


@games(largest=120_000)
def test_scrubbed_game_replays_the_same(game: Path) -> None:
    log = steps.read(game)
    clean = steps.parse(secrets.scrub(log, names=True))

    def position(found: Log) -> object:
        table = Table.of(found)
        for step in found.steps:
            table.step(step)
        return {id: (piece.place, piece.layers) for id, piece in table.pieces.items()}, len(found.steps)

    assert position(log) == position(clean)


def test_modules_are_told_from_extensions(corpus: Corpus) -> None:
    for path in corpus.files("vmod"):
        assert archive.read(path).kind == ("module" if path.suffix == ".vmod" else "extension")
