"""When a unit that is not there yet is due."""

from __future__ import annotations

from validator.engine.case import AnyCase
from validator.model.position import Unit


def entry_turn(case: AnyCase, unit: Unit) -> int | None:
    """The turn a unit is due, by the scenario's schedule or its own code."""
    for arrival in case.scenario.reinforcements:
        if unit.id in arrival.units:
            return arrival.turn
    code = unit.counter.enters or ""
    return int(code[2:]) if code.startswith("GT") and code[2:].isdigit() else None
