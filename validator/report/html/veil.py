"""Concealed units in a report's page: to all but their own side they are backs without a name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from fieldpost.definition.model import Counter, Game, UnitType
from fieldpost.phrases import count
from validator.report.html.frames import Chapter, Film, Frame, State

EVERYTHING = "*"
"""In place of a side: nothing is veiled."""
NAME = "a concealed unit"
T = TypeVar("T")


class Veil:
    """The units that the last log leaves concealed from a viewer, and what stands in their place."""

    def __init__(self, game: Game, chapters: Sequence[Chapter], view: str | None) -> None:
        self._view = view
        self._sides = {side.id: side.name for side in game.sides}
        hidden = [] if view == EVERYTHING else list(_concealed_from(view, chapters))
        self._stands_for = {unit: f"concealed-{number}" for number, unit in enumerate(hidden, 1)}
        self.game = self._with_backs(game) if hidden else game
        names = [name for unit in hidden for name in _names(game.counter[unit])]
        longest_first = sorted({name for name in names if name}, key=len, reverse=True)
        self._named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    @property
    def remark(self) -> str:
        """What the page says at its head, if anything was concealed."""
        if self._view == EVERYTHING:
            return "Concealed units are shown face up: for a referee."
        number = count(len(self._stands_for), "concealed unit")
        eyes = (
            f"{self._sides.get(self._view, self._view)} sees it" if self._view else "every player may see it"
        )
        return f"Seen as {eyes}: {number} without name and face." if self._stands_for else ""

    def film(self, film: Film) -> Film:
        if not self._stands_for:
            return film
        frames = [self._frame(frame) for frame in film.frames]
        return Film(frames, [(self.text_of(finding), at) for finding, at in film.findings], film.counts)

    def chapter(self, chapter: Chapter) -> Chapter:
        """Its report alone: what is drawn comes from the film."""
        return replace(chapter, report=self.text_of(chapter.report)) if self._stands_for else chapter

    def text_of(self, value: T) -> T:
        """The same without the units' names, however deep they lie in it."""
        return self._veiled(value, in_text=True)  # type: ignore[no-any-return]

    def _frame(self, frame: Frame) -> Frame:
        units = {
            self._stands_for.get(unit, unit): State(state.spot, 1, ()) if unit in self._stands_for else state
            for unit, state in frame.units.items()
        }
        events = [self._veiled(event, in_text=False) for event in frame.events]
        return replace(frame, units=units, events=events)

    def _veiled(self, value: Any, *, in_text: bool) -> Any:
        if isinstance(value, str):
            return self._word(value, in_text)
        if isinstance(value, Mapping):
            return {
                self._veiled(k, in_text=in_text): self._veiled(v, in_text=in_text) for k, v in value.items()
            }
        if isinstance(value, tuple | list | set | frozenset) and not hasattr(value, "_fields"):
            return type(value)(self._veiled(item, in_text=in_text) for item in value)
        if is_dataclass(value) and not isinstance(value, type):
            changed = {
                one.name: self._veiled(getattr(value, one.name), in_text=in_text)
                for one in fields(value)
                if one.init
            }
            return replace(value, **changed)
        return value

    def _word(self, word: str, in_text: bool) -> str:
        if word in self._stands_for:
            return self._stands_for[word]
        return self._named.sub(NAME, word) if in_text else word

    def _with_backs(self, game: Game) -> Game:
        types = {side: _back(side, game) for side in self._sides}
        counters = [
            Counter(alias, NAME, types[game.unit_type[game.counter[unit].type].side].id, ("",), label="?")
            for unit, alias in self._stands_for.items()
        ]
        return replace(
            game, counters=(*game.counters, *counters), unit_types=(*game.unit_types, *types.values())
        )


def _back(side: str, game: Game) -> UnitType:
    nationality = next((one.nationality for one in game.unit_types if one.side == side), "")
    return UnitType(f"concealed-{side}", NAME, side, nationality, "")


def _concealed_from(view: str | None, chapters: Sequence[Chapter]) -> list[str]:
    concealed = chapters[-1].concealed if chapters else {}
    return [unit for unit, side in concealed.items() if view is None or side != view]


def _names(counter: Counter) -> tuple[str, ...]:
    return counter.id, counter.name, counter.label
