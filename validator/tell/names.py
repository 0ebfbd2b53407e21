"""Names of units as a sentence has them: the 24th and 51st Armies, VIII and XI Army Corps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from fieldpost.definition.model import Game
from fieldpost.phrases import grouped, listed, phrase

ORDINAL = re.compile(r"\d+(st|nd|rd|th)")
ROMAN = re.compile(r"[IVXL]+")
NUMBER = re.compile(r"\d+")
BRACKETS = re.compile(r" \([^()]*\)$")
PLURALS = {"Kampfgruppe": "Kampfgruppen"}
SAME = ("Corps", "Headquarters", "Forces", "Infantry", "Artillery", "artillery")


class Names:
    def __init__(self, game: Game) -> None:
        """What stands in brackets behind a name is left out; names that are alike get the unit's id."""
        short = {counter.id: BRACKETS.sub("", counter.name) for counter in game.counters}
        often = Counter(short.values())
        self._names = {unit: name if often[name] == 1 else f"{name} ({unit})" for unit, name in short.items()}

    def of(self, units: Iterable[str]) -> str:
        return listed(_joined([self._names.get(unit, unit) for unit in units]))

    def each(self, units: Iterable[str], notes: Sequence[str]) -> str:
        """Each by itself where any of them has a note: the 6th Army (5-7) and the 24th Army."""
        if not any(notes):
            return self.of(units)
        pairs = zip(units, notes, strict=True)
        return listed([f"{self.of([unit])}{phrase(' ({})', note)}" for unit, note in pairs])


def _joined(names: Sequence[str]) -> list[str]:
    """Names that differ in a number only are told together, in the order the first of each came."""
    groups = grouped(map(_taken_apart, names), lambda parts: parts[:2])
    return [_group(how, stem, [number for *_, number in alike]) for (how, stem), alike in groups.items()]


def _taken_apart(name: str) -> tuple[str, str, str]:
    """Where its number stands, the name without it, and the number."""
    first, _, rest = name.partition(" ")
    stem, _, last = name.rpartition(" ")
    if rest and (ORDINAL.fullmatch(first) or ROMAN.fullmatch(first)):
        return "before", rest, first
    if stem and NUMBER.fullmatch(last):
        return "after", stem, last
    return "whole", name, ""


def _group(how: str, stem: str, numbers: list[str]) -> str:
    if how == "whole":
        return stem
    numbers = sorted(numbers, key=_value)
    name = _plural(stem) if len(numbers) > 1 else stem
    if how == "after":
        return f"{name} {listed(numbers)}"
    article = phrase("the ", ORDINAL.fullmatch(numbers[0]))
    return f"{article}{listed(numbers)} {name}"


def _value(number: str) -> tuple[int, str]:
    digits = re.match(r"\d+", number)
    return (int(digits.group()), "") if digits else (_roman(number), number)


def _roman(number: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10, "L": 50}[letter] for letter in number]
    later = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, later, strict=True))


def _plural(stem: str) -> str:
    """Of the last word that names a formation: Supply depot, Rifle Division, Kampfgruppe."""
    before, _, word = stem.rpartition(" ")
    if word in SAME or word.endswith("s"):
        return stem
    many = PLURALS.get(word) or (f"{word[:-1]}ies" if word.endswith("y") else f"{word}s")
    return f"{before} {many}".strip()
