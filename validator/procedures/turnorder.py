"""The order of phases, and of the steps inside a phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from validator.core.sequence import Moment, Progress
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model import events as ev
from validator.model.events import Event
from validator.model.findings import Fault, Verdict

STEPS_OF_PHASES = (
    ev.Declared,
    ev.Replaced,
    ev.Rolled,
    ev.Drawn,
    ev.Returned,
    ev.Marked,
    ev.Unmarked,
    ev.Removed,
    ev.Placed,
    ev.StepChanged,
)
ACTS = (*STEPS_OF_PHASES, ev.Moved, ev.Attacked, ev.RoundBegan, ev.Fired)
Verb = tuple[str, str]
"""What an event is in the words of the sequence of play, and whose it is; the side may be `both`."""
VerbOf = Callable[[Any, Event], Verb | None]


@dataclass(frozen=True)
class TurnOrder:
    """`phases`: the rule of their order; `turns`: of turns; `stepwise`: of the steps of a phase, by phase.

    `verb_of` says which verb of a phase's steps an event is. `belongs` is the rule that a verb in a phase
    without it breaks; verbs in `elsewhere` are judged by chapters of their own.
    """

    phases: str
    turns: str
    belongs: str
    stepwise: Mapping[str, str]
    verb_of: VerbOf
    elsewhere: frozenset[str] = frozenset()


def register(rules: Rulebook, of: TurnOrder) -> None:
    """The judges and reducers of the order of play. The game's phase remembers `progress`, by side."""

    follow(rules, of.phases, of.turns)
    keep_steps(rules, of.stepwise, of.verb_of)

    @rules.rule(of.belongs)
    @rules.before(ev.Declared, ev.Replaced)
    def each_action_has_its_phase(case: AnyCase, event: Event) -> Faults:
        action = of.verb_of(case, event)
        if action is None or action[0] in of.elsewhere:
            return
        verb, side = action
        places = case.sequence.where(verb, side)
        if places and case.phase not in places:
            units = event.units if isinstance(event, ev.Declared) else ()
            where = " or ".join(map(case.phase_name, places))
            yield Fault(of.belongs, f"{verb.replace('-', ' ')} belongs to {where}", units)


def follow(
    rules: Rulebook, phases: str, turns: str, back_to: Mapping[str, str] = MappingProxyType({})
) -> None:
    """The rules of the order of phases and turns; `back_to`: of a phase that is gone back to in its turn."""

    @rules.rule(phases, turns, *back_to.values())
    @rules.before(ev.PhaseBegan)
    def phases_follow_one_another(case: AnyCase, event: ev.PhaseBegan) -> Faults:
        """Phases in which nothing is done may be passed over; none is gone back to."""
        now, then = _last_of_the_order(case), Moment(event.turn, event.phase)
        if now is None or now == then or not _is_played(case, then):
            return
        if case.sequence.between(now, then) is None:
            rule = back_to.get(then.phase, phases) if then.turn == now.turn else phases
            yield _gone_back(rule, case, now, then)
        elif then.turn > now.turn + 1:
            text = f"the turn goes on from {now.turn} to {then.turn}, not by one"
            yield Fault(turns, text, verdict=Verdict.WARNING)

    @rules.rule(phases)
    @rules.before(*ACTS)
    def nothing_is_done_in_a_phase_that_the_turn_lacks(case: AnyCase, event: Event) -> Faults:
        """Its space may be passed on the track."""
        if not _is_played(case, Moment(case.turn, case.phase)):
            text = f"turn {case.turn} has no {case.phase_name()}"
            yield Fault(phases, text, once=("no phase", case.turn, case.phase))


def _is_played(case: AnyCase, moment: Moment) -> bool:
    return moment.phase in case.sequence.of_turn(moment.turn)


def _last_of_the_order(case: AnyCase) -> Moment | None:
    """Where the game stands; what its turn lacks was passed on the track. None before its first phase."""
    if not case.in_game.events:
        return None
    moments = [Moment(case.turn, case.phase)]
    if not _is_played(case, moments[0]):
        began = (event for event in reversed(case.in_game.events) if isinstance(event, ev.PhaseBegan))
        moments = [Moment(event.turn, event.phase) for event in began]
    return next((moment for moment in moments if _is_played(case, moment)), None)


def keep_steps(rules: Rulebook, stepwise: Mapping[str, str], verb_of: VerbOf) -> None:
    """The order of the steps of a phase, and the rule of it, by phase."""

    @rules.rule(*stepwise.values())
    @rules.before(*STEPS_OF_PHASES, phases=stepwise)
    def steps_keep_their_order(case: AnyCase, event: Event) -> Faults:
        """Out of order is doubtful: often nothing hangs on it."""
        for actor, verb in _actors(verb_of, case, event):
            for breach in _progress(case, actor).check(verb):
                names = {step.id: step.name for step in case.sequence.phase(case.phase).steps}
                text = f"{verb.replace('-', ' ')} after: {names[breach.detail]}"
                yield Fault(stepwise[case.phase], text, verdict=Verdict.WARNING)
                return

    @rules.track(*STEPS_OF_PHASES, when=JUDGED, phases=stepwise)
    def note_the_step_reached(case: AnyCase, event: Event) -> None:
        for actor, verb in _actors(verb_of, case, event):
            case.in_phase.progress[actor] = _progress(case, actor).after(verb)


def _actors(verb_of: VerbOf, case: AnyCase, event: Event) -> list[Verb]:
    """Who does it, and what; of nothing that the sequence names, none."""
    action = verb_of(case, event)
    if action is None:
        return []
    sides = [side.id for side in case.game.sides] if action[1] == "both" else [action[1]]
    return [(side, action[0]) for side in sides]


def _progress(case: AnyCase, side: str) -> Progress:
    known: Progress | None = case.in_phase.progress.get(side)
    return known or Progress.of(case.sequence.phase(case.phase), side)


def _gone_back(rule: str, case: AnyCase, now: Moment, then: Moment) -> Fault:
    last = _last_action(case)
    slip = last in (None, then) or _is_later(case, then, last)
    text = f"turn {then.turn} {case.phase_name(then.phase)} is gone back to from turn {now.turn} "
    text += case.phase_name(now.phase)
    return Fault(rule, text, verdict=Verdict.WARNING if slip else Verdict.ILLEGAL)


def _last_action(case: AnyCase) -> Moment | None:
    """The phase in which something was last done; turning the tracker too far is no action."""
    acted = False
    for event in reversed(case.in_game.events):
        if isinstance(event, ev.PhaseBegan) and acted:
            return Moment(event.turn, event.phase)
        acted = acted or not isinstance(event, (ev.PhaseBegan, ev.Said))
    return None


def _is_later(case: AnyCase, moment: Moment, other: Moment | None) -> bool:
    return other is not None and case.sequence.between(other, moment) is not None
