"""A closed world: what no permission of a game lets happen is a finding.

What cannot be on the board (a unit moves that stands elsewhere) is found here for every game. What players
put right by hand within the phase is forgiven.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.engine.eventwords import words_for
from validator.engine.impossible import impossible_in
from validator.engine.rulebook import Rulebook
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.model.findings import Fault, Verdict
from validator.model.position import Position

SURE = (ev.Moved, ev.Attacked, ev.Fired)
"""Events that are no mistakes in handling counters when a log shows them."""

WORDS = (ev.Rolled, ev.ResultNamed, ev.Declared)
HARMLESS = (*WORDS, ev.Marked, ev.Unmarked, ev.Pointed)
"""Dice, words and markers that no rule asks for change nothing on the board: they are doubtful only."""

PLACE = "log-place"
ORDER, WAY = "log-order", "log-way"
STATEMENTS = {
    "log-clock": "The turn tracker is moved on before anything of the next phase is done.",
    PLACE: "A counter is moved from where it stands, and turned from the side it shows.",
    ORDER: "What belongs to a battle is entered in the order in which the rules have it done.",
    WAY: "A way is dragged as it is gone; what is put right at once counts as it was put right.",
}
"""What a game's own rules take for granted: reported under this where the game names no rule for it."""

Key = tuple[str, Spot]
"""Something that an event changes: a unit, the markers in a hex, a marker beside the map."""


def unclaimed(rules: Rulebook, case: AnyCase, event: Event) -> Fault | None:
    """What is wrong with an event that cannot be, or that no permission claims."""
    impossible = next(impossible_in(case, event), None)
    if impossible is None and rules.claimed(case, event):
        return None
    doubt = Verdict.WARNING if _is_doubtful(case, event) else Verdict.ILLEGAL
    reason = impossible or "nothing in the rules lets this happen here"
    rule = (rules.elsewhere or PLACE) if impossible else rules.unclaimed
    text = f"{words_for(case, event)}: {reason}"
    fault = Fault(rule, text, _units(event), _hexes(event), verdict=doubt)
    if impossible or not isinstance(event, ev.Moved):
        return fault
    moves = ("moves", rule, case.unit(event.units[0]).side if event.units else None)
    return replace(fault, once=moves, alike=moves)  # a phase's line was forgotten: that is one slip


def empty_volley(rules: Rulebook, event: ev.Fired) -> Fault:
    """Fire from a hex where none stands."""
    return Fault(rules.unclaimed or PLACE, f"fire at {event.value}: no unit stands in the hex that fires")


def _is_doubtful(case: AnyCase, event: Event) -> bool:
    """A slip of the hand, words, and markers that give no strength back."""
    slip = case.by_hand and not isinstance(event, SURE)
    harmless = isinstance(event, HARMLESS) and not _restores(case, event)
    return slip or harmless


def _restores(case: AnyCase, event: Event) -> bool:
    """A marker that is turned to a face before the one it shows: strength that comes back."""
    match event:
        case ev.Marked(marker, str(name), face):
            return face < case.position.units[name].marks.get(marker, 0)
    return False


def is_elsewhere(case: AnyCase, event: Event) -> bool:
    """A move from where the unit does not stand: nothing else can be said of it."""
    return isinstance(event, ev.Moved) and next(impossible_in(case, event), None) is not None


# --- what an event changes ---------------------------------------------------------------------------------


def touched(event: Event) -> tuple[Key, ...]:
    """What an event may change; words change nothing."""
    match event:
        case ev.Pointed(marker):
            return (("marker", marker),)
        case ev.Marked(_, Hex() as spot) | ev.Unmarked(_, Hex() as spot):
            return (("hex", spot),)
    return tuple(("unit", name) for name in _units(event))


def _units(event: Event) -> tuple[str, ...]:
    return () if isinstance(event, WORDS) else event.concerned


def _hexes(event: Event) -> tuple[Hex, ...]:
    return tuple(name for _, name in touched(event) if isinstance(name, Hex))


def state_of(position: Position, key: Key) -> object:
    kind, name = key
    if kind == "unit":
        unit = position.units[str(name)]
        return unit.spot, unit.step, dict(unit.marks)
    if kind == "hex" and isinstance(name, Hex):
        return dict(position.marks.get(name, {}))
    return position.pointers.get(str(name))


def without(numbers: list[int], dropped: int) -> list[int]:
    """Places in a list from which one is taken out: those behind it move up."""
    return [number - (number > dropped) for number in numbers if number != dropped]


@dataclass
class Pending:
    """Findings of this phase that are forgiven when what they touched is again as it was before them."""

    before: dict[Key, object] = field(default_factory=dict)
    findings: dict[Key, list[int]] = field(default_factory=dict)

    def note(self, states: dict[Key, object], finding: int) -> None:
        """A finding, and the states of what it touched as they were before."""
        for key, state in states.items():
            self.before.setdefault(key, state)
            self.findings.setdefault(key, []).append(finding)

    def put_right(self, position: Position, event: Event) -> set[int]:
        """The findings that an event, now part of the position, has made nobody's fault."""
        forgiven: set[int] = set()
        for key in touched(event):
            if key in self.before and self.before[key] == state_of(position, key):
                forgiven.update(self.findings.pop(key))
                del self.before[key]
        return forgiven

    def fork(self) -> Pending:
        return Pending({**self.before}, {key: [*numbers] for key, numbers in self.findings.items()})

    def drop(self, finding: int) -> None:
        """A finding is taken out of the list."""
        for key, numbers in self.findings.items():
            self.findings[key] = without(numbers, finding)


def states_before(position: Position, event: Event) -> dict[Key, object]:
    return {key: state_of(position, key) for key in touched(event)}
