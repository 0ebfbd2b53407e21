"""Chapter 9: supply."""

from __future__ import annotations

from validator.core.board import Mask
from validator.games.wfm.field import field_of
from validator.position import Unit
from validator.referee import Case


def supplied_mask(case: Case, unit: Unit) -> Mask:
    """Hexes in which a unit would be in supply now."""
    return bytes([1]) * len(field_of(case).board)
