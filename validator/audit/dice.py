"""What the dice of a game show. Nothing here accuses: small numbers stray, and honest dice stray too."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validator.audit.entries import Entry
from validator.interpret.protocol import can_fall
from validator.model.events import PhaseBegan, Rolled, Thrown, Undone

NO_PROOF = "A log cannot prove its dice; what can be seen is rolls taken back and logs begun anew."
USUAL = "nothing that chance does not often give"
RARE = 0.01
LEAST_FOR_CHI_SQUARE = 5  # expected in each cell
MOST_SIDES_TO_COUNT = 10
BOTH = "both"
SECOND_ROLL = "A second roll for the same battle and reason"


@dataclass
class Tally:
    """The dice of one kind that fell in one side's phases."""

    side: str
    sides: int
    counts: list[int]
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def number(self) -> int:
        return sum(self.counts)

    @property
    def total(self) -> int:
        return sum(face * count for face, count in enumerate(self.counts, 1))

    @property
    def mean(self) -> float:
        return self.total / self.number

    @property
    def chi_square(self) -> float:
        expected = self.number / self.sides
        return sum((count - expected) ** 2 / expected for count in self.counts)

    @property
    def p_even(self) -> float | None:
        """How often chance alone spreads dice so unevenly: of few dice counted out, of many by chi-square.

        None for few dice of very many sides, which would take too long to count.
        """
        if not self.few:
            return chi_square_tail(self.chi_square, self.sides - 1)
        return exact_unevenness(self.counts) if self.sides <= MOST_SIDES_TO_COUNT else None

    @property
    def few(self) -> bool:
        """Too few for chi-square to be true."""
        return self.number < LEAST_FOR_CHI_SQUARE * self.sides

    @property
    def p_mean(self) -> float:
        """How often chance alone gives a mean at least so far from the middle; exact for any number."""
        return exact_tail(self.total, self.number, self.sides)

    def data(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "sides": self.sides,
            "number": self.number,
            "counts": self.counts,
            "mean": round(self.mean, 3),
            "chi_square": round(self.chi_square, 3),
            "p_even": None if self.p_even is None else round(self.p_even, 4),
            "p_mean": round(self.p_mean, 4),
            "words": self.words(),
            "reasons": dict(self.reasons.most_common()),
        }

    def words(self) -> str:
        chances = [p for p in (self.p_mean, self.p_even) if p is not None]
        if min(chances) >= RARE:
            return USUAL
        return once_in(min(chances))


def once_in(chance: float) -> str:
    """How seldom chance alone gives dice so far from what is expected."""
    return f"chance alone gives so much about once in {round(1 / max(chance, 1e-6)):,} games of this length"


@dataclass(frozen=True)
class Dice:
    tallies: tuple[Tally, ...]
    undone: tuple[dict[str, Any], ...]
    without_reason: tuple[dict[str, Any], ...]
    surplus: tuple[dict[str, Any], ...]

    @property
    def odd(self) -> tuple[tuple[dict[str, Any], ...], ...]:
        """The rolls that stand out, by why."""
        return self.undone, self.without_reason, self.surplus

    def data(self) -> dict[str, Any]:
        return {
            "tallies": [tally.data() for tally in self.tallies],
            "undone": list(self.undone),
            "without_reason": list(self.without_reason),
            "surplus": list(self.surplus),
        }


def in_places(rows: Iterable[dict[str, Any]]) -> str:
    return ", ".join(f"{row['log']} step {row['step']}" for row in rows)


def study(entries: Sequence[Entry]) -> Dice:
    tallies: dict[tuple[str, int], Tally] = {}
    for entry in entries:
        for side, roll in _rolls(entry):
            tally = tallies.setdefault((side, roll.sides), Tally(side, roll.sides, [0] * roll.sides))
            for value in roll.values:
                tally.counts[value - 1] += 1
            tally.reasons[roll.reason or "no reason declared"] += len(roll.values)
    return Dice(
        tuple(tallies[key] for key in sorted(tallies)),
        tuple(_undone(entries)),
        tuple(_place(entry, roll) for entry in entries for roll in entry.rolls if not roll.reason),
        tuple(_surplus(entries)),
    )


