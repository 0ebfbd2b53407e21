"""What a combat result obliges each side to, and how later losses and retreats meet it.

A result makes one `Obligation` for each side it touches. Losses and retreats are booked as the log shows
them; when the next battle starts, or the phase ends, `settle` says what is still owed, or was too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from validator.core.breach import Breach
from validator.core.results import Part, Pays

UNPAID, OVERPAID, UNEVEN, NO_RETREAT, STRANDED, TOO_FAR = (
    "unpaid",
    "overpaid",
    "uneven-retreat",
    "retreat-not-allowed",
    "stranded",
    "retreat-too-far",
)


@dataclass
class Obligation:
    """One side's part of a result. `steps` holds the steps of each unit before the result.

    `immobile` units cannot retreat: when the others do, they are eliminated, and what they lose then pays
    for nothing. `extra_due` are steps owed on top, such as for retreating into an enemy zone.
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
        """Steps lost that count towards the result."""
        counted = self.steps if self.retreated == 0 else self.steps.keys() - self.immobile
        lost = sum(self.lost.get(unit, 0) for unit in counted)
        return max(lost - self.extra_due, 0)

    @property
    def owed(self) -> int:
        """Points still to be paid; 0 if nothing is left to pay with."""
        if not self.survivors:
            return 0
        return max(_points(self.part, self.steps) - self.paid - self._retreat_points(), 0)

    @property
    def met(self) -> bool:
        return not self.settle()

    def _retreat_points(self) -> int:
        return self.retreated if self.part.pays in (Pays.EITHER, Pays.RETREAT) else 0

    def settle(self) -> tuple[Breach, ...]:
        """What is wrong once there is no more time to pay."""
        return tuple(b for b in (self._short(), self._over(), *self._of_retreat()) if b is not None)

    def _short(self) -> Breach | None:
        lost = sum(self.lost.values())
        total = sum(self.steps.values())
        if not self.survivors or self.part.pays in (Pays.SPECIAL, Pays.SAME):
            return None
        if self.part.pays is Pays.EACH:
            return self._not_each(lambda lost: lost < self.part.points, self.survivors, UNPAID)
        if self.owed:
            needed = _points(self.part, self.steps)
            what = _points_text(self.part, needed)
            return Breach(
                UNPAID, units=self.survivors, needed=needed, available=needed - self.owed, detail=what
            )
        if lost < min(self.extra_due, total):
            return Breach(
                UNPAID,
                units=self.survivors,
                needed=self.extra_due,
                available=lost,
                detail=_steps(self.extra_due),
            )
        return None

    def _over(self) -> Breach | None:
        """More steps lost than owed. A dead force never overpays, and only an uneven retreat is reported."""
        if self.part.pays is Pays.EACH:
            return self._not_each(lambda lost: lost > self.part.points, self.steps, OVERPAID)
        if self.part.pays in (Pays.SPECIAL, Pays.SAME) or not self.survivors or self._uneven:
            return None
        needed = max(_points(self.part, self.steps) - self._retreat_points(), 0)
        if self.paid > needed:
            return Breach(OVERPAID, units=tuple(self.lost), needed=needed, available=self.paid)
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

    def _of_retreat(self) -> list[Breach]:
        hexes = self._moved
        allowed = self.part.pays in (Pays.EITHER, Pays.RETREAT, Pays.BOTH, Pays.SPECIAL)
        found = []
        if any(hexes.values()) and not allowed:
            found.append(Breach(NO_RETREAT, units=tuple(u for u, n in hexes.items() if n)))
        if self._uneven:
            found.append(Breach(UNEVEN, units=tuple(hexes), needed=max(hexes.values())))
        if self.part.pays is Pays.BOTH and hexes and min(hexes.values()) < self.part.hexes:
            short = tuple(unit for unit, moved in hexes.items() if moved < self.part.hexes)
            found.append(
                Breach(
                    UNPAID,
                    units=short,
                    needed=self.part.hexes,
                    available=min(hexes.values()),
                    detail=_hexes(self.part.hexes),
                )
            )
        most = self._farthest()
        if allowed and most is not None and self.retreated > most:
            beyond = tuple(unit for unit, moved in self.hexes.items() if moved > most)
            found.append(Breach(TOO_FAR, units=beyond, needed=most, available=self.retreated))
        left = tuple(unit for unit in self.survivors if unit in self.immobile)
        if left and any(self.hexes.values()):
            found.append(Breach(STRANDED, units=left))
        return found

    def _farthest(self) -> int | None:
        """The hexes that a result lets a side retreat; a special result has rules of its own."""
        if self.part.pays is Pays.SPECIAL:
            return None
        return self.part.hexes if self.part.pays is Pays.BOTH else self.part.points


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
