"""Combat phases of a log in which no battle is declared, and the chat there that tells of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fieldpost.definition.model import Game, Phase, Scenario
from fieldpost.definition.words import Vocabulary
from fieldpost.hexes import HexError
from validator.model import events as ev
from validator.model.events import Event

ATTACK = "attack"
ON_FOOT = ("move", "exploitation-move")
"""Verbs of phases in which units on the ground move too: a drag there need be no part of a battle."""
_ODDS = re.compile(r"\d{1,2}(?:[.,]\d)?\s*[:\u2013-]\s*\d{1,2}")
_WORD = re.compile(r"[^\s,;.!?()]+")


def with_phases_undeclared(
    phase: str, events: list[Event], game: Game, scenario: Scenario, words: Vocabulary
) -> Iterator[Event]:
    """The events, each such phase with an event of its own at its head."""
    combat = {each.id for each in game.sequence if _is_combat(each)}
    talk = _Talk(game, scenario, words)
    for part in _by_phase(events):
        if isinstance(part[0], ev.PhaseBegan):
            phase = part[0].phase
            yield part.pop(0)
        if game.rules is not None and phase in _mixed(game) and not any(map(_declares, part)):
            yield from _from_the_first_die(part)
            continue
        without_dice = _shows_no_dice(part)
        if phase in combat and part and (without_dice or not any(map(_declares, part))):
            said = (
                event for event in part if isinstance(event, ev.Said) and talk.tells_of_battle(event.text)
            )
            steps = tuple(event.origin.step for event in said)
            yield ev.Undeclared(steps, without_dice, origin=replace(part[0].origin, inferred=True))
        yield from part


def _mixed(game: Game) -> set[str]:
    """Phases in which units both move and attack."""
    verbs = {each.id: _verbs(each) for each in game.sequence}
    return {id_ for id_, known in verbs.items() if ATTACK in known and not known.isdisjoint(ON_FOOT)}


def _from_the_first_die(part: list[Event]) -> Iterator[Event]:
    """Moves before the first die are marches; what befalls fighting units after it may be a battle."""
    first = next((at for at, event in enumerate(part) if isinstance(event, ev.Rolled)), None)
    yield from part[:first]
    if first is not None:
        yield ev.Undeclared(origin=replace(part[first].origin, inferred=True))
        yield from part[first:]


def _by_phase(events: Iterable[Event]) -> Iterator[list[Event]]:
    part: list[Event] = []
    for event in events:
        if isinstance(event, ev.PhaseBegan) and part:
            yield part
            part = []
        part.append(event)
    if part:
        yield part


def _is_combat(phase: Phase) -> bool:
    verbs = _verbs(phase)
    return ATTACK in verbs and verbs.isdisjoint(ON_FOOT)


def _verbs(phase: Phase) -> set[str]:
    return {*phase.may, *(verb for step in phase.steps for verb in step.may)}


def _declares(event: Event) -> bool:
    return isinstance(event, ev.Attacked | ev.RoundBegan)


def _shows_no_dice(part: Iterable[Event]) -> bool:
    """Whether rounds of battles were fought and no unit threw a die: the dice were thrown elsewhere."""
    kinds = {type(event) for event in part}
    return ev.RoundBegan in kinds and ev.Fired not in kinds


class _Talk:
    """Chat in the words of a game."""

    def __init__(self, game: Game, scenario: Scenario, words: Vocabulary) -> None:
        self.game, self.sheet, self.results = game, scenario.sheet, words.results
        self.units = {counter.lower() for counter in game.counter}

    def tells_of_battle(self, text: str) -> bool:
        """A unit, a hex, odds, a result, or a number by itself."""
        words = _WORD.findall(text)
        alone = len(words) == 1 and words[0].isdigit()
        return alone or bool(_ODDS.search(text)) or any(map(self._is_told, words))

    def _is_told(self, word: str) -> bool:
        return word.lower() in self.units or self.results.find(word) is not None or self._is_hex(word)

    def _is_hex(self, word: str) -> bool:
        if not any(letter.isdigit() for letter in word) or len(word) < 3:
            return False
        try:
            return self.game.map.lattice.hex(word, self.sheet) in self.game.map.hexes
        except HexError:
            return False
