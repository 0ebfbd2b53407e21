"""Where faults of War for the Motherland are put: its places, and the register of its kinds."""

from __future__ import annotations

from players import faults, zoned
from validator.games.wfm.book import ENEMY
from validator.games.wfm.field import Field, field_of


class Place(zoned.Place[Field]):
    enemy = ENEMY

    @property
    def field(self) -> Field:
        return field_of(self.case)


FAULTS = faults.Faults("wfm", Place)
fault = FAULTS.fault
