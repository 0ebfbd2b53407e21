"""War for the Motherland: its rules, a module for each chapter of the rulebook, in its order."""

from validator.games.wfm import (
    c03_sequence,
    c04_stacking,
    c05_movement,
    c09_attrition,
    c09_depots,
    c09_markers,
    c09_partisans,
    control,
)
from validator.games.wfm.book import RULES

__all__ = [
    "RULES",
    "c03_sequence",
    "c04_stacking",
    "c05_movement",
    "c09_attrition",
    "c09_depots",
    "c09_markers",
    "c09_partisans",
    "control",
]
