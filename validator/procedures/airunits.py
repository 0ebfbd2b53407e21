"""Air units that are markers in a box: what they fly, who lies face down, who is withdrawn, how they recover.

A game states its `AirUnits`; `register` gives its rulebook the judges and reducers. Its turn remembers how
many `missions` were flown: in attacks (`support`), and by a declaration of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fieldpost.hexes import Hex, distance
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Attacked, Declared, Event, Pointed
from validator.model.findings import Fault, Verdict
from validator.model.position import Position

READY, USED = 1, 2  # faces


@dataclass(frozen=True)
class AirUnits:
    """Rules it names: `missions`, `withdrawal`, `recovery`."""

    missions: str
    withdrawal: str
    recovery: str
    kind: str  # of the markers
    support: str  # as an attack names it
    declared: str  # the mission that is declared by itself
    side: str
    box: str
    gone: str
    withdrawing: str  # the phase of withdrawals
    recovering: str  # the phase in which used units are turned up
    withdrawals: str  # the table: by turn, how many are `left`
    all: int
    share: Callable[[Any, int], int]  # how many of those left fly in this turn


def air_units(of: AirUnits, case: AnyCase) -> list[tuple[str, str, int]]:
    """Every air unit whose place is known: its box and its face."""
    known = case.position.pointers.items()
    return [(marker, box, face) for marker, (box, face) in known if case.game.marker[marker].kind == of.kind]


def in_air_range(of: AirUnits, case: AnyCase, *targets: Hex) -> bool:
    """Whether one base of the side reaches them all."""
    bases = [unit for unit in case.position.on_map(of.side) if "air-range" in unit.type.values]
    return any(all(distance(b.hex, t) <= int(b.type.values["air-range"]) for t in targets) for b in bases)


def units_left(of: AirUnits, case: AnyCase) -> int:
    """After the withdrawals up to this turn."""
    table = case.game.table[of.withdrawals]
    return min(
        (int(table.cell(row.id, "left")) for row in table.rows if int(row.id) <= case.turn), default=of.all
    )


def missions_allowed(of: AirUnits, case: AnyCase) -> int:
    """Of those in the box, or by the turn where none was laid out as the log began."""
    there = [box for _, box, _ in air_units(of, case)]
    return of.share(case, there.count(of.box) if case.in_game.air_units else units_left(of, case))


def no_more(of: AirUnits, case: AnyCase) -> str | None:
    allowed = missions_allowed(of, case)
    return None if case.in_turn.missions < allowed else f"{allowed} missions may be flown in this turn"


def register(rules: Rulebook, of: AirUnits) -> None:
    @rules.track_start()
    def note_what_was_laid_out(case: AnyCase) -> None:
        if case.in_game.air_units is None:
            case.in_game.air_units = len(air_units(of, case))

    @rules.track(Attacked, Declared, when=JUDGED)
    def note_the_mission(case: AnyCase, event: Event) -> None:
        case.in_turn.missions += _flown(of, event)

    @rules.rule(of.missions)
    @rules.at_phase_end()
    def used_air_units_lie_face_down(case: AnyCase) -> Faults:
        known = air_units(of, case)
        used = sum(face == USED for _, box, face in known if box == of.box)
        flown = any(_flown(of, event) for event in case.in_phase.events)
        if known and flown and case.phase != of.recovering and used < case.in_turn.missions:
            text = f"missions flown: {case.in_turn.missions}; air units that lie face down: {used}"
            yield Fault(of.missions, text)

    @rules.rule(of.missions)
    @rules.at_phase_end()
    def no_air_unit_is_used_for_nothing(case: AnyCase) -> Faults:
        """It may have flown before the log began, or in a battle that does not name it."""
        before, now = (_face_down(of, case, at) for at in (case.phase_start, case.position))
        if now > max(before, case.in_turn.missions):
            text = f"missions flown: {case.in_turn.missions}; air units that lie face down: {now}"
            yield Fault(of.missions, text, verdict=Verdict.WARNING)

    @rules.rule(of.withdrawal)
    @rules.before(Pointed)
    def air_units_are_withdrawn_in_their_turns(case: AnyCase, event: Pointed) -> Faults:
        if case.game.marker[event.marker].kind != of.kind:
            return
        gone = case.position.pointers.get(event.marker, ("", 0))[0] == of.gone
        due = case.phase == of.withdrawing and _withdrawal_is_due(of, case)
        if gone and event.box != of.gone:
            yield Fault(of.withdrawal, f"{event.marker} was withdrawn and comes back")
        elif event.box == of.gone and not gone and not due:
            yield Fault(of.withdrawal, f"{event.marker} is withdrawn; none is due now")

    @rules.rule(of.withdrawal)
    @rules.at_phase_end(of.withdrawing)
    def withdrawals_are_made(case: AnyCase) -> Faults:
        left, due = [box for _, box, _ in air_units(of, case)].count(of.box), units_left(of, case)
        if left > due:
            text = f"{left} air units are in their box; {due} are left from turn {case.turn} on"
            yield Fault(of.withdrawal, text)

    @rules.rule(of.recovery)
    @rules.before(Pointed)
    def air_units_recover_in_their_phase(case: AnyCase, event: Pointed) -> Faults:
        now = case.position.pointers.get(event.marker)
        ready = now == (of.box, USED) and (event.box, event.face) == (of.box, READY)
        ours = case.game.marker[event.marker].kind == of.kind
        if ours and ready and case.phase != of.recovering and case.in_turn.missions:
            text = f"{event.marker} is turned up before the {case.phase_name(of.recovering)}"
            yield Fault(of.recovery, text)

    @rules.rule(of.recovery)
    @rules.at_phase_end(of.recovering)
    def what_was_used_recovers(case: AnyCase) -> Faults:
        for marker, box, face in air_units(of, case):
            if box == of.box and face == USED:
                yield Fault(of.recovery, f"{marker} is still face down")


def _withdrawal_is_due(of: AirUnits, case: AnyCase) -> bool:
    """By the turn alone where the place of some is not known: one goes for each row of the table."""
    boxes = [box for _, box, _ in air_units(of, case)]
    if len(boxes) == of.all:
        return boxes.count(of.box) > units_left(of, case)
    withdrawn = any(isinstance(e, Pointed) and e.box == of.gone for e in case.in_phase.events)
    return not withdrawn and any(int(row.id) == case.turn for row in case.game.table[of.withdrawals].rows)


def _face_down(of: AirUnits, case: AnyCase, position: Position) -> int:
    known = position.pointers.items()
    return sum(case.game.marker[m].kind == of.kind and spot == (of.box, USED) for m, spot in known)


def _flown(of: AirUnits, event: Event) -> int:
    """How many missions an event is."""
    if isinstance(event, Attacked):
        return int(of.support in event.support)
    return max(len(event.units), 1) if isinstance(event, Declared) and event.what == of.declared else 0
