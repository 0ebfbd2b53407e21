"""The dice of a game by player and die, and the rolls that were taken back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from validator.anygame.reading import Done, Entry
from validator.anygame.rolls import Roll
from validator.audit.dice import Tally, exact_tail

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
        return sum(self.values.values()) + sum(self.faces.values())

    @property
    def mean(self) -> float | None:
        count = sum(self.values.values())
        return sum(value * times for value, times in self.values.items()) / count if count else None

    @property
    def expected(self) -> float | None:
        return self.dice * (self.sides + 1) / 2 if self._plain and self.sides else None

    @property
    def words(self) -> str:
        chances = [chance for chance in self.chances if chance is not None]
        if not chances:
            return ""
        if min(chances) >= RARE:
            return "as fair dice often fall"
        return f"fair dice fall so about once in {round(1 / max(min(chances), 1e-6)):,} games of this length"

    @cached_property
    def chances(self) -> tuple[float | None, float | None]:
        """How often fair dice have a mean so far off, and how often they fall so unevenly."""
        if not self._plain or self.sides is None:
            return None, None
        p_mean = _far_off(sum(v * times for v, times in self.values.items()), self._thrown, self.sides)
        if self.dice > 1:
            return p_mean, None
        counts = [self.values[face] for face in range(1, self.sides + 1)]
        return p_mean, Tally(self.who, self.sides, counts).p_even

    @property
    def _thrown(self) -> int:
        return sum(self.values.values()) * self.dice

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
            "mean": None if self.mean is None else round(self.mean, 3),
            "expected": self.expected,
            "p_mean": None if mean is None else round(mean, 4),
            "p_even": None if even is None else round(even, 4),
            "words": self.words,
        }


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
        for done in entry.done:
            if done.rolls and done.undone_by is not None:
                again = _again(entry.done, done)
                yield {
                    "log": entry.name,
                    "step": done.number,
                    "player": done.rolls[0].who or done.who,
                    "rolls": [f"{roll.die} = {roll.shown}" for roll in done.rolls],
                    "again": again.number if again else None,
                    "then": [f"{roll.die} = {roll.shown}" for roll in again.rolls] if again else [],
                }


def _again(steps: Sequence[Done], undone: Done) -> Done | None:
    """The next roll of the same die behind the undo."""
    dice = [roll.die for roll in undone.rolls]
    after = (done for done in steps[undone.undone_by or len(steps) :] if done.rolls)
    found = next(after, None)
    return found if found and [roll.die for roll in found.rolls] == dice else None
