"""The turns of a game as read: what each is of, where it starts and ends, and which belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import pairwise
from pathlib import PurePath
from typing import TypeVar

from fieldpost import bounds
from fieldpost.errors import FieldpostError
from fieldpost.vassal.metadata import Metadata
from validator import sheet
from validator.audit.sources import Item, Pointer, Unusable
from validator.mail.body import IN_OLDER, OWN
from validator.model.events import (
    Attacked,
    Declared,
    Event,
    Fired,
    NotUnderstood,
    OtherDie,
    PhaseBegan,
    ResultNamed,
    Rolled,
    RoundBegan,
    Said,
    Thrown,
    Undone,
    Unread,
)
from validator.model.position import Position
from validator.services import turnfile
from validator.services.turnfile import Turnfile, Wanted

QUOTED_ONLY = "a turn that is only quoted in it, and in no other mail here; the mail it came in is needed"
Usable = TypeVar("Usable")
MOST_KEPT = 200  # turn sheets of which copies need not be read again
Time = tuple[int, int]  # turn, number of the phase
ON_NO_BOARD = (
    Attacked, Rolled, Fired, RoundBegan, ResultNamed, Declared, Said, Undone, OtherDie, NotUnderstood, Unread,
)  # fmt: skip
"""Events that change nothing on the board."""


@dataclass
class Entry:
    """One turn file of a game. A turn sheet does not say where it starts."""

    pointer: Pointer
    turn: Turnfile
    start: Position
    events: list[Event]
    end: Position
    copies: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.pointer.name

    @property
    def metadata(self) -> Metadata:
        return self.turn.metadata

    @property
    def content(self) -> str:
        return self.turn.content

    @property
    def says_start(self) -> bool:
        return self.turn.counts == "step"

    @property
    def game(self) -> tuple[str, str]:
        return self.turn.game.id, self.turn.scenario.id

    @property
    def begins(self) -> Time:
        """A sheet begins with the first phase it names."""
        first = next((event for event in self.events if isinstance(event, PhaseBegan)), None)
        if first is None or self.says_start:
            return self._time(self.start.turn, self.start.phase)
        return self._time(first.turn, first.phase)

    @property
    def ends(self) -> Time:
        return self._time(self.end.turn, self.end.phase)

    @property
    def date(self) -> datetime:
        date = self.metadata.date or self.pointer.sent or datetime.min
        return date if date.tzinfo else date.replace(tzinfo=UTC)

    def _time(self, turn: int, phase: str) -> Time:
        numbers = {each.id: number for number, each in enumerate(self.turn.game.phases(turn))}
        return turn, numbers.get(phase, 0)

    @property
    def rolls(self) -> list[Thrown]:
        return [event for event in self.events if isinstance(event, Thrown)]

    @property
    def still(self) -> bool:
        """Whether nothing on the board changes: declarations, dice and words alone."""
        return bool(self.events) and all(isinstance(event, ON_NO_BOARD) for event in self.events)

    @property
    def claims(self) -> frozenset[Claim]:
        return claims_of(self.start, self.events)


Claim = tuple[int, str, str, int]
"""A battle that is declared or a die that is thrown: turn, phase, what it is, the battle's number."""
BATTLE = "battle"


def claims_of(start: Position, events: Iterable[Event]) -> frozenset[Claim]:
    """What only one log of a game can tell: battles by their numbers, and dice by what they are for."""
    turn, phase, found = start.turn, start.phase, set()
    for event in events:
        match event:
            case PhaseBegan():
                turn, phase = event.turn, event.phase
            case Attacked():
                found.add((turn, phase, BATTLE, event.battle))
            case Rolled() | Fired():
                found.add((turn, phase, event.reason, event.battle or 0))
    return frozenset(found)


def read(items: Iterable[Item | Unusable], wanted: Wanted) -> Iterator[Entry | Unusable]:
    """Each item as an entry; what cannot be read stays on record and stops nothing."""
    seen: dict[bytes, Entry | Unusable] = {}
    for item in items:
        if isinstance(item, Unusable):
            yield item
            continue
        key = sha256(item.data).digest()
        known = seen.get(key)
        if isinstance(known, Entry) and not known.says_start:
            yield _again(known, item)
            continue
        found = entry(item, wanted)
        if isinstance(found, Entry) and not found.says_start and len(seen) < MOST_KEPT:
            seen[key] = found
        yield found


