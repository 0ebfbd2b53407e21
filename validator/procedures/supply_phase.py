"""What players marked, expended and took off the map in a supply phase, against what the rules find.

A game states its `SupplyPhase`; `register` gives its rulebook the judges and reducers. Its phase remembers
the bases that were `expended`, and the hexes they stood in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.case import AnyCase
from validator.engine.rulebook import APPLIED, JUDGED, Faults, Rulebook
from validator.model.events import Declared, Event, Marked, Moved, Removed, Replaced, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, lacking, on_map
from validator.procedures import supplymarks
from validator.procedures.ask_each import each, units_of
from validator.procedures.moves import spot_of
from validator.procedures.supplymarks import LACK, MARKER, NAMES, OUT, SUPPLIED, shown_statuses

HAS = {SUPPLIED: "is in supply", OUT: "is out of supply", LACK: "has lack of supply"}


Moment = tuple[Any, HexId, Any]
"""A state of supply, where the unit stands in it, and what is found for it there."""


@dataclass(frozen=True)
class SupplyPhase:
    """`moments` are the states a unit may have been judged in, `allowed` the faces it may show. `cause` names
    the rule of a wrong face, and how sure it is; `left` that of a unit that stays though it `leaves` without
    supply; `taken` that of one taken off in supply; `expended` of bases turned over, and `kept` why a base
    may not be; `always` of those that are never marked."""

    phase: str
    expend: str  # the word that expends a base
    marker: str  # which shows it
    base: str  # the trait of bases
    at_start: Callable[[Any], Any]
    kept: Callable[[Any, Unit], tuple[str, Verdict] | None]
    moments: Callable[[Any, Unit], Iterable[Moment]]
    allowed: Callable[[Any, Unit, list[Any]], set[int]]
    text: Callable[[Unit, Any, HexId, Any], str]
    evidence: Callable[[Unit, Any, HexId, Any], dict[str, object]]
    leaves: Callable[[Unit], bool]
    cause: Callable[[Unit, int, Any, HexId, Any], tuple[str, Verdict]]
    left: Callable[[Unit, Any, HexId], str]
    taken: Callable[[Unit], str]
    expended: str
    lasts: str
    always: Callable[[Unit], str]
    others: tuple[str, ...] = ()


def register(rules: Rulebook, of: SupplyPhase) -> None:
    @rules.rule(of.expended)
    @rules.before(Declared, Marked, Removed, phases=[of.phase])
    @each(partial(_bases, of))
    def only_bases_without_a_line_are_expended(
        case: AnyCase, event: Declared | Marked | Removed, base: Unit
    ) -> Faults:
        wrong = None if base.id in case.in_phase.expended else of.kept(case, base)
        if wrong is not None:
            reason, verdict = wrong
            yield Fault(of.expended, f"{base.id} {reason}", (base.id,), verdict=verdict)

    @rules.track(Declared, Marked, when=JUDGED, phases=[of.phase])
    def note_what_is_expended(case: AnyCase, event: Declared | Marked) -> None:
        _expend(of, case, *(base.id for base in _bases(of, case, event)))

    @rules.track(Removed, Moved, when=APPLIED, phases=[of.phase])
    def a_base_taken_off_was_expended(case: AnyCase, event: Removed | Moved) -> None:
        units = case.units(event.concerned)
        _expend(of, case, *(unit.id for unit in having(units, of.base) if not unit.on_map))

    @rules.rule(of.expended)
    @rules.at_phase_end(of.phase)
    def expended_bases_leave_the_map(case: AnyCase) -> Faults:
        for base in on_map(case.units(case.in_phase.expended)):
            text = f"{base.id} was expended and is still on the map"
            yield Fault(of.expended, text, (base.id,), (base.hex,))

    @rules.rule(*of.others)
    @rules.at_phase_end(of.phase)
    def markers_show_what_the_rules_say(case: AnyCase) -> Faults:
        for unit in lacking(case.position.on_map(), "always-supplied"):
            if case.phase_start.units[unit.id].on_map:
                yield from _of_unit(of, case, unit)

    @rules.at_phase_end(of.phase)
    def only_the_unsupplied_leave_the_map(case: AnyCase) -> Faults:
        for start in case.phase_start.on_map():
            unit = case.position.units[start.id]
            moments = list(of.moments(case, unit)) if of.leaves(unit) and not unit.on_map else []
            if moments and all(status.supplied for _, _, status in moments):
                text = f"{unit.id} is taken off, but is in supply: {of.text(unit, *moments[0])}"
                yield Fault(of.taken(unit), text, (unit.id,), (start.hex,))

    @rules.rule(of.lasts)
    @rules.before(Marked, Unmarked, marker=MARKER)
    def status_lasts_the_turn(case: AnyCase, event: Marked | Unmarked) -> Faults:
        for unit, text in supplymarks.changes_later(case, event, of.phase):
            if not unit.has("always-supplied"):
                yield Fault(of.lasts, text, (unit.id,), (unit.hex,))

    @rules.before(Marked, marker=MARKER, having="always-supplied")
    @each(units_of)
    def some_are_always_supplied(case: AnyCase, event: Marked, unit: Unit) -> Faults:
        text = f"{unit.id} is always in supply and is marked"
        yield Fault(of.always(unit), text, (unit.id,), spot_of(unit.spot))

    @rules.track(Replaced, when=APPLIED)
    def who_takes_a_unit_s_place_has_its_status(case: AnyCase, event: Replaced) -> None:
        supplymarks.hand_down(case, event)


def _bases(of: SupplyPhase, case: AnyCase, event: Event) -> list[Unit]:
    """The bases that are turned over by an event, or taken off the map."""
    match event:
        case Declared(what, names) if what == of.expend:
            return having(case.units(names), of.base)
        case Marked(marker, Hex() as spot) if marker == of.marker:
            return having(case.position.at(spot), of.base)[:1]
        case Marked(marker) if marker == of.marker:
            return having(case.units(event.concerned), of.base)
        case Removed():
            return having(on_map(case.units(event.concerned)), of.base)
    return []


def _expend(of: SupplyPhase, case: AnyCase, *names: str) -> None:
    start = of.at_start(case)
    case.in_phase.expended.update(start.where(case.phase_start.units[name] for name in names))


def had_to_leave(of: SupplyPhase, case: AnyCase, unit: Unit) -> bool:
    """A unit that cannot stay without supply: it has none, or is marked and may have had none."""
    supplied = [status.supplied for _, _, status in of.moments(case, unit)] if of.leaves(unit) else []
    doubted = SUPPLIED not in shown_statuses(case, unit) and not all(supplied)
    return bool(supplied) and (doubted or not any(supplied))


def _of_unit(of: SupplyPhase, case: AnyCase, unit: Unit) -> Iterator[Fault]:
    moments = list(of.moments(case, unit))
    statuses, shown = [status for _, _, status in moments], shown_statuses(case, unit)
    if had_to_leave(of, case, unit):
        text = f"{unit.id} has no line of supply and stays on the map: {of.text(unit, *moments[0])}"
        yield Fault(of.left(unit, *moments[0][:2]), text, (unit.id,), (unit.hex,), alike="left")
    elif moments and of.allowed(case, unit, statuses).isdisjoint(shown):
        is_shown = f"is marked {NAMES[shown[0]]}" if shown[0] else "is not marked"
        text = f"{unit.id} {is_shown}, but {HAS[statuses[0].status]}: {of.text(unit, *moments[0])}"
        rule, verdict = of.cause(unit, shown[0], *moments[0])
        evidence, alike = of.evidence(unit, *moments[0]), (shown[0], statuses[0].status)
        yield Fault(rule, text, (unit.id,), (unit.hex,), evidence, verdict, alike=alike)
