"""Chapter 9: what the players marked, and took off the map, against what the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.core.recent import made
from validator.core.supply import LENGTH, LineVerdict, trace
from validator.engine.rulebook import Faults
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.c09_supply import (
    EXPENDED,
    LEAVES_THE_MAP,
    Status,
    Supply,
    fleets_on_map,
    line_text,
    line_verdict,
    ships_supply,
    supply_now,
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
from validator.model.events import Marked, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, names_of, of_side, on_map
from validator.procedures import supply_phase
from validator.procedures.faults import first_true
from validator.procedures.supply_phase import SupplyPhase, had_to_leave
from validator.procedures.supplylines import line_evidence
from validator.procedures.supplymarks import LACK, MARKER, OUT, shown_statuses

EXPEND = "expend-depot"
BASE_RULES = {"axis": "wfm-9.21", "minor": "wfm-9.28a", "soviet": "wfm-9.31"}
SEA_RULES = {AXIS: "wfm-9.72", SOVIET: "wfm-9.71"}
MINOR_DOUBT = 6 * ONE  # up to there 9.28 may be read otherwise


@dataclass
class Judged:
    """Supply as it may have been found in a phase: as it began, or after what left the map in it."""

    case: Case
    _found: dict[str, list[tuple[Supply, HexId, Status]]] = field(default_factory=dict)  # by unit

    @cached_property
    def fleets(self) -> dict[str, HexId]:
        return fleets_on_map(self.case, field_of(self.case))

    @cached_property
    def first(self) -> Supply:
        return Supply(self.case, field_at_phase_start(self.case), self.case.in_phase.expended, self.fleets)

    @cached_property
    def last(self) -> Supply:
        return Supply(self.case, field_of(self.case), self.case.in_phase.expended, self.fleets)

    def base_of(self, fleet: str) -> Unit:
        return self.case.position.units[str(self.case.game.marker[fleet].values["airbase"])]

    @cached_property
    def grounded(self) -> frozenset[str]:
        """Fleets that may not fly, for their airbase is out of supply (9.63)."""
        marked = {event.marker for event in self.case.in_phase.of(Marked)}
        fleets = {marker.id for marker in self.case.game.markers if marker.kind == AIR_FLEET}
        return frozenset(fleet for fleet in marked & fleets if self.surely(self.base_of(fleet), OUT))

    @cached_property
    def unspent(self) -> Supply:
        """Before any depot was expended: airbases are judged first (3.0)."""
        return Supply(self.case, field_at_phase_start(self.case), {}, self.fleets)

    def _states(self, unit: Unit) -> Iterator[Supply]:
        yield self.first
        yield self.last
        if self.case.in_phase.expended and unit.has("airbase"):
            yield self.unspent

    def of(self, unit: Unit) -> list[tuple[Supply, HexId, Status]]:
        """The statuses that may have been found for a unit."""
        return made(self._found, unit.id, lambda: list(self._of(unit)))

    def _of(self, unit: Unit) -> Iterator[tuple[Supply, HexId, Status]]:
        for supply in self._states(unit):
            for hex_id in supply.field.ids([supply.field.position.units[unit.id].spot]):
                yield supply, hex_id, supply.of(unit, hex_id)

    def surely(self, unit: Unit, status: int) -> bool:
        """Whatever the moment, the unit was each so."""
        return {each.status for _, _, each in self.of(unit)} == {status}


def judged(case: Case) -> Judged:
    """For the phase's end: kept as long as nothing happens."""
    return case.kept(Judged, (case.position.version, len(case.in_game.events)), lambda: Judged(case))


# --- the markers at the end of the supply phase ------------------------------------------------


def moments(case: Case, unit: Unit) -> list[tuple[Supply, HexId, Status]]:
    return judged(case).of(unit)


def allowed(case: Case, unit: Unit, statuses: list[Status]) -> set[int]:
    """The faces a unit may show; supply by sea is a permission (9.71), and an airbase may be grounded."""
    by = {status.by for status in statuses}
    grounded = "air" in by and judged(case).grounded
    return {status.status for status in statuses} | ({OUT} if "sea" in by or grounded else set())


