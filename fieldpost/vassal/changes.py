"""What a step did to the table, one small object a change."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.vassal.things import Container, Deck, Piece, Place
from fieldpost.vassal.traits import Trait


@dataclass(frozen=True, slots=True)
class Change:
    """Any change."""


@dataclass(frozen=True, slots=True)
class Added(Change):
    """A piece came into the game."""

    piece: Piece
    place: Place


@dataclass(frozen=True, slots=True)
class Removed(Change):
    """A piece left the game."""

    piece: Piece
    place: Place


@dataclass(frozen=True, slots=True)
class Missing(Change):
    """A piece was moved or changed that is not in the game: nothing happened. `done` is moved or changed."""

    done: str


@dataclass(frozen=True, slots=True)
class Moved(Change):
    """A piece came to another point; `player` is the alias of who moved it, if the log says.

    `deck` and `old_deck` are set when it came onto or out of a deck.
    """

    piece: Piece
    old: Place
    new: Place
    player: str | None = None
    deck: Deck | None = None
    old_deck: Deck | None = None


@dataclass(frozen=True, slots=True)
class StateChanged(Change):
    """A trait of a piece took another state."""

    piece: Piece
    trait: Trait
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class OrderChanged(Change):
    """The order in a stack or deck was set anew (a shuffle, a counter put on top); ids bottom to top."""

    container: Container
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeckTurned(Change):
    """A deck was turned over as a whole."""

    deck: Deck
    face_down: bool


@dataclass(frozen=True, slots=True)
class ChatLine(Change):
    """A line came into the chat window."""

    line: str


@dataclass(frozen=True, slots=True)
class TurnChanged(Change):
    """A turn tracker moved on; the states as in `saving.turn_state`."""

    tracker: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class PropertyChanged(Change):
    """A global property, or a dice button's result; `container` is a map, `Module`, a zone or empty."""

    name: str
    container: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class PlayerSat(Change):
    """A player took a side."""

    player: str
    name: str
    side: str


@dataclass(frozen=True, slots=True)
class NoteChanged(Change):
    """Scenario notes (`NOTES`) or public notes (`PNOTES`)."""

    kind: str
    text: str
