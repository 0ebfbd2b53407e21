"""Where faults of War in the East are put: its places, and the register of its kinds."""

from __future__ import annotations

from collections.abc import Callable

from players import faults
from validator.core.board import HexId
from validator.games.wie.book import ENEMY, part_of, side_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.lines import commanded, is_out
from validator.games.wie.units import counts, fights, is_air, is_hq
from validator.model.position import Unit

DEAD = ("sea", "lake")


class Place(faults.Place[Field]):
    @property
    def field(self) -> Field:
        return field_of(self.case)

    @property
    def side(self) -> str:
        return side_of(self.phase)

    @property
    def part(self) -> str:
        return part_of(self.phase)

    @property
    def enemy(self) -> str:
        return ENEMY.get(self.side, "")

    def ending(self, part: str) -> bool:
        """The last moment of such a phase."""
        return self.ends and self.part == part

    def beginning(self, part: str) -> bool:
        return self.begins and self.part == part and not self.ends

    def fresh(self, wanted: Callable[[Unit], bool] = lambda unit: True) -> list[Unit]:
        """Ground units of the side to move that have done nothing in this turn, supplied and commanded."""
        turn = self.case.in_turn.by(self.side)
        gone = {*turn.trips, *turn.fought, *turn.exploited, *turn.rail, *turn.dropped}
        gone |= {name for e in self.case.in_phase.events for name in e.concerned}
        return [
            u
            for u in self.units(self.side, wanted)
            if u.id not in gone
            and fights(u)
            and counts(u)
            and not is_out(self.case, u)
            and commanded(self.case, self.field, u)
        ]

    def planes(self, side: str, *traits: str) -> list[tuple[HexId, Unit]]:
        """At home, and not flown in this turn."""
        turn, field = self.case.in_turn.by(self.side), self.field
        return [
            (h, u)
            for h, u in field.planes(side)
            if field.city(h)
            and field.holder(h) == side
            and u.id not in turn.flights
            and u.id not in turn.defending
            and all(map(u.has, traits))
        ]

    def in_pool(self, wanted: Callable[[Unit], bool]) -> Unit | None:
        pool = self.position.at(f"{self.side}-pool")
        return self.one([u for u in pool if wanted(u) and not is_hq(u) and not u.has("partisan")])

    def hex(self, hex_id: HexId) -> object:
        return self.field.board.hexes[hex_id]

    def far(self, start: HexId, low: int, high: int, wanted: Callable[[HexId], bool]) -> HexId | None:
        """A hex that lies so many hexes away."""
        board = self.field.board
        near = (h for h in board.within(start, high) if board.distance(start, h) >= low)
        return self.pick([h for h in near if board.terrain[h] not in DEAD and wanted(h)])

    def empty_of(self, side: str, hex_id: HexId) -> bool:
        return not any(not is_air(u) for u in self.field.units(hex_id, side))


FAULTS = faults.Faults("wie", Place)
fault = FAULTS.fault
