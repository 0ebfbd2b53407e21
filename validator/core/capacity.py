"""What may be carried, or done, in a phase: exact fractions booked against an allowance."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction

from validator.core.breach import Breach, broken_where


@dataclass(frozen=True, slots=True)
class Load:
    """What one unit takes of the allowance; `route` is what units that share must have in common."""

    unit: str
    size: Fraction
    route: Hashable = None


@dataclass
class Capacity:
    """An allowance for one phase. `shared_route` asks that all that share it take one route."""

    key: str
    allowed: Fraction
    shared_route: bool = False
    loads: list[Load] = field(default_factory=list)

    @property
    def used(self) -> Fraction:
        return sum((load.size for load in self.loads), Fraction(0))

    def check(self, load: Load) -> tuple[Breach, ...]:
        """What would be wrong with carrying this too."""
        needed = self.used + load.size
        units = (*(other.unit for other in self.loads), load.unit)
        astray = self.shared_route and any(other.route != load.route for other in self.loads)
        return broken_where(
            (needed > self.allowed, Breach(self.key, units=units, needed=needed, available=self.allowed)),
            (astray, Breach(f"{self.key}-route", units=units)),
        )

    def book(self, load: Load) -> tuple[Breach, ...]:
        """Carry it, right or wrong, and say what is wrong with it."""
        breaches = self.check(load)
        self.loads.append(load)
        return breaches
