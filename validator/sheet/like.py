"""So many like units at a place, in place of their names: `6*infantry@1114`.

Which they are is settled when the line is judged, by where the counters lie then (`chosen`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

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
    place: Place | None

    def __new__(cls, text: str, number: int, kind: str, place: Place | None = None) -> Like:
        found = super().__new__(cls, text)
        found.number, found.kind, found.place = number, kind, place
        return found

    def at(self, place: Place, number: int | None = None) -> Like:
        return Like(self, self.number if number is None else number, self.kind, place)


def is_kind(unit_type: UnitType, kind: str) -> bool:
    return kind in (unit_type.id, str(unit_type.values.get(KIND, "")))


def kinds(game: Game) -> list[str]:
    known = {str(each.values[KIND]) for each in game.unit_types if KIND in each.values}
    return sorted(known | {each.id for each in game.unit_types})


def one_by_one(units: Iterable[str]) -> list[str]:
    """Each unit of a term by itself: for events of one unit."""
    each: list[str] = []
    for unit in units:
        if isinstance(unit, Like) and unit.place is not None:
            each += [unit.at(unit.place, 1)] * unit.number
        else:
            each.append(unit)
    return each


def chosen(units: tuple[str, ...], position: Position) -> tuple[str, ...]:
    """The units that terms stand for, as the counters lie; an error where there are too few."""
    if not any(isinstance(unit, Like) for unit in units):
        return units
    named: list[str] = []
    for unit in units:
        if not isinstance(unit, Like) or unit.place is None:
            named.append(unit)
            continue
        there = [u.id for u in position.at(unit.place.spot) if is_kind(u.type, unit.kind)]
        there = [name for name in there if name not in units][unit.place.passed_over :]
        if len(there) < unit.number:
            raise unit.place.error
        named += there[: unit.number]
    return tuple(named)


def after_others(units: Iterable[AnyUnit], used: dict[tuple[str, Spot], int]) -> tuple[AnyUnit, ...]:
    """Of the terms of a round, each passes over the units that the ones before it took."""
    found: list[Any] = []
    for unit in units:
        if not isinstance(unit, Like) or unit.place is None:
            found.append(unit)
            continue
        key = (unit.kind, unit.place.spot)
        found.append(unit.at(replace(unit.place, passed_over=used.get(key, 0))))
        used[key] = used.get(key, 0) + unit.number
    return tuple(found)
