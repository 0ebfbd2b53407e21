"""Chapter 3: the sequence of play. What is done when, and in what order."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.wfm.book import AXIS, ENEMY, RULES, SOVIET
from validator.games.wfm.state import Case
from validator.model import events as ev
from validator.model.events import Event
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import turnorder
from validator.procedures.faults import first_true

MOVES = {"sea": "sea-move", "strategic": "strategic-move"}
MOVING = ("axis-move", "sov-move", "ger-mech")


def verb_of(case: Case, event: Event) -> tuple[str, str] | None:
    """What an event is in the words of the sequence of play, and whose it is; None for what is in none."""
    units = case.position.units
    match event:
        case ev.Moved(moved, _, mode, _) if event.by_land and event.ends_elsewhere:
            unit = units[moved[0]]
            return MOVES.get(mode, _of_march(unit)), unit.side
        case ev.Declared(what, declared, _, _) if declared:
            return what, units[declared[0]].side
        case ev.Replaced(old, new, _, why) if why:
            return why, units[(*old, *(name for name, _ in new))[0]].side
        case ev.Rolled(_, _, "attrition", _, _):
            return "attrition", "both"
        case ev.Drawn(_, _, _):
            return "draw-strength", SOVIET
        case ev.Marked(marker, _, _):
            return _marking(case, marker)
        case ev.Removed(unit, box, None):
            return _removing(case, unit, box)
        case ev.Placed(unit, _, _) if case.phase == "admin" and units[unit].has("osg"):
            return "produce", SOVIET
    return None


def _of_march(unit: Unit) -> str:
    return first_true((unit.has("airbase"), "airbase-move"), (unit.has("osg"), "osg-move"), otherwise="move")


def _marking(case: Case, marker: str) -> tuple[str, str] | None:
    kind = case.game.marker[marker].kind
    return {
        "air-fleet": ("place-fleet", AXIS),
        "partisan": ("place-partisan", SOVIET),
        "supply": ("set-supply", "both"),
    }.get(kind)


def _removing(case: Case, unit: str, box: str | None) -> tuple[str, str] | None:
    evacuated = case.unit(unit).has("evacuates") and box == "evacuated-factories"
    return first_true(
        (evacuated, ("evacuate", SOVIET)),
        (case.unit(unit).has("strategic-port"), ("check-ports", SOVIET)),
        otherwise=None,
    )


# Where a wrong phase is named by a rule of its own chapter.
_ELSEWHERE = {
    *("attack", "overrun", "draw-strength", "produce", "evacuate", "check-ports", "place-fleet", "drop"),
    *("place-partisan", "set-supply", "attrition", "breakdown", "buildup", "exchange-steps", "convert"),
    *("rebuild", "incorporate", "army-breakdown"),
}


@RULES.rule("wfm-3.0a")
@RULES.before(ev.Moved, ev.Declared)
def each_action_has_its_phase(case: Case, event: Event) -> Faults:
    action, order = verb_of(case, event), case.sequence
    told_elsewhere = isinstance(event, ev.Moved) and case.phase in MOVING  # chapter 5
    if action is None or action[0] in _ELSEWHERE or told_elsewhere:
        return
    verb, side = action
    if isinstance(event, ev.Moved) and _fights_undeclared(case):
        case.not_checked("a move in a combat phase whose battles are not declared")
        return
    known = any(order.where(verb, player) for player in ENEMY)
    if known and verb not in order.verbs(case.phase, side):
        units = event.concerned
        where = " or ".join(map(case.phase_name, order.where(verb, side))) or "no phase of that side"
        yield Fault("wfm-3.0a", f"{'+'.join(units)}: {verb.replace('-', ' ')} belongs to {where}", units)


def _fights_undeclared(case: Case) -> bool:
    """Dice, and no battle: what moves may be a retreat or an advance that the log does not show as one."""
    return bool(case.in_phase.of(ev.Rolled)) and not case.in_phase.of(ev.Attacked)


turnorder.follow(RULES, phases="wfm-3.0b", turns="wfm-3.0e")
turnorder.keep_steps(RULES, {"supply": "wfm-3.0f", "admin": "wfm-3.0d"}, verb_of)
