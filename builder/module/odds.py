"""The strengths of pieces as properties that VASSAL can add up, whatever step shows and chit is drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fieldpost.definition.model import Counter, Game, Marker, Table, UnitType
from fieldpost.vassal import making
from fieldpost.vassal.pieces import TraitText

_ODDS = re.compile(r"^(\d{1,3})\s*[:-]\s*(\d{1,3})$")
_NUMBER = re.compile(r"\d+")
DRAWS = "draws-strength"
COMBAT = "combat"


def headings(table: Table | None) -> tuple[str, ...]:
    """The columns of a table of results, if they are odds."""
    if table is None or not all(_ODDS.match(column.strip()) for column in table.columns):
        return ()
    return tuple(column.strip().replace("-", ":") for column in table.columns)


FIGURES = ("Attack", "Defense", "ChitAttack", "ChitDefense", "Army")


def nothing(*names: str) -> dict[str, str]:
    """Figures of a piece that has none: VASSAL 3.6 cannot add up a place where one piece lacks them."""
    return dict.fromkeys(names or FIGURES, "0")


def strengths(game: Game, counter: Counter) -> list[TraitText]:
    """The attack and defense of a unit as properties, whatever step it shows and chit it has drawn."""
    unit_type = game.unit_type[counter.type]
    return [
        making.marker(nothing("ChitAttack", "ChitDefense")),
        *_own_strengths(counter, unit_type),
        *_support(game, counter, unit_type),
    ]


def _support(game: Game, counter: Counter, unit_type: UnitType) -> list[TraitText]:
    """What a gun or aircraft adds to those it supports, where the battle plate counts it."""
    plate = game.battle_plate
    counted = {"Support": plate.support, "CloseSupport": plate.close_support} if plate is not None else {}
    return [
        strength(name, of_steps(counter, unit_type.factors.index(factor)))
        if factor in unit_type.factors
        else making.marker({name: "0"})
        for name, factor in counted.items()
        if factor is not None
    ]


def _own_strengths(counter: Counter, unit_type: UnitType) -> list[TraitText]:
    draws = DRAWS in (*unit_type.traits, *counter.traits)
    return [
        strength(name.capitalize(), of_steps(counter, place))
        if (place := _place(unit_type.factors, name)) is not None
        else _drawn(name.capitalize(), draws)
        for name in ("attack", "defense")
    ]


def _place(factors: Sequence[str], name: str) -> int | None:
    """Where a factor is printed; one combat factor serves attack and defense."""
    return next((factors.index(each) for each in (name, COMBAT) if each in factors), None)


def of_steps(counter: Counter, place: int) -> list[int]:
    return [_factor(step, place) for step in counter.steps]


def _factor(printed: str, place: int) -> int:
    numbers = printed.split("-")
    found = _NUMBER.search(numbers[place]) if place < len(numbers) else None
    return int(found[0]) if found else 0


def strength(name: str, values: Sequence[int], layer: str = "Step") -> TraitText:
    if len(set(values)) == 1:
        return making.marker({name: str(values[0])})
    text = str(values[0])
    for level, value in enumerate(values[1:], 2):
        text = f"({layer}_Level=={level}?{value}:{text})"
    return making.calculated(name, "{" + text + "}")


def _drawn(name: str, draws: bool) -> TraitText:
    """The chits in the stack; shared where several units of it draw."""
    if not draws:
        return making.marker({name: "0"})
    chits = f'SumStack("Chit{name}")'
    return making.calculated(name, f'{{CountStack("Draws")>1?{chits}/CountStack("Draws"):{chits}}}')


def chit_strengths(marker: Marker) -> list[TraitText]:
    """What a chit lends the unit it lies with; nothing for a marker of another kind."""
    return [
        making.marker(nothing("Attack", "Defense", "Army")),
        *(
            strength(f"Chit{name.capitalize()}", _of_faces(marker, name), "Face")
            for name in ("attack", "defense")
        ),
    ]


def _of_faces(marker: Marker, name: str) -> list[int]:
    front = marker.values.get(name)
    if front is None:
        return [0]
    backs = [marker.values.get(f"back-{name}", front)] * (len(marker.faces) - 1)
    return [int(value) for value in (front, *backs)]
