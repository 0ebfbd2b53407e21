"""Where faults of War for the Motherland are put: its places, and the register of its kinds."""

from __future__ import annotations

from tools.play import faults
from validator.core.board import HexId
from validator.games.wfm.book import ENEMY
from validator.games.wfm.field import Field, field_of
from validator.model.position import Unit
from validator.procedures.field import printed
from validator.procedures.supplymarks import MARKER


class Place(faults.Place[Field]):
    @property
    def field(self) -> Field:
        return field_of(self.case)

    def movable(self, side: str) -> list[Unit]:
        """Units that have not moved in this phase, and are to be moved with others."""
        gone = self.case.in_phase.trips
        return self.units(side, lambda u: printed(u, "movement") > 0 and u.id not in gone)

    def away(self, hex_id: HexId, side: str) -> int:
        """Hexes to the nearest enemy."""
        return self.nearest(hex_id, ENEMY[side])

    def supplied(self, unit: Unit) -> bool:
        return MARKER not in unit.marks


FAULTS = faults.Faults("wfm", Place)
fault = FAULTS.fault
