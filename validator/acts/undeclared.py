"""Battles that no hand declared: a die fell, and somebody paid for it.

Who attacked is taken from who stood beside the hex that was paid for. A reading stands only if it leaves
fewer faults than none; what it rests on is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from fieldpost.hexes import Hex
from fieldpost.hexes.geometry import neighbors
from validator.acts.reading import LOSSES, Reading
from validator.model import events as ev
from validator.model.events import Event
from validator.model.position import Position, Unit

MOST_STACKS = 4  # that are tried as attackers in every combination


@dataclass(frozen=True)
class Inferred:
    """A declaration to stand before the die at `place`, and the parts of the battle as they then read."""

    place: int
    attack: ev.Attacked
    parts: dict[int, Event]


def inferred(reading: Reading, place: int, position: Position, side: str) -> Iterator[Inferred]:
    """What the die at a place may have been for, in the position of that moment."""
    parts = _parts(reading, place)
    paid = [unit for unit in _units(reading, parts, position) if unit.on_map]
    number = max([0, *(act.number for act in reading.acts)]) + 1
    taken = {unit for act in reading.acts for unit in act.attackers}
    for target in _targets(paid, position, side):
        for names in _attackers(target, position, side, taken, paid):
            attack = ev.Attacked(number, names, (target,), origin=reading.events[place].origin)
            yield Inferred(place, attack, dict(_as_parts(reading, parts, number, target, position, side)))


def _parts(reading: Reading, place: int) -> list[int]:
    """What was done after the die, until the next one or the next declaration."""
    known = {part for act in reading.acts for part in act.parts}
    found = []
    for later in range(place + 1, len(reading.events)):
        event = reading.events[later]
        if isinstance(event, ev.Rolled | ev.Fired | ev.Attacked | ev.PhaseBegan):
            break
        if later not in known and isinstance(event, (ev.Moved, ev.ResultNamed, *LOSSES)):
            found.append(later)
    return found


def _units(reading: Reading, parts: Sequence[int], position: Position) -> list[Unit]:
    names = dict.fromkeys(name for place in parts for name in reading.events[place].concerned)
    return [position.units[name] for name in names]


def _targets(paid: Sequence[Unit], position: Position, side: str) -> list[Hex]:
    """The hex of a defender who paid; else those beside an attacker who did."""
    defended = dict.fromkeys(unit.hex for unit in paid if unit.side != side)
    if defended:
        return list(defended)[:1]
    near = (hex_ for unit in paid[:1] for hex_ in neighbors(unit.hex))
    return [hex_ for hex_ in near if any(unit.side != side for unit in position.at(hex_))]


def _attackers(
    target: Hex, position: Position, side: str, taken: set[str], paid: Sequence[Unit]
) -> Iterator[tuple[str, ...]]:
    """All who stood beside it and attack nothing else; then their stacks in every combination."""
    stacks = [
        [unit.id for unit in position.at(hex_) if unit.side == side and unit.id not in taken]
        for hex_ in neighbors(target)
    ]
    stacks = [stack for stack in stacks if stack]
    joined = {unit.id for unit in paid if unit.side == side}
    for number in range(len(stacks), 0, -1) if len(stacks) <= MOST_STACKS else (len(stacks),):
        for chosen in combinations(stacks, number):
            names = tuple(name for stack in chosen for name in stack)
            if joined <= set(names):
                yield names


def _as_parts(
    reading: Reading, parts: Sequence[int], number: int, target: Hex, position: Position, side: str
) -> Iterator[tuple[int, Event]]:
    for place in parts:
        event = reading.events[place]
        if isinstance(event, ev.ResultNamed | ev.StepChanged | ev.Removed) or (
            isinstance(event, ev.Moved) and event.by_battle
        ):
            yield place, replace(event, battle=number)
        elif isinstance(event, ev.Moved) and event.dragged and not event.mode:
            ours = position.units[event.units[0]].side == side
            mode = "advance" if ours and target in event.path[1:] else "retreat"
            yield place, replace(event, mode=mode, battle=number)
