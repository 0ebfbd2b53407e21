"""Units advance after combat: who may, when, how far and over which hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from validator.core import explain as say
from validator.core.advance import AdvanceRules, check_advance
from validator.core.breach import Breach
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, LAST, Faults
from validator.model.events import Event, Marked, Moved, Removed, Replaced, StepChanged
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.battle.step import B, P, Step
from validator.procedures.moves import since_return, way_of

PAYING = (Moved, StepChanged, Marked, Removed, Replaced)
"""Events by which a side may pay what a result asks of it."""


class Advances(Step[B, P]):
    """Judges moves of the mode `advance`, unit by unit, and notes who advanced.

    An advance that is entered before the other side has paid is judged when it has, or when the phase ends.

    Values: `no_part` is the rule for units that took no part, `late` for an advance after the next battle,
    `off_map` for one that leaves the map. `rules_of` states the core's `AdvanceRules` for one unit.
    """

    no_part = ""
    late = ""
    off_map = ""
    phases: tuple[str, ...] | None = None  # None: all phases with battles

    def enforce(self, *rules: str) -> None:
        book, phases = self.setting.rules, self.phases or self.setting.phases
        book.rule(*rules)(book.before(Moved, phases=phases)(self.judge))
        book.track(Moved, when=JUDGED, phases=phases)(self.note)
        book.rule(*rules)(book.after(*PAYING, phases=phases)(self.judge_what_waited))
        book.track(*PAYING, when=LAST, phases=phases)(self.forget_what_waited)
        book.rule(*rules)(book.at_phase_end(*phases)(self.judge_what_still_waits))

    # --- what a game overrides ---

    def never(self, case: AnyCase, unit: Unit) -> Fault | None:
        """Why a unit does not advance, whatever it did."""
        return None

    def outsider(self, case: AnyCase, event: Moved) -> Fault | None:
        """A unit advances that took no part in a battle."""
        return faults.no_part(case, self.no_part, event, "advances")

    def barred(self, case: AnyCase, battle: B, party: P, unit: Unit) -> Fault | None:
        """Why a unit that fought does not advance after this battle."""
        return None

    def advances_by_step(self, case: AnyCase, battle: B, party: P) -> bool:
        """Whether this step judges it; an overrun may be chapters apart."""
        return True

    def is_next(self, battle: B, other: B) -> bool:
        """Whether another battle ends the time to advance after a battle."""
        return other.number > battle.number

    def rules_of(self, case: AnyCase, battle: B, party: P, unit: Unit) -> AdvanceRules:
        raise NotImplementedError

    def rule_of(self, case: AnyCase, battle: B, party: P, breach: Breach, event: Moved) -> str:
        raise NotImplementedError

    # --- what they share ---

    def judge(self, case: AnyCase, event: Moved) -> Faults:
        for one in self._each(event):
            yield from self._of_unit(case, one)

    def note(self, case: AnyCase, event: Moved) -> None:
        for one in self._each(event):
            name, found = one.units[0], self.engaged(case, one.units[0], one.battle)
            if found is None or _is_sure(self._barred(case, *found, name)):
                continue
            party = found[1]
            if self._comes_back(case, party, one):
                party.advanced.discard(party.root(name))
                party.early = [early for early in party.early if early.units != one.units]
                case.forgive(name)
            elif self.advances_by_step(case, *found):
                party.advanced.add(party.root(name))
                if self._waits(case, found[0], party):
                    party.early.append(one)

    def judge_what_waited(self, case: AnyCase, event: Event) -> Faults:
        for battle, party in self._paid(case):
            for waiting in party.early:
                yield from self._of_early_way(case, battle, party, waiting)

    def forget_what_waited(self, case: AnyCase, event: Event) -> None:
        for _, party in self._paid(case):
            party.early.clear()

    def judge_what_still_waits(self, case: AnyCase) -> Faults:
        for battle in self.battles(case):
            for party in battle.parties:
                for waiting in party.early:
                    yield from self._of_early_way(case, battle, party, waiting)

    def _paid(self, case: AnyCase) -> Iterator[tuple[B, P]]:
        """The sides that advanced before the other side had paid, which by now has."""
        for battle in self.battles(case):
            for party in battle.parties:
                if party.early and not self._is_owed(case, battle, party):
                    yield battle, party

    def _waits(self, case: AnyCase, battle: B, party: P) -> bool:
        """Whether an advance is judged later than it is entered."""
        late = any(self.is_next(battle, other) for other in self.battles(case))
        return not late and self._is_owed(case, battle, party)

    def _is_owed(self, case: AnyCase, battle: B, party: P) -> bool:
        """Whether the other side, or who had retreated into its hex, may still leave it."""
        opponent = battle.opponent(party)
        there = [name for name in opponent.guests if case.position.units[name].on_map]
        return opponent.owing(battle.part(opponent)) or (battle.part(opponent).adverse and bool(there))

    def _each(self, event: Moved) -> Iterable[Moved]:
        """The advance of each unit, without what was dragged back on the way."""
        path = tuple(since_return(event.path))
        if event.mode == "advance" and len(path) > 1:
            yield from (replace(event, units=(name,), path=path) for name in event.units)

    def _of_unit(self, case: AnyCase, event: Moved) -> Iterator[Fault]:
        name, found = event.units[0], self.engaged(case, event.units[0], event.battle)
        if found is None:
            told = self.never(case, case.position.units[name]) or self.outsider(case, event)
        else:
            told = self._barred(case, *found, name)
        if told is not None:
            yield told
        if _is_sure(told) or found is None or self._comes_back(case, found[1], event):
            return
        if self.advances_by_step(case, *found):
            yield from self._of_way(case, *found, event)

    def _barred(self, case: AnyCase, battle: B, party: P, name: str) -> Fault | None:
        unit = case.position.units[name]
        return self.never(case, unit) or self.barred(case, battle, party, unit)

    def _comes_back(self, case: AnyCase, party: P, event: Moved) -> bool:
        """Dragged back by hand: nobody must advance."""
        root = party.root(event.units[0])
        return root in party.advanced and party.stood.get(root) == self.field(case).id(event.end)

    def _of_way(self, case: AnyCase, battle: B, party: P, event: Moved) -> Iterator[Fault]:
        if any(self.is_next(battle, other) for other in self.battles(case)):
            text = f"{event.units[0]} advances after another battle was begun"
            yield Fault(self.late, text, event.units)
        elif not self._is_owed(case, battle, party):
            yield from self._of_path(case, battle, party, event)

    def _of_early_way(self, case: AnyCase, battle: B, party: P, event: Moved) -> Iterator[Fault]:
        for fault in self._of_path(case, battle, party, event):
            yield replace(fault, at=event.origin)

    def _of_path(self, case: AnyCase, battle: B, party: P, event: Moved) -> Iterator[Fault]:
        field, unit = self.field(case), case.position.units[event.units[0]]
        way = way_of(field, event)
        if way is None:
            yield Fault(self.off_map, f"{unit.id} advances off the map in play", (unit.id,))
            return
        rules = replace(self.rules_of(case, battle, party, unit), exact=not event.dragged)
        for breach in check_advance(field.board, rules, way)[:1]:
            text = say.breach_text(field.ground.wording, breach)
            rule = self.rule_of(case, battle, party, breach, event)
            hexes = self.hexes(case, breach.hexes)
            yield Fault(rule, f"{unit.id} advances: {text}", (unit.id,), hexes, alike=breach.key)


def _is_sure(fault: Fault | None) -> bool:
    """Beside a doubt the way of an advance is judged all the same."""
    return fault is not None and fault.verdict is Verdict.ILLEGAL
