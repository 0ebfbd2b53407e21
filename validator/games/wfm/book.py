"""The rulebook of War for the Motherland that the chapters register their rules in."""

from validator.registry import Rulebook

RULES = Rulebook("wfm")
AXIS, SOVIET = "axis", "soviet"
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}
