"""The battles of a phase, and the steps of units."""

from __future__ import annotations

from validator.games.ftm.state import Case
from validator.model.position import Unit
from validator.procedures import strengthchits
from validator.procedures.battlebook import printed_steps_left


def steps_left(case: Case, unit: Unit) -> int:
    """8.5.2, 8.5.3: a chit's sides are the steps of its army."""
    left = strengthchits.steps_left(case, unit)
    return printed_steps_left(unit) if left is None else left
