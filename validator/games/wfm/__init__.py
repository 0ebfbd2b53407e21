"""War for the Motherland: its rules, a module for each chapter of the rulebook, in its order."""

from validator.games.wfm import (
    c03_sequence,
    c04_stacking,
    c05_movement,
    c06_overrun,
    c07_strength,
    c08_combat,
    c08_fortress,
    c08_losses,
    c08_retreat,
    c09_attrition,
    c09_depots,
    c09_markers,
    c09_partisans,
    c10_air,
    control,
)
from validator.games.wfm.book import RULES

__all__ = [
    "RULES",
    "c03_sequence",
    "c04_stacking",
    "c05_movement",
    "c06_overrun",
    "c07_strength",
    "c08_combat",
    "c08_fortress",
    "c08_losses",
    "c08_retreat",
    "c09_attrition",
    "c09_depots",
    "c09_markers",
    "c09_partisans",
    "c15_victory",
    "c16_scenarios",
    "c10_air",
    "control",
]
