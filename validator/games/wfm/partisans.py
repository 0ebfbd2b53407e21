"""Partisans and air fleets: markers on hexes, and where they are felt."""

from __future__ import annotations

from validator.core.board import HexId
from validator.games.wfm.book import AXIS
from validator.games.wfm.field import Field
from validator.games.wfm.state import Case
from validator.procedures.lastingmarkers import markers_on_hexes

PARTISAN, AIR_FLEET = "partisan", "air-fleet"


def hindering(case: Case, field: Field) -> list[HexId]:
    """Partisans that are felt: not those with an Axis unit in their hex (9.85)."""
    held = field.occupied(AXIS)
    return [h for h in field.ids(hex_ for _, hex_ in markers_on_hexes(case, PARTISAN)) if not held[h]]
