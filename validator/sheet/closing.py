"""The words with which a mail closes, below the last line of the turn in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fieldpost.definition.model import Game
from fieldpost.definition.words import Vocabulary, plain
from validator.sheet.written import Written, acts, meant_verb, names_to_find, slips, speaks_of, verb_of

_WORDS = re.compile(r"[^\W_][\w-]*")
_HEX = re.compile(r"\b[A-Za-z]?\d{4}\b")
_LONG = 5  # letters of a word from which on a slip in it is still that word


def begins(lines: Sequence[Written], game: Game) -> int:
    """How many of these lines, filled ones, are the turn: what closes the mail stands behind them.

    Closing words begin below an empty line or a divider, and none of them is meant as a line of a turn. So a
    slip in the last line is an error and is not taken for a farewell.
    """
    meant = _Meant(game)
    end = len(lines)
    while end > 1 and not meant(lines[end - 1]):
        end -= 1
    while end < len(lines) and not lines[end].after_gap:
        end += 1
    return end


class _Meant:
    """Whether a line is meant as one of a turn of this game."""

    def __init__(self, game: Game) -> None:
        self._units = names_to_find(game.counter)
        self._words = _words_of(game)

    def __call__(self, written: Written) -> bool:
        line = written.text
        if line.lstrip().startswith("#") or acts(line):
            return True
        words = line.split()
        if speaks_of(" ".join(words[:2]), self._units):
            return True
        if _HEX.search(line) and speaks_of(line, self._units):
            return True
        if verb_of(line) is None and meant_verb(line) is None:
            return False
        plainly = verb_of(line) is not None and words[0].islower() and not written.signed
        return plainly or self._names_something(words[1:])

    def _names_something(self, words: Sequence[str]) -> bool:
        """A unit, a marker, a place beside the map, a word of the game, or a slip of one."""
        if speaks_of(" ".join(words), self._units):
            return True
        said = {plain(word) for text in words for word in _WORDS.findall(text)}
        if said & self._words:
            return True
        return any(
            slips(one, word) <= 2
            for one in said
            if len(one) >= _LONG
            for word in self._words
            if len(word) >= _LONG and word[0] == one[0] and abs(len(one) - len(word)) <= 2
        )


def _words_of(game: Game) -> frozenset[str]:
    known = Vocabulary(game)
    lists = (known.modes, known.supports, known.exchanges, known.rolls, known.results, known.declarations)
    listed = [word for each in lists for word in (*each.words, *each.also)]
    named = [*game.marker, *game.off_map, *(option.id for option in game.options)]
    named += [phase.id for phase in game.sequence] + [side.id for side in game.sides]
    return frozenset(plain(word) for word in (*listed, *named) if len(word) > 1)
