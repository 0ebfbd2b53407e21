"""The rulebook of Land Without End that the chapters register their rules in, and its words."""

from validator.registry import Rulebook

RULES = Rulebook("lwe")
GERMAN, SOVIET = "german", "soviet"  # sides; `german` has Italians, Hungarians and Rumanians too (1.5)
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}

# Phases (5.2); the German player chooses each turn which of the second pair comes first (5.3).
WEATHER = "weather"
REFIT, GERMAN_ENTRY = "german-refit-start", "german-new-units"
GERMAN_MOVE, GERMAN_PA = "german-move", "german-pa"
REFIT_END = "german-refit-completion"
SOVIET_PA, SOVIET_ENTRY = "soviet-pa", "soviet-new-units"
SOVIET_MOVE, SOVIET_SUPPLY = "soviet-move", "soviet-supply"
VICTORY = "victory"
MOVING = {GERMAN_MOVE: GERMAN, SOVIET_MOVE: SOVIET}
ASSAULTING = {GERMAN_PA: GERMAN, SOVIET_PA: SOVIET}

# Weather (10.2), each for the ground of one zone.
DRY, RAIN, MUD, FROST, SNOW = "dry", "rain", "mud", "frost", "snow"

# What players declare; a log shows the word alone.
MOVE_FIRST, ASSAULT_FIRST = "move-first", "assault-first"  # 5.3
RESCIND = "rescind-dd3"  # 7.12
PAUSE, ABORT_PAUSE = "paulus-pause", "abort-pause"  # 7.5
CONCENTRATE, END_CONCENTRATION = "concentrate-supply", "end-concentration"  # 7.6
