"""The sequence of play: which phase follows, who acts in it, what may be done, and in what order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fieldpost.definition.model import Order, Phase, Step, phases_of
from validator.core.breach import Breach

BOTH = "both"
OUT_OF_ORDER = "step-order"


@dataclass(frozen=True, slots=True)
class Moment:
    """A turn and a phase of it."""

    turn: int
    phase: str


@dataclass(frozen=True)
class SequenceOfPlay:
    phases: tuple[Phase, ...]
    orders: tuple[Order, ...] = ()  # as in the game's data

    @cached_property
    def _known(self) -> dict[str, Phase]:
        return {phase.id: phase for phase in self.phases}

    @cached_property
    def _turns(self) -> dict[int, tuple[str, ...]]:
        """The phases of the turns that were asked for."""
        return {}

    def phase(self, id_: str) -> Phase:
        return self._known[id_]

    def of_turn(self, turn: int) -> tuple[str, ...]:
        """The phases of a turn, in their order."""
        if turn not in self._turns:
            self._turns[turn] = tuple(phase.id for phase in phases_of(self.phases, self.orders, turn))
        return self._turns[turn]

    def after(self, moment: Moment) -> Moment:
        """The phase that follows, of the next turn after the last, and after one that its turn lacks."""
        phases = self.of_turn(moment.turn)
        if moment.phase not in phases[:-1]:
            return self._opening(moment.turn + 1)
        return Moment(moment.turn, phases[phases.index(moment.phase) + 1])

    def between(self, old: Moment, new: Moment) -> list[Moment] | None:
        """The phases passed over; None if the new moment is not later or its turn lacks the phase."""
        if new.phase not in self.of_turn(new.turn) or self._place(new) <= self._place(old):
            return None
        passed = []
        moment = self.after(old)
        while moment != new:
            passed.append(moment)
            moment = self.after(moment)
        return passed

    def _place(self, moment: Moment) -> tuple[int, int]:
        """Where a moment stands in the game; a phase that its turn lacks stands at the end of the turn."""
        phases = self.of_turn(moment.turn)
        return moment.turn, phases.index(moment.phase) if moment.phase in phases else len(phases)

    def _opening(self, turn: int) -> Moment:
        return Moment(turn, self.of_turn(turn)[0])

    def verbs(self, phase: str, side: str) -> frozenset[str]:
        """Everything a side may do in a phase."""
        parts: list[Phase | Step] = [self.phase(phase), *self.phase(phase).steps]
        return frozenset(verb for part in parts if part.active in (side, BOTH) for verb in part.may)

    def where(self, verb: str, side: str) -> tuple[str, ...]:
        """The phases in which a side may do something."""
        return tuple(phase.id for phase in self.phases if verb in self.verbs(phase.id, side))


@dataclass(frozen=True)
class Progress:
    """How far a phase has come through its steps: a step done early shuts none, one done late is named."""

    steps: tuple[tuple[str, frozenset[str]], ...]
    reached: int = 0

    @classmethod
    def of(cls, phase: Phase, side: str) -> Progress:
        return cls(
            tuple((step.id, frozenset(step.may)) for step in phase.steps if step.active in (side, BOTH))
        )

    def check(self, verb: str) -> tuple[Breach, ...]:
        """A breach if the step in which this is done was already over."""
        places = self._places(verb)
        if not places or places[-1] >= self.reached:
            return ()
        return (Breach(OUT_OF_ORDER, detail=self.steps[self.reached][0]),)

    def after(self, verb: str) -> Progress:
        """When this has been done, late or in time."""
        places = self._places(verb)
        if not places or places[-1] < self.reached:
            return self
        return Progress(self.steps, max(self.reached, places[0]))

    def _places(self, verb: str) -> list[int]:
        return [i for i, (_, verbs) in enumerate(self.steps) if verb in verbs]
