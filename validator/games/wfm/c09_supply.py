"""Chapter 9: who is in supply, by what line, and what cuts the line of who is not (9.2 to 9.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as with_default
from functools import cached_property
from typing import ClassVar

from validator.core.board import HexId, Mask, union
from validator.core.costs import ONE
from validator.core.supply import LineVerdict, explain_line
from validator.games.wfm.book import AXIS, ENEMY, SOVIET, is_allied
from validator.games.wfm.field import MUD, Field, field_of
from validator.games.wfm.lines import MINORS, Tracing
from validator.games.wfm.partisans import AIR_FLEET
from validator.games.wfm.state import Case
from validator.model.position import Unit, any_has, carrying, having, names_of
from validator.procedures import supplymarks
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.supplylines import Net
from validator.procedures.supplylines import line_text as lines_text
from validator.procedures.supplymarks import LACK, OUT, SUPPLIED

EXPENDED = "expended"  # the marker that stands for the back of a depot
LEAVES_THE_MAP = ("hq", "osg", "airbase")  # when out of supply (9.55 to 9.57)


@dataclass(frozen=True)
class Status(supplymarks.Status):
    """By: always, depot, source, expended, headquarters, capital, railway, sea; saved by air, factory."""

    length: int | None = None  # of the line, in twelfths of a hex
    limit: int | None = None
    line: tuple[HexId, ...] = ()  # from the unit's hex to what supplies it


@dataclass
class Supply:
    """Supply of all units in one state of the position."""

    case: Case
    field: Field
    expended: Mapping[str, HexId] = with_default(default_factory=dict)  # depots turned over, and where
    fleets: Mapping[str, HexId] = with_default(default_factory=dict)  # air fleets and where they fly
    shared: ClassVar[bool] = True  # by forks: it is of one moment, and does not change

    @cached_property
    def tracing(self) -> dict[str, Tracing]:
        return {side: Tracing(self.case, self.field, side, self.expended) for side in ENEMY}

    @cached_property
    def under_fleets(self) -> Mask:
        """9.61, 11.12: the zones of the fleets; in mud none flies."""
        board = self.field.board
        flying = self.fleets.items() if self.case.season != MUD else ()
        markers = self.case.game.marker
        return board.any_of(board.near([h], int(markers[fleet].values["zone"])) for fleet, h in flying)

    @cached_property
    def factories(self) -> frozenset[HexId]:
        return frozenset(self.field.places_of(SOVIET, lambda unit: unit.type.id == "factory"))

    def net(self, unit: Unit) -> Net:
        """What a unit that is no headquarters traces to."""
        tracing = self.tracing[unit.side]
        return tracing.minor[unit.nationality] if unit.nationality in MINORS else tracing.main

    def of_side(self, side: str) -> dict[str, Status]:
        return {unit.id: self.of(unit, hex_id) for hex_id, unit in self.field.of_side(side)}

    def of(self, unit: Unit, hex_id: HexId) -> Status:
        """The status of a unit that stands in a hex."""
        if unit.has("always-supplied"):
            return Status(SUPPLIED, "always")
        if unit.has("hq"):
            return self._headquarters(unit, hex_id)
        net = self.net(unit)
        if net.lines.reaches(hex_id):
            return self._traced(net, hex_id, self._end(unit, net, hex_id))
        sea = self.tracing[unit.side].sea
        if ships_supply(unit) and sea.lines.reaches(hex_id):
            return self._traced(sea, hex_id, "sea")
        if saver := self._saved(unit, hex_id):
            return Status(LACK, saver, net.lines.length(hex_id), net.rules.limit)
        near = net.lines.reaches(hex_id, 2) or (ships_supply(unit) and sea.lines.reaches(hex_id, 2))
        isolated = not near and not any(map(unit.has, LEAVES_THE_MAP))
        return Status(OUT, "", net.lines.length(hex_id), net.rules.limit, isolated=isolated)

    def _headquarters(self, unit: Unit, hex_id: HexId) -> Status:
        """9.28, 9.32: on a railway that is open all the way."""
        lines = self.tracing[unit.side].railways_of(unit)
        length = lines.length(hex_id)
        if length is None:
            return Status(OUT)
        return Status(SUPPLIED, "railway", length * ONE, None, lines.path(hex_id))

    def _traced(self, net: Net, hex_id: HexId, by: str) -> Status:
        line = net.lines.path(hex_id)
        return Status(SUPPLIED, by, net.lines.length(hex_id), net.rules.limit, line)

    def _end(self, unit: Unit, net: Net, hex_id: HexId) -> str:
        end = net.lines.source(hex_id)
        assert end is not None
        if net.by == "headquarters":
            return net.by if any_has(self.field.units(end, unit.side), "hq") else "capital"
        if end in self.tracing[unit.side].sources:
            return "source"
        spent = end in self.expended.values() and not self.tracing[AXIS].linked(end)
        return "expended" if spent else "depot"

    def _saved(self, unit: Unit, hex_id: HexId) -> str:
        """What turns Out of Supply into Lack of Supply: a factory (9.34) or aircraft (9.61)."""
        if unit.side == SOVIET and not unit.has("osg") and hex_id in self.factories:
            return "factory"
        if unit.has("german") and not unit.has("airbase") and self.under_fleets[hex_id]:
            return "air"
        return ""

    def settle(self) -> Supply:
        """Everything worked out now, to be asked when the position has gone on."""
        for tracing in self.tracing.values():
            _ = tracing.to_capital, tracing.to_source, tracing.main, tracing.sea
        _ = self.tracing[AXIS].minor
        return self

    def would_supply(self, unit: Unit) -> Mask:
        """Hexes in which a unit of that kind would be in supply."""
        tracing, board = self.tracing[unit.side], self.field.board
        if unit.has("always-supplied"):
            return bytes([1]) * len(board)
        if unit.has("hq"):
            lines = tracing.railways_of(unit)
            return board.mask(lines)
        mask: Mask = self.net(unit).would_reach
        return union(mask, tracing.sea.would_reach) if ships_supply(unit) else mask


def ships_supply(unit: Unit) -> bool:
    """9.73: who may be supplied by sea at all."""
    barred = any(map(unit.has, (*LEAVES_THE_MAP, "depot"))) or is_allied(unit)
    return not barred


def fleets_on_map(case: Case, field: Field) -> dict[str, HexId]:
    fleets = markers_on_hexes(case, AIR_FLEET)
    return {fleet: hex_id for fleet, hex_ in fleets for hex_id in field.ids([hex_])}


def expended_now(case: Case) -> dict[str, HexId]:
    """Depots that show their expended side, and where."""
    position, field = case.position, field_of(case)
    hexes = (hex_ for hex_, marks in position.marks.items() if EXPENDED in marks)
    below = (unit for hex_ in hexes for unit in having(position.at(hex_), "depot"))
    return field.where([*carrying(position.on_map(AXIS), EXPENDED), *below])


# --- what others ask for ------------------------------------------------------------------------


def supply_now(case: Case) -> Supply:
    """Supply as it would be found if it were judged now."""
    field_now = field_of(case)
    fleets, expended = fleets_on_map(case, field_now), expended_now(case)
    state = (case.position.version, case.turn)
    return case.kept(supply_now, state, lambda: Supply(case, field_now, expended, fleets))


def judge_supply(case: Case, side: str) -> dict[str, Status]:
    """The status that every unit of a side on the map has by the rules now."""
    return supply_now(case).of_side(side)


def supplied_mask(case: Case, unit: Unit) -> Mask:
    """Hexes in which a unit would be in supply now."""
    return supply_now(case).would_supply(unit)


def rail_line(case: Case, hex_id: HexId, side: str = SOVIET) -> tuple[HexId, ...]:
    """The open railway from a hex to a supply source of the side (12.33, 12.41); empty if there is none."""
    return supply_now(case).tracing[side].to_source.path(hex_id)


# --- words --------------------------------------------------------------------------------------


def line_verdict(supply: Supply, unit: Unit, hex_id: HexId) -> LineVerdict:
    """A unit's line part by part, or what cuts it; not for headquarters."""
    net = supply.net(unit)
    if ships_supply(unit) and not net.lines.reaches(hex_id):
        sea = supply.tracing[unit.side].sea
        net = sea if sea.lines.reaches(hex_id) else net
    return explain_line(net.rules, net.ends, hex_id)


