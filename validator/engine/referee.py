"""The referee: asks a game's rules about each event, and goes on from what the log shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

from fieldpost.definition.model import Game, Phase, Scenario
from validator.core.sequence import Moment
from validator.engine import claims
from validator.engine.boxes import transfers
from validator.engine.case import AnyCase, Case, Fixed
from validator.engine.claims import Key, Pending
from validator.engine.forks import forked
from validator.engine.reconstructed import Reconstructed, unconfirmed
from validator.engine.rulebook import APPLIED, FIRST, JUDGED, LAST, Rulebook
from validator.engine.undeclared import (
    Undeclared,
    among_the_enemy,
    clock_fault,
    kind_of,
    said,
    unjudged,
    without_clock,
)
from validator.model import position as positions
from validator.model.events import (
    ClockUnknown,
    Drawn,
    Event,
    Fired,
    Moved,
    NotUnderstood,
    Origin,
    PhaseBegan,
    Placed,
    Removed,
    Returned,
    Rolled,
    StepChanged,
    Unread,
)
from validator.model.events import Undeclared as UndeclaredPhase
from validator.model.findings import (
    Fault,
    Finding,
    NotJudged,
    Open,
    Report,
    Unchecked,
    Verdict,
    Way,
    joined,
)
from validator.model.position import Position

CHANGES = (Moved, Placed, Removed, StepChanged)
"""Events of counters that players put right by hand."""


CHANCE = (Rolled, Fired, Drawn, Returned)
"""What falls by chance cannot be taken back."""


class Referee:
    """Judges a game event by event. It can be fed one log after another."""

    def __init__(
        self,
        game: Game,
        scenario: Scenario,
        rules: Rulebook,
        statements: Mapping[str, str],
        options: Mapping[str, str] | None = None,
        position: Position | None = None,
        *,
        by_hand: bool = False,
        foreign: Reconstructed | None = None,
    ) -> None:
        start = position or positions.start(game, scenario)
        self.rules = rules
        self.statements = statements
        self.case = new_case(rules, game, scenario, start, options)
        self.case.by_hand = by_hand
        self.findings: list[Finding] = []
        self.ways: list[Way] = []
        self.actions = 0
        self._began = False
        self._closed = False
        self._passing = False  # the log shows nothing of this phase, which it went past
        self._phase_findings = self._known = 0
        self._told: set[object] = set()  # faults that are reported once in a phase
        self._changes: list[int] = []  # findings of this phase about counters moved or changed
        self._pending = Pending()
        self.not_judged: list[NotJudged] = []
        self._undeclared: Undeclared | None = None  # this phase, if a log declares no battle in it
        self._leaving = False  # that log is being judged
        self._clock_unknown = False  # the tracker shows the first phase, and the board another one
        self._foreign = foreign  # given where the game was played with a module that is not ours

    def fork(self, options: Mapping[str, str] | None = None) -> Referee:
        """Another referee who knows what this one does, between two events; with other options, if given.

        What was worked out before by an option does not change: it must not have been asked for yet.
        """
        case, twin = self.case, copy(self)
        chosen = case.options if options is None else {**case.options, **options}
        fixed = case.fixed if options is None else _fixed(case.game, case.scenario, chosen)
        twin.case = case.fork(chosen, fixed)
        twin.findings, twin.ways = [*self.findings], [*self.ways]
        twin._told, twin._changes = {*self._told}, [*self._changes]
        twin._pending = self._pending.fork()
        twin.not_judged, twin._undeclared = [*self.not_judged], forked(self._undeclared, {})
        return twin

    def feed(self, events: Iterable[Event]) -> None:
        for event in events:
            self.judge(event)

    def judge(self, event: Event) -> list[Finding]:
        """What is wrong with one event; afterwards the position is what the event made of it."""
        known = len(self.findings)
        for one in [event] if self.rules.boxes else transfers(event, self.case.position):
            self._judge(one)
            known = min(known, self._known)
        return self.findings[known:]

    def _judge(self, event: Event) -> None:
        self._known = len(self.findings)
        case = self.case
        case.of_event, case.faults, case.forgiven, case.ways = {}, (), set(), {}
        self._closed = False
        if isinstance(event, Unread):
            case.not_checked(event.reason)
        elif isinstance(event, NotUnderstood):
            pass  # the report lists it
        elif isinstance(event, ClockUnknown):
            self._lose_the_clock(event)
        elif isinstance(event, UndeclaredPhase):
            self._open_phase(event)
            self._begin_undeclared(event)
        elif isinstance(event, PhaseBegan):
            if self._clock_unknown:
                self._begin_anew()
            for passed in self._duties_passed_over(event):
                self._turn_page(passed)
                self._passing = True
            self._turn_page(event)
        else:
            self._open_phase(event)
            self.actions += 1
            undeclared = self._undeclared if self._leaving else None
            kind = kind_of(case, event, undeclared) if undeclared is not None else ""
            if self._clock_unknown:
                self.not_judged.append(without_clock(case, event))
                self._remember(event)
            elif undeclared is not None and kind:
                self.not_judged.append(unjudged(case, event, undeclared, kind))
                self._remember(event)
            else:
                self._judge_change(event)
        self.ways += [Way(event.origin.step, text) for text in case.ways]
        for memory in (case.in_phase, case.in_turn, case.in_game):
            memory.events.append(event)

    def seal(self) -> None:
        """What was found so far stays, whatever is put back later."""
        self._pending = Pending()
        self._leaving = False

    def note(self, fault: Fault, origin: Origin) -> None:
        """A finding that is no rule's judge's: about how the phase was read."""
        self.findings.append(self._finding(fault, origin))

    def in_phase_since(self, number: int) -> list[Finding]:
        """The findings of the present phase, without the first so many findings of all."""
        return self.findings[max(number, self._phase_findings) :]

    def illegal_since(self, number: int, *, over: bool) -> list[Fault]:
        """What is illegal in this phase, without the first so many findings of all; with what the end of the
        phase will find, where it is over."""
        found = [finding.fault for finding in self.in_phase_since(number)]
        found += [fault for fault in self._at_the_end() if over or fault.settled]
        return [fault for fault in found if fault.verdict is Verdict.ILLEGAL]

    def put_findings_in_order(self, number: int, events: Sequence[Event]) -> None:
        """Those of the present phase after so many, by the steps of their events, as these were entered."""
        found = self.in_phase_since(number)
        dice = [event.origin.step for event in events if isinstance(event, Rolled | Fired)]
        found.sort(key=lambda finding: finding.origin.step or max(dice, default=0))
        self.findings[max(number, self._phase_findings) :] = [
            replace(one, dice_followed=any(step > one.origin.step for step in dice)) for one in found
        ]
        self._changes, self._pending = [], Pending()

    def close(self) -> None:
        """The phase is over: what is due by now is asked for."""
        self._close_phase(PhaseBegan(self.case.turn, self.case.phase))
        self._closed = True

    def report(self) -> Report:
        case = self.case
        unchecked = tuple(Unchecked(reason, count) for reason, count in case.unchecked.most_common())
        return Report(
            case.game.id,
            case.scenario.id,
            self.actions,
            (*self.findings, *self.settled()),
            unchecked,
            open=tuple(self.owed()),
            ways=tuple(self.ways),
            not_judged=tuple(self.not_judged),
        )

    def owed(self) -> Iterator[Open]:
        """What the phase still asks for, if it is not over and something was done in it."""
        for fault in self._at_the_end():
            if not fault.settled:
                yield Open(fault.rule, fault.message, fault.units)

    def settled(self) -> Iterator[Finding]:
        """Faults that the end of the phase will report, whatever is still done in it."""
        for fault in self._at_the_end():
            if fault.settled:
                yield self._finding(fault, Origin())

    def _at_the_end(self) -> list[Fault]:
        """What the end of the phase would report, if it is not over and something was done in it."""
        case = self.case
        acted = any(not isinstance(event, PhaseBegan) for event in case.in_phase.events)
        if self._closed or not acted:
            return []
        told, known, unchecked = [], set(self._told), case.unchecked.copy()
        for fault in joined(_in_order(self._asked_at_the_end())):
            if fault.once is None or fault.once not in known:
                known.add(fault.once)
                told.append(fault)
        case.unchecked = unchecked
        return told

    # --- one event ---

    def _judge_change(self, event: Event) -> None:
        case, rules = self.case, self.rules
        if isinstance(event, Fired) and not event.units:  # of a hex where none stands: nothing else to judge
            self._note([claims.empty_volley(rules, event)], event)
            return
        unclaimed = claims.unclaimed(rules, case, event) if rules.unclaimed else None
        if unclaimed is not None and isinstance(event, Fired) and not event.units:
            self._note([unclaimed], event)
            return  # nobody fires, so nothing else can be said of it
        elsewhere = unclaimed is not None and claims.is_elsewhere(case, event)
        before = claims.states_before(case.position, event)
        rules.reduce(FIRST, case, event)
        self._note(() if elsewhere else rules.judge_before(case, event), event)
        rules.reduce(JUDGED, case, event)
        case.position.apply(event)
        rules.reduce(APPLIED, case, event)
        self._note(() if elsewhere else rules.judge_after(case, event), event)
        self._note_unclaimed(event, unclaimed, before)
        rules.reduce(LAST, case, event)
        if isinstance(event, Rolled | Fired):
            self._dice_followed()
        self._forgive(case.forgiven)
        if isinstance(event, CHANGES):
            self._changes += range(self._known, len(self.findings))

    def _begin_undeclared(self, event: UndeclaredPhase) -> None:
        if self._undeclared is None:
            self._undeclared = Undeclared(self.case.position.snapshot(), event.without_dice)
        self._leaving = True
        self.not_judged += said(self.case, event, self._undeclared)

    def _lose_the_clock(self, event: ClockUnknown) -> None:
        """Until the tracker moves it is not known what may be done; where other logs came before, it is."""
        if self._began:
            return
        self._clock_unknown = True
        self._open_phase(event)
        self._note([clock_fault(event)], event)

    def _begin_anew(self) -> None:
        """The tracker shows where the game stands: what was done before is of phases that are not known."""
        case, rules = self.case, self.rules
        case.in_game, case.in_turn, case.in_phase = rules.in_game(), rules.in_turn(), rules.in_phase()
        self._clock_unknown = self._began = False

    def _remember(self, event: Event) -> None:
        """The position and what is remembered change; no judge is asked."""
        case, rules = self.case, self.rules
        rules.reduce(FIRST, case, event)
        rules.reduce(JUDGED, case, event)
        case.position.apply(event)
        rules.reduce(APPLIED, case, event)
        rules.reduce(LAST, case, event)
        if isinstance(event, Rolled | Fired):
            self._dice_followed()

    def _asked_at_the_end(self) -> Iterable[Fault]:
        """What the rules ask for at the end of a phase; where its battles are not known, what is certain."""
        if self._clock_unknown:
            return ()
        if self._undeclared is None or not self._undeclared.shaken:
            return self.rules.judge_end(self.case)
        certain = [fault for fault in self.rules.judge_end(self.case) if fault.rule in self.rules.certain]
        held = self.rules.held or self.rules.unclaimed
        return chain(certain, among_the_enemy(self.case, self._undeclared, held))

    def _note_unclaimed(self, event: Event, fault: Fault | None, before: dict[Key, object]) -> None:
        """What is put back as it was, before dice or chits, is nobody's fault, nor is putting it back."""
        if isinstance(event, CHANCE):
            self._pending = Pending()
        put_right = self._pending.put_right(self.case.position, event)
        if put_right:
            put_right.update(range(self._known, len(self.findings)))
            for index in sorted(put_right, reverse=True):
                self._drop(index)
            return
        if fault is not None and not self.case.faults:
            self._note([fault], event)
        if not isinstance(event, (*CHANCE, Moved)):
            position = self.case.position
            changed = {key: was for key, was in before.items() if claims.state_of(position, key) != was}
            for index in range(self._known, len(self.findings)):
                self._pending.note(changed, index)

    def _drop(self, index: int) -> None:
        del self.findings[index]
        self._known = min(self._known, len(self.findings))
        self._changes = claims.without(self._changes, index)
        self._pending.drop(index)

    # --- phases ---

    def _duties_passed_over(self, event: PhaseBegan) -> list[PhaseBegan]:
        """Phases with duties that a log goes past on its way to the next: they are gone through in doubt."""
        goes_on = self._began and event.turn - self.case.turn in (0, 1)
        moments = self.case.passed_by(event) if goes_on else []
        return [
            replace(event, turn=moment.turn, phase=moment.phase)
            for moment in moments
            if moment.phase in self.rules.duties
        ]

    def _turn_page(self, event: PhaseBegan) -> None:
        case, rules = self.case, self.rules
        same = (event.turn, event.phase) == (case.turn, case.phase)
        if self._began and not same:
            self._close_phase(event)
        rules.reduce(FIRST, case, event)
        self._note(rules.judge_before(case, event), event)
        rules.reduce(JUDGED, case, event)
        passed = self._passed_over(event)
        new_turn = event.turn != case.turn
        self._book(moment for moment in passed if moment.turn == case.turn)
        case.position.apply(event)
        if new_turn:
            case.in_turn = rules.in_turn()
            self._book(moment for moment in passed if moment.turn == event.turn)
        if not (same and self._began):
            self._start_phase(event)

    def _passed_over(self, event: PhaseBegan) -> list[Moment]:
        """Phases that the log does not show on its way to the one that begins."""
        case = self.case
        now, then = Moment(case.turn, case.phase), Moment(event.turn, event.phase)
        between = case.sequence.between(now, then) if self._began and self.rules.passed else None
        return [moment for moment in between or () if moment.phase in self.rules.passed]

    def _book(self, moments: Iterable[Moment]) -> None:
        for moment in moments:
            for reducer in self.rules.passed[moment.phase]:
                reducer(self.case, moment.turn)

    def _open_phase(self, event: Event) -> None:
        if not self._began:
            self._start_phase(event)

    def _start_phase(self, event: Event) -> None:
        case = self.case
        self._began = True
        case.phase_start = case.position.snapshot()
        case.in_phase = self.rules.in_phase()
        self._phase_findings = len(self.findings)
        self._changes, self._told, self._pending = [], set(), Pending()
        self.rules.reduce_start(case)
        if not self._clock_unknown:
            self._note(self.rules.judge_start(case), event)

    def _close_phase(self, event: Event) -> None:
        """What was left undone belongs to no step, least of all to that of the next phase."""
        faults = self._asked_at_the_end()
        if self._passing:
            faults = map(_passed_over, faults)
        self._note(faults, event.at(replace(event.origin, step=0)))
        self.rules.reduce_end(self.case)
        self._passing = self._leaving = self._clock_unknown = False
        self._undeclared = None

    # --- findings ---

    def _note(self, faults: Iterable[Fault], event: Event) -> None:
        """Judges may be asked in any order: what they find is reported in the order of the rules."""
        case = self.case
        for fault in joined(_in_order(faults)):
            if fault.once is not None and fault.once in self._told:
                self._add_to_its_like(fault)
                continue
            self._told.add(fault.once)
            self.findings.append(self._finding(fault, event.origin))
            case.faults += (fault,)

    def _add_to_its_like(self, fault: Fault) -> None:
        """What is reported once in a phase names all units that it is about."""
        for index in range(self._phase_findings, len(self.findings)):
            known = self.findings[index]
            if known.fault.once == fault.once and fault.like(known.fault):
                self.findings[index] = replace(known, fault=known.fault.joined([fault]))
                self.case.faults += (fault,)

    def _finding(self, fault: Fault, origin: Origin) -> Finding:
        if self._foreign is not None:
            fault = self._foreign.doubted(fault)
        fault = unconfirmed(self.case.game, fault)
        return Finding(
            fault=fault,
            statement=self.statements.get(fault.rule) or claims.STATEMENTS.get(fault.rule, ""),
            origin=fault.at or origin,
            turn=self.case.turn,
            phase=self.case.phase,
            side=self._side(fault),
        )

    def _side(self, fault: Fault) -> str | None:
        for name in fault.units:
            unit = self.case.position.units.get(name)
            if unit is not None:
                return unit.side
        active = _phase(self.case.game, self.case.phase)
        return active.active if active and active.active != "both" else None

    def _forgive(self, put_right: set[str]) -> None:
        """What was wrong before a unit was put right is doubtful, not illegal; the last event counts."""
        for index in self._changes if put_right else ():
            fault = self.findings[index].fault
            ours = bool(fault.units) and put_right.issuperset(fault.units)
            if ours and fault.verdict is Verdict.ILLEGAL:
                doubtful = replace(fault, verdict=Verdict.WARNING)
                self.findings[index] = replace(self.findings[index], fault=doubtful)

    def _dice_followed(self) -> None:
        """Dice that follow a fault in its phase matter for the remedy."""
        for index in range(self._phase_findings, len(self.findings)):
            finding = self.findings[index]
            if not finding.dice_followed:
                self.findings[index] = replace(finding, dice_followed=True)


