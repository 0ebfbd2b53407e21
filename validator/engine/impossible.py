"""What does not fit the position, in every game: a unit acts elsewhere, a counter has no such step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.model.position import Unit


def impossible_in(case: AnyCase, event: Event) -> Iterator[str]:
    """Reasons why an event does not fit the position."""
    reasons = _REASONS.get(type(event))
    return reasons(case, event) if reasons is not None else iter(())


def _of_move(case: AnyCase, event: ev.Moved) -> Iterator[str]:
    """A unit that was not laid out may come from any box."""
    start = event.start
    possible = (start, None) if isinstance(start, str) else (start,)
    return _stand_elsewhere(case, (u for u in case.units(event.units) if u.spot not in possible))


def _of_step(case: AnyCase, event: ev.StepChanged) -> Iterator[str]:
    unit = case.unit(event.unit)
    steps = _steps(unit)
    if not 1 <= event.new <= steps:
        yield f"{unit.id} has {steps} {'step' if steps == 1 else 'steps'}"
    elif event.old != unit.step:
        yield f"{unit.id} is on step {unit.step}"
    elif event.old == event.new:
        yield "nothing changes"


def _of_placing(case: AnyCase, event: ev.Placed) -> Iterator[str]:
    """A counter put down in this phase, and put down again elsewhere, is a slip that was put right."""
    unit = case.unit(event.unit)
    if unit.on_map and not case.in_phase.of(ev.Placed, unit=unit.id):
        yield from _stand_elsewhere(case, [unit])
    elif not 1 <= event.step <= _steps(unit):
        yield f"{unit.id} has no step {event.step}"


def _of_removal(case: AnyCase, event: ev.Removed) -> Iterator[str]:
    unit = case.unit(event.unit)
    return _stand_elsewhere(case, [unit] if unit.spot is None and event.box is None else [])


def _of_replacement(case: AnyCase, event: ev.Replaced) -> Iterator[str]:
    yield from _stand_elsewhere(case, (u for u in case.units(event.old) if u.spot != event.spot))
    comers = case.units(name for name in event.comers if name not in event.old)
    yield from _stand_elsewhere(case, (unit for unit in comers if unit.on_map))


def _of_attack(case: AnyCase, event: ev.Attacked) -> Iterator[str]:
    return _stand_elsewhere(case, (unit for unit in case.units(event.units) if not unit.on_map))


def _of_volley(case: AnyCase, event: ev.Fired) -> Iterator[str]:
    """Who fell in this phase may fire back once more: the game's rules tell."""
    if not event.units:
        yield "nobody stands where it comes from"
        return
    start = case.phase_start.units
    units = case.units(event.units)
    yield from _stand_elsewhere(case, (u for u in units if not (u.on_map or start[u.id].on_map)))


def _of_marker(case: AnyCase, event: ev.Marked) -> Iterator[str]:
    return _stand_elsewhere(case, (unit for unit in case.units(event.concerned) if unit.spot is None))


def _of_return(case: AnyCase, event: ev.Returned) -> Iterator[str]:
    units = case.units(event.concerned)
    return (f"{u.id} does not carry it" for u in units if u.on_map and event.marker not in u.marks)


_REASONS: dict[type[Event], Callable[[AnyCase, Any], Iterator[str]]] = {
    ev.Moved: _of_move,
    ev.StepChanged: _of_step,
    ev.Placed: _of_placing,
    ev.Removed: _of_removal,
    ev.Replaced: _of_replacement,
    ev.Attacked: _of_attack,
    ev.Fired: _of_volley,
    ev.Marked: _of_marker,
    ev.Returned: _of_return,
}


def _steps(unit: Unit) -> int:
    return len(unit.counter.steps) or 1


def _stand_elsewhere(case: AnyCase, units: Iterable[Unit]) -> Iterator[str]:
    return (f"{unit.id} {_stands(case, unit.spot)}" for unit in units)


def _stands(case: AnyCase, spot: Spot | None) -> str:
    if spot is None:
        return "is not in play"
    return f"stands in {case.label(spot)}" if isinstance(spot, Hex) else f"is in the box {spot}"
