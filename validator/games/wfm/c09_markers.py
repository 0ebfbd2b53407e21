"""Chapter 9: what the players marked, and took off the map, against what the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.core.supply import LENGTH, LineVerdict, trace
from validator.engine.rulebook import APPLIED, Faults
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c09_depots import expended_in_phase
from validator.games.wfm.c09_supply import (
    LEAVES_THE_MAP,
    NAMES,
    SUPPLIED,
    Status,
    Supply,
    evidence,
    fleets_on_map,
    line_text,
    line_verdict,
    ships_supply,
)
from validator.games.wfm.field import field_at_phase_start, field_of
from validator.games.wfm.lines import (
    AXIS_SEA_BASES,
    MINORS,
    NORTHERN_PORTS,
    ODESSA,
    SEA_RANGE,
    at,
    undoubled_costs,
)
from validator.games.wfm.partisans import AIR_FLEET
from validator.games.wfm.state import Case
from validator.model.events import Marked, Placed, Replaced, Rolled, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.supplymarks import LACK, MARKER, OUT

BASE_RULES = {"axis": "wfm-9.21", "minor": "wfm-9.28a", "soviet": "wfm-9.31"}
SEA_RULES = {AXIS: "wfm-9.72", SOVIET: "wfm-9.71"}
MINOR_DOUBT = 6 * ONE  # up to there 9.28 may be read otherwise


@dataclass
class Judged:
    """Supply as it may have been found in a phase: as it began, or after what left the map in it."""

    case: Case

    @cached_property
    def expended(self) -> dict[str, HexId]:
        return expended_in_phase(self.case)

    @cached_property
    def fleets(self) -> dict[str, HexId]:
        return fleets_on_map(self.case, field_of(self.case))

    @cached_property
    def first(self) -> Supply:
        return Supply(self.case, field_at_phase_start(self.case), self.expended, self.fleets)

    @cached_property
    def last(self) -> Supply:
        return Supply(self.case, field_of(self.case), self.expended, self.fleets)

    def base_of(self, fleet: str) -> Unit:
        return self.case.position.units[str(self.case.game.marker[fleet].values["airbase"])]

    @cached_property
    def grounded(self) -> frozenset[str]:
        """Fleets that may not fly, for their airbase is out of supply (9.63)."""
        marked = {event.marker for event in self.case.in_phase.of(Marked)}
        flown = (marker for marker in marked if self.case.game.marker[marker].kind == AIR_FLEET)
        return frozenset(fleet for fleet in flown if self.surely(self.base_of(fleet), OUT))

    @cached_property
    def unspent(self) -> Supply:
        """Before any depot was expended: airbases are judged first (3.0)."""
        return Supply(self.case, field_at_phase_start(self.case), {}, self.fleets)

    def _states(self, unit: Unit) -> Iterator[Supply]:
        yield self.first
        yield self.last
        if self.expended and unit.has("airbase"):
            yield self.unspent

    def of(self, unit: Unit) -> Iterator[tuple[Supply, HexId, Status]]:
        """The statuses that may have been found for a unit."""
        for supply in self._states(unit):
            hex_id = supply.field.id(supply.field.position.units[unit.id].spot)
            if hex_id is not None:
                yield supply, hex_id, supply.of(unit, hex_id)

    def knows(self, unit: Unit) -> bool:
        """A unit outside the hexes in play has no status."""
        return next(self.of(unit), None) is not None

    def surely(self, unit: Unit, status: int) -> bool:
        """Whatever the moment, the unit was found so."""
        found = [s.status == status for _, _, s in self.of(unit)]
        return bool(found) and all(found)

    def had_to_leave(self, unit: Unit, shown: tuple[int, ...]) -> bool:
        """An airbase, group or headquarters that is out of supply, or is marked and may have been (9.55)."""
        if not any(map(unit.has, LEAVES_THE_MAP)):
            return False
        return self.surely(unit, OUT) or (SUPPLIED not in shown and not self.surely(unit, SUPPLIED))

    def allows(self, unit: Unit, shown: int) -> bool:
        found = [status for _, _, status in self.of(unit)]
        return any(
            shown == status.status
            or (status.by == "sea" and shown == OUT)  # supply by sea is a permission (9.71)
            or (status.by == "air" and shown == OUT and self.grounded)
            for status in found
        )


def judged(case: Case) -> Judged:
    """For the phase's end: kept as long as nothing happens."""
    return case.kept(Judged, (case.position.version, len(case.in_game.events)), lambda: Judged(case))


