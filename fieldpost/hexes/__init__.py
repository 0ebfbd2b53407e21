"""Hexes: where they lie, what they touch, what they are called, where they are drawn.

Three views of one cell, each exact and each reversible:

* `Hex`: axial coordinates (the third cube coordinate is -q-r); all geometry is done here.
* `Cell`: raw column and row as VASSAL's HexGrid counts them, from the top left.
  Flat-topped: odd raw columns lie half a hex lower. Pointed: odd raw rows lie half a hex to the right.
* label: what is printed in the hex, by the numbering of its `Sheet`.
"""

from fieldpost.hexes.geometry import (
    DIRECTIONS,
    ORIGIN,
    Cell,
    Compass,
    Direction,
    Hex,
    HexError,
    Hexside,
    Orientation,
    adjacent,
    distance,
    from_cell,
    line,
    mega_center,
    mega_hex,
    neighbors,
    opposite,
    ring,
    straddle,
    to_cell,
    within,
)
from fieldpost.hexes.labels import Axis, Lattice, Sheet
from fieldpost.hexes.pixels import Layout

__all__ = [
    "DIRECTIONS",
    "ORIGIN",
    "Axis",
    "Cell",
    "Compass",
    "Direction",
    "Hex",
    "HexError",
    "Hexside",
    "Lattice",
    "Layout",
    "Orientation",
    "Sheet",
    "adjacent",
    "distance",
    "from_cell",
    "line",
    "mega_center",
    "mega_hex",
    "neighbors",
    "opposite",
    "ring",
    "straddle",
    "to_cell",
    "within",
]
