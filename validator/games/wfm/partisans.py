"""Partisans and air fleets: markers on hexes, and where they are felt."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.games.wfm.book import AXIS
from validator.games.wfm.field import Field
from validator.games.wfm.state import Case

PARTISAN, AIR_FLEET = "partisan", "air-fleet"


def markers_on_hexes(case: Case, kind: str) -> Iterator[tuple[str, Hex]]:
    """The markers of a kind that lie on the map now."""
    for hex_, marks in case.position.marks.items():
        for marker in marks:
            if case.game.marker[marker].kind == kind:
                yield marker, hex_


def hindering(case: Case, field: Field) -> Iterator[HexId]:
    """Partisans that are felt: not those with an Axis unit in their hex (9.85)."""
    held = field.occupied(AXIS)
    for _, hex_ in markers_on_hexes(case, PARTISAN):
        hex_id = field.id(hex_)
        if hex_id is not None and not held[hex_id]:
            yield hex_id
