"""A game cut into frames: one for each step of a log or line of a turn sheet, with what it changed.

A change is all there is to know of one counter or one hex afterwards, so that a page can step forward
by writing it and back by writing what was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from fieldpost.definition.model import Game, Scenario
from fieldpost.hexes import Hex
from validator import sheet
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.model.findings import Finding, Report
from validator.model.position import Position
from validator.report.html.zones import ZoneFinder


@dataclass(frozen=True)
class Chapter:
    """One file of a game: where it starts, what happened, and what the referee said."""

    name: str
    start: Position
    events: Sequence[Event]
    report: Report
    concealed: Mapping[str, str] = field(default_factory=dict)
    """Units that are hidden from the other side at its end, with the side that hides them."""


@dataclass(frozen=True)
class State:
    """A counter as it stands."""

    spot: Spot | None
    step: int
    marks: tuple[tuple[str, int], ...]


@dataclass
class Frame:
    chapter: int
    turn: int
    phase: str
    step: int
    events: list[Event] = field(default_factory=list)
    units: dict[str, State] = field(default_factory=dict)
    hexes: dict[Hex, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    findings: list[int] = field(default_factory=list)
    zones: dict[str, list[Hex]] = field(default_factory=dict)

    def has(self, *kinds: type[Event]) -> bool:
        return any(isinstance(event, kinds) for event in self.events)

    @property
    def marks(self) -> Iterator[tuple[str, int]]:
        """Every marker that lies on what changed, with its face."""
        yield from chain.from_iterable(state.marks for state in self.units.values())
        yield from chain.from_iterable(self.hexes.values())


@dataclass
class Film:
    frames: list[Frame]
    findings: list[tuple[Finding, int]]  # and the frame each belongs to
    counts: list[str]  # what each chapter numbers: steps or lines


def film(game: Game, scenario: Scenario, chapters: Iterable[Chapter]) -> Film:
    """All frames of all chapters; the first frame of a chapter is where it starts."""
    made = Film([], [], [])
    known: dict[str, State] = {}
    for number, chapter in enumerate(chapters):
        position = chapter.start.copy()
        frames = [_opening(number, position, known), *_cut(number, position, chapter.events)]
        _assign(made, frames, chapter.report.findings)
        finder = ZoneFinder(game, scenario, position)
        for frame in frames:
            if frame.findings:
                frame.zones = finder.around(_focus(frame, made))
            _play(position, frame)
        known = {name: _state(position, name) for name in position.units}
        made.frames += frames
        made.counts.append(chapter.report.counts)
    return made


# --- cutting -------------------------------------------------------------------------------------


def _opening(chapter: int, position: Position, known: dict[str, State]) -> Frame:
    frame = Frame(chapter, position.turn, position.phase, 0)
    absent = State(None, 1, ())
    for name in position.units:
        state = _state(position, name)
        if state != known.get(name, absent):
            frame.units[name] = state
    frame.hexes = {hex_: _marks(marks) for hex_, marks in position.marks.items() if marks}
    return frame


def event_counts(position: Position, events: Sequence[Event]) -> list[int]:
    """How many events the frames of one chapter hold, the opening first."""
    return [0, *(len(frame.events) for frame in _cut(0, position, events))]


def _cut(chapter: int, position: Position, events: Sequence[Event]) -> list[Frame]:
    """Events of one origin stay together; a phase that begins is a frame of its own."""
    frames: list[Frame] = []
    turn, phase = position.turn, position.phase
    last: tuple[str, int] | None = None
    for event in events:
        key = (event.origin.source, event.origin.step)
        begins = isinstance(event, ev.PhaseBegan)
        if isinstance(event, ev.PhaseBegan):
            turn, phase = event.turn, event.phase
        if begins or key != last or not event.origin.step:
            frames.append(Frame(chapter, turn, phase, event.origin.step))
        frames[-1].events.append(event)
        last = None if begins else key
    return frames


def _assign(made: Film, frames: list[Frame], findings: Sequence[Finding]) -> None:
    """Each finding to the step it names, or to the last step of its phase."""
    base = len(made.frames)
    for finding in findings:
        at = _frame_of(frames, finding)
        frames[at].findings.append(len(made.findings))
        made.findings.append((finding, base + at))


def _frame_of(frames: list[Frame], finding: Finding) -> int:
    where = (finding.turn, finding.phase)
    in_phase = [n for n, frame in enumerate(frames) if (frame.turn, frame.phase) == where]
    exact = [n for n in in_phase if 0 < frames[n].step == finding.origin.step]
    *_, last = len(frames) - 1, *in_phase
    return next(iter(exact), last)


def _focus(frame: Frame, made: Film) -> set[Hex]:
    hexes: set[Hex] = set()
    for number in frame.findings:
        fault = made.findings[number][0].fault
        hexes.update(fault.hexes)
        hexes.update(h for h in fault.evidence.get("path", ()) if isinstance(h, Hex))
    for event in frame.events:
        if isinstance(event, ev.Moved):
            hexes.update(spot for spot in event.path if isinstance(spot, Hex))
    return hexes


# --- playing -------------------------------------------------------------------------------------


def _play(position: Position, frame: Frame) -> None:
    for number, event in enumerate(frame.events):
        event = frame.events[number] = sheet.expand(event, position)
        position.apply(event)
        for name in touched_units(event):
            frame.units[name] = _state(position, name)
        for hex_ in _touched_hexes(event):
            frame.hexes[hex_] = _marks(position.marks.get(hex_, {}))


def touched_units(event: Event) -> Iterator[str]:
    """The counters an event may change."""
    match event:
        case ev.Moved(units=names):
            yield from names
        case ev.StepChanged(unit=name) | ev.Placed(unit=name) | ev.Removed(unit=name):
            yield name
        case ev.Replaced(old=old, new=new):
            yield from old
            yield from (name for name, _ in new)
        case ev.Marked(on=str(name)) | ev.Unmarked(on=str(name)):
            yield name
        case ev.Drawn(unit=str(name)) | ev.Returned(unit=str(name)):
            yield name


def _touched_hexes(event: Event) -> Iterator[Hex]:
    if isinstance(event, (ev.Marked, ev.Unmarked)) and isinstance(event.on, Hex):
        yield event.on


def _state(position: Position, name: str) -> State:
    unit = position.units[name]
    return State(unit.spot, unit.step, _marks(unit.marks))


def _marks(marks: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(marks.items()))
