"""How much of a log of another module was read: pieces on hexes of the game, moves, rolls, flips."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from fieldpost.hexes import Hex
from fieldpost.phrases import count, joined
from fieldpost.vassal import changes as vassal
from fieldpost.vassal import chat
from fieldpost.vassal.changes import Change
from fieldpost.vassal.things import Piece
from validator.interpret.pieces import Identities
from validator.interpret.spots import Spots

FLIP = "emb2;"


@dataclass
class Share:
    """Of so many things, those that were read."""

    read: int = 0
    number: int = 0

    def add(self, read: bool) -> None:
        self.number += 1
        self.read += read

    def words(self, noun: str) -> str:
        return f"{self.read:,} of {count(self.number, noun)}" if self.number else ""


class Understood:
    """Counts what is read of a log, step by step."""

    def __init__(self, pieces: Iterable[Piece], spots: Spots, identities: Identities) -> None:
        self._spots, self._identities = spots, identities
        self.pieces, self.moves, self.rolls, self.flips = Share(), Share(), Share(), Share()
        self.chat = 0
        for piece in pieces:
            if piece.place.map is not None:
                self.pieces.add(self._is_unit(piece) and isinstance(spots.of(piece.place), Hex))

    def count(self, done: Iterable[Change], is_roll: Callable[[str], bool]) -> None:
        for change in done:
            match change:
                case vassal.Moved(piece, old, new) if (old.map, new.map) != (None, None):
                    places = (self._spots.of(old), self._spots.of(new))
                    self.moves.add(self._is_unit(piece) and any(place is not None for place in places))
                case vassal.StateChanged(piece) if change.trait.prefix == FLIP:
                    self.flips.add(self._is_unit(piece) and change.trait.values.get("name") == "Step")
                case vassal.ChatLine(line) if chat.tells_of_dice(line):
                    self.rolls.add(is_roll(line))
                case vassal.ChatLine(line) if isinstance(chat.parse(line), chat.Said):
                    self.chat += 1

    def _is_unit(self, piece: Piece) -> bool:
        return self._identities.of(piece).unit is not None

    @property
    def too_little(self) -> bool:
        """Whether most moves were not read; without a move, whether no unit stands on a hex."""
        if self.moves.number:
            return 2 * self.moves.read < self.moves.number
        return self.pieces.number > 0 and not self.pieces.read

    @property
    def words(self) -> str:
        shares = (
            self.moves.words("move"),
            self.rolls.words("roll"),
            self.flips.words("flip"),
            f"{count(self.chat, 'line')} of chat" if self.chat else "",
        )
        stands = f"{self.pieces.read:,} of {count(self.pieces.number, 'piece')} stand on hexes of the game"
        return f"Another module: {stands}; read: {joined(filter(None, shares)) or 'nothing'}."
