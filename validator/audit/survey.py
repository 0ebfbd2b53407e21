"""What identifies and orders a turn, without what happens in it: small enough for thousands at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from zlib import crc32

from validator.audit.differences import chits_in_hexes, without
from validator.audit.entries import Claim, Entry, Time
from validator.audit.sources import Pointer
from validator.model.events import Event, NotUnderstood, Origin, PhaseBegan, Said, Thrown, Unread
from validator.model.position import Position, Unit

BYTES_A_UNIT = 2
NOWHERE = bytes(BYTES_A_UNIT)


@dataclass(frozen=True)
class State:
    """A position: alike in `digest` where nothing differs; `units` has two bytes for each unit."""

    digest: str
    units: bytes

    def likeness(self, other: State) -> float:
        """The share of the units in play that stand the same."""
        pairs = zip(_chunks(self.units), _chunks(other.units), strict=False)
        same = [a == b for a, b in pairs if a != NOWHERE or b != NOWHERE]
        return sum(same) / max(len(same), 1)

    def other_than(self, other: State) -> list[int]:
        """The numbers of the units that stand otherwise."""
        pairs = zip(_chunks(self.units), _chunks(other.units), strict=False)
        return [number for number, (a, b) in enumerate(pairs) if a != b]

    def alike_in(self, other: State, numbers: Sequence[int]) -> float:
        """The share of these units that stand the same."""
        mine, theirs = list(_chunks(self.units)), list(_chunks(other.units))
        return sum(mine[n] == theirs[n] for n in numbers) / max(len(numbers), 1)


@dataclass(frozen=True)
class Record:
    """One turn file. `start` is None for a turn sheet, which does not say where it starts.

    `opening` tells apart what was done before the first roll; `players` are digests of who sat at the table.
    """

    pointer: Pointer
    game: str
    scenario: str
    begins: Time
    ends: Time
    date: datetime
    start: State | None
    end: State
    played: bool
    opening: str
    content: str
    players: frozenset[str]
    still: bool = False  # it changes nothing on the board
    claims: frozenset[Claim] = frozenset()

    @property
    def name(self) -> str:
        return self.pointer.name

    @property
    def order(self) -> tuple[Time, Time, datetime, str]:
        return self.begins, self.ends, self.date, self.name


def record(entry: Entry) -> Record:
    game, scenario = entry.game
    return Record(
        pointer=entry.pointer,
        game=game,
        scenario=scenario,
        begins=entry.begins,
        ends=entry.ends,
        date=entry.date,
        start=state(entry.start) if entry.says_start else None,
        end=state(entry.end),
        played=bool(entry.events),
        opening=_opening(entry.events),
        content=entry.content,
        players=entry.turn.players,
        still=entry.still,
        claims=entry.claims,
    )


def state(position: Position) -> State:
    units = [_unit(unit) for unit in position.units.values()]
    told = "\n".join([*units, *_rest(position)])
    marks = b"".join((crc32(unit.encode()) & 0xFFFF).to_bytes(BYTES_A_UNIT, "big") for unit in units)
    return State(sha256(told.encode()).hexdigest()[:32], marks)


def _unit(unit: Unit) -> str:
    if unit.spot is None:
        return ""
    return f"{unit.spot} {unit.step} {sorted(unit.marks.items()) if unit.marks and unit.on_map else ''}"


def _rest(position: Position) -> Iterator[str]:
    """Markers in hexes but for chits, the cups, the time: what `chain.differences` looks at."""
    chits = chits_in_hexes(position)
    lying = {hex_: sorted(without(marks, chits).items()) for hex_, marks in position.marks.items()}
    held = {deck: sorted(inside) for deck, inside in position.decks.items()}
    for place, items in (*sorted(lying.items()), *sorted(held.items())):
        if items:
            yield f"{place} {items}"
    yield f"{position.turn} {position.phase}"


def _opening(events: list[Event]) -> str:
    """A digest of what was done before the first roll; empty if nothing was."""
    acts = []
    for event in events:
        if isinstance(event, Thrown):
            break
        if not isinstance(event, (NotUnderstood, PhaseBegan, Said, Unread)):
            acts.append(repr(event.at(Origin())))
    return sha256("\n".join(acts).encode(errors="replace")).hexdigest()[:32] if acts else ""


def _chunks(data: bytes) -> Iterator[bytes]:
    return (data[at : at + BYTES_A_UNIT] for at in range(0, len(data), BYTES_A_UNIT))
