"""Movement of a phase: who went how far, by what means."""

from __future__ import annotations

from validator.games.lwe.state import Case, Trip
from validator.model.position import Unit

MARCH, SEA = "march", "sea"


def trip_of(case: Case, unit: Unit) -> Trip | None:
    return case.in_phase.journal.trips.get(unit.id)
