"""Markers on hexes: their faces, and fortifications as events raise and lower them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.games.wie.field import field_of
from validator.games.wie.state import Case
from validator.model.events import Marked, Spot, Unmarked
from validator.model.position import Position

FORTIFICATION = "fortification"


def marks_at(position: Position, spot: Spot | None) -> Mapping[str, int]:
    """The markers on a hex, and the faces they show."""
    return position.marks.get(spot, {}) if isinstance(spot, Hex) else {}


def face_at(position: Position, event: Marked | Unmarked) -> int:
    """The face that the marker of an event shows on its hex; 0 if it does not lie there."""
    return marks_at(position, event.on).get(event.marker, 0)


@dataclass(frozen=True)
class Change:
    """Levels before an event and after it, of a side's fortification in a hex in play towards its front."""

    side: str
    hex_: Hex
    hex_id: HexId
    front: HexId | None  # None at the edge of the map
    began: int  # as the phase began
    old: int
    new: int

    @property
    def by(self) -> int:
        return self.new - self.old


def changes(case: Case, event: Marked | Unmarked) -> list[Change]:
    """What an event does to a fortification."""
    marker, field = case.game.marker[event.marker], field_of(case)
    side, direction = str(marker.side), str(marker.values.get("direction", ""))
    began, old = face_at(case.phase_start, event), face_at(case.position, event)
    new = event.face if isinstance(event, Marked) else 0
    return [
        Change(
            side, field.board.hexes[hex_id], hex_id, field.ground.behind(hex_id, direction), began, old, new
        )
        for hex_id in field.ids((event.on,))
    ]
