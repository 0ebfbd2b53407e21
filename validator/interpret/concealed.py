"""Which units a log leaves concealed from the other side, and whose log it is."""

from __future__ import annotations

from collections.abc import Mapping

from fieldpost.definition.model import Game
from fieldpost.vassal import hiding
from fieldpost.vassal.changes import Change, Moved
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Piece
from validator.interpret.pieces import Identities


def units(game: Game, table: Table, identities: Identities) -> Mapping[str, str]:
    """Each unit that a trait in force hides at the end, with the side whose player hid it; '' if unknown."""
    found: dict[str, str] = {}
    for piece, unit in identities.units(table.pieces.values()):
        owner = _owner(piece)
        if owner is not None:
            seat = table.players.get(owner)
            found[unit] = side_id(game, seat.side if seat else owner)
    return found


def _owner(piece: Piece) -> str | None:
    owners = (hiding.owner_of(hider, piece.states[hider.at]) for hider in hiding.hiders(piece.type))
    return next((owner for owner in owners if owner is not None), None)


def side_id(game: Game, name: str) -> str:
    """The side of the game that a module calls so."""
    found = (side.id for side in game.sides if name.casefold() in (side.id.casefold(), side.name.casefold()))
    return next(found, "")


class Movers:
    """Learns from each step which sides' players have moved pieces."""

    def __init__(self, game: Game, table: Table) -> None:
        self._game, self._table = game, table
        self._sides: set[str] = set()

    def watch(self, changes: list[Change]) -> None:
        for change in changes:
            if isinstance(change, Moved) and (seat := self._table.players.get(change.player or "")):
                self._sides.add(side_id(self._game, seat.side))

    @property
    def side(self) -> str | None:
        """The one side whose log it is; None if both moved, or it is not said."""
        return next(iter(self._sides)) or None if len(self._sides) == 1 else None
