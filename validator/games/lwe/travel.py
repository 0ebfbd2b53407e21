"""What a phase remembers of movement: who went how far, by what means, and which stack is moving."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from validator.core.board import HexId
from validator.core.capacity import Capacity
from validator.engine.referee import Case
from validator.model.position import Unit

MARCH, SEA = "march", "sea"
SEA_ROOM = 5  # divisions in a phase (9.17)


@dataclass
class Trip:
    """The movement of one unit in one phase."""

    origin: HexId
    supply: str = ""  # the state it was in when it began to move (7.7)
    mode: str = MARCH
    way: tuple[HexId, ...] = ()  # the hexes of its last move, as found
    spent: int = 0  # twelfths of a movement point
    on_road: bool = True  # every step so far went along a Rollbahn
    extra: bool = False  # took the extra hexes of a Rollbahn (9.19)
    whole: bool = False  # its one hex, or a crossing, took the whole allowance (9.3, 9.16)
    crossed: bool = False  # it was a crossing
    assaults: int = 0
    repulsed: bool = False  # back in the launch hex for the phase (9.27)
    faulty: bool = False  # a move of it was against the rules
    entered: str = ""  # the box it came from, onto the edge of the map
    entry: HexId | None = None  # the hex that its assault cleared: entering it is paid for


@dataclass
class Journal:
    """All movement of one phase."""

    trips: dict[str, Trip] = field(default_factory=dict)
    parent: HexId | None = None  # where the stack that moves now began
    finished: set[HexId] = field(default_factory=set)  # where stacks before it began
    ships: Capacity = field(default_factory=lambda: Capacity("sea-capacity", Fraction(SEA_ROOM)))


def journal(case: Case) -> Journal:
    return case.in_phase.note("journal", Journal)


def trip_of(case: Case, unit: Unit, origin: HexId, supply: str = "") -> Trip:
    """The unit's trip; a new one if it has not moved."""
    return journal(case).trips.setdefault(unit.id, Trip(origin, supply))
