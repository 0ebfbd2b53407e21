"""What a log of any game shows: dice taken back, a second counter, a die of the wrong button."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from validator.model import events as ev
from validator.model.events import Event
from validator.model.findings import Fault, Finding, Verdict
from validator.model.position import Position

STATEMENTS = {
    "log-dice": "A die that was rolled stands; who takes it back asks the other player first.",
    "log-counter": "Of each unit there is one counter.",
    "log-button": "The die of a battle is rolled with its own button.",
}


def findings(start: Position, events: Iterable[Event]) -> Iterator[Finding]:
    """In the order of the events, each with the turn and phase it happened in."""
    turn, phase = start.turn, start.phase
    for event in events:
        if isinstance(event, ev.PhaseBegan):
            turn, phase = event.turn, event.phase
        fault = _fault(event)
        if fault is not None:
            side = next((start.units[u].side for u in fault.units if u in start.units), None)
            yield Finding(fault, STATEMENTS[fault.rule], event.origin, turn, phase, side)


def _fault(event: Event) -> Fault | None:
    match event:
        case ev.Undone(steps, rolls, values) if rolls:
            shown = f" ({', '.join(map(str, values))})" if values else ""
            text = f"{'a roll' if rolls == 1 else f'{rolls} rolls'}{shown} of step {steps[0]} was taken back"
            return Fault("log-dice", text, verdict=Verdict.WARNING)
        case ev.Doubled(unit, spot):
            hexes = () if isinstance(spot, str) else (spot,)
            return Fault("log-counter", f"a second counter of {unit} was laid out", (unit,), hexes)
        case ev.OtherDie(battle, reason, values):
            shown = ", ".join(map(str, values))
            text = f"battle {battle} got no die, but {shown} was rolled for {reason} while it waited"
            return Fault("log-button", text, verdict=Verdict.WARNING)
    return None


def merged(judged: Iterable[Finding], shown: Iterable[Finding]) -> tuple[Finding, ...]:
    """Both in the order of the file; those at the end of a phase, which have no step, stay where they are."""
    result = list(judged)
    for finding in shown:
        later = (n for n, other in enumerate(result) if other.origin.step > finding.origin.step)
        result.insert(next(later, len(result)), finding)
    return tuple(result)
