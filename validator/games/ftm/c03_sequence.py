"""Chapter 3: the sequence of play. What is done when, and in what order."""

from __future__ import annotations

from validator.games.ftm.book import ADMIN, AXIS, RULES, SOVIET, SUPPLY
from validator.games.ftm.c12_economy import EVACUATED
from validator.games.ftm.state import Case
from validator.model import events as ev
from validator.model.events import Event
from validator.procedures import turnorder
from validator.procedures.exchanges import STEPS
from validator.procedures.turnorder import TurnOrder, Verb

ROLLS = {
    "attrition": ("attrition", "both"),
    "partisans": ("partisans", "both"),
    "production": ("produce", SOVIET),
}
MARKS = {"supply": ("set-supply", "both"), "partisan": ("place-partisan", SOVIET)}
LEAVES = {
    "air-base": ("remove-air-base", AXIS),
    "offensive-support": ("remove-offensive-support", SOVIET),
    "supply-base": ("remove-base", AXIS),
}


def verb_of(case: Case, event: Event) -> Verb | None:
    """What an event is in the words of the sequence of play, and whose it is; None for what is in none."""
    units = case.position.units
    match event:
        case ev.Declared(what, names):
            return what, units[names[0]].side if names else "both"
        case ev.Replaced(old, _, _, why) if why:
            return why, units[old[0]].side
        case ev.StepChanged() if case.phase == ADMIN:
            return STEPS, AXIS
        case ev.Rolled(_, _, reason):
            return ROLLS.get(reason)
        case ev.Drawn(_, _, unit):
            if unit is not None and not case.phase_start.units[unit].on_map:
                return None  # an army that came for a mechanized group draws after the step of draws (11.1.2)
            return "draw-strength", SOVIET
        case ev.Returned(_, _, None):
            return "add-strength", SOVIET  # a converted army gives its chit back too: no step of its own
        case ev.Marked(marker):
            return MARKS.get(case.game.marker[marker].kind)
        case ev.Removed(unit, box):
            return ("evacuate", SOVIET) if box == EVACUATED else LEAVES.get(units[unit].type.id)
    return None


turnorder.register(
    RULES,
    TurnOrder(
        phases="ftm-3.0b",
        turns="ftm-3.1d",
        belongs="ftm-3.0a",
        stepwise={SUPPLY: "ftm-3.1b", ADMIN: "ftm-3.1c"},
        verb_of=verb_of,
        elsewhere=frozenset({"convert", "rebuild"}),
    ),
)