def _left(unit: Unit, supply: Supply, hex_id: HexId) -> str:
    """9.55 to 9.57: airbases, groups and headquarters go when out of supply."""
    if unit.has("hq") and not shown_statuses(supply.case, unit)[0]:
        return _headquarters_rule(supply, unit)
    return _taken(unit)


def _taken(unit: Unit) -> str:
    return first_true((unit.has("hq"), "wfm-9.57"), (unit.has("airbase"), "wfm-9.55"), otherwise="wfm-9.56")


def _headquarters_rule(supply: Supply, unit: Unit) -> str:
    lost = supply.tracing[AXIS].capital_lost(unit.nationality)
    return first_true(
        (unit.side == SOVIET and _at_a_source_of_others(supply, unit), "wfm-16.42"),
        (unit.side == SOVIET, "wfm-9.32"),
        otherwise="wfm-9.28c" if lost else "wfm-9.28b",
    )


def _at_a_source_of_others(supply: Supply, unit: Unit) -> bool:
    """16.42: its railway leads to a source that the map prints, and Turning Point does not use."""
    if supply.case.scenario.id != "turning-point":
        return False
    tracing, printed = supply.tracing[SOVIET], supply.field.board.with_feature("supply-source-soviet")
    lines = tracing.railed(set(printed).difference(tracing.sources))
    return any(lines.length(hex_id) is not None for hex_id in supply.field.ids([unit.spot]))


def _text(unit: Unit, supply: Supply, hex_id: HexId, status: Status) -> str:
    if status.status != LACK:
        return line_text(supply, unit, hex_id)
    in_zone = f"it is in the zone of {' or '.join(sorted(supply.fleets))}"
    return "a factory shares its hex" if status.by == "factory" else in_zone


def _evidence(unit: Unit, supply: Supply, hex_id: HexId, status: Status) -> dict[str, object]:
    board = supply.field.board
    if status.supplied:
        return {"by": status.by, "line": [board.hexes[h] for h in status.line]}
    return {} if status.status == LACK else dict(line_evidence(board, line_verdict(supply, unit, hex_id)))


# --- which rule leaves a unit without supply -----------------------------------------------------


def _cause(unit: Unit, shown: int, supply: Supply, hex_id: HexId, status: Status) -> tuple[str, Verdict]:
    """What a wrong face breaks."""
    lacking_only = status.status == LACK
    rule = first_true(
        (status.supplied, "wfm-9.11"),
        (lacking_only and status.by == "air", "wfm-9.61"),
        (lacking_only, "wfm-9.34"),
        (shown == LACK, {AXIS: "wfm-9.61"}.get(unit.side, "wfm-9.34")),
        otherwise="",
    )
    wrong = rule, Verdict.ILLEGAL
    return wrong if rule else _cut_off(supply, unit, hex_id, line_verdict(supply, unit, hex_id))


def _cut_off(supply: Supply, unit: Unit, hex_id: HexId, verdict: LineVerdict) -> tuple[str, Verdict]:
    minor, key = unit.nationality in MINORS, verdict.key or ""
    sea = _sea_rule(supply, unit, hex_id)
    near = minor and key == LENGTH and (verdict.shortest or 0) <= MINOR_DOUBT
    rule = first_true(
        (minor and supply.tracing[AXIS].capital_lost(unit.nationality), "wfm-9.28c"),
        (sea, sea),
        (key in ("enemy", "zone"), "wfm-9.42"),
        (key.startswith(("hexside", "terrain")), "wfm-9.43"),
        (near, "wfm-9.28a"),
        (_for_want_of_order(supply, unit, hex_id), "wfm-20.11"),
        (key == LENGTH and _miscounted(supply, unit, hex_id, verdict), "wfm-9.45"),
        otherwise=BASE_RULES["minor" if minor else unit.side],
    )
    return rule, Verdict.WARNING if near and rule == "wfm-9.28a" else Verdict.ILLEGAL


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
    tracing, field = supply.tracing[unit.side], supply.field
    soviet = unit.side == SOVIET
    near = trace(tracing.rules(SEA_RANGE), filter(tracing.holds, field.board.with_feature("port")))
    port = near.source(hex_id) if near.reaches(hex_id) else None
    if port is None:
        return ""
    hope = (soviet or tracing.held(*AXIS_SEA_BASES)) and ships_supply(unit)
    odessa = soviet and port in at(field, ODESSA)
    return first_true(
        (soviet and port in at(field, *NORTHERN_PORTS), "wfm-9.73b"),
        (not tracing.sea_open, SEA_RULES[unit.side] if hope else ""),
        (odessa and tracing.axis_holds_sevastopol(), "wfm-9.74"),
        otherwise="wfm-9.73",
    )


