"""What a combat result obliges each side to, and how later losses and retreats meet it.

A result makes one `Obligation` for each side it touches. Losses and retreats are booked as the log shows
them; when the next battle starts, or the phase ends, `settle` says what is still owed, or was too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from validator.core.breach import Breach, broken_where
from validator.core.results import Part, Pays

UNPAID, OVERPAID, UNEVEN, NO_RETREAT, STRANDED, TOO_FAR = (
    "unpaid",
    "overpaid",
    "uneven-retreat",
    "retreat-not-allowed",
    "stranded",
    "retreat-too-far",
)


ANY_NUMBER = 1 << 20  # nobody retreats so many hexes


@dataclass
class Obligation:
    """One side's part of a result. `steps` holds the steps of each unit before the result.

    `immobile` units cannot retreat: when the others do, they are eliminated, and what they lose then pays
    for nothing; before, they may lose steps for the result as all do. `extra_due` are steps owed on top,
    such as for retreating into an enemy zone.
    """

    battle: int
    side: str
    part: Part
    steps: Mapping[str, int]
    immobile: frozenset[str] = frozenset()
    lost: dict[str, int] = field(default_factory=dict)
    hexes: dict[str, int] = field(default_factory=dict)
    extra_due: int = 0

    def lose(self, unit: str, steps: int = 1) -> None:
        self.lost[unit] = self.lost.get(unit, 0) + steps

    def retreat(self, unit: str, hexes: int) -> None:
        self.hexes[unit] = self.hexes.get(unit, 0) + hexes

    @property
    def survivors(self) -> tuple[str, ...]:
        return tuple(u for u, steps in self.steps.items() if self.lost.get(u, 0) < steps)

    @property
    def retreated(self) -> int:
        """The hexes retreated, the most of any unit: whoever went less is uneven."""
        return max(self.hexes.values(), default=0)

    @property
    def paid(self) -> int:
        """The most steps lost that may count towards the result: who cannot move may have died for it before
        the others retreated."""
        dead = (unit for unit in self.immobile & self.steps.keys() if unit not in self.survivors)
        return self._lost_by({*self._movers, *dead})

    @property
    def surely_paid(self) -> int:
        """The fewest: what was lost because the others retreated pays for nothing."""
        return self._lost_by(self._movers)

    @property
    def _movers(self) -> set[str]:
        return set(self.steps) if self.retreated == 0 else self.steps.keys() - self.immobile

    def _lost_by(self, units: Iterable[str]) -> int:
        return max(sum(self.lost.get(unit, 0) for unit in units) - self.extra_due, 0)

    @property
    def owed(self) -> int:
        """Points still to be paid; 0 if nothing is left to pay with."""
        if not self.survivors:
            return 0
        return max(self._left_by_retreats - self._steps_for_it, 0)

    @property
    def _left_by_retreats(self) -> int:
        """Points that no hexes were retreated for."""
        hexes = self.retreated if self.part.pays in (Pays.EITHER, Pays.RETREAT) else 0
        return max(_points(self.part, self.steps) - hexes, 0)

    @property
    def _steps_for_it(self) -> int:
        """Steps that pay for the result: none does where hexes alone are asked for."""
        return 0 if self.part.pays is Pays.RETREAT else self.paid

    def settle(self) -> tuple[Breach, ...]:
        """What is wrong once there is no more time to pay."""
        return tuple(b for b in (self._short(), self._over(), *self._of_retreat()) if b is not None)

    def _short(self) -> Breach | None:
        if not self.survivors or self.part.pays in (Pays.SPECIAL, Pays.SAME):
            return None
        if self.part.pays is Pays.EACH:
            return self._not_each(lambda lost: lost < self.part.points, self.survivors, UNPAID)
        lost = sum(self.lost.values())
        needed, available, what = self.extra_due, lost, _steps(self.extra_due)
        if self.owed:
            needed = _points(self.part, self.steps)
            available, what = needed - self.owed, _points_text(self.part, needed)
        elif lost >= self.extra_due:
            return None
        return Breach(UNPAID, units=self.survivors, needed=needed, available=available, detail=what)

    def _over(self) -> Breach | None:
        """More steps lost than owed. A dead force never overpays, and only an uneven retreat is reported."""
        if self.part.pays is Pays.EACH:
            return self._not_each(lambda lost: lost > self.part.points, self.steps, OVERPAID)
        if self.part.pays in (Pays.SPECIAL, Pays.SAME) or not self.survivors or self._uneven:
            return None
        needed = 0 if self.part.pays is Pays.RETREAT else self._left_by_retreats
        if self.surely_paid > needed:
            return Breach(OVERPAID, units=tuple(self.lost), needed=needed, available=self.surely_paid)
        return None

    def _not_each(self, wrong: Callable[[int], bool], among: Iterable[str], key: str) -> Breach | None:
        """Units that lost another number of steps than each is to lose."""
        units = tuple(unit for unit in among if wrong(self.lost.get(unit, 0)))
        if not units:
            return None
        lost, due = self.lost.get(units[0], 0), self.part.points
        return Breach(key, units=units, needed=due, available=lost, detail=_steps(due))

    @property
    def _moved(self) -> dict[str, int]:
        return {unit: self.hexes.get(unit, 0) for unit in self.survivors if unit not in self.immobile}

    @property
    def _uneven(self) -> bool:
        return len(set(self._moved.values())) > 1

    def _of_retreat(self) -> tuple[Breach, ...]:
        if not any(self.hexes.values()) and self.part.pays is not Pays.BOTH:
            return ()  # nobody went, and nobody had to
        moved, hexes = self._moved, self.part.hexes
        going = tuple(unit for unit, number in moved.items() if number)
        allowed = self.part.pays in (Pays.EITHER, Pays.RETREAT, Pays.BOTH, Pays.SPECIAL)
        most = self._farthest()
        beyond = tuple(unit for unit, number in self.hexes.items() if number > most)
        short = tuple(unit for unit, number in moved.items() if number < hexes)
        left = tuple(unit for unit in self.survivors if unit in self.immobile)
        least, farthest = min(moved.values(), default=0), max(moved.values(), default=0)
        return broken_where(
            (going and not allowed, Breach(NO_RETREAT, units=going)),
            (self._uneven, Breach(UNEVEN, units=tuple(moved), needed=farthest)),
            (
                self.part.pays is Pays.BOTH and short,
                Breach(UNPAID, units=short, needed=hexes, available=least, detail=_hexes(hexes)),
            ),
            (allowed and beyond, Breach(TOO_FAR, units=beyond, needed=most, available=self.retreated)),
            (left and self.retreated, Breach(STRANDED, units=left)),
        )

    def _farthest(self) -> int:
        """The hexes that a result lets a side retreat; a special result has rules of its own."""
        return {Pays.SPECIAL: ANY_NUMBER, Pays.BOTH: self.part.hexes}.get(self.part.pays, self.part.points)


def _steps(number: int) -> str:
    return "step" if number == 1 else "steps"


def _hexes(number: int) -> str:
    return "hex" if number == 1 else "hexes"


def _points_text(part: Part, number: int) -> str:
    """What points are paid with."""
    if part.pays is Pays.EITHER:
        return f"{_steps(number)} or {_hexes(number)}"
    return _hexes(number) if part.pays is Pays.RETREAT else _steps(number)


def _points(part: Part, steps: Mapping[str, int]) -> int:
    total = sum(steps.values())
    if part.pays is Pays.ALL:
        return total
    if part.pays is Pays.EACH:
        return sum(min(part.points, left) for left in steps.values())
    if part.pays in (Pays.STEPS, Pays.BOTH):
        return min(part.points, total)
    return part.points
