"""What a piece is in the game: a unit, a chit or a marker, by the markers our modules put on it."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.definition.model import Game
from fieldpost.vassal.things import Piece

UNIT, CHIT, MARKER = "unit", "chit", "marker"
BATTLE = "battle"  # the plate that tells the odds: no piece of the game
CARD = "card"  # which the rules that are checked know nothing of
UNRULED = (BATTLE, CARD)


@dataclass(frozen=True)
class Identity:
    kind: str
    id: str


class Identities:
    """Looks pieces up by their markers, or by their names where another hand built the module."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[str, Identity | None] = {}
        self._by_name = {counter.name: counter.id for counter in game.counters}

    def of(self, piece: Piece) -> Identity | None:
        if piece.id not in self._known:
            self._known[piece.id] = self._find(piece)
        return self._known[piece.id]

    def _find(self, piece: Piece) -> Identity | None:
        unit = piece.value("UnitId") or self._by_name.get(piece.basic_name)
        if unit is not None and unit in self._game.counter:
            return Identity(UNIT, unit)
        marker = piece.value("MarkerId")
        if marker is not None and marker in self._game.marker:
            return Identity(CHIT if piece.value("Kind") == CHIT else MARKER, marker)
        return None


def step_of(piece: Piece) -> int:
    """The step a unit shows; 1 for a piece of one face."""
    return max(abs(piece.layers.get("Step", 1)), 1)


def face_of(piece: Piece) -> int:
    return max(abs(piece.layers.get("Face", 1)), 1)
