"""The rulebook of Land Without End that the chapters register their rules in, and its words."""

from validator.engine.rulebook import Rulebook
from validator.games.lwe.state import InGame, InPhase, InTurn

RULES = Rulebook(
    "lwe",
    InGame,
    InTurn,
    InPhase,
    unclaimed="lwe-5.1a",
    elsewhere="lwe-2.2a",
    held="lwe-11.32b",
    boxes=True,
)
GERMAN, SOVIET = "german", "soviet"  # sides; `german` has Italians, Hungarians and Rumanians too (1.5)
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}

# Phases (5.2). German prepared assaults stand on both sides of movement; one is passed over (5.3).
TURN_START, WEATHER, DECLARATION = "turn-start", "weather", "german-declaration"
REFIT, GERMAN_ENTRY = "german-refit-start", "german-new-units"
GERMAN_PA_FIRST, GERMAN_MOVE, GERMAN_PA = "german-pa-first", "german-move", "german-pa"
REFIT_END = "german-refit-completion"
SOVIET_PA, SOVIET_ENTRY = "soviet-pa", "soviet-new-units"
SOVIET_MOVE, SOVIET_SUPPLY = "soviet-move", "soviet-supply"
VICTORY, TURN_END = "victory", "turn-end"
MOVING = {GERMAN_MOVE: GERMAN, SOVIET_MOVE: SOVIET}
ASSAULTING = {GERMAN_PA_FIRST: GERMAN, GERMAN_PA: GERMAN, SOVIET_PA: SOVIET}

# Weather (10.2), each for the ground of one zone.
DRY, RAIN, MUD, FROST, SNOW = "dry", "rain", "mud", "frost", "snow"

# What players declare.
RESCIND = "rescind-dd3"  # 7.12
PAUSE, ABORT_PAUSE = "declare-pause", "abort-pause"  # 7.5
CONCENTRATE, END_CONCENTRATION = "concentrate-supply", "end-concentration"  # 7.6

# What is rolled for.
WEATHER_ROLL, SUPPLY_ROLL, COMMAND_ROLL = "weather", "attenuated supply", "artillery command"
FIGHT = ("combat", "overrun", "mobile assault", "")
