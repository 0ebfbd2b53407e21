"""Counters, markers and chits, drawn from a game's data alone."""

from builder.counters.contrast import problems
from builder.counters.faces import SIZE_PX, Drawing, Face, Pictures, draw, draw_marker, faces, png
from builder.counters.printing import print_pdf
from builder.counters.sheet import sheet
from builder.counters.symbols import SIGNS, SYMBOLS

__all__ = [
    "SIGNS",
    "SIZE_PX",
    "SYMBOLS",
    "Drawing",
    "Face",
    "Pictures",
    "draw",
    "draw_marker",
    "faces",
    "png",
    "print_pdf",
    "problems",
    "sheet",
]