@RULES.track_end("supply")
def what_was_found_is_kept_for_the_turn(case: Case) -> None:
    """Reinforcements ask for it (13.15)."""
    fleets = fleets_on_map(case, field_of(case))
    case.in_turn.supply = Supply(case, field_of(case), dict(case.in_phase.expended), fleets).settle()


def _kept(case: Case, depot: Unit) -> tuple[str, Verdict] | None:
    """Why a depot is not expended (9.26): its chain is whole, or it comes too late."""
    supply = supply_now(case)
    linked = any(map(supply.tracing[AXIS].linked, supply.field.ids([depot.spot])))
    late = of_side(case.units(case.in_phase.concerned(Marked, marker=MARKER)), AXIS)
    too_late = "is expended after Axis units were marked; it is done at the beginning"
    return first_true(
        (
            linked and case.option("expend-linked") == "off",
            ("is in a chain to a source and is expended", Verdict.ILLEGAL),
        ),
        (late, (too_late, Verdict.WARNING)),
        otherwise=None,
    )


# --- what left the map in the supply phase -------------------------------------------------------


@RULES.rule("wfm-9.57")
@RULES.at_phase_end("supply")
def headquarters_that_are_taken_off_roll_for_their_return(case: Case) -> Faults:
    units = case.units(names_of(having(case.phase_start.on_map(), "hq")))
    left = on_map(units)
    gone, waiting = len(units) - len(left), sum(had_to_leave(SUPPLY_PHASE, case, unit) for unit in left)
    rolls = sum(roll.reason.startswith("headquarters") for roll in case.in_phase.of(Rolled))
    if not gone <= rolls <= gone + waiting:
        text = f"{gone} headquarters taken off, {rolls} dice rolled for their return"
        yield Fault("wfm-9.57", text)


@RULES.rule("wfm-9.63")
@RULES.at_phase_end("supply")
def fleets_of_unsupplied_airbases_do_not_fly(case: Case) -> Faults:
    supply = judged(case)
    for fleet in sorted(supply.grounded):
        base = supply.base_of(fleet)
        if not base.on_map:  # else judged under 9.55
            yield Fault("wfm-9.63", f"{fleet} was placed, but {base.id} is out of supply", (base.id,))


# --- the phase -------------------------------------------------------------------------------------

OTHERS = (
    *("wfm-9.11", "wfm-9.21", "wfm-9.25", "wfm-9.28a", "wfm-9.28b", "wfm-9.28c", "wfm-9.31", "wfm-9.32"),
    *("wfm-9.33", "wfm-9.34", "wfm-9.42", "wfm-9.43", "wfm-9.45", "wfm-9.55", "wfm-9.56", "wfm-9.61"),
    *("wfm-9.71", "wfm-9.72", "wfm-9.73", "wfm-9.73b", "wfm-9.74", "wfm-16.42", "wfm-20.11"),
)
SUPPLY_PHASE = SupplyPhase(
    phase="supply",
    expend=EXPEND,
    marker=EXPENDED,
    base="depot",
    at_start=field_at_phase_start,
    kept=_kept,
    moments=moments,
    allowed=allowed,
    text=_text,
    evidence=_evidence,
    leaves=lambda unit: any(map(unit.has, LEAVES_THE_MAP)),
    cause=_cause,
    left=_left,
    taken=_taken,
    expended="wfm-9.26",
    lasts="wfm-9.12",
    always=lambda unit: "wfm-9.25" if unit.has("depot") else "wfm-9.33",
    others=OTHERS,
)
supply_phase.register(RULES, SUPPLY_PHASE)
