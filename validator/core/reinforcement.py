"""Arrivals: when a unit is due and where it may be put."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from validator.core.board import HexId, Mask
from validator.core.breach import Breach

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
    breaches = []
    if arrival.due is None:
        breaches.append(Breach(NOT_DUE, units=(unit,)))
    elif turn < arrival.due:
        breaches.append(Breach(TOO_EARLY, units=(unit,), needed=arrival.due, available=turn))
    if arrival.places is not None and not arrival.places[hex_id]:
        breaches.append(Breach(WRONG_PLACE, (hex_id,), (unit,)))
    breaches += [Breach(key, (hex_id,), (unit,)) for key, mask in arrival.closed.items() if mask[hex_id]]
    return tuple(breaches)
