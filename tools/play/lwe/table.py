"""The table of Land Without End: the order of the German turn, what players keep count of, room in a hex."""

from __future__ import annotations

from collections.abc import Sequence

from tools.play import table
from validator.core.board import HexId
from validator.games.lwe.c06_stacking import stack
from validator.games.lwe.field import Field, field_of
from validator.position import Unit


class Table(table.Table[Field]):
    game_id = "lwe"

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        super().__init__(scenario, seed, strict=strict)
        self.over = False  # points enough at a victory check end the game (4.5)
        self.fights_first: dict[int, bool] = {}  # by turn, what the German player chose (5.3)
        self.debit = 0  # points owed for fortified zones and units kept (4.2, 8.12)
        self.steps_given = 0  # to German divisions (8.6)
        self.held: set[HexId] = set()  # Soviet hexes as the Soviet turn began
        self.entries: set[HexId] = set()  # those of them in supply (8.5)

    @property
    def field(self) -> Field:
        return field_of(self.case)

    def room(self, hex_id: HexId, units: Sequence[Unit]) -> bool:
        """Whether these units may join those of their side in a hex."""
        names = {unit.id for unit in units}
        there = [u for u in self.field.units(hex_id, units[0].side) if u.id not in names]
        verdict = stack([*there, *units])
        return not verdict.breaches and verdict.load <= verdict.limit
