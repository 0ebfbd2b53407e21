"""Who is in supply, by what line, and what cuts the line of who is not (9.1 to 9.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from validator.core.board import HexId, Mask, both, union
from validator.core.supply import LineVerdict, explain_line
from validator.games.ftm.book import SOVIET
from validator.games.ftm.field import Field, field_at_phase_start, field_of
from validator.games.ftm.lines import Kind, Tracing, ships_supply
from validator.games.ftm.state import Case
from validator.model.position import Unit, having, names_of
from validator.procedures import supplymarks
from validator.procedures.supplylines import Net, line_text
from validator.procedures.supplymarks import LACK, OUT, SUPPLIED, status_of

LEAVES_THE_MAP = ("air-base", "offensive-support")  # without a line (9.1.1)
EXPENDED = "expended"  # the marker that stands for the back of a supply base


def is_always_supplied(unit: Unit) -> bool:
    """9.1, note"""
    return unit.has("always-supplied") or unit.has("economic-asset")


@dataclass(frozen=True)
class Status(supplymarks.Status):
    """Supplied by: always, source, base, railway, sea; saved by a factory."""

    net: Net | None = None


class Supply:
    """Supply of all units in one state of the position."""

    def __init__(self, case: Case, field: Field, expended: Mapping[str, HexId]) -> None:
        self.case, self.field, self.expended = case, field, expended
        self.tracing = Tracing(case, field, expended)

    def readings(self, unit: Unit, hex_id: HexId) -> Iterator[Supply]:
        """This one, and where a line of any length hangs on which units count, the other."""
        yield self
        tracing = self.tracing
        differ = tracing.far_from_combat_units[hex_id] and not tracing.surely_far[hex_id]
        if unit.side != SOVIET and differ and self.case.option("distance-units") == "judge":
            yield self._near_combat_units

    @cached_property
    def _near_combat_units(self) -> Supply:
        other = Supply(self.case, self.field, self.expended)
        other.tracing = Tracing(self.case, self.field, self.expended, combat_units_only=True)
        return other

    @cached_property
    def out_at_once(self) -> bool:
        """Finns without Helsinki (9.3.2)."""
        return self.case.option("helsinki-lost") == "out"

    def of(self, unit: Unit, hex_id: HexId, was: int) -> Status:
        """The status of a unit in a hex that was so marked before."""
        tracing = self.tracing
        if is_always_supplied(unit):
            return Status(SUPPLIED, "always")
        lost = unit.has("finnish") and tracing.helsinki_lost
        nets = (net for net in tracing.nets(unit, hex_id) if net.lines.reaches(hex_id) and not lost)
        net = next(nets, None)
        if net is not None:
            return Status(SUPPLIED, net.by, net)
        main = tracing.main(Kind.of(unit))
        if unit.side == SOVIET and tracing.factories[hex_id] and not unit.has("offensive-support"):
            return Status(LACK, "factory", main)
        if was == SUPPLIED and not (lost and self.out_at_once):
            return Status(LACK, "", main)
        isolated = lost or tracing.anywhere(Kind.of(unit)).lines.length(hex_id) is None
        return Status(OUT, "", main, isolated=isolated)

    def would_supply(self, unit: Unit) -> Mask:
        """Hexes in which a unit of that kind would be in supply; a port that it enters is its side's."""
        tracing, kind, board = self.tracing, Kind.of(unit), self.field.board
        if is_always_supplied(unit):
            return board.mask(range(len(board)))
        if unit.has("finnish") and tracing.helsinki_lost:
            return board.mask()
        nets = [net.would_reach for net in tracing.nets(unit, None)]
        if unit.side != SOVIET:
            nets.append(both(tracing.distant(kind).would_reach, tracing.far_away))
        if ships_supply(unit):
            nets.append(board.mask(tracing.supplied_ports(kind)))
        return union(*nets)

    def line(self, unit: Unit, hex_id: HexId, net: Net | None = None) -> LineVerdict:
        """A unit's line part by part, or what cuts it."""
        net = net or self.tracing.main(Kind.of(unit))
        return explain_line(net.rules, net.ends, hex_id)

    def text(self, unit: Unit, hex_id: HexId, status: Status) -> str:
        """One sentence on why a unit is, or is not, in supply."""
        if status.by == "always":
            return "always in supply"
        if unit.has("finnish") and self.tracing.helsinki_lost:
            return "Helsinki is lost: Finnish units trace no line"
        words = self.field.ground.wording
        return line_text(words, self.line(unit, hex_id, status.net), lambda h: self.end(unit, h))

    def end(self, unit: Unit, hex_id: HexId) -> str:
        """What a line of a unit ends at: `SB-4 0311`, `source 0110`, `railway 1512`."""
        label = self.field.ground.wording.hex(hex_id)
        if hex_id in self.tracing.sources(Kind.of(unit)):
            return f"source {label}"
        bases = names_of(having(self.field.units(hex_id, unit.side), "supply-base"))
        places = [place.name for place in self.field.board.places.get(hex_id, ())[:1]]
        return f"{'+'.join(bases or places) or 'railway'} {label}"


# --- what others ask for ------------------------------------------------------------------------


def supply_now(case: Case) -> Supply:
    """Supply as it would be field if it were judged now."""
    field, state = field_of(case), (case.position.version, case.turn)
    return case.kept(supply_now, state, lambda: Supply(case, field, expended_now(case, field)))


def supply_at_start(case: Case) -> Supply:
    """Supply as the phase began, with the bases expended in it."""
    field, state = field_at_phase_start(case), (case.phase_start, len(case.in_phase.expended))
    return case.kept(supply_at_start, state, lambda: Supply(case, field, case.in_phase.expended))


def expended_now(case: Case, field: Field) -> dict[str, HexId]:
    """Bases that show their expended side, and where."""
    shown = {h: EXPENDED in marks for h, marks in case.position.marks.items()}
    bases = field.of_side("axis", "supply-base")
    return {u.id: h for h, u in bases if EXPENDED in u.marks or shown.get(u.hex)}


def judge_supply(case: Case, side: str) -> Iterator[tuple[Unit, Status]]:
    """Every unit of a side on the map, as it would be judged now."""
    supply = supply_now(case)
    for hex_id, unit in supply.field.of_side(side):
        yield unit, supply.of(unit, hex_id, status_of(unit))


def supplied_mask(case: Case, unit: Unit) -> Mask:
    """Hexes in which a unit would be in supply now."""
    return supply_now(case).would_supply(unit)


def rail_line(case: Case, hex_id: HexId) -> tuple[HexId, ...]:
    """The open railway from a hex to a Soviet source (12.2.1); empty if there is none."""
    kind = Kind(SOVIET, False, False)
    return supply_now(case).tracing.linked(kind).path(hex_id)
