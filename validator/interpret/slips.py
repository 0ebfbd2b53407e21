"""Slips of the hand: what was put back at once, a tracker turned too far and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fieldpost.definition.model import Game, Scenario
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.model.position import Position

IDLE = (ev.Said, ev.Unread, ev.NotUnderstood)
"""Between two lines of the tracker these are no acts."""


def without_slips(events: Iterable[Event], start: Position, game: Game, scenario: Scenario) -> list[Event]:
    return _without_loops(_without_lines_taken_back(events, game, scenario), start)


# --- the tracker ---


def _without_lines_taken_back(events: Iterable[Event], game: Game, scenario: Scenario) -> list[Event]:
    """Phases that were gone past and left by going back, with no act in them, did not begin."""
    done: list[Event] = []
    for event in events:
        if isinstance(event, ev.PhaseBegan):
            while (at := _last_line(done)) is not None and _is_later(done[at], event, game, scenario):
                del done[at]
        done.append(event)
    return done


def _last_line(done: Sequence[Event]) -> int | None:
    """The line of the tracker after which nothing was done."""
    for at in range(len(done) - 1, -1, -1):
        if isinstance(done[at], ev.PhaseBegan):
            return at
        if not isinstance(done[at], IDLE):
            return None
    return None


def _is_later(line: Event, event: ev.PhaseBegan, game: Game, scenario: Scenario) -> bool:
    assert isinstance(line, ev.PhaseBegan)
    return _place(line, game, scenario) >= _place(event, game, scenario)


def _place(line: ev.PhaseBegan, game: Game, scenario: Scenario) -> tuple[int, int]:
    ids = [phase.id for phase in game.phases(line.turn, scenario)]
    return line.turn, ids.index(line.phase) if line.phase in ids else -1


# --- drags ---


def _without_loops(events: list[Event], start: Position) -> list[Event]:
    """Without drags that were put back at once; of a stack of which some went back, the others went alone."""
    done: list[Event] = []
    for number, event in enumerate(events):
        if not isinstance(event, ev.Moved):
            done.append(event)
            continue
        if len(set(event.path)) < len(event.path) and not event.by_battle:
            event = _cut(event, _at(start, events[:number]))
            if len(event.path) < 2:
                continue
        last = done[-1] if done else None
        if isinstance(last, ev.Moved) and _goes_back(last, event, start, done):
            stay = tuple(unit for unit in last.units if unit not in event.units)
            done[-1:] = [replace(last, units=stay)] if stay else []
        else:
            done.append(event)
    return done


def _goes_back(last: ev.Moved, event: ev.Moved, start: Position, done: Sequence[Event]) -> bool:
    """Whether units of a drag are put back at once; a whole stack may advance and march back."""
    if (event.start, event.end) != (last.end, last.start) or not set(event.units) <= set(last.units):
        return False
    if set(event.units) == set(last.units):
        return not (event.by_battle or last.by_battle) and not _changed(_at(start, done[:-1]), last)
    return True


def _at(start: Position, events: Iterable[Event]) -> Position:
    position = start.copy()
    for event in events:
        position.apply(event)
    return position


def _cut(event: ev.Moved, position: Position) -> ev.Moved:
    """The way without its loops, but for those through hexes that change hands by being entered."""
    path: list[Spot] = []
    for spot in event.path:
        if spot in path:
            loop = replace(event, path=tuple(path[path.index(spot) :]))
            if not _changed(position, loop):
                path = path[: path.index(spot)]
        path.append(spot)
    return replace(event, path=tuple(path))


def _changed(position: Position, event: ev.Moved) -> bool:
    """Whether a hex may have changed hands: the side on move entered one that was not surely its own."""
    side = position.units[event.units[0]].side
    active = {phase.id: phase.active for phase in position.game.sequence}.get(position.phase, "both")
    entered = [spot for spot in event.path[1:] if isinstance(spot, Hex)]
    return active in (side, "both") and any(_holder(position, hex_) != side for hex_ in entered)


def _holder(position: Position, hex_: Hex) -> str | None:
    return position.known_holder(hex_) or position.game.holder_at_start(hex_)
