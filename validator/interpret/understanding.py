"""Whether a line of the protocol says what the game knows, and which word comes nearest if it does not."""

from __future__ import annotations

from collections.abc import Iterable

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
    first, second = (*line.words[:2], "", "")[:2]
    match line.verb:
        case "attack" | "overrun" | "reveal":
            return _one_of(first, game.counter)
        case "target":
            return _one_of(first, game.counter) if line.hex else ""
        case "support":
            return _listed(first, words.supports)
        case "roll":
            return None if not line.reason else _listed(line.reason, words.rolls)
        case "result":
            return _result(line, words)
        case "mode":
            return _listed(first, words.modes) if second in game.counter else _one_of(second, game.counter)
        case "round":
            return _units(line.words[1:], game) if first.isdecimal() else ""
        case "fire":
            return _volley(line, words, game)
        case "supply":
            return _one_of(plain(first), _supply_states(game))
        case "declare":
            return _declaration(line, words)
    return None


def _volley(line: Line, words: Vocabulary, game: Game) -> str | None:
    """A manner or none, units, `at` and a value, the dice."""
    said = volley_of(line, words)
    if said is None:
        return ""
    return _units(said.units, game)


def _units(names: Iterable[str], game: Game) -> str | None:
    return next((near for name in names if (near := _one_of(name, game.counter)) is not None), None)


def _result(line: Line, words: Vocabulary) -> str | None:
    """`no effect` is two words."""
    said = " ".join(line.words)
    return None if words.results.find(said) else _listed(line.words[0] if line.words else "", words.results)


def _declaration(line: Line, words: Vocabulary) -> str | None:
    what = words.declarations.find(line.what)
    if what is None:
        return words.declarations.nearest(line.what)
    if not line.value:
        return None
    value, _, near = words.value(what, line.value)
    return near if value is None else None


def _supply_states(game: Game) -> list[str]:
    faces = [face for marker in game.markers if marker.kind == "supply" for face in marker.faces]
    return [SUPPLIED, *(plain(f"{face.text} {face.small}") for face in faces)]


def _listed(text: str, words: WordList) -> str | None:
    return None if words.find(text) else words.nearest(text)


def _one_of(text: str, known: Iterable[str]) -> str | None:
    return None if text in known else nearest(text, known) or ""
