"""Ways in several drags: joined, and without what was dragged back or put right at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from fieldpost.hexes import Hex
from fieldpost.hexes.geometry import distance
from validator.model import events as ev
from validator.model.events import Event, Moved, Spot

CHANCE = (ev.Rolled, ev.Fired, ev.Drawn, ev.Returned, ev.Attacked, ev.Undone)
"""What ends the time to put a drag right."""


@dataclass(frozen=True)
class Way:
    """Drags of the same units one after the other, as one move at the place of the last of them."""

    places: tuple[int, ...]
    move: Moved
    corrected: bool = False  # some of what was dragged does not count


def ways(places: Sequence[int], events: Sequence[Event]) -> Iterator[Sequence[Way]]:
    """For each row of drags of some units: the ways that may have been meant by it.

    `events` are those of the phase as they were entered, `places` the order in which they are judged.
    """
    drags: dict[tuple[str, ...], list[int]] = {}
    for place in places:
        event = events[place]
        if isinstance(event, Moved):
            drags.setdefault(event.units, []).append(place)
    for group in drags.values():
        for run in _runs(group, events):
            readings = list(_readings(run, events))
            if readings:
                yield readings


def _runs(places: Sequence[int], events: Sequence[Event]) -> Iterator[list[int]]:
    """Drags that go on where the one before ended, with nothing left to chance in between.

    What a drag in a log was for is a guess of the reader: the last one of a row decides.
    """
    run: list[int] = []
    for place in places:
        if run and not _goes_on(run[-1], place, events):
            yield run
            run = []
        run.append(place)
    yield run


def _goes_on(first: int, then: int, events: Sequence[Event]) -> bool:
    a, b = events[first], events[then]
    if not (isinstance(a, Moved) and isinstance(b, Moved)) or a.end != b.start:
        return False
    between = events[min(first, then) + 1 : max(first, then)]
    same = (a.mode, a.battle) == (b.mode, b.battle) or (a.dragged and b.dragged and b.by_battle)
    return same and not any(isinstance(event, CHANCE) for event in between)


def _readings(run: Sequence[int], events: Sequence[Event]) -> Iterator[Way]:
    moves = [event for place in run if isinstance(event := events[place], Moved)]
    whole = [moves[0].start, *(spot for move in moves for spot in move.path[1:])]
    by_hand = all(map(_is_drag, moves))
    path = without_loops(whole) if by_hand else _since_a_return(moves)
    meant = replace(moves[-1], path=tuple(path), dragged=any(move.dragged for move in moves))
    if len(run) > 1 or path != whole:
        yield Way(tuple(run), meant, path != whole)
    if len(path) > 2 and _may_be_straight(moves, path):
        yield Way(tuple(run), replace(meant, path=(path[0], path[-1]), dragged=True), True)


def _may_be_straight(moves: Sequence[Moved], path: Sequence[Spot]) -> bool:
    """Whether the hexes between may be wrong ones that were put right, so that the ends alone count."""
    if len(moves) == 1:
        return moves[0].dragged and _is_detour(path)
    dragged = any(move.dragged for move in moves)
    return all(map(_is_drag, moves[:-1])) and (dragged or _is_detour(path))


def _since_a_return(moves: Sequence[Moved]) -> list[Spot]:
    """The way without drags at whose end all was as before the first of them."""
    back = [number for number, move in enumerate(moves, 1) if move.end == moves[0].start]
    left = moves[max(back, default=0) :]
    return [moves[0].start, *(spot for move in left for spot in move.path[1:])]


def _is_drag(move: Moved) -> bool:
    """A step, or a way of which only the ends are known: no hand has written the hexes of it."""
    return move.dragged or len(move.path) == 2


def without_loops(path: Sequence[Spot]) -> list[Spot]:
    """What was dragged back to a hex of the way has not been gone."""
    done: list[Spot] = []
    for spot in path:
        done = done[: done.index(spot)] if spot in done else done
        done.append(spot)
    return done


def _is_detour(path: Sequence[Spot]) -> bool:
    """A wrong hex on the way, and from there to the right one."""
    hexes = [spot for spot in path if isinstance(spot, Hex)]
    gone = sum(distance(a, b) for a, b in pairwise(hexes))
    return len(hexes) == len(path) and distance(hexes[0], hexes[-1]) < gone
