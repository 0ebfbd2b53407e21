"""Faults of the data that only a module shows, told with the file and the line they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fieldpost.definition import places
from fieldpost.definition.model import Game
from fieldpost.definition.places import GameFiles
from fieldpost.definition.problems import DefinitionError, Problem
from fieldpost.errors import FieldpostError


class DataFault(FieldpostError):
    """A fault in one file of the game, at the line that holds a word: a hex, a name."""

    def __init__(self, message: str, file: str, word: str, expected: str | None = None) -> None:
        super().__init__(message, expected)
        self.file, self.word = file, word


def check(game: Game) -> None:
    """What VASSAL cannot carry: texts that end in its escape character, names that must be one of a kind."""
    for file, names in (
        ("game", [side.name for side in game.sides]),
        ("game", [*(deck.name for deck in game.decks), *(deck.name for deck in game.card_decks)]),
        ("game", [box.name for box in game.boxes]),
        ("game", [table.title for table in game.tables]),
    ):
        _all_different(file, names)
    for file, text in _texts(game):
        if text.endswith("\\"):
            raise DataFault(
                "VASSAL cannot carry a text that ends in a backslash", file, text, "another ending"
            )


def _all_different(file: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataFault(f"two of a kind are named {name!r}", file, name, "a name of its own for each")
        seen.add(name)


def _texts(game: Game) -> Iterator[tuple[str, str]]:
    for counter in game.counters:
        yield "counters", counter.name
    for deck in game.card_decks:
        yield "game", deck.name
        yield from (("game", card.name) for card in deck.cards)
    yield from (("game", map_.name) for map_ in game.maps)
    for kind in (game.sides, game.unit_types, game.markers, game.decks, game.boxes, game.sequence):
        yield from (("game", named.name) for named in kind)
    yield "game", game.title


def located(fault: DataFault, game: str | Path) -> FieldpostError:
    """The same fault with file, line and column, as the checks of the definition tell theirs."""
    files = places.find(game)
    for path in _paths(files):
        if path.stem == fault.file or (fault.file, path) == ("counters", files.counters):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                found = re.search(rf"(?<![\w-]){re.escape(fault.word)}(?![\w-])", line)
                if found:
                    return DefinitionError(
                        [Problem(str(path), number, found.start() + 1, fault.message, fault.hint, text=line)]
                    )
            return FieldpostError(f"{path}: {fault.message}", fault.hint)
    return fault


def _paths(files: GameFiles) -> Iterator[Path]:
    yield from (files.game, files.counters, *files.scenario_files())
    if files.map.is_dir():
        yield from sorted(files.map.glob("*.yaml"))
