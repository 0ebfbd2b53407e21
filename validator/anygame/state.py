"""A position of a game whose rules are unknown: what of it two logs must agree on, and where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from fieldpost.phrases import count, phrase
from fieldpost.vassal.module import Module
from fieldpost.vassal.sight import Sight, Spot
from fieldpost.vassal.story import Namer
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Piece, Place

_PASSING = ("footprint;", "markmoved;", "report;", "piece;", "sendto;", "mat;", "matPiece;")
"""Traits whose state is no part of the position: trails, flags of what moved, what the engine notes."""
_SHUFFLES_ITSELF = "Always"
_DECK = "deck "


@dataclass(frozen=True)
class Stand:
    """Where a piece is and what it shows, hidden or not; `name` and `spot` are of what people may see."""

    where: tuple[str, int, int] = field(repr=False)
    states: tuple[str, ...] = field(repr=False)
    in_sight: bool
    name: str
    seen_at: Spot
    namer: Namer = field(repr=False, compare=False)

    @property
    def spot(self) -> str:
        place, deck = self.seen_at
        return f"the {_DECK}{deck}" if deck is not None else self.namer(place)

    @property
    def essence(self) -> tuple[tuple[str, int, int], tuple[str, ...]]:
        return self.where, self.states


@dataclass(frozen=True)
class State:
    """`decks` hold the ids of their cards, bottom to top; of a deck that shuffles itself in no order.

    `secret` are the decks and properties that are not to be named.
    """

    pieces: Mapping[str, Stand] = field(repr=False)
    decks: Mapping[str, tuple[str, ...]] = field(repr=False)
    turns: Mapping[str, str]
    turn: str
    properties: Mapping[tuple[str, str], str] = field(repr=False)
    secret: frozenset[object] = field(default=frozenset(), repr=False)

    @cached_property
    def digest(self) -> str:
        parts = [f"{id} {stand.essence}" for id, stand in sorted(self.pieces.items())]
        parts += [f"{name} {cards}" for name, cards in sorted(self.decks.items())]
        parts += [f"{item}" for item in sorted(self.turns.items())]
        return sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:32]

    def likeness(self, other: State) -> float:
        """The share of the pieces of either that both have."""
        both = self.pieces.keys() & other.pieces.keys()
        return len(both) / max(len(self.pieces.keys() | other.pieces.keys()), 1)

    def distance(self, other: State) -> int:
        """How many pieces stand otherwise."""
        ids = self.pieces.keys() | other.pieces.keys()
        return sum(_essence(self.pieces.get(id)) != _essence(other.pieces.get(id)) for id in ids)


def _essence(stand: Stand | None) -> object:
    return stand and stand.essence


def of(table: Table, sight: Sight, spot: Namer, turn: str) -> State:
    pieces = {
        id: _stand(piece, sight, spot) for id, piece in table.pieces.items() if piece.place.map is not None
    }
    decks = {_title(deck): _cards(deck) for deck in table.decks.values()}
    secret: set[object] = {_title(deck) for deck in table.decks.values() if not sight.sees_window(deck.map)}
    secret.update(key for key in table.properties if not sight.sees_property(*key))
    return State(pieces, decks, dict(table.turns), turn, dict(table.properties), frozenset(secret))


def _stand(piece: Piece, sight: Sight, spot: Namer) -> Stand:
    place = piece.place
    deck = piece.parent if isinstance(piece.parent, Deck) else None
    kept = tuple(
        state
        for trait, state in zip(piece.type.traits, piece.states, strict=False)
        if state and trait.prefix not in _PASSING
    )
    where = (f"{_DECK}{deck.name}", 0, 0) if deck else (place.map or "", place.x, place.y)
    seen = sight.seal(piece)
    return Stand(where, kept, seen.in_sight, seen.name, seen.spot, spot)


def _title(deck: Deck) -> str:
    return deck.name or f"at {deck.map} {deck.x},{deck.y}"


def _cards(deck: Deck) -> tuple[str, ...]:
    fields = deck.type.split(";")
    always = len(fields) > 6 and fields[6] == _SHUFFLES_ITSELF
    return tuple(sorted(deck.members)) if always else deck.members


def differences(before: State, after: State) -> Iterator[str]:
    """What is other in the second position; the pieces first, those hidden in either as a number."""
    hidden = 0
    for id in dict.fromkeys((*before.pieces, *after.pieces)):
        was, now = before.pieces.get(id), after.pieces.get(id)
        if _is_hidden(was) or _is_hidden(now):
            hidden += _essence(was) != _essence(now)
        else:
            yield from _piece(was, now)
    if hidden:
        yield f"{count(hidden, 'hidden piece')} elsewhere, or changed"
    secret = before.secret | after.secret
    for name, cards in before.decks.items():
        now_cards = after.decks.get(name, cards)
        if now_cards != cards and set(now_cards) == set(cards):
            deck = "a hidden deck" if name in secret else f"the deck {name}"
            yield f"the cards of {deck} lie in another order"
    if before.turns != after.turns:
        yield f"the turn was {before.turn or 'another'}, now {after.turn or 'another'}"
    for (container, name), value in before.properties.items():
        new = after.properties.get((container, name), value)
        if new == value:
            continue
        if (container, name) in secret:
            yield "a property of a hidden window is changed"
        else:
            yield f"the property {name}{phrase(' of {}', container)} was {value!r}, now {new!r}"


def _is_hidden(stand: Stand | None) -> bool:
    return stand is not None and not stand.in_sight


def _piece(was: Stand | None, now: Stand | None) -> Iterator[str]:
    """How a piece differs that is in sight in both."""
    if was is None:
        if now is not None:
            yield f"{now.name} was not there, now {now.spot}"
    elif now is None:
        yield f"{was.name} was at {was.spot}, now gone"
    elif was.where != now.where:
        yield f"{_both(was, now)} was at {was.spot}, now {now.spot}"
    elif was.states != now.states:
        yield f"{_both(was, now)} at {now.spot} is changed"


def _both(was: Stand, now: Stand) -> str:
    return was.name if was.name == now.name else f"{was.name} (now {now.name})"


def spot_namer(module: Module | None, table: Table) -> Namer:
    """Names of places as the grid has them; what is off every map is out of play."""
    from fieldpost.vassal import naming

    name = naming.namer(module, table)

    def spot(place: Place) -> str:
        return "out of play" if place.map is None else name(place)

    return spot