# --- the markers at the end of the supply phase ------------------------------------------------


@RULES.rule("wfm-9.11", "wfm-9.21", "wfm-9.28a", "wfm-9.28b", "wfm-9.28c", "wfm-9.31", "wfm-9.32", "wfm-9.34")
@RULES.rule("wfm-9.42", "wfm-9.43", "wfm-9.45", "wfm-9.55", "wfm-9.56", "wfm-9.57", "wfm-9.61")
@RULES.rule("wfm-9.71", "wfm-9.72", "wfm-9.73", "wfm-9.73b", "wfm-9.74", "wfm-16.42", "wfm-20.11")
@RULES.at_phase_end("supply")
def markers_show_what_the_rules_say(case: Case) -> Faults:
    found = judged(case)
    for unit in list(case.position.on_map()):
        came = not case.phase_start.units[unit.id].on_map
        if came or unit.has("always-supplied") or not found.knows(unit):
            continue
        shown = shown_statuses(case, unit)
        if found.had_to_leave(unit, shown):
            yield _left_on_the_map(found, unit, shown[0])
        elif not any(found.allows(unit, face) for face in shown):
            yield _wrongly_marked(found, unit, shown[0])


def shown_statuses(case: Case, unit: Unit) -> tuple[int, ...]:
    """How a unit is marked; a marker that lies in its hex may be meant for it or for another."""
    in_hex = case.position.marks.get(unit.hex, {}).get(MARKER)
    if MARKER in unit.marks or in_hex is None:
        return (unit.marks.get(MARKER, SUPPLIED),)
    return (in_hex, SUPPLIED)


def _left_on_the_map(found: Judged, unit: Unit, shown: int) -> Fault:
    """9.55 to 9.57: airbases, groups and headquarters go when out of supply."""
    supply, hex_id, _ = next(found.of(unit))
    rule = "wfm-9.55" if unit.has("airbase") else "wfm-9.56"
    if unit.has("hq"):
        rule = "wfm-9.57" if shown else _headquarters_rule(supply, unit)
    text = f"{unit.id} is out of supply and stays on the map: {line_text(supply, unit, hex_id)}"
    return Fault(rule, text, (unit.id,), (unit.hex,))


def _headquarters_rule(supply: Supply, unit: Unit) -> str:
    if unit.side == SOVIET:
        return "wfm-16.42" if _at_a_source_of_others(supply, unit) else "wfm-9.32"
    return "wfm-9.28c" if supply.tracing[AXIS].capital_lost(unit.nationality) else "wfm-9.28b"


def _at_a_source_of_others(supply: Supply, unit: Unit) -> bool:
    """16.42: its railway leads to a source that the map prints, and Turning Point does not use."""
    tracing, hex_id = supply.tracing[SOVIET], supply.field.id(unit.spot)
    if supply.case.scenario.id != "turning-point" or hex_id is None:
        return False
    printed = supply.field.board.with_feature("supply-source-soviet")
    return tracing.railed(h for h in printed if h not in tracing.sources).length(hex_id) is not None


