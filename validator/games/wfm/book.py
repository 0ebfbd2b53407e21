"""The rulebook of War for the Motherland that the chapters register their rules in."""

from collections.abc import Callable, Collection

from fieldpost.definition.scenariomodel import SpecialRule
from validator.engine.rulebook import Rulebook
from validator.games.wfm.state import Case, InGame, InPhase, InTurn
from validator.model.position import Unit

RULES = Rulebook(
    "wfm",
    InGame,
    InTurn,
    InPhase,
    unclaimed="wfm-3.0a",
    held="wfm-5.32a",
    duties=("supply", "ger-mech", "admin"),
)
AXIS, SOVIET = "axis", "soviet"
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}


def special(case: Case, id_: str) -> SpecialRule | None:
    """A special rule of the scenario, if it has it (16.4, 17.4, 18.4, 19.4)."""
    return next((rule for rule in case.scenario.special_rules if rule.id == id_), None)


def rivers_are_ignored(case: Case) -> bool:
    """By Germans, in the first turn of some scenarios (17.41)."""
    return case.turn == 1 and special(case, "rivers-ignored") is not None


def is_allied(unit: Unit) -> bool:
    """Of a nation allied with Germany."""
    return unit.side == AXIS and not unit.has("german")


def is_stranger_to(nations: Collection[str]) -> Callable[[Unit], bool]:
    """Units of other allied nations than these."""
    return lambda unit: is_allied(unit) and unit.nationality not in nations
