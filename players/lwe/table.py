"""The table of Land Without End: the order of the German turn, what players keep count of, room in a hex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from players import table
from players.lwe.supply import SupplyMap
from validator.core.board import HexId, Mask
from validator.games.lwe.book import GERMAN
from validator.games.lwe.c06_stacking import stack
from validator.games.lwe.course import course_of
from validator.games.lwe.field import Field, field_of
from validator.model.events import Event, Moved, Placed
from validator.model.position import Unit

MOSCOW, MOSCOW_HELPED_BY, COLLAPSE = "4618", ("3802", "2529", "3835"), 5
LIMIT = 6  # divisions in a hex (6.1)
CONCENTRATION = "supply-concentration"


def size_of(units: Iterable[Unit]) -> int:
    """Divisions; none of this game's counters is a part of one."""
    return sum(unit.type.stacking.numerator for unit in units)


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
        self.moscow_fell = False  # in this game (4.4)
        self.held: set[HexId] = set()  # Soviet hexes as the Soviet turn began
        self.entries: set[HexId] = set()  # those of them in supply (8.5)

    def make_field(self) -> Field:
        return field_of(self.case)

    def do(self, *events: Event) -> None:
        for event in events:
            super().do(event)
            if not self.moscow_fell and self._enters_moscow(event):
                self.moscow_fell = True
                self._roll_for_moscow()

    def _enters_moscow(self, event: Event) -> bool:
        moscow = self.game.map.lattice.hex(MOSCOW)
        if isinstance(event, Moved):
            name, spots = event.units[0], event.path[1:]
        elif isinstance(event, Placed):
            name, spots = event.unit, (event.spot,)
        else:
            return False
        return moscow in spots and self.position.units[name].side == GERMAN

    def _roll_for_moscow(self) -> None:
        """Taken in dry weather, it may end the war at once (4.4)."""
        if course_of(self.case).wet:
            return
        board = self.field.board
        helped = sum(self.field.holder(board.id(city)) == GERMAN for city in MOSCOW_HELPED_BY)
        self.over = self.roll("Moscow falls") + helped >= COLLAPSE

    @property
    def concentrated(self) -> bool:
        """A supply concentration is on (7.6)."""
        return any(CONCENTRATION in unit.marks for _, unit in self.field.of_side(GERMAN))

    def sources(self, side: str) -> list[HexId]:
        """Hexes that supply comes from, as far as the side held them when the phase was first asked."""
        key = (self.case.turn, self.case.phase, side)
        if key not in self._sources:
            self._sources = {key: SupplyMap(self.case).sources(side)}
        return self._sources[key]

    def southern(self, hex_id: HexId) -> bool:
        """Where satellites may end and attack: south of the sector line, Romania with it (9.31)."""
        return bool(self._southern[hex_id])

    @cached_property
    def _southern(self) -> Mask:
        field, sector = self.field, self.game.map.area["south-sector"].hexes
        return bytes(
            hex_ in sector or field.ground.country(h) == "romania" for h, hex_ in enumerate(field.board.hexes)
        )

    def load(self, hex_id: HexId, side: str) -> int:
        return size_of(self.field.units(hex_id, side))

    def room(self, hex_id: HexId, units: Sequence[Unit]) -> bool:
        """Whether these units may join those of their side in a hex."""
        there = [u for u in self.field.units(hex_id, units[0].side) if u not in units]
        if size_of(there) + size_of(units) > LIMIT:
            return False
        if not there and len({unit.nationality for unit in units}) == 1:
            return True
        verdict = stack([*there, *units])
        return not verdict.breaches and verdict.load <= verdict.limit
