"""Arrivals: when a unit is due and where it may be put."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validator.core.board import HexId, Mask
from validator.core.breach import Breach, broken_where

TOO_EARLY, NOT_DUE, WRONG_PLACE = "too-early", "not-due", "place"


@dataclass(frozen=True)
class Arrival:
    """When and where one unit may come. `places` None: anywhere that is not closed."""

    due: int | None
    places: Mask | None = None
    closed: Mapping[str, Mask] = field(default_factory=dict)


def check_arrival(unit: str, arrival: Arrival, turn: int, hex_id: HexId) -> tuple[Breach, ...]:
    """Everything wrong with putting a unit there now.

    Keys: `not-due` (it never comes), `too-early`, `place`, and those of the closed hexes.
    """
    due = 0 if arrival.due is None else arrival.due
    closed = [(mask[hex_id], Breach(key, (hex_id,), (unit,))) for key, mask in arrival.closed.items()]
    return broken_where(
        (arrival.due is None, Breach(NOT_DUE, units=(unit,))),
        (turn < due, Breach(TOO_EARLY, units=(unit,), needed=due, available=turn)),
        (arrival.places is not None and not arrival.places[hex_id], Breach(WRONG_PLACE, (hex_id,), (unit,))),
        *closed,
    )
