"""Who holds a hex: its last occupant, and before anyone came whoever the map gives it to."""

from __future__ import annotations

from collections.abc import Iterable

from fieldpost.hexes import Hex
from validator.model.events import Event, Moved, Placed
from validator.model.position import Position


def holder(position: Position, hex_: Hex) -> str | None:
    """The side that entered last, or whose control marker or units are there, or that had it at the start."""
    return position.known_holder(hex_) or position.game.holder_at_start(hex_)


def holders(position: Position, hexes: Iterable[Hex]) -> list[str | None]:
    """As `holder`, of many hexes."""
    seen = {*position.control, *position.marks, *position.occupied()}
    at_start = position.game.holder_at_start
    return [holder(position, hex_) if hex_ in seen else at_start(hex_) for hex_ in hexes]


def may_hold(position: Position, side: str, hex_: Hex) -> bool:
    """Whether a side holds a hex; where a log begins in mid-game, whether nothing says that it does not."""
    known = position.known_holder(hex_)
    if known is None and position.partial:
        return True
    return (known or position.game.holder_at_start(hex_)) == side


def surely_holds(position: Position, side: str, hex_: Hex) -> bool:
    if position.partial:
        return position.known_holder(hex_) == side
    return holder(position, hex_) == side


def taken(position: Position, event: Event) -> tuple[str, list[Hex]]:
    """The side whose units came and the hexes they entered."""
    if isinstance(event, Moved | Placed):
        return position.units[event.concerned[0]].side, [*event.entered]
    return "", []
