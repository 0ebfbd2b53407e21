"""The sequence of play: which phase follows, who acts in it, what may be done, and in what order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fieldpost.definition.model import Phase
from validator.core.breach import Breach

BOTH = "both"
WRONG_PHASE, WRONG_SIDE, OUT_OF_ORDER, PHASE_ORDER = "phase", "side", "step-order", "phase-order"


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn and a phase of it."""

    turn: int
    phase: str


@dataclass(frozen=True)
class SequenceOfPlay:
    phases: tuple[Phase, ...]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {phase.id: i for i, phase in enumerate(self.phases)}

    def phase(self, id_: str) -> Phase:
        return self.phases[self._places[id_]]

    def after(self, moment: Moment) -> Moment:
        """The phase that follows, of the next turn after the last."""
        place = self._places[moment.phase] + 1
        if place == len(self.phases):
            return Moment(moment.turn + 1, self.phases[0].id)
        return Moment(moment.turn, self.phases[place].id)

    def between(self, old: Moment, new: Moment) -> list[Moment] | None:
        """The phases passed over on the way; None if the new moment is not later."""
        if (new.turn, self._places[new.phase]) <= (old.turn, self._places[old.phase]):
            return None
        passed = []
        moment = self.after(old)
        while moment != new:
            passed.append(moment)
            moment = self.after(moment)
        return passed

    def verbs(self, phase: str, side: str) -> frozenset[str]:
        """Everything a side may do in a phase."""
        found = self.phase(phase)
        verbs = set(found.may) if found.active in (side, BOTH) else set()
        for step in found.steps:
            if step.active in (side, BOTH):
                verbs.update(step.may)
        return frozenset(verbs)

    def where(self, verb: str, side: str) -> tuple[str, ...]:
        """The phases in which a side may do something."""
        return tuple(phase.id for phase in self.phases if verb in self.verbs(phase.id, side))

    def check(self, phase: str, side: str, verb: str) -> tuple[Breach, ...]:
        """`side` if only the other side may do this now, `phase` if nobody may."""
        if verb in self.verbs(phase, side):
            return ()
        found = self.phase(phase)
        anybody = {*found.may, *(v for step in found.steps for v in step.may)}
        return (Breach(WRONG_SIDE if verb in anybody else WRONG_PHASE, detail=verb),)


def check_advance(sequence: SequenceOfPlay, old: Moment, new: Moment) -> tuple[Breach, ...]:
    """Whether one moment follows the other; passing over a phase in which nothing was done is the
    game's to judge, so the breach tells how many were passed over."""
    passed = sequence.between(old, new)
    if passed is None:
        return (Breach(PHASE_ORDER, detail=new.phase),)
    if passed:
        return (Breach(PHASE_ORDER, needed=0, available=len(passed), detail=passed[0].phase),)
    return ()


class Progress:
    """How far a phase has come through its steps: a step done early shuts none, one done late is named."""

    def __init__(self, phase: Phase, side: str) -> None:
        self._steps: Sequence[tuple[str, frozenset[str]]] = [
            (step.id, frozenset(step.may)) for step in phase.steps if step.active in (side, BOTH)
        ]
        self._reached = 0

    def act(self, verb: str) -> tuple[Breach, ...]:
        """Something was done; a breach if its step was already over."""
        places = [i for i, (_, verbs) in enumerate(self._steps) if verb in verbs]
        if not places:
            return ()
        if places[-1] < self._reached:
            return (Breach(OUT_OF_ORDER, detail=self._steps[self._reached][0]),)
        self._reached = max(self._reached, places[0])
        return ()
