"""A closed world: what no permission of a game lets happen is a finding.

What cannot be on the board (a unit moves that stands elsewhere) is found here for every game. What players
put right by hand within the phase is forgiven.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.engine.rulebook import Rulebook
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.model.findings import Fault, Verdict
from validator.model.position import Position

SURE = (ev.Moved, ev.Attacked, ev.Fired)
"""Events that are no mistakes in handling counters when a log shows them."""

WORDS = (ev.Rolled, ev.ResultNamed, ev.Declared)
"""Dice and words that no rule asks for, as markers, change nothing on the board: they are doubtful only."""

PLACE = "log-place"
STATEMENTS = {PLACE: "A counter is moved from where it stands, and turned from the side it shows."}
"""What a game's own rules take for granted: reported under this where the game names no rule for it."""

Key = tuple[str, Spot]
"""Something that an event changes: a unit, the markers in a hex, a marker beside the map."""


def unclaimed(rules: Rulebook, case: AnyCase, event: Event) -> Fault | None:
    """What is wrong with an event that cannot be, or that no permission claims."""
    impossible = next(impossibilities(case, event), None)
    if impossible is None and rules.claimed(case, event):
        return None
    by_hand = case.by_hand and not isinstance(event, SURE)
    harmless = isinstance(event, WORDS) or (_is_marker(event) and not _restores(case, event))
    doubt = Verdict.WARNING if by_hand or harmless else Verdict.ILLEGAL
    reason = impossible or "nothing in the rules lets this happen here"
    hexes = tuple(name for kind, name in touched(event) if kind == "hex" and isinstance(name, Hex))
    units = tuple(str(name) for kind, name in touched(event) if kind == "unit")
    rule = (rules.elsewhere or PLACE) if impossible else rules.unclaimed
    return Fault(rule, f"{text_of(case, event)}: {reason}", units, hexes, verdict=doubt)


def _is_marker(event: Event) -> bool:
    return isinstance(event, ev.Marked | ev.Unmarked | ev.Pointed)


def _restores(case: AnyCase, event: Event) -> bool:
    """A marker that is turned to a face before the one it shows: strength that comes back."""
    match event:
        case ev.Marked(marker, str(name), face):
            return face < case.position.units[name].marks.get(marker, 0)
    return False


def is_elsewhere(case: AnyCase, event: Event) -> bool:
    """A move from where the unit does not stand: nothing else can be said of it."""
    return isinstance(event, ev.Moved) and next(impossibilities(case, event), None) is not None


# --- what cannot be --------------------------------------------------------------------------------------


def impossibilities(case: AnyCase, event: Event) -> Iterator[str]:
    """Reasons why an event does not fit the position; faces and steps that a counter has not."""
    units = case.position.units
    match event:
        case ev.Moved(names, path):
            for name in names:
                comes_from_a_box = units[name].spot is None and isinstance(path[0], str)
                if units[name].spot != path[0] and not comes_from_a_box:
                    yield f"{name} {_stands(case, units[name].spot)}"
        case ev.StepChanged(name, old, new):
            steps = len(units[name].counter.steps) or 1
            if not 1 <= new <= steps:
                yield f"{name} has {steps} {'step' if steps == 1 else 'steps'}"
            elif old != units[name].step:
                yield f"{name} is on step {units[name].step}"
            elif old == new:
                yield "nothing changes"
        case ev.Placed(name, _, step):
            if isinstance(units[name].spot, Hex) and not _placed_before(case, name):
                yield f"{name} {_stands(case, units[name].spot)}"
            elif not 1 <= step <= (len(units[name].counter.steps) or 1):
                yield f"{name} has no step {step}"
        case ev.Removed(name, box):
            if units[name].spot is None and box is None:
                yield f"{name} {_stands(case, None)}"
        case ev.Replaced(old_names, new):
            elsewhere = (n for n in old_names if units[n].spot != event.spot)
            back = (n for n, _ in new if n not in old_names and units[n].on_map)
            yield from (f"{name} {_stands(case, units[name].spot)}" for name in (*elsewhere, *back))
        case ev.Attacked(_, names):
            yield from (f"{n} {_stands(case, units[n].spot)}" for n in names if not units[n].on_map)
        case ev.Fired(names):  # who fell in this phase may fire back once more: the game's rules tell
            away = (n for n in names if not (units[n].on_map or case.phase_start.units[n].on_map))
            yield from (f"{n} {_stands(case, units[n].spot)}" for n in away)
        case ev.Marked(_, str(name)) if units[name].spot is None:
            yield f"{name} {_stands(case, None)}"
        case ev.Returned(marker, _, str(name)) if units[name].on_map and marker not in units[name].marks:
            yield f"{name} does not carry it"


