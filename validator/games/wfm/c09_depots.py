"""Chapter 9.2: depots that are expended. When they come back is judged with other returns (13.53)."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES
from validator.games.wfm.c09_supply import EXPENDED, supply_now
from validator.games.wfm.field import field_at_phase_start
from validator.games.wfm.state import Case
from validator.model.events import Declared, Marked, Moved, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.supplymarks import MARKER

EXPEND = "expend-depot"


def expended_in_phase(case: Case) -> dict[str, HexId]:
    """Depots turned over in this phase, and where they stood when it began."""
    field = field_at_phase_start(case)
    places = ((name, field.id(case.phase_start.units[name].spot)) for name in case.in_phase.depots_expended)
    return {name: hex_id for name, hex_id in places if hex_id is not None}


def _depots(case: Case, event: Declared | Marked) -> list[Unit]:
    """The depots that are turned over by an event."""
    if isinstance(event, Marked) and isinstance(event.on, Hex):
        return [unit for unit in case.position.at(event.on) if unit.has("depot")][:1]
    return [unit for unit in case.units(event.concerned) if unit.has("depot")]


@RULES.rule("wfm-9.26")
@RULES.before(Declared, phases=["supply"], what=EXPEND)
@RULES.before(Marked, phases=["supply"], marker=EXPENDED)
def depots_are_expended_in_the_supply_phase(case: Case, event: Declared | Marked) -> Faults:
    """In other phases the sequence of play speaks (3.0a)."""
    for depot in _depots(case, event):
        if depot.id not in case.in_phase.depots_expended:
            yield from _may_be_expended(case, depot)


@RULES.track(Declared, when=JUDGED, phases=["supply"], what=EXPEND)
@RULES.track(Marked, when=JUDGED, phases=["supply"], marker=EXPENDED)
def note_what_is_expended(case: Case, event: Declared | Marked) -> None:
    for depot in _depots(case, event):
        case.in_phase.depots_expended.setdefault(depot.id, True)


def _may_be_expended(case: Case, depot: Unit) -> Faults:
    hex_id = supply_now(case).field.id(depot.spot)
    linked = hex_id is not None and supply_now(case).tracing[AXIS].linked(hex_id)
    if linked and case.option("expend-linked") == "off":
        yield Fault("wfm-9.26", f"{depot.id} is in a chain to a source and is expended", (depot.id,))
    elif any(_axis_marker(case, event) for event in case.in_phase.of(Marked, marker=MARKER)):
        text = f"{depot.id} is expended after Axis units were marked; it is done at the beginning"
        yield Fault("wfm-9.26", text, (depot.id,), verdict=Verdict.WARNING)


def _axis_marker(case: Case, event: Marked) -> bool:
    return any(unit.side == AXIS for unit in case.units(event.concerned))


@RULES.track(Removed, Moved, when=APPLIED, phases=["supply"], having="depot")
def a_depot_taken_off_was_expended(case: Case, event: Removed | Moved) -> None:
    """It may be for no reason (9.26), so a depot that leaves in the supply phase needs no declaration."""
    for unit in case.units(event.concerned) if not isinstance(event.comes_to, Hex) else ():
        if unit.has("depot") and case.phase_start.units[unit.id].on_map:
            case.in_phase.depots_expended.setdefault(unit.id, False)


@RULES.rule("wfm-9.26")
@RULES.at_phase_end("supply")
def expended_depots_leave_the_map(case: Case) -> Faults:
    for name in expended_in_phase(case):
        depot = case.position.units[name]
        if depot.on_map:
            yield Fault("wfm-9.26", f"{name} was expended and is still on the map", (name,), (depot.hex,))
