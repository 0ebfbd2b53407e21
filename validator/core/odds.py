"""From two strengths to a column: ratios rounded for the defender, rows of odds, shifts, ends.

`Columns` is a printed row of odds with a first and a last column. `Ladder` counts whole odds without end
in both directions (1:2, 1:1, 2:1 ...), for games that shift the true ratio and only then look at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from fieldpost.errors import FieldpostError


@dataclass(frozen=True, slots=True)
class Shift:
    """Columns to the right (to the left if negative), and why."""

    key: str
    subject: str
    columns: int


@dataclass(frozen=True)
class Column:
    """Where a battle is looked up. `start` is before shifts; `label` is the odds as printed.

    `place` tells columns apart, those beyond the ends of a ladder too: on a ladder n:1 is n-1 and 1:n is 1-n.
    """

    index: int
    id: str
    label: str
    start: str
    shifts: tuple[Shift, ...] = ()
    clamped: bool = False  # shifted beyond an end
    automatic: str | None = None  # a result without a die
    place: int = 0


@cache
def parse_odds(text: str) -> Fraction:
    """3:1, 3-1, 7:1+ as a number."""
    left, mark, right = text.strip().rstrip("+").replace("-", ":").partition(":")
    try:
        return Fraction(int(left), int(right)) if mark else Fraction(int(left))
    except (ValueError, ZeroDivisionError) as error:
        raise FieldpostError(f"{text!r} are no odds", "Write 3:1 or 1:2.") from error


def odds_text(attack: Fraction, defense: Fraction) -> str:
    """The ratio in whole numbers, rounded for the defender: 15 to 4 is 3:1, 4 to 9 is 1:3."""
    if defense <= 0:
        return "no defense"
    if attack >= defense:
        return f"{attack // defense}:1"
    return f"1:{-(-defense // attack)}" if attack else "0:1"


@dataclass(frozen=True)
class Columns:
    """The odds of a row of the results table, from the left; `ids` name the columns of the results. Shifted
    beyond the ends a result is automatic, if the game says which."""

    labels: tuple[str, ...]
    ids: tuple[str, ...]
    below: str | None = None
    above: str | None = None

    @classmethod
    def from_cells(cls, cells: Sequence[str], ids: Sequence[str]) -> Columns:
        """A printed row; columns with `-` or nothing are not there for this row."""
        kept = [
            (cell.strip(), id_) for cell, id_ in zip(cells, ids, strict=True) if cell.strip() not in ("", "-")
        ]
        return cls(tuple(label for label, _ in kept), tuple(id_ for _, id_ in kept))

    def find(self, attack: Fraction, defense: Fraction, shifts: Iterable[Shift] = ()) -> Column:
        """The last column not above attack to defense, or the first one; then shifted within the row."""
        shifts = tuple(shifts)
        ratios = list(map(parse_odds, self.labels))
        odds = attack / defense if defense > 0 else max(ratios)
        under = [i for i, ratio in enumerate(ratios) if ratio <= odds]
        start = under[-1] if under else 0
        column = self.at(start + sum(shift.columns for shift in shifts))
        clamped = column.clamped or (not under and column.index == 0)
        return replace(column, start=self.labels[start], shifts=shifts, clamped=clamped)

    def at(self, place: int) -> Column:
        """The column at a place from the left; beyond the ends the nearest, with its automatic result."""
        index = min(max(place, 0), len(self.labels) - 1)
        label, automatic = self.labels[index], self.below if place < index else self.above
        automatic = automatic if place != index else None
        return Column(index, self.ids[index], label, label, (), place != index, automatic, index)

    def place(self, odds: Fraction) -> int | None:
        """The place of odds as players announce them."""
        return self.find(odds, Fraction(1)).place


def best_for_defender(columns: Iterable[Column]) -> Column:
    """Of several rows that could be used, the one furthest left."""
    return min(columns, key=lambda column: column.index)


@dataclass(frozen=True)
class Ladder:
    """Whole odds without end. Beyond the table's ends a result is automatic, if the game says which."""

    lowest: str
    highest: str
    below: str | None = None
    above: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """From the lowest to the highest."""
        return tuple(map(rung_text, range(_rung_of(self.lowest), _rung_of(self.highest) + 1)))

    def find(self, attack: Fraction, defense: Fraction, shifts: Iterable[Shift] = ()) -> Column:
        shifts = tuple(shifts)
        rung = _rung(attack, defense)
        column = self.at(rung + sum(shift.columns for shift in shifts))
        return replace(column, start=rung_text(rung), shifts=shifts)

    def at(self, place: int) -> Column:
        """The column at a place, 0 for 1:1; beyond the ends the nearest, with its automatic result."""
        low, high = _rung_of(self.lowest), _rung_of(self.highest)
        automatic = self.below if place < low else self.above if place > high else None
        index = min(max(place, low), high)
        label = rung_text(place if automatic else index)
        clamped = place != index and automatic is None
        return Column(index - low, label, label, label, (), clamped, automatic, place)

    def place(self, odds: Fraction) -> int | None:
        """The place of odds as players announce them; None if they are no whole odds."""
        whole = odds > 0 and 1 in (odds.numerator, odds.denominator)
        return _rung(Fraction(odds.numerator), Fraction(odds.denominator)) if whole else None


def _rung(attack: Fraction, defense: Fraction) -> int:
    """n:1 is n-1, 1:n is 1-n."""
    if defense <= 0:
        return int(attack)
    if attack >= defense:
        return int(attack // defense) - 1
    return 1 - int(-(-defense // attack)) if attack > 0 else -int(defense)


def _rung_of(label: str) -> int:
    ratio = parse_odds(label)
    return _rung(Fraction(ratio.numerator), Fraction(ratio.denominator))


def rung_text(rung: int) -> str:
    return f"{rung + 1}:1" if rung >= 0 else f"1:{1 - rung}"