def _placed_before(case: AnyCase, name: str) -> bool:
    """In this phase: a counter put down, and put down again elsewhere, is a slip that was put right."""
    return any(isinstance(event, ev.Placed) and event.unit == name for event in case.in_phase.events)


def _stands(case: AnyCase, spot: Spot | None) -> str:
    if spot is None:
        return "is not in play"
    return f"is in the box {spot}" if isinstance(spot, str) else f"stands in {case.label(spot)}"


# --- what an event changes ---------------------------------------------------------------------------------


def touched(event: Event) -> tuple[Key, ...]:
    match event:
        case ev.Moved(names):
            return tuple(("unit", name) for name in names)
        case ev.StepChanged(name) | ev.Placed(name) | ev.Removed(name):
            return (("unit", name),)
        case ev.Replaced(old, new):
            return tuple(("unit", name) for name in (*old, *(name for name, _ in new)))
        case ev.Marked(_, on) | ev.Unmarked(_, on):
            return (("hex" if isinstance(on, Hex) else "unit", on),)
        case ev.Pointed(marker):
            return (("marker", marker),)
        case ev.Drawn(_, _, str(name)) | ev.Returned(_, _, str(name)):
            return (("unit", name),)
        case ev.Attacked(_, names) | ev.Fired(names):
            return tuple(("unit", name) for name in names)
    return ()


def state_of(position: Position, key: Key) -> object:
    kind, name = key
    if kind == "unit":
        unit = position.units[str(name)]
        return unit.spot, unit.step, dict(unit.marks)
    if kind == "hex" and isinstance(name, Hex):
        return dict(position.marks.get(name, {}))
    return position.pointers.get(str(name))


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

    def drop(self, finding: int) -> None:
        """A finding is taken out of the list: those behind it move up."""
        for key, known in self.findings.items():
            self.findings[key] = [number - (number > finding) for number in known if number != finding]


def states_before(position: Position, event: Event) -> dict[Key, object]:
    return {key: state_of(position, key) for key in touched(event)}


# --- words ------------------------------------------------------------------------------------------------


def text_of(case: AnyCase, event: Event) -> str:
    """An event in a few words."""
    match event:
        case ev.Moved(names, path, mode):
            how = {"": "moves", "retreat": "retreats", "advance": "advances"}.get(mode, f"moves ({mode})")
            return f"{'+'.join(names)} {how} from {case.label(path[0])} to {case.label(path[-1])}"
        case ev.StepChanged(name, old, new):
            return f"{name} {'loses' if new > old else 'gets back'} a step ({old}>{new})"
        case ev.Placed(name, spot):
            return f"{name} is placed in {case.label(spot)}"
        case ev.Removed(name, box):
            return f"{name} is taken off" + (f" to {box}" if box else "")
        case ev.Replaced(gone, new, spot, why):
            comes = "+".join(name for name, _ in new)
            what = f"{'+'.join(gone)} gives way to {comes} in {case.label(spot)}"
            return what + (f" for {why}" if why else "")
        case ev.Marked(marker, on):
            return f"{marker} is put on {case.label(on)}"
        case ev.Unmarked(marker, on):
            return f"{marker} is taken off {case.label(on)}"
        case ev.Pointed(marker, box):
            return f"{marker} is set to {box}"
        case ev.Drawn(marker, deck, unit):
            return f"{marker} is drawn from {deck}" + (f" for {unit}" if unit else "")
        case ev.Returned(marker, deck, unit):
            return f"{marker} goes " + (f"to {deck}" if deck else "out of the game")
        case ev.Attacked(_, names, targets):
            return f"{'+'.join(names)} attacks {'+'.join(map(case.label, targets))}"
        case ev.Rolled(values, _, reason):
            return f"a roll of {', '.join(map(str, values))}" + (f" for {reason}" if reason else "")
        case ev.RoundBegan(battle, number):
            return f"round {number} of battle {battle}"
        case ev.Fired(names, value, dice):
            return f"{'+'.join(names)} fires at {value}: {', '.join(map(str, dice))}"
        case ev.ResultNamed(result):
            return f"the result {result} is named"
        case ev.Declared(what, names, _, value):
            return f"{'+'.join(names)}{' ' if names else ''}{what}" + (f" = {value}" if value else "")
    return type(event).__name__
