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
from validator.procedures.faults import first_that_holds, of_rule

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
    places = case.position.pointers.items()
    return [(marker, box, face) for marker, (box, face) in places if case.game.marker[marker].kind == of.kind]


def in_air_range(of: AirUnits, case: AnyCase, *targets: Hex) -> bool:
    """Whether one base of the side reaches them all."""
    bases = [unit for unit in case.position.on_map(of.side) if "air-range" in unit.type.values]
    return any(all(distance(b.hex, t) <= int(b.type.values["air-range"]) for t in targets) for b in bases)


def units_left(of: AirUnits, case: AnyCase) -> int:
    """After the withdrawals up to this turn."""
    table = case.game.table[of.withdrawals]
    due = (row.id for row in table.rows if int(row.id) <= case.turn)
    return min((int(table.cell(turn, "left")) for turn in due), default=of.all)


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
        """And what lay face down when a log began in mid-turn: it had flown."""
        if case.in_game.air_units is None:
            case.in_game.air_units = len(air_units(of, case))
            used = _face_down(of, case, case.position)
            case.in_turn.missions = 0 if case.phase == of.withdrawing else len(used)

    @rules.track(Attacked, Declared, when=JUDGED)
    def note_the_mission(case: AnyCase, event: Event) -> None:
        case.in_turn.missions += _flown(of, event)

    @rules.rule(of.missions)
    @rules.at_phase_end()
    def used_air_units_lie_face_down(case: AnyCase) -> Faults:
        used, flown = len(_face_down(of, case, case.position)), case.in_turn.missions
        acted = any(_flown(of, event) for event in case.in_phase.events) and case.phase != of.recovering
        if acted and used < flown and air_units(of, case):
            yield Fault(of.missions, _sums(flown, used))

    @rules.rule(of.missions)
    @rules.at_phase_end()
    def no_air_unit_is_used_for_nothing(case: AnyCase) -> Faults:
        """It may have flown before the log began, or in a battle that does not name it."""
        before, now = len(_face_down(of, case, case.phase_start)), len(_face_down(of, case, case.position))
        flown = case.in_turn.missions
        if now > max(before, flown):
            yield Fault(of.missions, _sums(flown, now), verdict=Verdict.WARNING)

    @rules.rule(of.withdrawal)
    @rules.before(Pointed, kind=of.kind)
    def air_units_are_withdrawn_in_their_turns(case: AnyCase, event: Pointed) -> Faults:
        gone = case.position.pointers.get(event.marker, ("", 0))[0] == of.gone
        goes, due = event.box == of.gone, case.phase == of.withdrawing and _withdrawal_is_due(of, case)
        rows = (
            (gone and not goes, "was withdrawn and comes back"),
            (goes and not gone and not due, "is withdrawn; none is due now"),
        )
        yield from first_that_holds(of_rule(of.withdrawal, rows), f"{event.marker} ", ())

    @rules.rule(of.withdrawal)
    @rules.at_phase_end(of.withdrawing)
    def withdrawals_are_made(case: AnyCase) -> Faults:
        left, due = [box for _, box, _ in air_units(of, case)].count(of.box), units_left(of, case)
        if left > due:
            text = f"{left} air units are in their box; {due} are left from turn {case.turn} on"
            yield Fault(of.withdrawal, text)

    @rules.rule(of.recovery)
    @rules.before(Pointed, kind=of.kind, box=of.box, face=READY)
    def air_units_recover_in_their_phase(case: AnyCase, event: Pointed) -> Faults:
        used = case.position.pointers.get(event.marker) == (of.box, USED)
        if used and case.phase != of.recovering and case.in_turn.missions:
            text = f"{event.marker} is turned up before the {case.phase_name(of.recovering)}"
            yield Fault(of.recovery, text)

    @rules.rule(of.recovery)
    @rules.at_phase_end(of.recovering)
    def what_was_used_recovers(case: AnyCase) -> Faults:
        lying = _face_down(of, case, case.position)
        if lying:
            yield Fault(
                of.recovery, f"{', '.join(lying)} {'is' if len(lying) == 1 else 'are'} still face down"
            )


def _withdrawal_is_due(of: AirUnits, case: AnyCase) -> bool:
    """By the turn alone where the place of some is not known: one goes for each row of the table."""
    boxes = [box for _, box, _ in air_units(of, case)]
    if len(boxes) == of.all:
        return boxes.count(of.box) > units_left(of, case)
    return not case.in_phase.of(Pointed, box=of.gone) and any(
        int(row.id) == case.turn for row in case.game.table[of.withdrawals].rows
    )


def _face_down(of: AirUnits, case: AnyCase, position: Position) -> list[str]:
    used = (marker for marker, place in position.pointers.items() if place == (of.box, USED))
    return [marker for marker in used if case.game.marker[marker].kind == of.kind]


def _sums(flown: int, used: int) -> str:
    return f"missions flown: {flown}; air units that lie face down: {used}"


def _flown(of: AirUnits, event: Event) -> int:
    """How many missions an event is."""
    if isinstance(event, Attacked):
        return int(of.support in event.support)
    return max(len(event.units), 1) if isinstance(event, Declared) and event.what == of.declared else 0
