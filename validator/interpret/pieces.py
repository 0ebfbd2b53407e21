"""What a piece is in the game: a unit, a chit or a marker, by the markers our modules put on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fieldpost.definition.model import Game
from fieldpost.vassal.things import Piece, in_order

UNIT, DOUBLE, CHIT, MARKER = "unit", "double", "chit", "marker"
COUNTERS, LYING = (UNIT, DOUBLE), (CHIT, MARKER)
BATTLE = "battle"  # the plate that tells the odds: no piece of the game
CARD = "card"  # which the rules that are checked know nothing of
UNRULED = (BATTLE, CARD)


@dataclass(frozen=True)
class Identity:
    kind: str
    id: str

    @property
    def unit(self) -> str | None:
        """The unit that it is, if it is one."""
        return self.id if self.kind == UNIT else None


NOTHING = Identity("", "")


class Identities:
    """Looks pieces up by their markers, or by their names where another hand built the module."""

    def __init__(self, game: Game, pieces: Iterable[Piece] = ()) -> None:
        """`pieces` lie there from the start: of those with one name the first is the first counter of it."""
        self._game = game
        self._identities: dict[str, Identity] = {}
        self._by_name: dict[str, list[str]] = {}
        for counter in game.counters:
            self._by_name.setdefault(counter.name, []).append(counter.id)
        for piece in in_order(pieces):
            self.of(piece)

    def of(self, piece: Piece) -> Identity:
        if piece.id not in self._identities:
            self._identities[piece.id] = self._find(piece)
        return self._identities[piece.id]

    def unit(self, piece: Piece) -> str | None:
        return self.of(piece).unit

    def units(self, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, str]]:
        """Those that are counters of units, each with the unit's name."""
        for piece in pieces:
            identity = self.of(piece)
            if identity.kind in COUNTERS:
                yield piece, identity.id

    def take_for(self, piece: Piece, kind: str) -> None:
        """Take a piece for a second counter of a unit that is in play, or no longer."""
        self._identities[piece.id] = replace(self.of(piece), kind=kind)

    def _find(self, piece: Piece) -> Identity:
        unit = piece.value("UnitId")
        if unit not in self._game.counter:
            unit = self._named(piece.basic_name)
        if unit is not None:
            return Identity(UNIT, unit)
        marker = piece.value("MarkerId") or ""
        if marker in self._game.marker:
            return Identity(CHIT if piece.value("Kind") == CHIT else MARKER, marker)
        return NOTHING

    def _named(self, name: str) -> str | None:
        """The next counter of this name; the last again and again."""
        left = self._by_name.get(name, [])
        return left.pop(0) if len(left) > 1 else next(iter(left), None)


def step_of(piece: Piece) -> int:
    """The step a unit shows; 1 for a piece of one face."""
    return max(abs(piece.layers.get("Step", 1)), 1)


def face_of(piece: Piece) -> int:
    return max(abs(piece.layers.get("Face", 1)), 1)
