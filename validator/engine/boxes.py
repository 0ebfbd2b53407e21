"""Counters moved between boxes and the map, as a log has them: placed, or taken off, one by one."""

from __future__ import annotations

from dataclasses import replace

from fieldpost.hexes import Hex
from validator.model.events import AFTER_COMBAT, Event, Moved, Placed, Removed
from validator.model.position import Position

UNPLACED = None  # a unit that was not laid out in its box


def transfers(event: Event, position: Position) -> list[Event]:
    """What a move out of a box or into one comes to; any other event, and a move from elsewhere, as it is."""
    if not isinstance(event, Moved) or event.mode in AFTER_COMBAT:
        return [event]
    units = [position.units[name] for name in event.units]
    where = (event.start, UNPLACED) if isinstance(event.start, str) else (event.start,)
    if any(unit.spot not in where for unit in units):
        return [event]
    match event.path:
        case (str(), Hex() as entered, *further):
            placed: list[Event] = [Placed(u.id, entered, u.step, origin=event.origin) for u in units]
            return [*placed, replace(event, path=event.path[1:])] if further else placed
        case (Hex(), str() as box):
            return [Removed(unit.id, box, event.battle, origin=event.origin) for unit in units]
    return [event]