def _wrongly_marked(found: Judged, unit: Unit, shown: int) -> Fault:
    supply, hex_id, status = next(found.of(unit))
    is_shown = f"is marked {NAMES[shown]}" if shown else "is not marked"
    if status.supplied:
        text = f"{unit.id} {is_shown}, but is in supply: {line_text(supply, unit, hex_id)}"
        return Fault("wfm-9.11", text, (unit.id,), (unit.hex,), dict(_line(supply, status)))
    if status.status == LACK:
        text = f"{unit.id} {is_shown}, but has lack of supply: {_saved_text(supply, status)}"
        return Fault("wfm-9.61" if status.by == "air" else "wfm-9.34", text, (unit.id,), (unit.hex,))
    verdict = line_verdict(supply, unit, hex_id)
    text = f"{unit.id} {is_shown}, but is out of supply: {line_text(supply, unit, hex_id, verdict)}"
    rule, doubt = "wfm-9.61" if unit.side == AXIS else "wfm-9.34", Verdict.ILLEGAL
    if shown != LACK:
        rule, doubt = _cause(supply, unit, hex_id, verdict)
    return Fault(rule, text, (unit.id,), (unit.hex,), dict(evidence(supply, unit, hex_id, verdict)), doubt)


def _line(supply: Supply, status: Status) -> Iterator[tuple[str, object]]:
    yield "by", status.by
    yield "line", [supply.field.board.hexes[h] for h in status.line]


def _saved_text(supply: Supply, status: Status) -> str:
    if status.by == "factory":
        return "a factory shares its hex"
    return f"it is in the zone of {' or '.join(sorted(supply.fleets))}"


# --- which rule leaves a unit without supply -----------------------------------------------------


def _cause(supply: Supply, unit: Unit, hex_id: HexId, verdict: LineVerdict) -> tuple[str, Verdict]:
    minor = unit.nationality in MINORS
    if minor and supply.tracing[AXIS].capital_lost(unit.nationality):
        return "wfm-9.28c", Verdict.ILLEGAL
    if rule := _sea_rule(supply, unit, hex_id):
        return rule, Verdict.ILLEGAL
    key = verdict.key or ""
    if key in ("enemy", "zone"):
        return "wfm-9.42", Verdict.ILLEGAL
    if key.startswith(("hexside", "terrain")):
        return "wfm-9.43", Verdict.ILLEGAL
    if minor and key == LENGTH and (verdict.shortest or 0) <= MINOR_DOUBT:
        return "wfm-9.28a", Verdict.WARNING
    if _for_want_of_order(supply, unit, hex_id):
        return "wfm-20.11", Verdict.ILLEGAL
    if key == LENGTH and _miscounted(supply, unit, hex_id, verdict):
        return "wfm-9.45", Verdict.ILLEGAL
    return BASE_RULES["minor" if minor else unit.side], Verdict.ILLEGAL


def _miscounted(supply: Supply, unit: Unit, hex_id: HexId, verdict: LineVerdict) -> bool:
    """9.45, 9.46, 9.83: too long by railway alone, or only because some hexes count double."""
    net = supply.net(unit)
    plain = replace(net.rules, costs=undoubled_costs(supply.field, unit.side))
    by_rail = all(step.price < ONE for step in verdict.breaks[0].way.steps)
    return by_rail or trace(plain, net.ends).reaches(hex_id)


def _for_want_of_order(supply: Supply, unit: Unit, hex_id: HexId) -> bool:
    """20.11: a chain would do, were its depots in another order or of another kind."""
    tracing = supply.tracing[unit.side]
    if unit.side != AXIS or unit.nationality in MINORS or not tracing.extended_last:
        return False
    return trace(tracing.main.rules, tracing.depots.ends).reaches(hex_id)


