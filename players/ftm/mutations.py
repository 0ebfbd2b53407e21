"""Where faults of For the Motherland! are put: its places, and the register of its kinds."""

from __future__ import annotations

from players import faults, zoned
from validator.games.ftm.book import ENEMY
from validator.games.ftm.field import Field, field_of
from validator.model.position import Unit


class Place(zoned.Place[Field]):
    enemy = ENEMY

    @property
    def field(self) -> Field:
        return field_of(self.case)

    def movable(self, side: str) -> list[Unit]:
        """Combat units."""
        return [unit for unit in super().movable(side) if unit.type.zoc]


FAULTS = faults.Faults("ftm", Place)
fault = FAULTS.fault
