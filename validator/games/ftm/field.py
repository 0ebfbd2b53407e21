"""The field as the rules see it: who stands where, whose zones reach where, what movement costs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from validator.core.board import Board, HexId, Mask, union
from validator.core.costs import ONE, CostTable, Local, Prices
from validator.core.explain import Wording
from validator.core.recent import made
from validator.core.strategic import flat_table
from validator.core.zones import Projection
from validator.games.ftm.book import AXIS, SNOW, SOVIET
from validator.games.ftm.state import Case
from validator.model.position import Unit
from validator.procedures import field
from validator.procedures.control import holder
from validator.procedures.field import Fields
from validator.procedures.zonedfield import ZonedField

TRACK, ICE, BRIDGE = "railway", "frozen-access", "rail-bridge"
WATER = ("sea", "lake")
HOME = {  # where the armies of the allies may go (5.2.1)
    "romanian": "romania",
    "hungarian": "hungary",
    "italian": "germany",
    "finnish": "finland",
    "turkish": "turkey",
}
SEVASTOPOL, ODESSA, LENINGRAD, KONIGSBERG, DANZIG = "0826", "0723", "1705", "0507", "0307"
HELSINKI = "1402"
PHRASES = {
    "never-zone": "{hexes} is in an enemy zone of control",
    "closes-up": "{hexes} is in an enemy zone of control",
    "soviet-closes-up": "{hexes} is in an enemy zone of control",
    "country": "{hexes} lies in a country it may not enter",
    "germans": "{hexes} holds other units, with which it never stacks",
    "enemy-city": "{hexes} is a city with an enemy Control marker",
    "out-of-supply": "no line of supply at {hexes}",
    "zone-unsupplied": "{hexes} is in an enemy zone of control, closed to units that are Out of Supply",
    f"hexside:{ICE}": "over the ice at {hexes} only Soviet infantry moves, and in snow turns only",
    "ice": "only Soviet infantry attacks over the ice between {hexes}, and in snow turns only",
    "strait": "no tank or mechanized unit attacks over the strait between {hexes}",
    f"hexside:{BRIDGE}": "the bridge to {hexes} is for supply and strategic movement only",
}


class Ground(field.Ground):
    """What does not change in a scenario: the board, its masks, the costs of movement."""

    def __init__(self, case: Case) -> None:
        self.board = Board(case.game.map)
        self.table = case.game.table["terrain-effects"]
        self.wording = Wording.of(self.board, case.scenario.sheet, phrases=PHRASES)
        self.ice = self.board.steps_across(ICE)
        self.bridge = self.board.steps_across(BRIDGE)
        self.turkey_plays = case.option("turkey") == "on"
        self.gun_over_bridge = case.option("gun-bridge") == "on"
        self.zone_over_ice = case.option("zone-over-ice") == "on"
        self._costs: dict[tuple[object, ...], CostTable] = {}
        self._closed: dict[str, Mask] = {}

    def at(self, label: str) -> HexId:
        return self.board.id(label, "map")

    @cached_property
    def countries(self) -> list[str]:
        return list(map(self.country, range(len(self.board))))

    def closed_to(self, unit: Unit) -> Mask:
        """The countries a unit may not enter (5.2.1)."""
        key = HOME.get(unit.nationality, unit.side)
        return made(self._closed, key, lambda: self._closed_by(key))

    def _closed_by(self, key: str) -> Mask:
        barred = {AXIS: {"finland"}, SOVIET: set() if self.turkey_plays else {"turkey"}}
        closed = barred.get(key, {*self.countries} - {key, "soviet-union"})
        return self.board.mask(h for h, land in enumerate(self.countries) if land in closed)

    def _kept(self, key: tuple[object, ...], prices: Prices) -> CostTable:
        return made(self._costs, key, lambda: CostTable(self.board, prices))

    def costs(self, unit: Unit, season: str) -> CostTable:
        """The price of every step for a unit (5.1, 5.1.5 to 5.1.8)."""
        if unit.has("rail-only"):
            return self.along_railways if self.gun_over_bridge else self.along_rails_on_land
        return self._kept(self._class_of(unit, season), self._prices(unit, season))

    def _class_of(self, unit: Unit, season: str) -> tuple[object, ...]:
        """Units with the same prices."""
        high = int(unit.type.values.get("high-mountain-cost", 0))
        return unit.type.mobility, season, high, season == SNOW and unit.has(ICE)

    def _prices(self, unit: Unit, season: str) -> Prices:
        discount, high = (
            int(unit.type.values.get(k, 0)) for k in ("mountain-discount", "high-mountain-cost")
        )
        prices = Prices.from_table(self.table, self.board, unit.type.mobility, season)
        prices = prices if season == SNOW and unit.has(ICE) else prices.hexsides_at({ICE: None})
        if not high:
            return prices
        mountain = (prices.of("mountain") or 0) - discount * ONE
        return prices.terrain_at({"mountain": mountain, "high-mountain": high * ONE})

    @cached_property
    def along_railways(self) -> CostTable:
        return flat_table(self.board, only_along=(TRACK,), local=Local(open=self.bridge))

    @cached_property
    def along_rails_on_land(self) -> CostTable:
        """Not over the bridge, which is not for regular movement (5.3.3)."""
        return flat_table(self.board, (BRIDGE,), only_along=(TRACK,))

    def strategic_costs(self, unit: Unit, season: str) -> CostTable:
        """One point a hex, over the bridge too; what the chart prohibits to the unit stays closed (5.3)."""
        if unit.has("rail-only"):
            return self.along_railways
        prices = self._prices(unit, season)
        flat = Prices(_flat(prices.terrain), _closed(prices.hexsides, BRIDGE), places=_flat(prices.places))
        return self._kept(("strategic", *self._class_of(unit, season)), flat)

    def line_costs(self, over_ice: bool) -> CostTable:
        """Lines of supply: one a hex, over no water but the bridge, and ice for Soviet infantry (9.2)."""
        bans = WATER if over_ice else (*WATER, ICE)
        return self._kept(("line", over_ice), Prices(dict.fromkeys(WATER), dict.fromkeys(bans)))

    @cached_property
    def retreat_costs(self) -> CostTable:
        bans = (*WATER, ICE, BRIDGE)
        return self._kept(("retreat",), Prices(dict.fromkeys(WATER), dict.fromkeys(bans)))

    @cached_property
    def second_hex_costs(self) -> CostTable:
        """The second hex of an advance crosses no river (8.7.2)."""
        bans = (*WATER, ICE, BRIDGE, "minor-river", "major-river", "strait")
        return self._kept(("advance",), Prices(dict.fromkeys(WATER), dict.fromkeys(bans)))

    def projection(self, over_ice: bool) -> Projection:
        """Zones of control do not cross sea and lake hexsides (4.1)."""
        blocked = self.board.steps_across(*WATER) if over_ice else self.board.steps_across(*WATER, ICE)
        return Projection(self.board, union(blocked, self.bridge), self.board.of_terrain(*WATER))

    @cached_property
    def projections(self) -> dict[bool, Projection]:
        return {over_ice: self.projection(over_ice) for over_ice in (False, True)}

    @cached_property
    def contested(self) -> list[HexId]:
        """Cities and ports: hexes that have a holder (5.3.1, 5.5)."""
        return sorted({*self.board.with_place("city"), *self.board.with_feature("port")})


class Field(ZonedField):
    """One state of the position."""

    ground: Ground

    def projection(self, unit: Unit) -> Projection:
        return self.ground.projections[self.season == SNOW and self.ground.zone_over_ice]

    # --- control ---

    def holds(self, side: str, label: str) -> bool:
        return self.holder(self.ground.at(label)) == side

    def holder(self, hex_id: HexId) -> str | None:
        return holder(self.position, self.board.hexes[hex_id])

    def marked(self, side: str) -> Mask:
        """Cities and ports with a Control marker of a side: those it took (9.2), and what a marker shows."""
        start = self.position.game.holder_at_start
        taken = (h for h in self.ground.contested if self.holder(h) == side != start(self.board.hexes[h]))
        shown = (h for h, marks in self.position.marks.items() if f"{side}-control" in marks)
        return self.board.mask((*taken, *self.ids(shown)))


def _flat(prices: Mapping[str, int | None]) -> dict[str, int | None]:
    """One point for what may be entered."""
    return {kind: None if price is None else ONE for kind, price in prices.items()}


def _closed(prices: Mapping[str, int | None], but: str) -> dict[str, int | None]:
    """The hexsides that may not be crossed."""
    return {kind: None for kind, price in prices.items() if price is None and kind != but}


def open_sides(field_now: Field, start: HexId, target: HexId, kinds: tuple[str, ...]) -> set[str]:
    """Which of these kinds of hexside lie between two neighbours."""
    return set(field_now.board.side_of(start, target)).intersection(kinds)


FIELDS = Fields(Ground, Field)
ground_of, field_of, field_at_phase_start = FIELDS.ground_of, FIELDS.now, FIELDS.at_phase_start
