"""When units come onto the map, and come back after a loss; who holds what they enter.

A game states its `Entries`; `register` gives its rulebook the judges and reducers. Lost units lie on the turn
track, in the boxes `turn-7`, `turn-8` ...; the game remembers the turn of each loss in `in_game.lost`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.engine.rulebook import APPLIED, FIRST, JUDGED, Faults, Rulebook
from validator.model.events import Event, Moved, Placed, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.arrivals import entry_turn
from validator.procedures.control import taken

TRACK = "turn-"
Reason = tuple[str, str, Verdict]
"""A rule, what of it is broken, and how sure that is."""


@dataclass(frozen=True)
class Entries:
    """Rules it names: `time` of arrivals, `returns` of what was lost."""

    time: str
    returns: str
    phases: Mapping[str, str]  # in which whose units come
    moving: Collection[str]
    kept: Collection[str]  # boxes in which nothing is lost
    otherwise: Callable[[Any, Unit], bool]  # whether another chapter judges how a unit comes
    places: Callable[[Any, Unit, Hex], Iterator[Reason]]  # what is wrong with where it comes
    from_combat: Callable[[Any], bool]  # whether what was lost in combat returns too
    others: tuple[str, ...] = ()  # further rules that `places` names


def returns_after(unit: Unit) -> int | None:
    """Turns until a lost unit of this kind may come back; None if it is gone."""
    turns = unit.type.values.get("returns")
    return None if turns is None else int(turns)


def box_turn(spot: object) -> int | None:
    """The turn of a space of the turn track."""
    if not isinstance(spot, str) or not spot.startswith(TRACK):
        return None
    return int(spot.removeprefix(TRACK))


def register(rules: Rulebook, of: Entries) -> None:
    @rules.track(Removed, when=FIRST)
    def note_the_loss(case: AnyCase, event: Removed) -> None:
        if case.position.units[event.unit].on_map and event.box not in of.kept:
            case.in_game.lost[event.unit] = case.turn

    @rules.rule(of.returns)
    @rules.before(Removed)
    def lost_units_are_laid_on_the_right_turn(case: AnyCase, event: Removed) -> Faults:
        yield from _laid(of, case, event)

    @rules.rule(of.time, of.returns, *of.others)
    @rules.before(Placed)
    def units_arrive_in_their_time(case: AnyCase, event: Placed) -> Faults:
        unit = case.position.units[event.unit]
        put_back = case.phase_start.units[unit.id].on_map
        if put_back or not isinstance(event.spot, Hex) or of.otherwise(case, unit):
            return
        wrong = (*_untimely(of, case, unit), *of.places(case, unit, event.spot), *_late(of, case))
        for rule, reason, verdict in sorted(wrong, key=lambda one: one[2] is not Verdict.ILLEGAL)[:1]:
            yield Fault(rule, f"{unit.id} {reason}", (unit.id,), (event.spot,), verdict=verdict)

    @rules.track(Moved, Placed, when=APPLIED)
    def the_last_occupant_controls(case: AnyCase, event: Event) -> None:
        side, hexes = taken(case.position, event)
        for hex_ in hexes:
            case.position.take(hex_, side)

    @rules.track(Placed, when=JUDGED)
    def note_the_arrival(case: AnyCase, event: Placed) -> None:
        if isinstance(event.spot, Hex) and case.phase in of.moving:
            case.in_game.lost.pop(event.unit, None)


def _laid(of: Entries, case: AnyCase, event: Removed) -> Iterator[Fault]:
    unit, laid = case.position.units[event.unit], box_turn(event.box)
    after = returns_after(unit)
    if laid is None or not unit.on_map:
        return
    if after is None:
        yield Fault(of.returns, f"{unit.id} is laid on the turn track; such units do not return", (unit.id,))
    elif laid != case.turn + after:
        text = f"{unit.id} is laid on turn {laid}; it may return in turn {case.turn + after}"
        yield Fault(of.returns, text, (unit.id,))


def _untimely(of: Entries, case: AnyCase, unit: Unit) -> Iterator[Reason]:
    sure, lost, due = Verdict.ILLEGAL, case.in_game.lost.get(unit.id), entry_turn(case, unit)
    after = returns_after(unit)
    if of.phases.get(case.phase) != unit.side:
        yield of.time, "enters; units enter when their side's movement phase begins", sure
    box = unit.spot if isinstance(unit.spot, str) and box_turn(unit.spot) is None else None
    unseen = Verdict.WARNING if after is not None else sure  # a loss before the log began
    if lost is None:
        laid = box_turn(unit.spot)
        if due is not None and due > case.turn:
            yield of.time, f"is due in turn {due}, and this is turn {case.turn}", sure
        elif laid is not None and laid > case.turn:
            yield of.returns, f"lies on turn {laid} of the track, and this is turn {case.turn}", sure
        elif box is not None:
            yield of.returns, f"comes out of the box {box}, from where units do not return", unseen
        elif due is None and unit.spot is None:
            yield of.time, "is no reinforcement of this scenario", Verdict.WARNING if case.by_hand else unseen
    elif after is None:
        yield of.returns, "was lost and does not return", sure
    elif case.turn < lost + after:
        yield of.returns, f"was lost in turn {lost} and returns in turn {lost + after}", sure
    elif not of.from_combat(case):
        yield of.returns, "was lost in combat and does not return", Verdict.WARNING


def _late(of: Entries, case: AnyCase) -> Iterator[Reason]:
    if case.in_phase.trips:
        moved = ", ".join(list(case.in_phase.trips)[:3])
        yield of.time, f"enters after {moved} moved; reinforcements come first", Verdict.WARNING
