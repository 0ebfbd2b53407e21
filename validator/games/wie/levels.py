"""Fortifications as events raise and lower them."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.games.wie.field import field_of
from validator.games.wie.state import Case
from validator.model.events import Marked, Unmarked

FORTIFICATION = "fortification"


@dataclass(frozen=True)
class Change:
    """Levels before an event and after it, of a side's fortification in a hex towards its front."""

    side: str
    hex_: Hex
    hex_id: HexId | None
    front: HexId | None
    began: int  # as the phase began
    old: int
    new: int

    @property
    def by(self) -> int:
        return self.new - self.old


def change_of(case: Case, event: Marked | Unmarked) -> Change:
    """What an event does to a fortification on a hex."""
    assert isinstance(event.on, Hex)
    marker, ground, hex_id = (
        case.game.marker[event.marker],
        field_of(case).ground,
        field_of(case).id(event.on),
    )
    return Change(
        side=str(marker.side),
        hex_=event.on,
        hex_id=hex_id,
        front=None if hex_id is None else ground.behind(hex_id, str(marker.values.get("direction", ""))),
        began=case.phase_start.marks.get(event.on, {}).get(event.marker, 0),
        old=case.position.marks.get(event.on, {}).get(event.marker, 0),
        new=event.face if isinstance(event, Marked) else 0,
    )
