"""When units come onto the map, and come back after a loss; who holds what they enter.

A game states its `Entries`; `register` gives its rulebook the judges and reducers. Lost units lie on the turn
track, in the boxes `turn-7`, `turn-8` ...; the game remembers the turn of each loss in `in_game.lost`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
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
from validator.procedures.corrections import is_put_back
from validator.procedures.faults import first_that_holds, of_rule, unless

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
    fighting: Collection[str]  # phases in which units are lost in combat
    from_combat: Callable[[Any, Unit], bool]  # whether who was lost in combat returns too
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
        unit, laid = case.unit(event.unit), box_turn(event.box)
        due = case.turn + (returns_after(unit) or 0)
        gone = returns_after(unit) is None or (case.phase in of.fighting and not of.from_combat(case, unit))
        rows = (
            (gone, "is laid on the turn track; such units do not return"),
            (laid != due, f"is laid on turn {laid}; it may return in turn {due}"),
        )
        if laid is not None and unit.on_map:
            yield from first_that_holds(of_rule(of.returns, rows), f"{unit.id} ", (unit.id,))

    @rules.rule(of.time, of.returns, *of.others)
    @rules.before(Placed, comes_to=Hex)
    def units_arrive_in_their_time(case: AnyCase, event: Placed) -> Faults:
        unit, spot = case.unit(event.unit), event.entered[0]
        if unit.on_map or is_put_back(case, event) or of.otherwise(case, unit):
            return
        wrong = (*_untimely(of, case, unit), *of.places(case, unit, spot), *_late(of, case))
        for rule, reason, verdict in sorted(wrong, key=lambda one: one[2] is not Verdict.ILLEGAL)[:1]:
            yield Fault(rule, f"{unit.id} {reason}", (unit.id,), (spot,), verdict=verdict)

    @rules.track(Moved, Placed, when=APPLIED)
    def the_last_occupant_controls(case: AnyCase, event: Event) -> None:
        side, hexes = taken(case.position, event)
        for hex_ in hexes:
            case.position.take(hex_, side)

    @rules.track(Placed, when=JUDGED, phases=of.moving, comes_to=Hex)
    def note_the_arrival(case: AnyCase, event: Placed) -> None:
        case.in_game.lost.pop(event.unit, None)


def _untimely(of: Entries, case: AnyCase, unit: Unit) -> list[Reason]:
    sure, lost = Verdict.ILLEGAL, case.in_game.lost.get(unit.id)
    when = "enters; units enter when their side's movement phase begins"
    out_of_phase = [] if of.phases.get(case.phase) == unit.side else [(of.time, when, sure)]
    return out_of_phase + (_not_due(of, case, unit) if lost is None else _not_back(of, case, unit, lost))


def _not_due(of: Entries, case: AnyCase, unit: Unit) -> list[Reason]:
    """Of a unit that was not lost, as far as the log shows."""
    due, laid, sure = entry_turn(case, unit), box_turn(unit.spot), Verdict.ILLEGAL
    unseen = unless(returns_after(unit) is not None)  # a loss before the log began
    boxed = isinstance(unit.spot, str) and laid is None
    stranger = due is None and unit.spot is None
    now = f"this is turn {case.turn}"
    rows = (
        (due is not None and due > case.turn, (of.time, f"is due in turn {due}, and {now}", sure)),
        (
            laid is not None and laid > case.turn,
            (of.returns, f"lies on turn {laid} of the track, and {now}", sure),
        ),
        (boxed, (of.returns, f"comes out of the box {unit.spot}, from where units do not return", unseen)),
        (
            stranger,
            (of.time, "is no reinforcement of this scenario", Verdict.WARNING if case.by_hand else unseen),
        ),
    )
    return first_wrong(rows)


def _not_back(of: Entries, case: AnyCase, unit: Unit, lost: int) -> list[Reason]:
    after, sure = returns_after(unit), Verdict.ILLEGAL
    due = lost + (after or 0)
    rows = (
        (after is None, (of.returns, "was lost and does not return", sure)),
        (case.turn < due, (of.returns, f"was lost in turn {lost} and returns in turn {due}", sure)),
        (
            not of.from_combat(case, unit),
            (of.returns, "was lost in combat and does not return", Verdict.WARNING),
        ),
    )
    return first_wrong(rows)


def first_wrong(rows: Iterable[tuple[object, Reason]]) -> list[Reason]:
    """The reason beside the first condition that holds; none if none does."""
    return [reason for holds, reason in rows if holds][:1]


def _late(of: Entries, case: AnyCase) -> Iterator[Reason]:
    if case.in_phase.trips:
        moved = ", ".join(list(case.in_phase.trips)[:3])
        yield of.time, f"enters after {moved} moved; reinforcements come first", Verdict.WARNING
