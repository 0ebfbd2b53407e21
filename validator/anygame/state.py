"""A position of a game whose rules are unknown: what of it two logs must agree on, and where they do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from fieldpost.phrases import phrase
from fieldpost.vassal.module import Module
from fieldpost.vassal.sight import Sight
from fieldpost.vassal.story import Namer
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Piece, Place

_PASSING = ("footprint;", "markmoved;", "report;", "piece;", "sendto;", "mat;", "matPiece;")
"""Traits whose state is no part of the position: trails, flags of what moved, what the engine notes."""
_SHUFFLES_ITSELF = "Always"
_DECK = "deck "


@dataclass(frozen=True)
class Stand:
    """Where a piece is and what it shows. `name` and `spot` are for people, and tell no secret."""

    where: tuple[str, int, int]
    states: tuple[str, ...]
    name: str
    namer: Namer = field(repr=False, compare=False)

    @property
    def spot(self) -> str:
        map, x, y = self.where
        return f"the {map}" if map.startswith(_DECK) else self.namer(Place(map, x, y))

    @property
    def essence(self) -> tuple[tuple[str, int, int], tuple[str, ...]]:
        return self.where, self.states


@dataclass(frozen=True)
class State:
    """`decks` hold the ids of their cards, bottom to top; of a deck that shuffles itself in no order."""

    pieces: Mapping[str, Stand] = field(repr=False)
    decks: Mapping[str, tuple[str, ...]] = field(repr=False)
    turns: Mapping[str, str]
    turn: str
    properties: Mapping[tuple[str, str], str] = field(repr=False)

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
    return State(pieces, decks, dict(table.turns), turn, dict(table.properties))


def _stand(piece: Piece, sight: Sight, spot: Namer) -> Stand:
    place = piece.place
    deck = piece.parent if isinstance(piece.parent, Deck) else None
    kept = tuple(
        state
        for trait, state in zip(piece.type.traits, piece.states, strict=False)
        if state and trait.prefix not in _PASSING
    )
    where = (f"{_DECK}{deck.name}", 0, 0) if deck else (place.map or "", place.x, place.y)
    return Stand(where, kept, sight.name(piece), spot)


def _title(deck: Deck) -> str:
    return deck.name or f"at {deck.map} {deck.x},{deck.y}"


def _cards(deck: Deck) -> tuple[str, ...]:
    fields = deck.type.split(";")
    always = len(fields) > 6 and fields[6] == _SHUFFLES_ITSELF
    return tuple(sorted(deck.members)) if always else deck.members


def differences(before: State, after: State) -> Iterator[str]:
    """What is other in the second position, in words; the pieces first."""
    for id in dict.fromkeys((*before.pieces, *after.pieces)):
        yield from _piece(before.pieces.get(id), after.pieces.get(id))
    for name, cards in before.decks.items():
        now = after.decks.get(name, cards)
        if now != cards and set(now) == set(cards):
            yield f"the cards of the deck {name} lie in another order"
    if before.turns != after.turns:
        yield f"the turn was {before.turn or 'another'}, now {after.turn or 'another'}"
    for (container, name), value in before.properties.items():
        new = after.properties.get((container, name), value)
        if new != value:
            yield f"the property {name}{phrase(' of {}', container)} was {value!r}, now {new!r}"


def _piece(was: Stand | None, now: Stand | None) -> Iterator[str]:
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
