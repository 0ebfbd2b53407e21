"""The rulebook of War in the East that the chapters register their rules in, and its words."""

from validator.engine.rulebook import Rulebook
from validator.games.wie.state import InGame, InPhase, InTurn

AXIS, SOVIET = "axis", "soviet"
SIDES = (AXIS, SOVIET)
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}
NAMES = {AXIS: "Axis", SOVIET: "Soviet"}

# Parts of a player turn; a phase is axis-move, soviet-combat ...
REINFORCE, PLACE, MOVE, COMBAT = "reinforce", "place", "move", "combat"
EXPLOIT, REDEPLOY, SUPPLY = "exploit", "redeploy", "supply"
PARTS = (REINFORCE, PLACE, MOVE, COMBAT, EXPLOIT, REDEPLOY, SUPPLY)
SET_UP_FIRST, SET_UP_SECOND, SET_UP_ADJUST = "set-up-first", "set-up-second", "set-up-adjust"
SET_UP = (SET_UP_FIRST, SET_UP_SECOND, SET_UP_ADJUST)
WEATHER = "weather"


def both(*parts: str) -> list[str]:
    """The phases of both sides for some parts of a player turn."""
    return [f"{side}-{part}" for side in SIDES for part in parts]


PLAYER_TURNS = both(*PARTS)
FIGHTING = both(COMBAT, EXPLOIT)
UNDER_FIRE = both(MOVE, COMBAT, EXPLOIT)
"""Phases in which planes fly missions, and guns fire at them."""
DUTIES = (WEATHER, *both(REINFORCE, PLACE, REDEPLOY, SUPPLY))
"""Phases in which something is owed even where nothing is done."""
RULES = Rulebook(
    "wie",
    InGame,
    InTurn,
    InPhase,
    unclaimed="wie-seq.2",
    elsewhere="wie-rep.11",
    held="wie-ret.4",
    duties=DUTIES,
    boxes=True,
)


def side_of(phase: str) -> str:
    """Whose phase it is; empty for those of both."""
    side, dash, _ = phase.partition("-")
    return side if dash and side in SIDES else ""


def part_of(phase: str) -> str:
    return phase.partition("-")[2] if side_of(phase) else phase


# Weather (7).
CLEAR, MUD, SNOW = "clear", "mud", "snow"

# Ways of moving.
MARCH, BLITZ, NON_COMBAT, STRATEGIC = "march", "blitz", "non-combat", "strategic"
EXPLOITATION, RETREAT, ADVANCE = "exploitation", "retreat", "advance"
ESCORT, SUPPORT, CITY, COMPLEX, OIL = (
    "escort",
    "ground-support",
    "city-bombing",
    "complex-bombing",
    "oil-bombing",
)
INTERDICTION, DROP, TRANSPORT = "interdiction", "drop", "transport"
INTERCEPTION, DEFENSIVE, HOME, BASE = "interception", "defensive-support", "fly-home", "base-change"
BOMBING = (CITY, COMPLEX, OIL)
MISSIONS = (ESCORT, SUPPORT, *BOMBING, INTERDICTION, DROP)
"""One of them in a player turn (5); a transport comes on top for bombers that drop nobody."""

# Ways of firing outside the rounds of a battle.
ANTI_AIR, SALVO, IN_THE_AIR = "anti-air", "salvo", "air"

# Lines of the money of a turn (3), as players book them.
CARRIED, INCOME, LEND_LEASE, OIL_INCOME, BOMBED = "carried", "income", "lend-lease", "oil", "bombing-loss"
DEBT, PURCHASES, FORTIFYING, REBUILDING, TREASURY = (
    "debt",
    "purchases",
    "fortifications",
    "rebuilding",
    "treasury",
)

# Other declarations.
FREE_OFFENSIVE, SIBERIAN, COUNTER_OFFENSIVE = "free-offensive", "siberian-army", "counter-offensive"
SECOND_EXPLOITATION = "second-exploitation"
SCORCHED, MOVE_COMPLEX, LEADER = "scorched-earth", "move-complex", "modified-hq"

# Dice.
WEATHER_DIE, RESERVE, OIL_DIE = "weather", "reserve", "oil income"
CITY_DIE, OIL_BOMB_DIE, COMPLEX_DIE = "city bombing", "oil bombing", "complex bombing"
ROCKET_DIE, INTERDICTION_DIE, PARTISAN_DIE = "rocket", "interdiction", "partisans"
ASSASSINATION_DIE = "assassination"
