"""What a step changes on a viewer's screen: the changes of the table, sealed.

A step is seen as a screen shows it, before and after, and by its strictest moment. A piece that is out of
sight before and after is not reported at all; of one that goes out of sight neither name nor place is; one
that comes into sight is reported as it is then. What a step does in between no screen shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from fieldpost.vassal.changes import (
    Added,
    Change,
    ChatLine,
    DeckTurned,
    Missing,
    Moved,
    NoteChanged,
    OrderChanged,
    PlayerSat,
    PropertyChanged,
    StateChanged,
    TurnChanged,
)
from fieldpost.vassal.changes import Removed as Deleted
from fieldpost.vassal.sight import Sealed, Sight, Spot
from fieldpost.vassal.things import Deck, Stack
from fieldpost.vassal.traits import Trait

OPEN_TO_ALL = (ChatLine, TurnChanged, PlayerSat, NoteChanged, Missing)
_OF_PIECES = (Added, Deleted, Moved, StateChanged)


@dataclass(frozen=True, slots=True)
class Came:
    """A piece came into sight; `is_new` if it came into the game."""

    piece: Sealed
    is_new: bool


@dataclass(frozen=True, slots=True)
class Removed:
    """A piece in sight left the game, or every map. The piece is as it was."""

    piece: Sealed


@dataclass(frozen=True, slots=True)
class Vanished:
    """A piece went out of sight; `id` is the one it went by."""

    id: str | None


@dataclass(frozen=True, slots=True)
class SeenMoved:
    """A piece in sight came to another spot; `name` is what it may be called on the way."""

    piece: Sealed
    name: str
    old: Spot
    player: str | None

    @property
    def new(self) -> Spot:
        return self.piece.spot


@dataclass(frozen=True, slots=True)
class TurnedOver:
    """The face of a piece in sight was covered, or uncovered."""

    piece: Sealed
    name: str
    is_covered: bool


@dataclass(frozen=True, slots=True)
class StateSeen:
    """A trait of a piece whose face is seen took another state."""

    piece: Sealed
    name: str
    trait: Trait
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    deck: str


@dataclass(frozen=True, slots=True)
class DeckFlipped:
    deck: str
    face_down: bool


@dataclass(frozen=True, slots=True)
class StackReordered:
    pass


Seen: TypeAlias = (
    Came
    | Removed
    | Vanished
    | SeenMoved
    | TurnedOver
    | StateSeen
    | DeckShuffled
    | DeckFlipped
    | StackReordered
    | ChatLine
    | TurnChanged
    | PropertyChanged
    | PlayerSat
    | NoteChanged
    | Missing
)


class Watch:
    """Follows a table step by step through one viewer's eyes; begun before its first step."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self._last = self._all()
        self._ids: dict[str, str] = {}
        self._left: dict[str, str] = {}
        self._covered = 0

    def _all(self) -> dict[str, Sealed]:
        return {id: self.sight.seal(piece) for id, piece in self.sight.table.pieces.items()}

    def see(self, changes: Sequence[Change]) -> list[Seen]:
        """A step's changes, which have been made on the table."""
        before = self._last
        touched = _touched(changes)
        now = {id: self._seal(id) for id in touched}
        done: set[str] = set()
        seen: list[Seen] = []
        for change in changes:
            if not isinstance(change, _OF_PIECES):
                seen += self._other(change)
                continue
            id = change.piece.id
            if id not in done:
                done.add(id)
                seen += self._piece(before.get(id), now[id], touched[id])
        self._keep(changes, now)
        return seen

    def id_of(self, piece: Sealed) -> str | None:
        """For programs: the piece's own id, if its face was seen when it came into sight; else another.

        It ends when the piece goes out of sight or into a deck that lies face down.
        """
        if not piece.in_sight or (piece.is_in_deck and not piece.has_face):
            return None
        if piece.id not in self._ids:
            self._covered += not piece.has_face
            self._ids[piece.id] = piece.id if piece.has_face else f"covered-{self._covered}"
        return self._ids[piece.id]

    def id_left(self, piece: Sealed) -> str | None:
        """The id that a piece went by which has left the game or gone out of sight."""
        known = self._ids.get(piece.id) or self._left.get(piece.id)
        return known or (piece.id if piece.has_face else None)

    def _seal(self, id: str) -> Sealed | None:
        piece = self.sight.table.piece(id)
        return self.sight.seal(piece) if piece is not None else None

    def _keep(self, changes: Sequence[Change], now: dict[str, Sealed | None]) -> None:
        if any(isinstance(change, PlayerSat) for change in changes):
            now = {**now, **self._all()}
        self._left = {}
        for change in changes:
            if isinstance(change, DeckTurned):
                now |= {card.id: self._seal(card.id) for card in change.deck.contents}
        for id, piece in now.items():
            if piece is None:
                self._last.pop(id, None)
            else:
                self._last[id] = piece
            if id in self._ids and (piece is None or self.id_of(piece) is None):
                self._left[id] = self._ids.pop(id)

    # -- one piece

    def _piece(self, before: Sealed | None, now: Sealed | None, changes: list[Change]) -> Iterator[Seen]:
        was_seen = before is not None and before.in_sight
        is_seen = now is not None and now.in_sight
        if now is not None and is_seen and not was_seen:
            yield Came(now, is_new=any(isinstance(change, Added) for change in changes))
        elif before is not None and was_seen and not is_seen:
            is_removed = now is None or now.is_off_map
            yield Removed(before) if is_removed else Vanished(self.id_left(before))
        elif before is not None and now is not None and was_seen:
            yield from self._in_sight(before, now, changes)

    def _in_sight(self, before: Sealed, now: Sealed, changes: list[Change]) -> Iterator[Seen]:
        name = _strictest_name(before, now)
        moves = [change for change in changes if isinstance(change, Moved)]
        if before.spot != now.spot:
            player = next((move.player for move in moves if move.player), None)
            yield SeenMoved(now, name, before.spot, player)
        by_deck = before.is_in_deck or now.is_in_deck
        if before.has_face != now.has_face and not by_deck:
            yield TurnedOver(now, name, not now.has_face)
        if before.has_face and now.has_face:
            yield from _states(before, now, changes)

    # -- all else

    def _other(self, change: Change) -> Iterator[Seen]:
        match change:
            case PropertyChanged(name, container) if self.sight.sees_property(container, name):
                yield change
            case OrderChanged(Deck() as deck, old, new) if sorted(old) == sorted(new):
                if self.sight.sees_window(deck.map):
                    yield DeckShuffled(deck.name)
            case OrderChanged(Stack() as stack):
                if self.sight.sees_window(stack.map):
                    yield StackReordered()
            case DeckTurned(deck, face_down) if self.sight.sees_window(deck.map):
                yield DeckFlipped(deck.name, face_down)
            case ChatLine() | TurnChanged() | PlayerSat() | NoteChanged() | Missing():
                yield change


def _touched(changes: Sequence[Change]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in changes:
        if isinstance(change, _OF_PIECES):
            found.setdefault(change.piece.id, []).append(change)
    return found


def _strictest_name(before: Sealed, now: Sealed) -> str:
    """A card that comes out of a deck face up has its name, and one that went into a deck had it."""
    if before.has_face and now.has_face:
        return before.name
    if before.has_face:
        return before.name if now.is_in_deck else now.name
    if now.has_face:
        return now.name if before.is_in_deck else before.name
    return before.name if now.is_in_deck else now.name


def _states(before: Sealed, now: Sealed, changes: list[Change]) -> Iterator[StateSeen]:
    """Of each trait what it was at first and is at last: what it was in between no screen showed."""
    found: dict[str, StateSeen] = {}
    for change in changes:
        if isinstance(change, StateChanged):
            first = found.get(change.trait.text)
            if first is None:
                found[change.trait.text] = StateSeen(now, before.name, change.trait, change.old, change.new)
            else:
                found[change.trait.text] = replace(first, new=change.new)
    return (one for one in found.values() if one.old != one.new)