def end_text(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    """What a line of a unit ends at: `StgHQ 4806`, `source 4717`."""
    label = supply.field.ground.wording.hex(hex_id)
    to_headquarters = supply.net(unit).by == "headquarters"
    trait = "hq" if to_headquarters else "depot"
    keepers = names_of(having(supply.field.units(hex_id, unit.side), trait))
    if not keepers and not to_headquarters and hex_id in supply.tracing[unit.side].sources:
        return f"source {label}"
    places = supply.field.board.places.get(hex_id, ())
    return f"{'+'.join(keepers) or ''.join(p.name for p in places[:1])} {label}".strip()


def line_text(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    """One sentence on why a unit is, or is not, in supply."""
    if unit.has("always-supplied"):
        return "always in supply"
    if unit.has("hq"):
        return _railway_text(supply, unit, hex_id)
    verdict = line_verdict(supply, unit, hex_id)
    return lines_text(supply.field.ground.wording, verdict, lambda end: end_text(supply, unit, end))


def _railway_text(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    lines = supply.tracing[unit.side].railways_of(unit)
    words = supply.field.ground.wording
    path = lines.path(hex_id)
    if path:
        return f"railway to {words.hex(path[-1])}: {'-'.join(words.hex(h) for h in path)}"
    if not supply.field.board.joined("railway")[hex_id]:
        return f"{words.hex(hex_id)} is on no railway"
    return f"no open railway from {words.hex(hex_id)} to a source"
