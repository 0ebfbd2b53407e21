"""Units retreat after combat: which battle they leave, where they go, and slips that are put right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.procedures import faults, settlement
from validator.procedures.battle.step import B, P, Step
from validator.procedures.moves import since_return


class Retreats(Step[B, P]):
    """Judges moves of the mode `retreat` and books the hexes that units retreated.

    Values: `no_part` is the rule for units that retreat from no battle, `late` for those after the next one.
    A game says in `wrong` what is wrong with a retreat, by the core's `judge_retreat` and rules of its own;
    an illegal one leaves its party `strayed`: what it still owes is not held against it. A unit dragged back
    to where it stood retreats anew.
    """

    no_part = ""
    late = ""

    def enforce(self, *rules: str) -> None:
        book, phases = self.setting.rules, self.setting.phases
        book.rule(self.late, *rules)(book.before(Moved, phases=phases)(self.judge))
        book.track(Moved, when=JUDGED, phases=phases)(self.note)

    # --- what a game overrides ---

    def is_retreat(self, case: AnyCase, event: Moved) -> bool:
        return event.mode == "retreat" and len(event.path) > 1

    def wrong(self, case: AnyCase, battle: B, party: P, event: Moved) -> Iterator[Fault]:
        raise NotImplementedError

    def book(self, case: AnyCase, battle: B, party: P, event: Moved) -> None:
        """The hexes retreated, by unit."""
        way = tuple(self.field(case).ids(event.path))
        party.paths.update({name: way for name in event.units if party.holds(name)})

    def take_back(self, party: P, event: Moved) -> None:
        for name in event.units:
            party.paths.pop(party.root(name), None)
        party.strayed = False

    # --- what they share ---

    def judge(self, case: AnyCase, event: Moved) -> Faults:
        event = self._without_slips(event)
        if not self.is_retreat(case, event):
            return
        found = self.fought(case, event)
        if found is None:
            yield faults.no_part(case, self.no_part, event, "retreats")
        elif not self._is_dragged_back(case, event, *found):
            yield from settlement.late(self.late, self.battles(case), found[0], event.units[0])
            yield from self._faults(case, *found, event)

    def note(self, case: AnyCase, event: Moved) -> None:
        event = self._without_slips(event)
        found = self.fought(case, event) if self.is_retreat(case, event) else None
        if found is None:
            return
        battle, party = found
        if self._is_dragged_back(case, event, battle, party):
            self.take_back(party, event)
            for name in event.units:
                case.forgive(name)
            return
        told = self._faults(case, battle, party, event)
        party.strayed = party.strayed or any(fault.verdict is Verdict.ILLEGAL for fault in told)
        self.book(case, battle, party, event)

    def _without_slips(self, event: Moved) -> Moved:
        """Without what was dragged back on the way."""
        path = since_return(event.path)
        return event if path == event.path else replace(event, path=tuple(path))

    def _faults(self, case: AnyCase, battle: B, party: P, event: Moved) -> list[Fault]:
        return case.about(self._faults, lambda: list(self.wrong(case, battle, party, event)))

    def _is_dragged_back(self, case: AnyCase, event: Moved, battle: B, party: P) -> bool:
        """Back by hand to the hex that all of them retreated from, before another battle is fought."""
        if any(other.rolled and other.number > battle.number for other in self.battles(case)):
            return False
        end = self.field(case).id(event.end)
        ways = [party.paths.get(party.root(name), ()) for name in event.units]
        return all(len(way) > 1 and way[0] == end for way in ways)
