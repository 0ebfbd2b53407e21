"""Movement of a phase: who went how far by what means, and in what order."""

from __future__ import annotations

from validator.core.board import HexId
from validator.games.wfm.state import Case, Trip
from validator.model.position import Unit
from validator.procedures.moves import past_entry

MARCH, STRATEGIC, SEA, LAST = "march", "strategic", "sea", "last"
STAGES = {SEA: 1, STRATEGIC: 2, MARCH: 3, LAST: 4}
STAGE_NAMES = {1: "sea movement", 2: "strategic movement", 3: "ordinary movement", 4: "airbases or groups"}


def trip_of(case: Case, unit: Unit) -> Trip | None:
    return case.in_phase.journal.trips.get(unit.id)


def modes_of(case: Case, unit: Unit) -> set[str]:
    """The ways a unit moved in this turn's movement phases."""
    return case.in_turn.modes.get(unit.id, set())


def entry_of(case: Case, units: tuple[str, ...]) -> HexId | None:
    """The hex that an overrun of these units emptied: they may enter it for nothing (6.27)."""
    trips = (case.in_phase.journal.trips.get(name) for name in units)
    entries = {trip.entry for trip in trips if trip is not None and trip.entry is not None}
    return entries.pop() if len(entries) == 1 else None


def paid_way(case: Case, units: tuple[str, ...], way: list[HexId]) -> list[HexId]:
    """The way without the step into the hex that an overrun emptied: it comes first, and costs nothing."""
    entry = entry_of(case, units)
    return way if entry is None else past_entry(way, entry)