def new_case(
    rules: Rulebook | None,
    game: Game,
    scenario: Scenario,
    position: Position,
    options: Mapping[str, str] | None = None,
) -> AnyCase:
    """The case before anything has happened; without a rulebook, for questions only."""
    rules = rules or Rulebook(game.id)
    defaults = {option.id: option.default for option in game.options}
    chosen = {**defaults, **scenario.options, **(options or {})}
    return Case(
        game,
        scenario,
        chosen,
        position,
        position.copy(),
        rules.in_game(),
        rules.in_turn(),
        rules.in_phase(),
        _fixed(game, scenario, chosen),
    )


MOST_KEPT = 8
_FIXED: dict[tuple[int, str, tuple[tuple[str, str], ...]], tuple[Game, dict[Any, Fixed]]] = {}


def _fixed(game: Game, scenario: Scenario, options: Mapping[str, str]) -> dict[Any, Fixed]:
    """Boards and tables of costs, worked out once for all logs of a game that are judged in a row."""
    key = (id(game), scenario.id, tuple(sorted(options.items())))
    if key not in _FIXED:
        while len(_FIXED) >= MOST_KEPT:
            del _FIXED[next(iter(_FIXED))]
        _FIXED[key] = (game, {})
    return _FIXED[key][1]


def _passed_over(fault: Fault) -> Fault:
    """It may have been done at another time, or where the log does not show it."""
    message = f"the phase was passed over; {fault.message}"
    verdict = Verdict.WARNING if fault.verdict is Verdict.ILLEGAL else fault.verdict
    return replace(fault, message=message, verdict=verdict)


def _in_order(faults: Iterable[Fault]) -> list[Fault]:
    return sorted(faults, key=lambda fault: (natural(fault.rule), fault.units, fault.message))


@cache
def natural(rule: str) -> tuple[tuple[int, str], ...]:
    """Sorts 4.26b behind 4.3 and before 10.1."""
    parts = re.findall(r"\d+|\D+", rule)
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in parts)


def _phase(game: Game, id_: str) -> Phase | None:
    return next((phase for phase in game.sequence if phase.id == id_), None)
