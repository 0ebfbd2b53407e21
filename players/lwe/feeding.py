"""Whether German stacks would be fed where they go: worked out earlier, and anew where it may have changed.

Within a movement phase lines of supply only grow: hexes are taken and enemies driven off. But a Rollbahn hex
that is taken becomes the nearest, working or not (7.3).
"""

from __future__ import annotations

from collections.abc import Sequence

from players.lwe.supply import NEAREST_FROM, OUT, SupplyMap
from players.lwe.table import Table
from validator.core.board import HexId
from validator.games.lwe.book import GERMAN
from validator.games.lwe.field import Field
from validator.model.position import Unit


class Feeding:
    def __init__(self, table: Table) -> None:
        self.table = table
        self._found: SupplyMap | None = None

    @property
    def found(self) -> SupplyMap:
        if self._found is None:
            self._found = SupplyMap(self.table.case)
        return self._found

    def refresh(self) -> None:
        self._found = None

    def fed(self, hex_id: HexId) -> bool:
        return self.found.fed(hex_id)

    def state_of(self, unit: Unit) -> str:
        return self.found.state_of(unit)

    def able(self, unit: Unit) -> bool:
        return self.state_of(unit) != OUT

    def takes_road(self, way: Sequence[HexId]) -> bool:
        """Whether a way brings Rollbahn hexes into German hands."""
        field, early = self.table.field, self.table.case.turn < NEAREST_FROM
        return not early and any(field.ground.roads[h] and field.holder(h) != GERMAN for h in way)

    def after(self, units: Sequence[Unit], way: Sequence[HexId]) -> bool:
        """Whether they are fed at the end of a way shown hex by hex."""
        if not self.takes_road(way):
            return self.fed(way[-1])
        return self._ahead(units, way).fed(way[-1])

    def everywhere(self, units: Sequence[Unit], way: Sequence[HexId]) -> bool:
        """Whether they are fed in every hex of a way."""
        found = self._ahead(units, way) if self.takes_road(way) else self.found
        return all(found.fed(h) for h in way)

    def _ahead(self, units: Sequence[Unit], way: Sequence[HexId]) -> SupplyMap:
        """Things as they will be."""
        table, hexes = self.table, self.table.field.board.hexes
        position = table.position.copy()
        for unit in units:
            position.put(unit.id, hexes[way[-1]])
        position.control.update({hexes[h]: GERMAN for h in way})
        return SupplyMap(table.case, Field(table.field.ground, table.case, position))
