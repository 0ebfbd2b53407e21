"""What a cell of a combat results table asks of each side, read by a game's own grammar."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from fieldpost.definition.model import Table
from fieldpost.definition.results import NOTHING
from fieldpost.errors import FieldpostError


class Pays(Enum):
    """How a side pays its part of a result."""

    NOTHING = "nothing"
    EITHER = "either"  # steps lost and hexes retreated, together the number
    STEPS = "steps"  # steps only
    RETREAT = "retreat"  # hexes only
    BOTH = "both"  # so many steps, and a retreat as well
    ALL = "all"  # every unit is eliminated
    EACH = "each"  # so many steps of every unit
    SAME = "same"  # as many steps as the other side has just lost
    SPECIAL = "special"  # the game's code knows


@dataclass(frozen=True, slots=True)
class Part:
    """One side's part: what it pays, how many points (steps of BOTH), and how many hexes of BOTH."""

    pays: Pays = Pays.NOTHING
    points: int = 0
    hexes: int = 0

    @property
    def adverse(self) -> bool:
        return self.pays is not Pays.NOTHING


@dataclass(frozen=True, slots=True)
class Result:
    """A result as printed and what it means. `first` settles first, if the game says who."""

    text: str
    attacker: Part = Part()
    defender: Part = Part()
    first: str | None = None

    @property
    def idle(self) -> bool:
        """Nothing happens."""
        return not (self.attacker.adverse or self.defender.adverse)


@dataclass(frozen=True)
class Phrase:
    """One form of result: a regular expression and the parts it means.

    In a part `points` and `hexes` are numbers or the names of groups of the expression.
    """

    pattern: str
    attacker: tuple[Pays, str | int, str | int] = (Pays.NOTHING, 0, 0)
    defender: tuple[Pays, str | int, str | int] = (Pays.NOTHING, 0, 0)
    first: str | None = None

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE)

    def read(self, text: str) -> Result | None:
        match = self.regex.fullmatch(text.strip())
        if match is None:
            return None
        groups = match.groupdict()
        return Result(text.strip(), _part(self.attacker, groups), _part(self.defender, groups), self.first)


def _part(made_of: tuple[Pays, str | int, str | int], groups: Mapping[str, str | None]) -> Part:
    pays, points, hexes = made_of
    return Part(pays, _number(points, groups), _number(hexes, groups))


def _number(value: str | int, groups: Mapping[str, str | None]) -> int:
    return value if isinstance(value, int) else int(groups[value] or 0)


@dataclass(frozen=True)
class Grammar:
    """The results a game prints."""

    phrases: Sequence[Phrase]

    def find(self, text: str) -> Result | None:
        """None for a text that is none of the results; what charts print for no effect is one of any game."""
        read = (phrase.read(text) for phrase in self.phrases)
        nothing = Result(text.strip()) if text.strip().lower() in NOTHING[1:] else None
        return next((result for result in read if result is not None), nothing)

    def read(self, text: str) -> Result:
        result = self.find(text)
        if result is None:
            raise FieldpostError(
                f"{text!r} is no combat result", "The game's grammar of results has no such form."
            )
        return result


@dataclass(frozen=True, slots=True)
class Modifier:
    """Added to the die, and why."""

    key: str
    subject: str
    value: int


@dataclass(frozen=True)
class Roll:
    """A die with its modifiers, held between the ends of the table."""

    die: int
    modifiers: tuple[Modifier, ...]
    final: int


def modified(
    die: int, modifiers: Sequence[Modifier], low: int | None = None, high: int | None = None
) -> Roll:
    final = die + sum(modifier.value for modifier in modifiers)
    if low is not None:
        final = max(final, low)
    if high is not None:
        final = min(final, high)
    return Roll(die, tuple(modifiers), final)


def look_up(table: Table, roll: Roll, column: str) -> str:
    """The cell of a results table whose rows are dice and whose columns are named."""
    return table.cell(str(roll.final), column)
