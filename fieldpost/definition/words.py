"""The words that players of a game may say, and what is near to one that is none of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from fieldpost.definition.model import Declaration, Game, Phase, Step
from fieldpost.definition.problems import listing, nearest
from fieldpost.definition.rulesmodel import Rules

FIGHTS = ("combat", "overrun")  # what dice of every game are rolled for
NO_EFFECT = "-"
_ALSO_NO_EFFECT = ("NE", "none", "no effect", "no result")
REVEAL = "reveal"  # every module can report it
POINTS, WINNER = "victory-points", "victory"
SCORES = (Declaration(POINTS, "number"), Declaration(WINNER, "victory"))
"""What players say of the score, in games whose `rules` count it."""
_MOVE = "-move"
# Verbs of the phases that are said by other lines, or shown by the pieces themselves.
_SHOWN = ("retreat", "advance", "step-loss", "marker", "draw-strength")
_SAID_OTHERWISE = frozenset((*_SHOWN, "attack", "overrun", "set-supply", "advance-turn", "move"))
_WON = re.compile(r"-(victory|wins?|won|has-won)$")
_ODDS = re.compile(r"\d{1,4}(\.\d{1,2})?:\d{1,4}(\.\d{1,2})?")


@dataclass(frozen=True)
class WordList:
    """Words of one kind. Case does not count, and a blank is as good as a hyphen."""

    kind: str  # as a sentence names one of them
    words: tuple[str, ...]
    also: Mapping[str, str]  # other spellings, and which word each means

    @classmethod
    def of(cls, kind: str, words: Iterable[str], also: Mapping[str, str] | None = None) -> WordList:
        return cls(kind, tuple(dict.fromkeys(words)), also or {})

    @cached_property
    def _known(self) -> dict[str, str]:
        return {
            plain(text): word
            for text, word in (*self.also.items(), *zip(self.words, self.words, strict=True))
        }

    def find(self, text: str) -> str | None:
        """The word as the game spells it; None for what is none of them."""
        return text if text in self.words else self._known.get(plain(text))

    def nearest(self, text: str) -> str:
        near = nearest(plain(text), self._known)
        return self._known[near] if near else ""

    @property
    def listing(self) -> str:
        return listing(self.words) if self.words else "none"


class Vocabulary:
    """All word lists of a game."""

    def __init__(self, game: Game) -> None:
        words = game.words
        verbs = list(dict.fromkeys(verb for part in _parts(game) for verb in part.may))
        moves = [verb.removesuffix(_MOVE) for verb in verbs if verb.endswith(_MOVE)]
        rules = game.rules or Rules()
        listed = [mode.id for mode in rules.movement.modes] if rules.movement else []
        self.modes = WordList.of("way of moving", ["march", *words.modes, *listed, *moves])
        supports = rules.combat.support if rules.combat else ()
        self.supports = WordList.of("support", [*words.supports, *supports])
        self.manners = WordList.of("manner of fire", words.manners)
        self.exchanges = WordList.of("reason to replace counters", words.exchanges)
        reasons = [reason for dice in game.dice for reason in dice.reasons]
        self.rolls = WordList.of("reason to roll", [*FIGHTS, *reasons, *words.rolls])
        self.results = _results(game)
        self.victories = _victories(game)
        self.seasons = WordList.of("weather", game.seasons)
        scores = SCORES if rules.victory else ()
        self.values = {word.id: word for word in (*scores, *words.declarations)}
        self.declarations = WordList.of("declaration", [*self.values, *filter(is_declared, verbs), REVEAL])

    def value(self, what: str, text: str) -> tuple[str | None, str, str]:
        """What is said after `=`: as the game spells it, or None; what was expected; the nearest word."""
        kind = self.values.get(what, Declaration(what)).value
        if kind == "number":
            number = text.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-")
            return (number if re.fullmatch(r"[+-]?\d{1,6}", number) else None), "a whole number", ""
        if kind == "victory":
            return self.victories.find(text), self.victories.listing, self.victories.nearest(text)
        if kind == "seasons":
            said = [self.seasons.find(part) for part in text.split("/")]
            return "/".join(filter(None, said)) if all(said) else None, self.seasons.listing, ""
        return None, "nothing", ""

    @staticmethod
    def odds(text: str) -> str | None:
        said = re.sub(r"[-\N{EN DASH}]", ":", text)
        sound = _ODDS.fullmatch(said) and all(float(side) for side in said.split(":"))
        return said if sound else None


def is_declared(verb: str) -> bool:
    """Whether a verb of a phase is said by `declare`: it has no line of its own."""
    return verb not in _SAID_OTHERWISE and not verb.endswith(_MOVE)


def plain(text: str) -> str:
    """A word without what does not count."""
    return re.sub(r"[\s_\-\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}]+", "-", text.strip().lower())


def _parts(game: Game) -> Iterator[Phase | Step]:
    for phase in game.sequence:
        yield phase
        yield from phase.steps


def _results(game: Game) -> WordList:
    tables = [table for table in game.tables if table.kind == "combat-results"]
    cells = [cell for cell in (*chain.from_iterable(table.cells for table in tables), *beyond(game)) if cell]
    words = [NO_EFFECT if plain(cell) == "-" else cell for cell in (*cells, *game.words.results)]
    return WordList.of(
        "result", words, dict.fromkeys(_ALSO_NO_EFFECT, NO_EFFECT) if NO_EFFECT in words else {}
    )


def beyond(game: Game) -> tuple[str, ...]:
    """Results that stand beyond the columns of a table."""
    plate = game.battle_plate
    return (plate.below or "", plate.above or "") if plate is not None else ()


def _victories(game: Game) -> WordList:
    """`Axis victory`, `Axis wins` and `Axis` are the same."""
    bands = [band.result for s in game.scenarios if s.victory for band in s.victory.bands]
    words = [*bands, *game.words.victories]
    stems = {word: _WON.sub("", plain(word)) for word in words}
    also = {
        f"{stem}{end}": word
        for word, stem in stems.items()
        for end in ("", " victory", " wins", " win", " won")
    }
    return WordList.of("end of the game", words, also)
