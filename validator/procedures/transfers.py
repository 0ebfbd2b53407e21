"""Counters that go from a spot to another: out of a box onto the map, from box to box, off the map."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.model.events import Moved, Placed, Spot
from validator.model.position import Unit


@dataclass(frozen=True)
class Transfer:
    """A unit, the spot that it comes from, and the one it goes to."""

    unit: Unit
    old: Spot | None
    new: Spot

    @property
    def arrives(self) -> bool:
        """It comes onto the map, from a box or from nowhere."""
        return isinstance(self.new, Hex) and not isinstance(self.old, Hex)

    @property
    def on_map(self) -> bool:
        """It goes to a hex."""
        return isinstance(self.new, Hex)

    @property
    def changes(self) -> bool:
        return self.old != self.new


def transfers(case: AnyCase, event: Moved | Placed) -> list[Transfer]:
    """The units of an event, each with the spots that it goes from and to."""
    start = event.start if isinstance(event, Moved) else None
    units = case.units(event.concerned)
    return [Transfer(unit, unit.spot if start is None else start, event.comes_to) for unit in units]
