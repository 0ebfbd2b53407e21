"""The dice of a game by player and die, and the rolls that were taken back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from validator.anygame.one_log import Done, Entry
from validator.anygame.rolls import Roll
from validator.audit.dice import USUAL, Tally, exact_tail, once_in

NOBODY = "nobody named"
RARE = 0.01
_MOST_SIDES = 1000
_MOST_WORK = 500_000
"""Steps of an exact count; of more dice the normal distribution says the same."""


@dataclass
class Fallen:
    """What fell for one player on one die. Of more than one in `dice` the values are sums."""

    who: str
    die: str
    sides: int | None
    dice: int
    values: Counter[int] = field(default_factory=Counter)
    faces: Counter[str] = field(default_factory=Counter)

    @property
    def number(self) -> int:
        return self.values.total() + self.faces.total()

    @property
    def mean(self) -> float | None:
        return self._total / self.values.total() if self.values else None

    @property
    def expected(self) -> float | None:
        return self.dice * (self.sides + 1) / 2 if self._plain and self.sides else None

    @property
    def words(self) -> str:
        rarest = min((chance for chance in self.chances if chance is not None), default=None)
        if rarest is None:
            return ""
        if rarest >= RARE:
            return USUAL
        return once_in(rarest)

    @cached_property
    def chances(self) -> tuple[float | None, float | None]:
        """How often fair dice have a mean so far off, and how often they fall so unevenly."""
        if not self._plain or self.sides is None:
            return None, None
        p_mean = _far_off(self._total, self.values.total() * self.dice, self.sides)
        if self.dice > 1:
            return p_mean, None
        counts = [self.values[face] for face in range(1, self.sides + 1)]
        return p_mean, Tally(self.who, self.sides, counts).p_even

    @property
    def _total(self) -> int:
        return sum(self.values.elements())

    @property
    def _plain(self) -> bool:
        """Numbers that such dice can show."""
        if self.sides is None or not 2 <= self.sides <= _MOST_SIDES or not self.values:
            return False
        return all(self.dice <= value <= self.dice * self.sides for value in self.values)

    def data(self) -> dict[str, Any]:
        mean, even = self.chances
        return {
            "player": self.who,
            "die": self.die,
            "sides": self.sides,
            "dice": self.dice,
            "number": self.number,
            "values": {str(value): self.values[value] for value in sorted(self.values)},
            "faces": dict(self.faces.most_common()),
            "mean": _rounded(self.mean, 3),
            "expected": self.expected,
            "p_mean": _rounded(mean, 4),
            "p_even": _rounded(even, 4),
            "words": self.words,
        }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _far_off(total: int, number: int, sides: int) -> float:
    """The chance that the sum of fair dice lies at least so far from its mean, both ways."""
    if number * number * sides * sides / 2 <= _MOST_WORK:
        return exact_tail(total, number, sides)
    spread = math.sqrt(number * (sides * sides - 1) / 12)
    far = max(abs(total - number * (sides + 1) / 2) - 0.5, 0.0)
    return math.erfc(far / spread / math.sqrt(2))


@dataclass(frozen=True)
class Luck:
    tallies: tuple[Fallen, ...]
    undone: tuple[dict[str, Any], ...]

    def data(self) -> dict[str, Any]:
        return {"tallies": [one.data() for one in self.tallies], "undone": list(self.undone)}


def study(entries: Sequence[Entry]) -> Luck:
    tallies: dict[tuple[str, str, int | None, int], Fallen] = {}
    for entry in entries:
        for done, roll in entry.rolls:
            who = roll.who or done.who or NOBODY
            key = (who, _die(roll), roll.sides, roll.dice)
            fallen = tallies.setdefault(key, Fallen(*key))
            fallen.values.update(roll.values)
            fallen.faces.update(roll.faces)
    ordered = sorted(tallies.values(), key=lambda one: (one.who, -one.number, one.die))
    return Luck(tuple(ordered), tuple(_undone(entries)))


def _die(roll: Roll) -> str:
    if roll.sides is None:
        return roll.die
    return f"{roll.dice if roll.dice > 1 else ''}d{roll.sides}"


def _undone(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """Rolls taken back, and what the same die showed when it was rolled again at once."""
    for entry in entries:
        rolled = [done for done in entry.done if done.rolls]
        for undone in (done for done in rolled if done.undone_by is not None):
            again = _again(rolled, undone)
            yield {
                "log": entry.name,
                "step": undone.number,
                "player": undone.rolls[0].who or undone.who,
                "rolls": undone.rolled,
                "again": again.number if again else None,
                "then": again.rolled if again else [],
            }


def _again(rolled: Sequence[Done], undone: Done) -> Done | None:
    """The next roll behind the undo, if it is of the same dice."""
    after = next((done for done in rolled if done.number > (undone.undone_by or 0)), None)
    return after if after and after.dice == undone.dice else None
