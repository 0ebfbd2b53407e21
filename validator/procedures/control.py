"""Who holds a hex: its last occupant, and before anyone came whoever the map gives it to."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.model.events import Event, Moved, Placed
from validator.model.position import Position


def holder(position: Position, hex_: Hex) -> str | None:
    """The side that entered last, or whose control marker or units are there, or that had it at the start."""
    return known_holder(position, hex_) or position.game.holder_at_start(hex_)


def may_hold(position: Position, side: str, hex_: Hex) -> bool:
    """Whether a side holds a hex; where a log begins in mid-game, whether nothing says that it does not."""
    known = known_holder(position, hex_)
    if known is None and position.partial:
        return True
    return (known or position.game.holder_at_start(hex_)) == side


def surely_holds(position: Position, side: str, hex_: Hex) -> bool:
    if position.partial:
        return known_holder(position, hex_) == side
    return holder(position, hex_) == side


def known_holder(position: Position, hex_: Hex) -> str | None:
    """By what the log shows."""
    known = position.control.get(hex_)
    if known is not None:
        return known
    marks = position.marks.get(hex_, {})
    for side in position.game.sides:
        if f"{side.id}-control" in marks:
            return side.id
    occupants = {unit.side for unit in position.at(hex_)}
    return occupants.pop() if len(occupants) == 1 else None


def taken(position: Position, event: Event) -> tuple[str, list[Hex]]:
    """The side whose units came and the hexes they entered; a path shown by its ends takes its ends."""
    if isinstance(event, Moved):
        side = position.units[event.units[0]].side
        return side, [spot for spot in event.path[1:] if isinstance(spot, Hex)]
    if isinstance(event, Placed):
        return position.units[event.unit].side, [event.spot] if isinstance(event.spot, Hex) else []
    return "", []
