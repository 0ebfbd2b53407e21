"""Slips of the hand that players put right: a counter put back where it was, a step turned back."""

from __future__ import annotations

from collections.abc import Iterator

from validator.engine.case import AnyCase
from validator.model.events import Event, Moved, Placed, Removed, Spot, StepChanged


def puts_back(case: AnyCase, event: Event) -> bool:
    """Whether an event undoes the last that befell its unit in this phase."""
    if not isinstance(event, Placed | StepChanged):
        return False
    last = next(_of_unit(case, event.unit), None)
    match event, last:
        case Placed(name, spot, step), Removed():
            return spot == _spot_before(case, name) and step == case.position.units[name].step
        case StepChanged(_, old, new), StepChanged(_, was, became):
            return (was, became) == (new, old) and new < old
    return False


def is_put_back(case: AnyCase, event: Placed) -> bool:
    """Whether a counter that was on the map when the phase began comes where it stood then, or last."""
    start = case.phase_start.units[event.unit]
    return start.on_map and event.spot in (start.spot, _spot_before(case, event.unit))


def _of_unit(case: AnyCase, name: str) -> Iterator[Event]:
    """What befell a unit in this phase, the last first."""
    for event in reversed(case.in_phase.events):
        match event:
            case Moved(units) if name in units:
                yield event
            case Placed(unit) | Removed(unit) | StepChanged(unit) if unit == name:
                yield event


def _spot_before(case: AnyCase, name: str) -> Spot | None:
    """Where a unit was before its last removal."""
    for event in _of_unit(case, name):
        if isinstance(event, Moved):
            return event.end
        if isinstance(event, Placed):
            return event.spot
    return case.phase_start.units[name].spot
