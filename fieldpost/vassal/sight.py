"""Who may see what on the table: masks, hidden pieces, hands, decks that lie face down.

A `Sight` without a side sees what everybody sees. With a side it sees what that side's players see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fieldpost.errors import FieldpostError
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Piece

_HANDS = (".PrivateMap", ".PlayerHand")
_HAND = re.compile(r"\bhands?\b", re.IGNORECASE)
UNKNOWN = "?"
HIDDEN = "a hidden piece"
CARD = "a card"
NAMELESS = "a piece"


class Sight:
    """What one side, or everybody, sees of a table."""

    def __init__(self, table: Table, module: Module | None = None, side: str | None = None) -> None:
        self.table = table
        self.side = side
        self._hands = private_maps(module) if module else None

    def sees(self, piece: Piece) -> bool:
        """False for what is invisible, in another's hand, or in a deck that lies face down."""
        if isinstance(piece.parent, Deck) and piece.parent.face_down:
            return False
        hidden_by = piece.hidden_by
        if hidden_by is not None and not self._is_mine(hidden_by):
            return False
        return self.sees_map(piece.place.map)

    def sees_face(self, piece: Piece) -> bool:
        """True if the piece is seen and no mask covers it."""
        masked_by = piece.masked_by
        return (masked_by is None or self._is_mine(masked_by)) and self.sees(piece)

    def sees_map(self, name: str | None) -> bool:
        """False for the hand of another side; without the module, a map that calls itself a hand is one."""
        if name is None:
            return True
        if self._hands is None:
            return not _HAND.search(name) or (self.side is not None and self.side in name)
        owners = self._hands.get(name)
        return owners is None or self.side in owners

    def name(self, piece: Piece) -> str:
        """What the piece may be called."""
        if isinstance(piece.parent, Deck) and piece.parent.face_down:
            return CARD
        if not self.sees(piece):
            return HIDDEN if self.sees_map(piece.place.map) else CARD
        if not self.sees_face(piece):
            return mask_name(piece)
        return piece.name or NAMELESS

    def _is_mine(self, owner: str) -> bool:
        """Owners are sides, or aliases of players."""
        if self.side is None:
            return False
        seat = self.table.players.get(owner)
        return self.side == (seat.side if seat else owner)


def mask_name(piece: Piece) -> str:
    at = piece.type.find("obs;")
    name = piece.type.traits[at].values.get("name") if at is not None else None
    return str(name or UNKNOWN)


def private_maps(module: Module) -> dict[str, frozenset[str]]:
    """The maps of hands and other private windows, with the sides that own them."""
    found: dict[str, frozenset[str]] = {}
    for number, part in enumerate(module.map_parts):
        private = part.kind.endswith(_HANDS) or "side" in part.attributes
        if private and not part.flag("visible"):
            owners = frozenset(part.get("side").split(","))
            found[part.get("mapName") or f"Map{number}"] = owners
    return found


def check_side(side: str, tables: Iterable[Table]) -> None:
    """A side's view is given only of a side that sat at the table."""
    sides = {seat.side for table in tables for seat in table.players.values() if seat.side[:1] != "<"}
    if side not in sides:
        known = ", ".join(sorted(sides)) or "none"
        raise FieldpostError(f"nobody played the side {side!r} in these logs", f"Sides: {known}")
