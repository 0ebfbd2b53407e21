"""Supply status as it stands on the units (9.13): a two-sided marker."""

from __future__ import annotations

from validator.model.position import Unit

MARKER = "out-of-supply"
OUT, LACK = 1, 2  # faces of the marker


def out_of_supply(unit: Unit) -> bool:
    return unit.marks.get(MARKER) == OUT


def lack_of_supply(unit: Unit) -> bool:
    return unit.marks.get(MARKER) == LACK


def unsupplied(unit: Unit) -> bool:
    """Out of Supply or Lack of Supply."""
    return MARKER in unit.marks
