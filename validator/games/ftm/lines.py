"""Where lines of supply reach (9.2 to 9.6), by side, in one state of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from validator.core.board import HexId, Mask, minus, union
from validator.core.costs import ONE
from validator.core.recent import made
from validator.core.supply import Lines, SupplyRules, network
from validator.games.ftm.book import AXIS, ENEMY, SNOW, SOVIET, SUPPLY
from validator.games.ftm.field import (
    DANZIG,
    HELSINKI,
    ICE,
    KONIGSBERG,
    ODESSA,
    SEVASTOPOL,
    TRACK,
    Field,
)
from validator.games.ftm.state import Case
from validator.model.position import Unit
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.supplylines import Net, scenario_sources
from validator.procedures.supplymarks import out_of_supply

T = TypeVar("T")
RANGE, SEA_RANGE, FAR = 4, 2, 6
PARTISAN_RANGE = 3
SEA_BASES = {  # the ports that are held and on a railway, all of them or any, and the ports supplied (9.6)
    ("axis", "black-sea-port"): (all, (ODESSA, SEVASTOPOL)),
    ("axis", "baltic-port"): (all, (DANZIG, KONIGSBERG)),
    ("soviet", "black-sea-port"): (any, ("1530", "1428")),  # Tuapse, Novorossiisk
}
NO_SEA_SUPPLY = ("offensive-support", "supply-base", "air-base", "allied")  # 9.6


@dataclass(frozen=True)
class Kind:
    """Units that trace alike: their side, whether they are Finns, whether they cross the ice."""

    side: str
    finnish: bool
    over_ice: bool

    @classmethod
    def of(cls, unit: Unit) -> Kind:
        return cls(unit.side, unit.has("finnish"), unit.has(ICE) or unit.has("fortress"))


class Tracing:
    """All lines in one state. `expended` are bases turned over in this phase (9.3.4), by their hexes; with
    `combat_units_only`, distances are measured from no others (9.3.3)."""

    def __init__(
        self, case: Case, field: Field, expended: Mapping[str, HexId], *, combat_units_only: bool = False
    ) -> None:
        self.case, self.field, self.board = case, field, field.board
        self.expended, self.combat_units_only = expended, combat_units_only
        self._kept: dict[object, Any] = {}

    def blocked(self, side: str) -> dict[str, Mask]:
        """9.2: enemy units, enemy Control markers, enemy zones without a friendly unit."""
        enemy = ENEMY[side]
        return {
            "enemy": self.field.occupied(enemy),
            "marker": self.field.marked(enemy),
            "zone": self.field.uncovered(side),
        }

    def rules(self, kind: Kind, limit: int) -> SupplyRules:
        over_ice = kind.over_ice and self.field.season == SNOW
        return SupplyRules(self.field.ground.line_costs(over_ice), limit * ONE, self.blocked(kind.side))

    # --- sources and railways ---

    def sources(self, kind: Kind) -> list[HexId]:
        """Hexes beside the edges W, H and R, or F for the Finns; E and S for the Soviets (9.3.1, 9.4.1)."""
        return self.case.once((Tracing, kind.side, kind.finnish), lambda: self._sources(kind))

    def _sources(self, kind: Kind) -> list[HexId]:
        any_edge = self.case.option("finnish-source") == "any"
        lands, hexes = self.field.ground.countries, scenario_sources(self.case, self.board, kind.side)
        return [h for h in hexes if any_edge or (lands[h] == "finland") == kind.finnish]

    def railways(self, kind: Kind) -> Lines:
        """Hexes on an open railway to one of the sources (9.3, 9.4)."""
        closed = union(*self.blocked(kind.side).values())
        return network(self.board, [TRACK], self.sources(kind), closed)

    def linked(self, kind: Kind) -> Lines:
        return self._once(("railways", kind.side, kind.finnish), lambda: self.railways(kind))

    # --- what ends a line ---

    def bases(self) -> Iterator[tuple[HexId, Unit]]:
        return self.field.of_side(AXIS, "supply-base")

    def linked_bases(self, kind: Kind) -> list[HexId]:
        lines = self.linked(kind)
        return [h for h, _ in self.bases() if lines.length(h) is not None]

    def main(self, kind: Kind) -> Net:
        """9.3: to a source or a base on a railway; 9.4: to a source or a railway."""
        return self._once(("main", kind), lambda: self._main(kind))

    def _main(self, kind: Kind) -> Net:
        if kind.side == SOVIET:
            return Net.of("railway", self.rules(kind, RANGE), [*self.sources(kind), *self.linked(kind)])
        ends = [*self.sources(kind), *self.linked_bases(kind), *self._spent(False)]
        return Net.of("base", self.rules(kind, RANGE), ends)

    def near_partisans(self, kind: Kind) -> Net:
        """10.3: an expended base with partisans supplies three hexes away."""
        limit = PARTISAN_RANGE
        return self._once(("near", kind), lambda: Net.of("base", self.rules(kind, limit), self._spent(True)))

    def _spent(self, with_partisan: bool) -> list[HexId]:
        """Partisans that are set in this phase come after the supply of its turn (3.1)."""
        now = dict(markers_on_hexes(self.case, "partisan"))
        begun = self.case.phase == SUPPLY and bool(self.case.in_phase.events)
        held = set(self.field.ids((self.case.in_phase.partisans_at_start if begun else now).values()))
        return [h for h in self.expended.values() if (h in held) == with_partisan]

    def distant(self, kind: Kind) -> Net:
        """9.3.3: a line of any length for Axis units far from Soviet units that are in supply."""
        ends = (*self.sources(kind), *(h for h, _ in self.bases()))
        return self._once(("far", kind), lambda: Net.of("base", self.rules(kind, len(self.board)), ends))

    def anywhere(self, kind: Kind) -> Net:
        """Lines of any length to a source: who has none is isolated (9.1.3)."""
        limit = len(self.board)
        return self._once(
            ("any", kind), lambda: Net.of("source", self.rules(kind, limit), self.sources(kind))
        )

    def sea(self, kind: Kind) -> Net:
        return self._once(("sea", kind), lambda: Net.of("sea", self.rules(kind, SEA_RANGE), self.ports(kind)))

    def _once(self, key: object, make: Callable[[], T]) -> T:
        value: T = made(self._kept, key, make)
        return value

    # --- over the sea (9.6) ---

    def ports(self, kind: Kind) -> list[HexId]:
        """The ports that lines end at: those of the side, or all (option)."""
        friendly = self.case.option("supply-port-control") == "on"
        return [h for h in self.supplied_ports(kind) if not friendly or self.field.holder(h) == kind.side]

    def supplied_ports(self, kind: Kind) -> list[HexId]:
        """Ports on a water that the side ships supply on, whoever holds them (9.6)."""
        lines = self.linked(kind)
        ports: list[HexId] = []
        for (side, feature), (needed, bases) in SEA_BASES.items():
            if side == kind.side and needed(self._based(lines, side, label) for label in bases):
                ports += self.board.with_feature(feature)
        barred = self._odessa() if kind.side == SOVIET else None
        return [h for h in ports if h != barred]

    def _based(self, lines: Lines, side: str, label: str) -> bool:
        return self.field.holds(side, label) and lines.length(self.field.ground.at(label)) is not None

    def _odessa(self) -> HexId | None:
        """9.6.1, note: Odessa gives nothing while the Axis is in Sevastopol."""
        hex_id = self.field.ground.at(SEVASTOPOL)
        stands = bool(self.field.occupied(AXIS)[hex_id])
        held = stands if self.case.option("odessa-supply") == "unit" else self.field.holds(AXIS, SEVASTOPOL)
        return self.field.ground.at(ODESSA) if held else None

    @cached_property
    def helsinki_lost(self) -> bool:
        return self.field.holds(SOVIET, HELSINKI)

    @cached_property
    def factories(self) -> Mask:
        """Hexes in or next to a factory (9.1.2)."""
        return self.board.near((h for h, _ in self.field.of_side(SOVIET, "evacuates")), 1)

    # --- who may use what ---

    @cached_property
    def surely_far(self) -> Mask:
        """Hexes at least six from every Soviet unit that is not Out of Supply (9.3.3)."""
        return self._far_from(lambda unit: not out_of_supply(unit))

    @cached_property
    def far_from_combat_units(self) -> Mask:
        return self._far_from(lambda unit: unit.type.zoc and not out_of_supply(unit))

    def _far_from(self, counts: Callable[[Unit], object]) -> Mask:
        everywhere = self.board.mask(range(len(self.board)))
        return minus(everywhere, self.board.near(self.field.places_of(SOVIET, counts), FAR - 1))

    @cached_property
    def far_away(self) -> Mask:
        """From the units that count by the option."""
        return self.far_from_combat_units if self._only_combat_units_count() else self.surely_far

    def is_far(self, hex_id: HexId) -> bool:
        if self.surely_far[hex_id] or not self.far_from_combat_units[hex_id]:
            return bool(self.surely_far[hex_id])
        return self._only_combat_units_count()

    def _only_combat_units_count(self) -> bool:
        return self.combat_units_only or self.case.option("distance-units") == "combat"

    def nets(self, unit: Unit, hex_id: HexId | None) -> Iterator[Net]:
        """The nets a unit may be supplied by, the common one first; far from the enemy only in a hex."""
        kind = Kind.of(unit)
        yield self.main(kind)
        if unit.side == AXIS:
            yield self.near_partisans(kind)
            if hex_id is not None and self.is_far(hex_id):
                yield self.distant(kind)
        if ships_supply(unit):
            yield self.sea(kind)


def ships_supply(unit: Unit) -> bool:
    """9.6: who may be supplied by sea at all."""
    return not any(map(unit.has, NO_SEA_SUPPLY))
