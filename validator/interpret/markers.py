"""Chits and markers of a log: drawn, put back, laid on units and hexes, set into boxes beside the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fieldpost.definition.model import Game, Marker
from fieldpost.hexes import Hex
from fieldpost.vassal import changes as vassal
from fieldpost.vassal.changes import Change
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Piece
from validator.interpret import pieces
from validator.interpret.pieces import CHIT, LYING, Identities, Identity
from validator.interpret.spots import Spots
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.model.position import Position

OWNER, ARMY = "Carrier", "Army"  # properties: the number of a chit, and that of its army


class Markers:
    """Tells what becomes of all pieces that are no units."""

    def __init__(self, game: Game, table: Table, spots: Spots, identities: Identities) -> None:
        self.game, self.table, self.spots, self.identities = game, table, spots, identities
        self._decks = {deck.name: deck.id for deck in game.decks}
        self._carriers: dict[str, str] = {}  # by the id of a piece, the unit that it lies on or under
        self._weak: dict[str, ev.Marked] = {}
        self._start = Position(game)
        self._stale: set[str] = set()  # markers of units that had left the map when the log began
        self._loose: dict[str, Hex] = {}  # chits that lay without a unit when the log began, and where

    def lay_out(self, position: Position) -> None:
        """As they lie when the log begins."""
        self._start = position
        for deck in self.table.decks.values():
            if deck.name in self._decks:
                chits = [self.identities.of(piece).id for piece in deck.contents]
                position.decks[self._decks[deck.name]] = list(filter(None, chits))
        position.pointers.clear()
        for piece in self.table.pieces.values():
            identity = self.identities.of(piece)
            if identity.kind in LYING and not self._left_behind(piece, identity):
                spot = self.spots.of(piece.place)
                for event in self.laid(piece, identity, spot):
                    position.apply(event)
                if identity.kind == CHIT and isinstance(spot, Hex) and piece.id not in self._carriers:
                    self._loose[piece.id] = spot

    def _left_behind(self, piece: Piece, identity: Identity) -> bool:
        """Whether a marker of units lies in a hex where none can carry it: its unit left without it."""
        if identity.kind == CHIT or self.game.marker[identity.id].lies_on != "unit":
            return False
        fitting = self._in_stack(piece, above=False, marker=self.game.marker[identity.id])
        if not isinstance(self.spots.of(piece.place), Hex) or fitting is not None:
            return False
        self._stale.add(piece.id)
        return True

    def weak_draws(self, done: Sequence[Change]) -> Iterator[Event]:
        """Chits that came out of their deck on another face than the first, and are not turned at once."""
        turned = {change.piece.id for change in done if isinstance(change, vassal.StateChanged)}
        waiting, self._weak = self._weak, {}
        yield from (event for id_, event in waiting.items() if id_ not in turned)

    def moved(
        self, change: vassal.Moved, identity: Identity, old: Spot | None, new: Spot | None
    ) -> Iterator[Event]:
        drawn_from, put_into = self._deck(change.old_deck), self._deck(change.deck)
        if drawn_from is not None:
            yield from self._drawn(change, identity, drawn_from, new)
        elif put_into is not None:
            yield from self.taken_off(change.piece, identity, old, put_into)
        elif old != new and not self._put_right(change.piece, identity, new):
            yield from self.taken_off(change.piece, identity, old, None)
            yield from self.laid(change.piece, identity, new)

    def _deck(self, deck: Deck | None) -> str | None:
        """The game's own deck that it is."""
        return self._decks.get(deck.name) if deck is not None else None

    def _put_right(self, piece: Piece, identity: Identity, new: Spot | None) -> bool:
        """A chit that was left behind is laid to its army again, in this log or since the one before."""
        if identity.kind != CHIT or not isinstance(new, Hex):
            return False
        before, now = self._carriers.get(piece.id), self._carrier(piece, identity)
        if before is None and now is not None and piece.id in self._loose:
            self._start.marks.get(self._loose.pop(piece.id), {}).pop(identity.id, None)
            self._start.mark(now, identity.id, pieces.face_of(piece))
            return True
        return before is not None and before == now

    def _drawn(
        self, change: vassal.Moved, identity: Identity, deck: str, new: Spot | None
    ) -> Iterator[Event]:
        unit = self._carrier(change.piece, identity) if isinstance(new, Hex) else None
        yield ev.Drawn(identity.id, deck, unit)
        face = pieces.face_of(change.piece)
        if unit is not None and face > 1:
            self._weak[change.piece.id] = ev.Marked(identity.id, unit, face)

    def laid(self, piece: Piece, identity: Identity, spot: Spot | None) -> Iterator[Event]:
        """Put somewhere, or turned there."""
        face = pieces.face_of(piece)
        if isinstance(spot, Hex):
            yield ev.Marked(identity.id, self._carrier(piece, identity) or spot, face)
        elif spot is not None and identity.kind != CHIT and self._tells(identity.id, spot):
            yield ev.Pointed(identity.id, spot, face)

    def _tells(self, marker: str, box: str) -> bool:
        """One alone does wherever it lies; of several alike those on the turn track."""
        return self.game.marker[marker].count == 1 or box.startswith("turn-")

    def taken_off(
        self, piece: Piece, identity: Identity, spot: Spot | None, deck: str | None
    ) -> Iterator[Event]:
        carrier = self._carriers.pop(piece.id, None)
        if piece.id in self._stale:
            self._stale.remove(piece.id)
        elif identity.kind == CHIT:
            if deck is not None or isinstance(spot, Hex):
                yield ev.Returned(identity.id, deck, carrier)
        elif isinstance(spot, Hex):
            yield ev.Unmarked(identity.id, carrier or spot)

    def _carrier(self, piece: Piece, identity: Identity) -> str | None:
        """The unit that a chit lies under, or that a marker of units lies on."""
        if identity.kind == CHIT:
            carrier = self._in_stack(piece, above=True) or self._owner(piece)
        elif self.game.marker[identity.id].lies_on == "unit":
            marker = self.game.marker[identity.id]
            carrier = self._in_stack(piece, above=False, marker=marker) or self._in_stack(piece, above=False)
        else:
            return None
        if carrier is not None:
            self._carriers[piece.id] = carrier
        return carrier

    def _in_stack(self, piece: Piece, *, above: bool, marker: Marker | None = None) -> str | None:
        """The nearest unit of its stack on that side of it that may have it; else the lowest such unit."""
        stack = piece.parent.contents if piece.parent is not None else [piece]
        at = stack.index(piece) if piece in stack else len(stack)
        nearest = stack[at + 1 :] if above else stack[:at][::-1]
        units = self.identities.units([*nearest, *stack])
        return next((unit for _, unit in units if self._may_carry(unit, marker)), None)

    def _owner(self, chit: Piece) -> str | None:
        """The army on the map whose number is on a chit that lies by itself."""
        number = chit.value(OWNER)
        if number in (None, "", "0"):
            return None
        units = self.identities.units(self.table.pieces.values())
        army, unit = next(((army, unit) for army, unit in units if army.value(ARMY) == number), (chit, None))
        return unit if isinstance(self.spots.of(army.place), Hex) else None

    def _may_carry(self, unit: str, marker: Marker | None) -> bool:
        """Chits and most markers lie on units that have steps; some ask for a side or a trait."""
        counter = self.game.counter[unit]
        type_ = self.game.unit_type[counter.type]
        return type_.steps > 0 and (marker is None or marker.is_for(counter, type_))
