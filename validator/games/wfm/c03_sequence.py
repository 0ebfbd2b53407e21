"""Chapter 3: the sequence of play. What is done when, and in what order."""

from __future__ import annotations

from validator.core.sequence import Moment, Progress
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import AXIS, ENEMY, RULES, SOVIET
from validator.games.wfm.state import Case
from validator.model import events as ev
from validator.model.events import Event
from validator.model.findings import Fault, Verdict

MOVING = ("axis-move", "sov-move", "ger-mech")
STEPWISE = ("supply", "admin")  # phases whose steps have an order
STEPS_OF_PHASES = (ev.Declared, ev.Replaced, ev.Rolled, ev.Drawn, ev.Marked, ev.Removed, ev.Placed)


def verb_of(case: Case, event: Event) -> tuple[str, str] | None:
    """What an event is in the words of the sequence of play, and whose it is; None for what is in none."""
    units = case.position.units
    match event:
        case ev.Moved(moved, path, mode, _) if mode not in ("retreat", "advance") and path[0] != path[-1]:
            if any(isinstance(spot, str) for spot in path):
                return None
            unit = units[moved[0]]
            last = "airbase-move" if unit.has("airbase") else "osg-move" if unit.has("osg") else "move"
            return ({"sea": "sea-move", "strategic": "strategic-move"}.get(mode, last), unit.side)
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


def _marking(case: Case, marker: str) -> tuple[str, str] | None:
    kind = case.game.marker[marker].kind
    return {
        "air-fleet": ("place-fleet", AXIS),
        "partisan": ("place-partisan", SOVIET),
        "supply": ("set-supply", "both"),
    }.get(kind)


def _removing(case: Case, unit: str, box: str | None) -> tuple[str, str] | None:
    found = case.position.units[unit]
    if found.has("evacuates") and box == "evacuated-factories":
        return "evacuate", SOVIET
    if found.has("strategic-port"):
        return "check-ports", SOVIET
    return None


# Where a wrong phase is named by a rule of its own chapter.
_ELSEWHERE = {
    *("attack", "overrun", "draw-strength", "produce", "evacuate", "check-ports", "place-fleet", "drop"),
    *("place-partisan", "set-supply", "attrition", "breakdown", "buildup", "exchange-steps", "convert"),
    *("rebuild", "incorporate", "army-breakdown"),
}


@RULES.rule("wfm-3.0a")
@RULES.before(ev.Moved, ev.Declared)
def each_action_has_its_phase(case: Case, event: Event) -> Faults:
    found = verb_of(case, event)
    if found is None or found[0] in _ELSEWHERE:
        return
    verb, side = found
    order = case.sequence
    known = {v for phase in case.game.sequence for s in ENEMY for v in order.verbs(phase.id, s)}
    if isinstance(event, ev.Moved) and case.phase in MOVING:
        return  # chapter 5 tells whose phase it is, and what may move in it
    if isinstance(event, ev.Moved) and _fights_undeclared(case):
        case.not_checked("a move in a combat phase whose battles are not declared")
        return
    if verb in known and verb not in order.verbs(case.phase, side):
        units = event.units if isinstance(event, (ev.Moved, ev.Declared)) else ()
        where = " or ".join(map(case.phase_name, order.where(verb, side))) or "no phase of that side"
        yield Fault("wfm-3.0a", f"{'+'.join(units)}: {verb.replace('-', ' ')} belongs to {where}", units)


def _fights_undeclared(case: Case) -> bool:
    """Dice, and no battle: what moves may be a retreat or an advance that the log does not show as one."""
    events = case.in_phase.events
    rolled = any(isinstance(event, ev.Rolled) for event in events)
    return rolled and not any(isinstance(event, ev.Attacked) for event in events)


@RULES.rule("wfm-3.0b", "wfm-3.0e")
@RULES.before(ev.PhaseBegan)
def phases_follow_one_another(case: Case, event: ev.PhaseBegan) -> Faults:
    """Phases in which nothing is done may be passed over; none is gone back to."""
    now, then = Moment(case.turn, case.phase), Moment(event.turn, event.phase)
    if now == then or not case.in_game.events:
        return
    passed = case.sequence.between(now, then)
    if passed is None:
        slip = _last_action(case) in (None, then) or _is_later(case, then, _last_action(case))
        text = f"turn {then.turn} {case.phase_name(then.phase)} is gone back to from turn {now.turn} "
        text += case.phase_name(now.phase)
        yield Fault("wfm-3.0b", text, verdict=Verdict.WARNING if slip else Verdict.ILLEGAL)
    elif then.turn > now.turn + 1:
        yield Fault(
            "wfm-3.0e",
            f"the turn goes on from {now.turn} to {then.turn}, not by one",
            verdict=Verdict.WARNING,
        )


def _last_action(case: Case) -> Moment | None:
    """The phase in which something was last done; turning the tracker too far is no action."""
    acted = False
    for event in reversed(case.in_game.events):
        if isinstance(event, ev.PhaseBegan) and acted:
            return Moment(event.turn, event.phase)
        acted = acted or not isinstance(event, (ev.PhaseBegan, ev.Said))
    return None


def _is_later(case: Case, moment: Moment, other: Moment | None) -> bool:
    return other is not None and case.sequence.between(other, moment) is not None


@RULES.rule("wfm-3.0d", "wfm-3.0f")
@RULES.before(*STEPS_OF_PHASES, phases=STEPWISE)
def steps_keep_their_order(case: Case, event: Event) -> Faults:
    """Inside the supply and the administrative phase. Out of order is doubtful: often nothing hangs on it."""
    found = verb_of(case, event)
    if found is None:
        return
    verb, side = found
    for actor in _actors(side):
        for breach in _progress(case, actor).check(verb):
            names = {step.id: step.name for step in case.sequence.phase(case.phase).steps}
            rule = "wfm-3.0f" if case.phase == "supply" else "wfm-3.0d"
            done = names[breach.detail]
            yield Fault(rule, f"{verb.replace('-', ' ')} after: {done}", verdict=Verdict.WARNING)
            return


@RULES.track(*STEPS_OF_PHASES, when=JUDGED, phases=STEPWISE)
def note_the_step_reached(case: Case, event: Event) -> None:
    found = verb_of(case, event)
    if found is not None:
        for actor in _actors(found[1]):
            case.in_phase.progress[actor] = _progress(case, actor).after(found[0])


def _actors(side: str) -> tuple[str, ...]:
    return tuple(ENEMY) if side == "both" else (side,)


def _progress(case: Case, side: str) -> Progress:
    known = case.in_phase.progress.get(side)
    return known or Progress.of(case.sequence.phase(case.phase), side)