def _rolls(entry: Entry) -> Iterable[tuple[str, Thrown]]:
    """Each roll and whose phase it fell in."""
    active = {phase.id: phase.active for phase in entry.turn.game.sequence}
    side = active.get(entry.start.phase, BOTH)
    for event in entry.events:
        if isinstance(event, PhaseBegan):
            side = active.get(event.phase, BOTH)
        elif isinstance(event, Thrown) and can_fall(event.values, event.sides):
            yield side, event


def _undone(entries: Iterable[Entry]) -> Iterable[dict[str, Any]]:
    for entry in entries:
        for event in entry.events:
            if isinstance(event, Undone) and event.rolls:
                yield {"log": entry.name, "step": event.origin.step, "rolls": event.rolls}


def _surplus(entries: Iterable[Entry]) -> Iterable[dict[str, Any]]:
    """A second roll for a battle that was rolled for with the same reason."""
    for entry in entries:
        seen: set[tuple[int, str, str | None]] = set()
        for roll in entry.rolls:
            if isinstance(roll, Rolled) and roll.battle is not None:
                key = (roll.battle, roll.reason, roll.about)
                if key in seen:
                    yield _place(entry, roll) | {"battle": roll.battle}
                seen.add(key)


def _place(entry: Entry, roll: Thrown) -> dict[str, Any]:
    return {
        "log": entry.name,
        "step": roll.origin.step,
        "values": list(roll.values),
        "reason": roll.reason,
    }


# --- chances -------------------------------------------------------------------------------------


def chi_square_tail(value: float, degrees: int) -> float:
    """The chance of a chi-square at least so great: the upper incomplete gamma function, by recurrence."""
    if value <= 0:
        return 1.0
    half = value / 2
    if degrees % 2:
        tail, order = math.erfc(math.sqrt(half)), 0.5
    else:
        tail, order = math.exp(-half), 1.0
    while order < degrees / 2:
        tail += math.exp(order * math.log(half) - half - math.lgamma(order + 1))
        order += 1
    return min(tail, 1.0)


def exact_unevenness(counts: Sequence[int]) -> float:
    """The chance that fair dice fall at least so unevenly: all ways in which they can fall, counted."""
    number, sides = sum(counts), len(counts)
    seen = sum(count * count for count in counts)
    ways = sum(
        _ways(parts, number, sides)
        for parts in _partitions(number, sides, number)
        if sum(part * part for part in parts) >= seen
    )
    return ways / float(sides**number)


def _partitions(number: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as so many parts, none greater than `most`, the greatest first."""
    if parts == 1:
        if number <= most:
            yield (number,)
        return
    for first in range(min(number, most), -(-number // parts) - 1, -1):
        for rest in _partitions(number - first, parts - 1, first):
            yield (first, *rest)


def _ways(parts: Sequence[int], number: int, sides: int) -> int:
    """In how many ways dice fall so, whichever numbers are the frequent ones."""
    throws = math.factorial(number)
    for part in parts:
        throws //= math.factorial(part)
    faces = math.factorial(sides)
    for often in Counter(parts).values():
        faces //= math.factorial(often)
    return throws * faces


def exact_tail(total: int, number: int, sides: int) -> float:
    """The chance that the sum of fair dice lies at least so far from its mean, both ways."""
    ways = [1.0]
    for _ in range(number):
        wider = [0.0] * (len(ways) + sides - 1)
        for at, chance in enumerate(ways):
            for face in range(sides):
                wider[at + face] += chance / sides
        ways = wider
    middle = number * (sides + 1) / 2
    far = abs(total - middle) - 1e-9
    return min(1.0, sum(chance for at, chance in enumerate(ways) if abs(at + number - middle) >= far))
