"""The field of any game: who stands where, whose zones reach where, what movement costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

from fieldpost.definition import results
from fieldpost.definition.model import Table
from fieldpost.definition.rulesmodel import ZoneRules
from validator.core.board import Board, HexId, Mask, minus, union
from validator.core.costs import ONE, CostTable, Line, Prices
from validator.core.explain import Wording
from validator.core.zones import Projection, ZoneMap
from validator.model.position import Position, Unit
from validator.procedures import field
from validator.procedures.field import Fields, hexes_in_play
from validator.standard.book import rules_of
from validator.standard.state import Case

PHRASES = {
    "zone-lock": "begins in an enemy zone of control at {hexes} and is bound there",
    "near-enemy": "an enemy zone of control at {hexes}",
    "full": "no room in {hexes}",
}


class Ground(field.Ground):
    """What does not change in a scenario."""

    def __init__(self, case: Case) -> None:
        game, scenario = case.game, case.scenario
        self.rules = rules_of(game)
        self.zones = self.rules.zones or ZoneRules()
        self.board = Board(game.map, hexes_in_play(case))
        self.wording = Wording.of(self.board, scenario.sheet, phrases=PHRASES)
        movement = self.rules.movement
        self.table: Table | None = results.table_of(
            game, "terrain-effects", movement.table if movement else None
        )
        self._costs: dict[tuple[str, str, tuple[str, ...], tuple[str, ...], bool], CostTable] = {}

    def costs(
        self,
        mobility: str,
        season: str,
        along: tuple[str, ...] = (),
        never_across: tuple[str, ...] = (),
        *,
        flat: bool = False,
    ) -> CostTable:
        """The price of every step; `flat`: one a hex, with the same bans."""
        key = (mobility, season, along, never_across, flat)
        if key not in self._costs:
            prices = replace(self._prices(mobility, season), only_along=along)
            prices = prices.hexsides_at(dict.fromkeys(never_across))
            self._costs[key] = CostTable(self.board, _flat(prices) if flat else prices)
        return self._costs[key]

    def _prices(self, mobility: str, season: str) -> Prices:
        """One a hex where no table tells."""
        columns = {column.partition("@")[0] for column in self.table.columns} if self.table else set()
        if self.table is None or mobility not in columns:
            return Prices()
        return Prices.from_table(self.table, self.board, mobility, season)

    @cached_property
    def plain(self) -> CostTable:
        """One a hex over any ground."""
        return CostTable(self.board, Prices())

    @cached_property
    def projection(self) -> Projection:
        """Where zones of control reach; nowhere, if the game tells of none."""
        across, into = self.board.steps_across, self.board.of_terrain
        closed = into(*self.zones.not_into) if self.rules.zones else self.board.mask(range(len(self.board)))
        return Projection(self.board, across(*self.zones.not_across), closed)


def _flat(prices: Prices) -> Prices:
    """One point a hex, whatever it costs; what forbids still does."""

    def flat(said: Mapping[str, int | None], points: int) -> dict[str, int | None]:
        return {kind: None if price is None else points for kind, price in said.items()}

    return replace(
        prices,
        terrain=flat(prices.terrain, ONE),
        places=flat(prices.places, ONE),
        hexsides=flat(prices.hexsides, 0),
        lines=dict.fromkeys(prices.lines, Line(ONE)),
        other=ONE,
    )


class Field(field.Field):
    """One state of the position."""

    ground: Ground

    def __init__(self, ground: Ground, position: Position, season: str) -> None:
        super().__init__(ground, position)
        self.season = season
        self._zones: dict[str, Mask] = {}
        self._enemies: dict[str, Mask] = {}

    def enemies(self, side: str) -> Mask:
        """Hexes with units of any other side."""
        return self._of_others(side, self._enemies, self.occupied)

    def enemy_zones(self, side: str) -> Mask:
        """Hexes in the zones of any other side."""
        return self._of_others(side, self._zones, self.zones)

    def _of_others(self, side: str, kept: dict[str, Mask], mask_of: Callable[[str], Mask]) -> Mask:
        if side not in kept:
            others = [mask_of(other.id) for other in self.position.game.sides if other.id != side]
            kept[side] = union(*others)
        return kept[side]

    def zones(self, side: str) -> Mask:
        exerting = ((h, self.ground.projection) for h, unit in self.of_side(side) if unit.type.zoc)
        return ZoneMap.of(self.board, exerting).mask

    def kinds_at(self, hex_id: HexId) -> tuple[str, ...]:
        """The kinds of places in a hex, and its terrain."""
        return (*(place.kind for place in self.board.places.get(hex_id, ())), self.board.terrain[hex_id])

    def zones_against(self, side: str, purpose: str) -> Mask:
        """Enemy zones as they count for movement, supply or retreat."""
        zones, cancelled = self.enemy_zones(side), purpose in self.ground.zones.cancelled_by_units
        return minus(zones, self.occupied(side)) if cancelled else zones

    def zones_upon(self, unit: Unit) -> Mask:
        """Enemy zones as they bind a unit that moves; by itself it cancels none where it stands."""
        zones, here = self.zones_against(unit.side, "movement"), self.ids([unit.spot])
        bound = (hex_id for hex_id in here if self.enemy_zones(unit.side)[hex_id])
        alone = (hex_id for hex_id in bound if len(self.units(hex_id, unit.side)) == 1)
        return union(zones, self.board.mask(alone))

    def costs_of(
        self,
        unit: Unit,
        along: tuple[str, ...] = (),
        never_across: tuple[str, ...] = (),
        *,
        flat: bool = False,
    ) -> CostTable:
        return self.ground.costs(unit.type.mobility, self.season, along, never_across, flat=flat)


FIELDS = Fields(Ground, Field)
ground_of, field_of, field_at_phase_start = FIELDS.ground_of, FIELDS.now, FIELDS.at_phase_start


def factor(unit: Unit, name: str) -> int | None:
    """A printed number of the side a counter shows; None for a counter without it."""
    steps = unit.counter.steps
    if not 1 <= unit.step <= len(steps):
        return None
    numbers = dict(zip(unit.type.factors, steps[unit.step - 1].split("-"), strict=False))
    shown = numbers.get(name, "")
    return int(shown) if shown.isdigit() else None
