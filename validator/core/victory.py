"""Victory points, item by item, and what they make of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fieldpost.definition.scenariomodel import VictoryBand


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """Points for one thing: what, which (units, a hex), how many, and how much each."""

    key: str
    subject: str
    count: int
    each: Fraction | int

    @property
    def points(self) -> Fraction | int:
        return self.count * self.each


@dataclass(frozen=True)
class Score:
    items: tuple[ScoreItem, ...]

    @property
    def points(self) -> Fraction:
        return sum((Fraction(item.points) for item in self.items), Fraction(0))

    def of(self, key: str) -> Fraction:
        return sum((Fraction(item.points) for item in self.items if item.key == key), Fraction(0))

    def band(self, bands: Sequence[VictoryBand]) -> VictoryBand | None:
        """The span of points the score falls into; None if the spans leave it out."""
        return next((band for band in bands if _holds(band, self.points)), None)


def score(items: Iterable[ScoreItem]) -> Score:
    """Items that count for nothing are left out."""
    return Score(tuple(item for item in items if item.count))


def _holds(band: VictoryBand, points: Fraction) -> bool:
    return (band.low is None or points >= band.low) and (band.high is None or points <= band.high)