def _sea_rule(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    """The rule of sea supply that fails a unit beside a port of its own side; "" if the sea is no matter."""
    tracing = supply.tracing[unit.side]
    board = supply.field.board
    own = [h for h in board.with_feature("port") if tracing.holds(h)]
    near = trace(tracing.rules(SEA_RANGE), own)
    if not near.reaches(hex_id):
        return ""
    port = near.source(hex_id)
    if unit.side == SOVIET and port in [at(supply.field, label) for label in NORTHERN_PORTS]:
        return "wfm-9.73b"
    hope = unit.side == SOVIET or any(tracing.held(label) for label in AXIS_SEA_BASES)
    if not tracing.sea_open:
        return SEA_RULES[unit.side] if hope and ships_supply(unit) else ""
    if port == at(supply.field, ODESSA) and unit.side == SOVIET and tracing.axis_holds_sevastopol():
        return "wfm-9.74"
    return "wfm-9.73"


@RULES.track_end("supply")
def what_was_found_is_kept_for_the_turn(case: Case) -> None:
    """Reinforcements ask for it (13.15)."""
    expended = expended_in_phase(case)
    found = Supply(case, field_of(case), expended, fleets_on_map(case, field_of(case)))
    case.in_turn.supply = found.settle()


# --- what left the map in the supply phase -------------------------------------------------------


@RULES.rule("wfm-9.55", "wfm-9.56", "wfm-9.57")
@RULES.at_phase_end("supply")
def only_the_unsupplied_leave_the_map(case: Case) -> Faults:
    found = judged(case)
    headquarters = waiting = 0
    for start in case.phase_start.on_map():
        unit = case.position.units[start.id]
        if unit.on_map:
            waiting += unit.has("hq") and found.had_to_leave(unit, shown_statuses(case, unit))
        if unit.on_map or not any(map(unit.has, LEAVES_THE_MAP)):
            continue
        headquarters += unit.has("hq")
        if found.knows(unit) and found.surely(unit, SUPPLIED):
            rule = "wfm-9.57" if unit.has("hq") else "wfm-9.55" if unit.has("airbase") else "wfm-9.56"
            supply, hex_id, _ = next(found.of(unit))
            text = f"{unit.id} is taken off, but is in supply: {line_text(supply, unit, hex_id)}"
            yield Fault(rule, text, (unit.id,), (start.hex,))
    rolls = sum(isinstance(e, Rolled) and e.reason.startswith("headquarters") for e in case.in_phase.events)
    if not headquarters <= rolls <= headquarters + waiting:
        text = f"{headquarters} headquarters taken off, {rolls} dice rolled for their return"
        yield Fault("wfm-9.57", text)


@RULES.rule("wfm-9.63")
@RULES.at_phase_end("supply")
def fleets_of_unsupplied_airbases_do_not_fly(case: Case) -> Faults:
    found = judged(case)
    for fleet in sorted(found.grounded):
        base = found.base_of(fleet)
        if not base.on_map:  # else 9.55 speaks
            yield Fault("wfm-9.63", f"{fleet} was placed, but {base.id} is out of supply", (base.id,))


# --- markers at other times, and where they never belong -------------------------------------------


@RULES.rule("wfm-9.12", "wfm-9.25", "wfm-9.33")
@RULES.before(Marked, Unmarked, marker=MARKER)
def status_lasts_the_turn(case: Case, event: Marked | Unmarked) -> Faults:
    unit = next(iter(case.units(event.concerned)), None)
    if unit is None or not unit.on_map:
        return
    if isinstance(event, Marked) and unit.has("always-supplied"):
        rule = "wfm-9.25" if unit.has("depot") else "wfm-9.33"
        yield Fault(rule, f"{unit.id} is always in supply and is marked", (unit.id,), (unit.hex,))
        return
    shown = unit.marks.get(MARKER, SUPPLIED)
    new = event.face if isinstance(event, Marked) else SUPPLIED
    if case.phase != "supply" and shown != new and not _came_this_turn(case, unit):
        text = f"{unit.id} was {NAMES[shown]} in the supply phase and is turned to {NAMES[new]} now"
        yield Fault("wfm-9.12", text, (unit.id,), (unit.hex,))


def _came_this_turn(case: Case, unit: Unit) -> bool:
    replaced = any(unit.id in dict(event.new) for event in case.in_turn.of(Replaced))
    return replaced or bool(case.in_turn.of(Placed, unit=unit.id))


@RULES.track(Replaced, when=APPLIED)
def who_takes_a_unit_s_place_has_its_status(case: Case, event: Replaced) -> None:
    """9.12: a Kampfgruppe that comes for a corps is out of supply if the corps was."""
    units = case.position.units
    faces = [units[name].marks[MARKER] for name in event.old if MARKER in units[name].marks]
    for name in event.old:
        case.position.unmark(name, MARKER)
    for name, _ in event.new if faces else ():
        case.position.mark(name, MARKER, min(faces))
