"""Which hexes each side stands in and how full they are: kept up to date as units come and go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from copy import copy
from fractions import Fraction
from math import floor, lcm
from typing import Self

from fieldpost.hexes import Hex
from validator.core.board import Board, HexId
from validator.model.events import Spot
from validator.model.position import Position, Unit

TakesPart = Callable[[Unit], bool]


class Occupancy:
    """Of one position on one board. A mask is replaced when it changes: who holds one keeps what it was."""

    def __init__(self, board: Board, position: Position, takes_part: TakesPart) -> None:
        self.board = board
        self.takes_part = takes_part
        self.masks = {side.id: bytearray(len(board)) for side in position.game.sides}
        self._part = lcm(*(kind.stacking.denominator for kind in position.game.unit_types))
        self._loads: dict[str, dict[HexId, int]] = defaultdict(dict)  # stacking sizes, in such parts
        self._numbers: dict[str, dict[HexId, int]] = defaultdict(dict)
        self._fuller: dict[tuple[str, int], bytes] = {}  # `fuller_than`, until a unit comes or goes
        for unit in position.on_map():
            self.moved(unit, None, unit.spot)

    def copy(self) -> Self:
        """For a copy of the position; masks are never changed, only replaced."""
        twin = copy(self)
        twin.masks = dict(self.masks)
        twin._fuller = dict(self._fuller)
        twin._loads = defaultdict(dict, {side: dict(loads) for side, loads in self._loads.items()})
        twin._numbers = defaultdict(dict, {side: dict(numbers) for side, numbers in self._numbers.items()})
        return twin

    def load(self, side: str, hex_id: HexId) -> Fraction:
        """How full a hex is with units of a side."""
        return Fraction(self._loads[side].get(hex_id, 0), self._part)

    def fuller_than(self, side: str, load: Fraction) -> bytearray:
        """Mask of the hexes where more than that stands of a side."""
        key = side, floor(load * self._part)
        if key not in self._fuller:
            crowded = (hex_id for hex_id, here in self._loads[side].items() if here > key[1])
            self._fuller[key] = bytes(self.board.mask(crowded))
        return bytearray(self._fuller[key])

    def moved(self, unit: Unit, old: Spot | None, new: Spot | None) -> None:
        """A unit went from one spot to another."""
        if old == new or not self.takes_part(unit):
            return
        for spot, change in ((old, -1), (new, 1)):
            hex_id = self.board.id_of.get(spot) if isinstance(spot, Hex) else None
            if hex_id is not None:
                self._count(unit, hex_id, change)

    def _count(self, unit: Unit, hex_id: HexId, change: int) -> None:
        self._fuller = {}
        numbers, loads = self._numbers[unit.side], self._loads[unit.side]
        number = numbers.get(hex_id, 0) + change
        size = unit.type.stacking
        load = loads.get(hex_id, 0) + change * size.numerator * (self._part // size.denominator)
        numbers[hex_id], loads[hex_id] = number, load
        if not number:
            del numbers[hex_id], loads[hex_id]
        if bool(number) != bool(self.masks[unit.side][hex_id]):
            mask = self.masks[unit.side] = bytearray(self.masks[unit.side])
            mask[hex_id] = bool(number)


def occupancy_of(position: Position, board: Board, takes_part: TakesPart) -> Occupancy:
    """Made when it is first asked for; from then on the position keeps it up to date."""
    occupancy = position.watchers.get(board)
    if not isinstance(occupancy, Occupancy):
        occupancy = position.watchers[board] = Occupancy(board, position, takes_part)
    return occupancy
