"""The table of Land Without End: the order of the German turn, what players keep count of, room in a hex."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tools.play import table
from tools.play.lwe.supply import Reckoning
from validator.core.board import HexId
from validator.games.lwe.book import GERMAN
from validator.games.lwe.c06_stacking import stack
from validator.games.lwe.field import Field, field_of
from validator.position import Unit

LIMIT = 6  # divisions in a hex (6.1)
CONCENTRATION = "supply-concentration"


class Table(table.Table[Field]):
    game_id = "lwe"

    def __init__(self, scenario: str, seed: int, *, strict: bool = True) -> None:
        super().__init__(scenario, seed, strict=strict)
        self.over = False  # points enough at a victory check end the game (4.5)
        self.fights_first: dict[int, bool] = {}  # by turn, what the German player chose (5.3)
        self.debit = 0  # points owed for fortified zones and units kept (4.2, 8.12)
        self.steps_given = 0  # to German divisions (8.6)
        self.flown: set[int] = set()  # turns in which the aircraft flew (11.25)
        self._sources: dict[tuple[int, str, str], list[HexId]] = {}
        self.spent: dict[str, int] = {}  # movement points of this phase
        self.assaulted: set[str] = set()  # who made a mobile assault in this phase
        self.halted: set[str] = set()  # ... and stays where it is (9.27)
        self.asterisk_clear = False  # no Soviet unit between 1025 and 1030 as the German turn began (8.3)
        self.country: object = None  # what steps cost, kept by `ways`
        self.held: set[HexId] = set()  # Soviet hexes as the Soviet turn began
        self.entries: set[HexId] = set()  # those of them in supply (8.5)

    @property
    def field(self) -> Field:
        return field_of(self.case)

    @property
    def concentrated(self) -> bool:
        """A supply concentration is on (7.6)."""
        return any(CONCENTRATION in unit.marks for unit in self.position.on_map(GERMAN))

    def sources(self, side: str) -> list[HexId]:
        """Hexes that supply comes from, as far as the side held them when the phase was first asked."""
        key = (self.case.turn, self.case.phase, side)
        if key not in self._sources:
            self._sources = {key: Reckoning(self.case).sources(side)}
        return self._sources[key]

    def load(self, hex_id: HexId, side: str) -> Fraction:
        return sum((unit.type.stacking for unit in self.field.units(hex_id, side)), Fraction(0))

    def room(self, hex_id: HexId, units: Sequence[Unit]) -> bool:
        """Whether these units may join those of their side in a hex."""
        names = {unit.id for unit in units}
        there = [u for u in self.field.units(hex_id, units[0].side) if u.id not in names]
        verdict = stack([*there, *units])
        return not verdict.breaches and verdict.load <= verdict.limit
