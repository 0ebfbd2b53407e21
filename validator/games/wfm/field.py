"""The field as the rules see it: who stands where, whose zones reach where, what movement costs.

A `Field` belongs to one state of the position; `field_of` makes it when a rule first asks.
"""

from __future__ import annotations

from functools import cached_property

from validator.core.board import Board, HexId, Mask, minus
from validator.core.costs import ONE, CostTable, Local, Prices
from validator.core.explain import Wording
from validator.core.recent import made
from validator.core.strategic import flat_table
from validator.core.zones import Projection
from validator.games.wfm.book import SOVIET
from validator.games.wfm.state import Case
from validator.model.position import Unit
from validator.procedures import field
from validator.procedures.field import Fields, hexes_in_play, printed
from validator.procedures.zonedfield import ZonedField

SNOW, MUD, CLEAR = "snow", "mud", "clear"
WATER = ("sea", "lake", "causeway", "ice-road")  # hexsides that zones of control do not cross (4.24, 9.44)
TRACK = "railway"
NORTHERN = {"white-sea": ("N1327", "N2718"), "baltic": ("1418", "2933")}  # 5.57
PHRASES = {
    "other-ally": "{hexes} holds a unit of another allied nation",
    "escort": "{hexes} is in an enemy zone of control and no friendly unit with a zone stands there",
    "never-zone": "{hexes} is in an enemy zone of control",
    "hexside:ice-road": "over the ice road at {hexes} only Soviet infantry marches, and in snow turns only",
    "hexside:causeway": "the causeway to {hexes} is no way but for supply and strategic movement",
    "ice-road": "only Soviet infantry attacks over the ice road between {hexes}, and in snow turns only",
    "ice": "no sea movement at {hexes} in snow turns",
    "out-of-supply": "no line of supply at {hexes}",
    "zone-unsupplied": "{hexes} is in an enemy zone of control, closed to units that are Out of Supply",
    "zone-to-zone": "steps from one enemy zone of control into another at {hexes}",
}


def crosses_ice(unit: Unit, season: str) -> bool:
    """5.26: Soviet units that are neither tank nor mechanized, in snow turns."""
    return season == SNOW and unit.side == SOVIET and unit.has("ice-roads")


class Ground(field.Ground):
    """What does not change in a scenario: the board, its masks, the costs of movement."""

    def __init__(self, case: Case) -> None:
        game, scenario = case.game, case.scenario
        self.board = Board(game.map, hexes_in_play(case))
        self.table = game.table["terrain-effects"]
        self.wording = Wording.of(self.board, scenario.sheet, phrases=PHRASES)
        self.ice_roads = self.board.steps_across("ice-road")
        self.arctic = self._arctic()
        self.arctic_hexsides = case.option("arctic-hexsides") == "on"
        self.strategic_table = self._strategic_table(over_ice=False)
        self.strategic_ice_table = self._strategic_table(over_ice=True)
        self.rail_table = flat_table(self.board, only_along=(TRACK,))
        self._costs: dict[tuple[str, str, int, bool, bool], CostTable] = {}
        self._projections: dict[bool, Projection] = {}

    def _arctic(self) -> list[HexId]:
        """Hexes north of the Arctic Circle (5.27)."""
        north = self.board.map.grid["arctic"].values
        return [hex_id for hex_id, hex_ in enumerate(self.board.hexes) if north.get(hex_)]

    def _strategic_table(self, over_ice: bool) -> CostTable:
        """Strategic movement crosses the causeway, and no other water (5.65)."""
        bans = ("sea", "lake") if over_ice else ("sea", "lake", "ice-road")
        return flat_table(self.board, bans, ("sea", "lake"), Local(open=self.board.steps_across("causeway")))

    def ports(self, azov: bool) -> dict[HexId, frozenset[str]]:
        """Ports and the waters they lie on; the northern ones are linked in pairs (5.57, 5.58)."""
        black = {h: frozenset({"black-sea"}) for h in self.board.with_feature("black-sea-port")}
        if not azov:
            black = {h: waters for h, waters in black.items() if not self._on_azov(h)}
        pairs = {label: frozenset({water}) for water, labels in NORTHERN.items() for label in labels}
        north = {h: pairs[self.board.label(h)] for h in self._northern() if self.board.label(h) in pairs}
        return {**black, **north}

    def _on_azov(self, hex_id: HexId) -> bool:
        return self.board.has_feature(hex_id, "azov-port")

    def _northern(self) -> list[HexId]:
        labels = {label for pair in NORTHERN.values() for label in pair}
        return [h for h in range(len(self.board)) if self.board.label(h) in labels]

    @cached_property
    def winter_ports(self) -> Mask:
        """Ports that ice closes in snow turns (5.57, 11.25)."""
        return self.board.mask(self._northern())

    def costs(self, unit: Unit, season: str, free_rivers: bool = False) -> CostTable:
        """The price of every step for a unit (5.21 to 5.28); without rivers in turn 1 (17.41)."""
        mountain = int(unit.type.values.get("mountain-cost", 0))
        ice = crosses_ice(unit, season)
        key = (unit.type.mobility, season, mountain, ice, free_rivers)
        return made(self._costs, key, lambda: self._table(*key))

    def _table(self, mobility: str, season: str, mountain: int, ice: bool, free_rivers: bool) -> CostTable:
        if mobility == "rail":
            prices = Prices(only_along=(TRACK,))
        else:
            prices = Prices.from_table(self.table, self.board, mobility, season)
        if not ice:
            prices = prices.hexsides_at({"ice-road": None})
        if mountain:
            prices = prices.terrain_at({"mountain": mountain * ONE})
        if free_rivers:
            prices = prices.hexsides_at(dict.fromkeys(("minor-river", "major-river"), 0))
        local = Local(
            factor=dict.fromkeys(self.arctic, 2) if season == SNOW else {},
            factor_of_all=self.arctic_hexsides,
            open=self.ice_roads if ice else None,
            open_price=prices.hexsides.get("major-river") or 0 if ice else 0,
        )
        return CostTable(self.board, prices, local)

    def projection(self, over_ice: bool) -> Projection:
        """Where a zone reaches: not over sea and lake hexsides, save the ice roads in snow (4.24, 5.26)."""
        return made(self._projections, over_ice, lambda: self._projection(over_ice))

    def _projection(self, over_ice: bool) -> Projection:
        opened = [self.board.steps_across("strait"), *([self.ice_roads] if over_ice else [])]
        return Projection(self.board, minus(self.board.steps_across(*WATER), *opened))


class Field(ZonedField):
    """One state of the position."""

    ground: Ground

    # --- zones of control ---

    def has_zone(self, unit: Unit) -> bool:
        """4.21: not the types without one, and no single Kampfgruppe with an attack of 1."""
        if not unit.type.zoc:
            return False
        if not unit.has("weak-alone") or printed(unit, "attack") != 1:
            return True
        companions = (other for other in self.position.at(unit.hex) if other is not unit)
        return any(other.side == unit.side and printed(other, "attack") >= 1 for other in companions)

    def projection(self, unit: Unit) -> Projection:
        return self.ground.projection(crosses_ice(unit, self.season))


FIELDS = Fields(Ground, Field)
ground_of, field_of, field_at_phase_start = FIELDS.ground_of, FIELDS.now, FIELDS.at_phase_start
