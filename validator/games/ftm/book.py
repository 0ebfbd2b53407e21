"""The rulebook of For the Motherland! that the chapters register their rules in."""

from validator.engine.rulebook import Rulebook
from validator.games.ftm.state import Case, InGame, InPhase, InTurn
from validator.model.findings import Verdict

RULES = Rulebook(
    "ftm",
    InGame,
    InTurn,
    InPhase,
    unclaimed="ftm-3.0a",
    held="ftm-8.6.4",
    duties=("supply", "admin"),
)
AXIS, SOVIET = "axis", "soviet"
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}
SNOW, MUD = "snow", "mud"
TURNED = 12  # from this turn on the Soviets move first (3.0)

SUPPLY, ADMIN = "supply", "admin"
MOVING = {"axis-move": AXIS, "axis-exploit": AXIS, "sov-move": SOVIET, "sov-exploit": SOVIET}
EXPLOITING = ("axis-exploit", "sov-exploit")
COMBAT = {"axis-combat": AXIS, "sov-combat": SOVIET}
FIGHTING = (*COMBAT, *MOVING)


def barred_by(case: Case, option: str) -> Verdict | None:
    """What a choice makes of a breach: off bars it, judge leaves it to the players; else nothing is wrong."""
    return {"judge": Verdict.JUDGEMENT, "off": Verdict.ILLEGAL}.get(case.option(option))
