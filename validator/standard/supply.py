"""Supply by distance: lines of hexes to the sources of the scenario, or to a headquarters in supply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from dataclasses import field as kept
from fractions import Fraction

from fieldpost.definition import rulesmodel
from fieldpost.definition.rulesmodel import Unsupplied
from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import scaled
from validator.core.supply import SupplyRules, explain_line
from validator.model.position import Unit
from validator.procedures.supplylines import ANY_LENGTH, Net, scenario_sources
from validator.standard.field import Field, field_at_phase_start, field_of
from validator.standard.state import Case

RANGE = "supply-range"
ZONE = "zone"
SOURCE = ""  # what supplies a unit, unless a headquarters does
EVERYTHING = Unsupplied()  # what is left to a unit in supply


@dataclass
class Supply:
    """All lines in one state of the position."""

    case: Case
    field: Field
    told: rulesmodel.SupplyRules
    _nets: dict[str, list[Net]] = kept(default_factory=dict)

    def feeds(self, unit: Unit) -> bool:
        """Whether a unit is in supply; one that is not on the map counts as if it were."""
        return self.needs_none(unit) or self.net_of(unit, self.field.board.id_of[unit.hex]) is not None

    def needs_none(self, unit: Unit) -> bool:
        return self.field.id(unit.spot) is None or any(map(unit.has, self.told.always))

    def net_of(self, unit: Unit, hex_id: HexId) -> Net | None:
        """What supplies a unit: the sources, or a headquarters other than itself."""
        nets = [net for net in self.nets(unit.side) if net.by != unit.id]
        nets += [self._from_a_zone(net, hex_id) for net in nets if self._is_in_zone(net, hex_id)]
        return next((net for net in nets if net.lines.reaches(hex_id)), None)

    @staticmethod
    def _is_in_zone(net: Net, hex_id: HexId) -> bool:
        zone = net.rules.blocked.get(ZONE)
        return zone is not None and bool(zone[hex_id])

    @staticmethod
    def _from_a_zone(net: Net, hex_id: HexId) -> Net:
        """A line enters no enemy zone; the hex in which it begins it does not enter."""
        opened = bytearray(net.rules.blocked[ZONE])
        opened[hex_id] = 0
        rules = replace(net.rules, blocked={**net.rules.blocked, ZONE: opened})
        return Net.of(net.by, rules, net.ends)

    def nets(self, side: str) -> list[Net]:
        """Of the sources, and of each headquarters that they supply."""
        if side not in self._nets:
            sources = Net.of(SOURCE, self.rules(side, self.told.range), self.sources(side))
            self._nets[side] = [sources, *self._headquarters(side, sources)]
        return self._nets[side]

    def _headquarters(self, side: str, sources: Net) -> Iterator[Net]:
        trait = self.told.headquarters
        for hex_id, unit in self.field.of_side(side, trait) if trait else ():
            reach = unit.counter.values.get(RANGE, unit.type.values.get(RANGE))
            if reach is not None and sources.lines.reaches(hex_id):
                yield Net.of(unit.id, self.rules(side, Fraction(reach)), [hex_id])

    def rules(self, side: str, limit: Fraction | None) -> SupplyRules:
        ground, told = self.field.ground, self.told
        costs = ground.costs(told.mobility, self.field.season) if told.mobility else ground.plain
        blocked = {"enemy": self.field.enemies(side)}
        if told.zones:
            blocked[ZONE] = self.field.zones_against(side, "supply")
        return SupplyRules(costs, ANY_LENGTH if limit is None else scaled(limit), blocked)

    def sources(self, side: str) -> list[HexId]:
        return scenario_sources(self.case, self.field.board, side)

    def text(self, unit: Unit, hex_id: HexId) -> str:
        """The line of a unit in words, or what cuts it."""
        if self.needs_none(unit):
            return "needs no supply"
        net = self.net_of(unit, hex_id) or self.nets(unit.side)[0]
        line = say.line_text(self.field.ground.wording, explain_line(net.rules, net.ends, hex_id))
        return f"by {net.by}: {line}" if net.by else line


def supply_now(case: Case) -> Supply | None:
    return _supply(case, supply_now, field_of(case))


def supply_at_phase_start(case: Case) -> Supply | None:
    """As it was judged: when the phase began."""
    return _supply(case, supply_at_phase_start, field_at_phase_start(case))


def _supply(case: Case, key: object, field: Field) -> Supply | None:
    told = field.ground.rules.supply
    return case.kept(key, field, lambda: Supply(case, field, told)) if told is not None else None


def left_to(case: Case, unit: Unit) -> Unsupplied:
    """What is left to a unit as its supply was judged, when the phase began."""
    supply = supply_at_phase_start(case)
    if supply is None or supply.feeds(case.phase_start.units[unit.id]):
        return EVERYTHING
    if not supply.sources(unit.side):
        case.not_checked(f"supply: the scenario names no source of {unit.side}")
        return EVERYTHING
    return supply.told.without
