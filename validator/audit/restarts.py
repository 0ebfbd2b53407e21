"""Logs that were begun anew within another one: what followed there is void."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from validator.audit.differences import differences
from validator.audit.entries import BATTLE, Entry, claims_of
from validator.interpret.joining import joined
from validator.model.events import Drawn, Event, Fired, Moved, NotUnderstood, Rolled, Said, Thrown, Unread
from validator.model.position import Position

MOST_BACK = 6  # logs between one that is restarted and the one that restarts it
NO_ACTS = (NotUnderstood, Said, Unread)


@dataclass(frozen=True)
class Restart:
    """`void` are events of `before` that `after` plays anew; `set_aside` the logs that went on from them."""

    before: Entry
    after: Entry
    step: int  # the last of `before` that counts; 0 if none does
    void: tuple[Event, ...]
    set_aside: tuple[Entry, ...] = ()

    @property
    def thrown(self) -> list[Thrown]:
        return [event for event in self.void if isinstance(event, Rolled | Fired)]

    @property
    def chance(self) -> bool:
        """Whether a die had fallen, or a chit was drawn, in what is void."""
        return any(isinstance(event, Rolled | Fired | Drawn) for event in self.void)


def without_void(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry], list[Restart]]:
    """The logs up to where each was restarted, those that went on from void parts, and the restarts."""
    kept: list[Entry] = []
    aside: list[Entry] = []
    restarts: list[Restart] = []
    for entry in entries:
        restart = _restart(kept, entry) if entry.says_start else None
        if restart is not None:
            del kept[len(kept) - len(restart.set_aside) :]
            kept[-1] = _cut(kept[-1], restart)
            aside += restart.set_aside
            restarts.append(restart)
        kept.append(entry)
    return kept, aside, restarts


def _cut(entry: Entry, restart: Restart) -> Entry:
    counts = len(list(_single(entry.events))) - len(restart.void)
    events = joined(list(_single(entry.events))[:counts])
    return replace(entry, events=events, end=_played(entry.start, events))


def _played(start: Position, events: Iterable[Event]) -> Position:
    position = start.copy()
    for event in events:
        position.apply(event)
    return position


def _restart(kept: Sequence[Entry], entry: Entry) -> Restart | None:
    """The restart of the last log within which an entry begins, if it begins at the end of none."""
    if kept and _goes_on(kept[-1], entry):
        return None
    for back in range(min(len(kept), MOST_BACK)):
        before = kept[-1 - back]
        if before.begins <= entry.begins <= before.ends and before.says_start:
            found = _within(before, entry, kept[len(kept) - back :])
            if found is not None:
                return found if found.void or found.set_aside else None
    return None


def _goes_on(before: Entry, entry: Entry) -> bool:
    battles = {claim for claim in entry.claims & before.claims if claim[2] == BATTLE}
    return not battles and next(differences(before.end, entry.start), None) is None


def _within(before: Entry, entry: Entry, between: Sequence[Entry]) -> Restart | None:
    """Where in a log an entry begins: as late as may be, but before a battle that it declares anew."""
    events = list(_single(before.events))
    opened = {claim for claim in entry.claims if claim[2] == BATTLE}
    found = None
    for number, position in enumerate(_positions(before.start, events, entry.start)):
        if position is None:
            continue
        told_twice = found is not None and opened & claims_of(before.start, events[:number])
        if not told_twice and next(differences(position, entry.start), None) is None:
            found = number
    if found is None:
        return None
    void = tuple(events[found:])
    if all(isinstance(event, NO_ACTS) for event in void):
        void = ()
    step = events[found - 1].origin.step if found else 0
    return Restart(before, entry, step, void, tuple(between))


def _positions(start: Position, events: Iterable[Event], wanted: Position) -> Iterator[Position | None]:
    """At the start and after each event, the position where all units stand as wanted; it changes on."""
    position = start.copy()
    elsewhere = {name for name in position.units if not _stands(name, position, wanted)}
    for event in chain([None], events):
        if event is not None:
            position.apply(event)
            for name in event.concerned:
                (elsewhere.discard if _stands(name, position, wanted) else elsewhere.add)(name)
        alike = (position.turn, position.phase) == (wanted.turn, wanted.phase) and not elsewhere
        yield position if alike else None


def _stands(name: str, position: Position, wanted: Position) -> bool:
    return position.units[name].spot == wanted.units[name].spot


def _single(events: Iterable[Event]) -> Iterator[Event]:
    """Drags that were joined into one move, each by itself."""
    for event in events:
        if isinstance(event, Moved) and event.dragged and len(event.path) > 2:
            yield from (replace(event, path=leg) for leg in pairwise(event.path))
        else:
            yield event