def _again(known: Entry, item: Item) -> Entry:
    """A turn sheet that came before, under the name it has here."""
    turn = replace(known.turn, name=item.name)
    events = [event.at(replace(event.origin, source=item.name)) for event in known.events]
    return Entry(item.pointer, turn, known.start, events, known.end)


def entry(item: Item, wanted: Wanted) -> Entry | Unusable:
    try:
        with bounds.time_held():
            turn = turnfile.of_bytes(item.name, item.data, wanted)
    except sheet.SheetError as error:
        return Unusable(item.name, f"line {error.line}: {error.plain}", pointer=item.pointer)
    except turnfile.ForeignLog as error:
        return Unusable(item.name, error.message.replace(f"{item.name}: ", ""), item)
    except FieldpostError as error:
        return Unusable(item.name, error.message.replace(f"{item.name}: ", ""), pointer=item.pointer)
    played, end = _play(turn.start, _named(turn, item.name))
    return Entry(item.pointer, turn, turn.start, played, end)


def without_repeats(
    found: Sequence[Usable], unusable: Iterable[Unusable], pointer_of: Callable[[Usable], Pointer]
) -> tuple[list[Usable], list[Unusable]]:
    """Without turns in older mails and quotations that a mail here holds as its own.

    A quoted turn that no mail holds is not judged: who quotes may leave lines out.
    """
    unusable = list(unusable)
    pointers = [*map(pointer_of, found), *(bad.pointer for bad in unusable if bad.pointer is not None)]
    own = {(pointer.key, pointer.home) for pointer in pointers if pointer.standing == OWN}
    kept: list[Usable] = []
    spoiled: dict[str, Unusable] = {}
    for one in found:
        pointer = pointer_of(one)
        if pointer.standing == OWN:
            kept.append(one)
        elif (pointer.key, pointer.home) in own:
            continue
        elif pointer.standing == IN_OLDER:
            kept.append(one)
        else:
            spoiled.setdefault(pointer.key, Unusable(pointer.name, QUOTED_ONLY))
    for bad in unusable:
        at = bad.pointer
        if at is None or at.standing == OWN or (at.key, at.home) not in own:
            spoiled[f"{bad.name}\n{len(spoiled)}"] = bad
    return kept, list(spoiled.values())


def _named(turn: Turnfile, name: str) -> list[Event]:
    """The events as read, of a file by this name."""
    return [event.at(replace(event.origin, source=name)) for event in turn.events]


def _play(start: Position, events: Iterable[Event]) -> tuple[list[Event], Position]:
    """Attacks by hexes become attacks by units as the position stands then."""
    position, played = start.copy(), []
    for event in events:
        event = sheet.expand(event, position)
        position.apply(event)
        played.append(event)
    return played, position


def rebased(entries: Sequence[Entry]) -> list[Entry]:
    """A turn sheet, which does not say where it starts, starts where the file before it ended."""
    for before, entry in pairwise(entries):
        if not entry.says_start:
            entry.start = before.end.copy()
            entry.events, entry.end = _play(entry.start, _named(entry.turn, entry.name))
    return list(entries)


def distinctly_named(entries: Sequence[Entry]) -> list[Entry]:
    """Files of the same name are told apart by what they lie in."""
    times = Counter(entry.name for entry in entries)
    names = numbered(entry.name if times[entry.name] == 1 else _name_with_place(entry) for entry in entries)
    return [_renamed(entry, name) for entry, name in zip(entries, names, strict=True)]


def _name_with_place(entry: Entry) -> str:
    return f"{entry.name} in {entry.pointer.via or PurePath(entry.pointer.home).name}"


def numbered(names: Iterable[str]) -> list[str]:
    """Names of which no two are alike: the second of a name has its number behind it."""
    times: Counter[str] = Counter()
    distinct = []
    for name in names:
        times[name] += 1
        distinct.append(f"{name} ({times[name]})" if times[name] > 1 else name)
    return distinct


def _renamed(entry: Entry, name: str) -> Entry:
    if name == entry.name:
        return entry
    events = [event.at(replace(event.origin, source=name)) for event in entry.events]
    return replace(entry, pointer=replace(entry.pointer, name=name), events=events)


def without_copies(entries: Iterable[Entry]) -> list[Entry]:
    """The first of those that hold the same; it remembers the names of the others."""
    kept: dict[str, Entry] = {}
    for entry in entries:
        first = kept.setdefault(entry.content, entry)
        if first is not entry:
            first.copies.append(entry.name)
    return list(kept.values())
