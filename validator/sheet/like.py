"""So many like units at a place, in place of their names: `6*infantry@1114`.

Which they are is settled when the line is judged, by where the counters lie then (`chosen`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

from fieldpost.definition.model import Game, UnitType
from fieldpost.hexes import Hex
from validator.model.events import Spot
from validator.model.position import Position

AnyUnit = TypeVar("AnyUnit", bound="str | Hex")
STAR, AT, MOST = "*", "@", 99
KIND = "kind"  # the value of a type of unit that names what it is, whoever's it is


@dataclass(frozen=True)
class Place:
    spot: Spot
    passed_over: int  # so many of the kind were named before, in the same round
    error: Exception  # to be raised where there are not enough


class Like(str):
    """A term of a sheet that stands where the name of a unit stands."""

    number: int
    kind: str

    def __new__(cls, text: str, number: int, kind: str) -> Self:
        term = super().__new__(cls, text)
        term.number, term.kind = number, kind
        return term


class Anywhere(Like):
    """A term that does not say where its units stand."""

    def at(self, place: Place) -> Located:
        return Located.of(self, place, self.number)


class Located(Like):
    """A term whose units stand at a place."""

    place: Place

    @classmethod
    def of(cls, term: Like, place: Place, number: int) -> Located:
        located = cls(term, number, term.kind)
        located.place = place
        return located


def is_kind(unit_type: UnitType, kind: str) -> bool:
    return kind in (unit_type.id, str(unit_type.values.get(KIND, "")))


def kinds(game: Game) -> list[str]:
    named = {str(each.values[KIND]) for each in game.unit_types if KIND in each.values}
    return sorted(named | {each.id for each in game.unit_types})


def _replaced(units: Iterable[AnyUnit], by: Callable[[Located], Iterable[str]]) -> list[AnyUnit]:
    """The units, each term that has a place replaced by others."""
    named: list[Any] = []
    for unit in units:
        if isinstance(unit, Located):
            named += by(unit)
        else:
            named.append(unit)
    return named


def one_by_one(units: Iterable[str]) -> list[str]:
    """Each unit of a term by itself: for events of one unit."""
    return _replaced(units, lambda term: [Located.of(term, term.place, 1)] * term.number)


def chosen(units: tuple[str, ...], position: Position) -> tuple[str, ...]:
    """The units that terms stand for, as the counters lie; an error where there are too few."""

    def standing(term: Located) -> list[str]:
        there = [u.id for u in position.waiting(term.place.spot) if is_kind(u.type, term.kind)]
        free = [name for name in there if name not in units][term.place.passed_over :]
        if len(free) < term.number:
            raise term.place.error
        return free[: term.number]

    return tuple(_replaced(units, standing))


def after_others(units: Iterable[AnyUnit], used: Counter[tuple[str, Spot]]) -> tuple[AnyUnit, ...]:
    """Of the terms of a round, each passes over the units that the ones before it took."""

    def next_ones(term: Located) -> list[str]:
        key = (term.kind, term.place.spot)
        place = replace(term.place, passed_over=used[key])
        used[key] += term.number
        return [Located.of(term, place, term.number)]

    return tuple(_replaced(units, next_ones))
