"""Whether a line of the protocol says what the game knows, and which word comes nearest if it does not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from fieldpost.definition.model import Game
from fieldpost.definition.problems import nearest
from fieldpost.definition.words import Vocabulary, WordList, plain
from validator.interpret.protocol import VERBS, Line
from validator.interpret.volleys import volley_of

SUPPLIED = "supplied"


def unknown(line: Line, words: Vocabulary, game: Game) -> str | None:
    """None if every word is known; else the nearest known word, empty if none is near."""
    if line.verb not in VERBS:
        return nearest(line.verb, VERBS) or ""
    look = _LOOKS.get(line.verb)
    return look(line, words, game) if look is not None else None


def _unit(line: Line, words: Vocabulary, game: Game) -> str | None:
    return _one_of(line.first, game.counter)


def _target(line: Line, words: Vocabulary, game: Game) -> str | None:
    return _unit(line, words, game) if line.hex else ""


def _support(line: Line, words: Vocabulary, game: Game) -> str | None:
    return _listed(line.first, words.supports)


def _roll(line: Line, words: Vocabulary, game: Game) -> str | None:
    return _listed(line.reason, words.rolls) if line.reason else None


def _mode(line: Line, words: Vocabulary, game: Game) -> str | None:
    unit = line.second
    return _listed(line.first, words.modes) if unit in game.counter else _one_of(unit, game.counter)


def _round(line: Line, words: Vocabulary, game: Game) -> str | None:
    return _units(line.words[1:], game) if line.first.isdecimal() else ""


def _volley(line: Line, words: Vocabulary, game: Game) -> str | None:
    """A manner or none, units, `at` and a value, the dice."""
    volley = volley_of(line, words)
    return "" if volley is None else _units(volley.units, game)


def _supply(line: Line, words: Vocabulary, game: Game) -> str | None:
    return _one_of(plain(line.first), (SUPPLIED, *supply_faces(game)))


def _units(names: Iterable[str], game: Game) -> str | None:
    return next((near for name in names if (near := _one_of(name, game.counter)) is not None), None)


def _result(line: Line, words: Vocabulary, game: Game) -> str | None:
    return None if result_of(line, words) else words.results.nearest(line.first)


def result_of(line: Line, words: Vocabulary) -> str | None:
    """`no effect` is two words; what follows a result of one word is nothing to us."""
    return words.results.find(" ".join(line.words)) or words.results.find(line.first)


def _declaration(line: Line, words: Vocabulary, game: Game) -> str | None:
    what = words.declarations.find(line.what)
    if what is None:
        return words.declarations.nearest(line.what)
    if not line.value:
        return None
    value, _, near = words.value(what, line.value)
    return near if value is None else None


def supply_faces(game: Game) -> dict[str, tuple[str, int]]:
    """The markers and faces that stand for each supply status."""
    return {
        plain(f"{face.text} {face.small}"): (marker.id, number)
        for marker in game.markers
        if marker.kind == "supply"
        for number, face in enumerate(marker.faces, 1)
    }


def _listed(text: str, words: WordList) -> str | None:
    return None if words.find(text) else words.nearest(text)


def _one_of(text: str, names: Collection[str]) -> str | None:
    return None if text in names else nearest(text, names) or ""


_LOOKS: dict[str, Callable[[Line, Vocabulary, Game], str | None]] = {
    "attack": _unit, "overrun": _unit, "reveal": _unit, "target": _target, "support": _support,
    "roll": _roll, "result": _result, "mode": _mode, "round": _round, "fire": _volley,
    "supply": _supply, "declare": _declaration,
}  # fmt: skip
"""What is looked at in the lines of each verb."""
