"""What a phase remembers of movement: who went how far by what means, and in what order."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from validator.core.board import HexId
from validator.core.capacity import Capacity
from validator.engine.referee import Case
from validator.model.events import Event
from validator.model.position import Unit
from validator.procedures.moves import past_entry

MARCH, STRATEGIC, SEA, LAST = "march", "strategic", "sea", "last"
STAGES = {SEA: 1, STRATEGIC: 2, MARCH: 3, LAST: 4}
STAGE_NAMES = {1: "sea movement", 2: "strategic movement", 3: "ordinary movement", 4: "airbases or groups"}


@dataclass
class Trip:
    """The movement of one unit in one phase."""

    origin: HexId
    mode: str
    spent: int = 0  # twelfths of a movement point
    ended: bool = False  # a failed or costly overrun, or a drop from the stack
    overran: int = 0  # overruns won since the last hex moved
    entry: HexId | None = None  # the hex an overrun emptied, to be entered for nothing


@dataclass
class Journal:
    """All movement of one phase."""

    trips: dict[str, Trip] = field(default_factory=dict)
    stage: int = 0
    last_moved: tuple[str, ...] = ()
    dropped: set[str] = field(default_factory=set)  # left behind by a stack that went on
    blamed: Event | None = None  # a move found wrong; what follows from it is not told again

    def moved(self, units: tuple[str, ...]) -> None:
        if set(units) < set(self.last_moved):
            self.dropped.update(set(self.last_moved).difference(units))
        self.last_moved = units

    ships: Capacity = field(default_factory=lambda: Capacity("sea-capacity", Fraction(1), shared_route=True))


def journal(case: Case) -> Journal:
    return case.in_phase.note("journal", Journal)


def modes_of_turn(case: Case) -> dict[str, set[str]]:
    """By unit, the ways it moved in this turn's movement phases."""
    found: dict[str, set[str]] = case.in_turn.notes.setdefault("modes", {})
    return found


def record(case: Case, unit: Unit, origin: HexId, mode: str, spent: int) -> None:
    trip = journal(case).trips.setdefault(unit.id, Trip(origin, mode))
    trip.mode, trip.spent, trip.overran = mode, trip.spent + spent, 0
    modes_of_turn(case).setdefault(unit.id, set()).add(mode)


def entered(case: Case, units: tuple[str, ...], way: list[HexId]) -> list[HexId]:
    """The way without the step into the hex that an overrun emptied: it is free, and comes first (6.27)."""
    trips = [journal(case).trips[name] for name in units if name in journal(case).trips]
    entries = {trip.entry for trip in trips if trip.entry is not None}
    if len(entries) != 1:
        return way
    for trip in trips:
        trip.entry = None
    (entry,) = entries
    return past_entry(way, entry)
