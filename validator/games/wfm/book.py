"""The rulebook of War for the Motherland that the chapters register their rules in."""

from fieldpost.definition.scenariomodel import SpecialRule
from validator.engine.rulebook import Rulebook
from validator.games.wfm.state import Case, InGame, InPhase, InTurn

RULES = Rulebook("wfm", InGame, InTurn, InPhase, unclaimed="wfm-3.0a")
AXIS, SOVIET = "axis", "soviet"
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}


def special(case: Case, id_: str) -> SpecialRule | None:
    """A special rule of the scenario, if it has it (16.4, 17.4, 18.4, 19.4)."""
    return next((rule for rule in case.scenario.special_rules if rule.id == id_), None)
