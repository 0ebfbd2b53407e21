"""The referee: asks a game's rules about each event, and goes on from what the log shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from fieldpost.definition.model import Game, Phase, Scenario
from validator.core.sequence import SequenceOfPlay
from validator.engine.rulebook import Rulebook
from validator.model import position as positions
from validator.model.events import (
    Event,
    Moved,
    NotUnderstood,
    PhaseBegan,
    Placed,
    Removed,
    Rolled,
    StepChanged,
    Unread,
)
from validator.model.findings import Fault, Finding, Report, Unchecked, Verdict
from validator.model.position import Position

T = TypeVar("T")


@dataclass
class Memory:
    """What has happened, by how long it matters. Games keep their own notes in `notes`."""

    events: list[Event] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)

    def note(self, key: str, make: Callable[[], T]) -> T:
        """What is noted under a key; a new note if there is none."""
        if key not in self.notes:
            self.notes[key] = make()
        found: T = self.notes[key]
        return found


@dataclass
class Case:
    """What a rule is asked with."""

    game: Game
    scenario: Scenario
    options: Mapping[str, str]
    position: Position
    phase_start: Position
    in_phase: Memory = field(default_factory=Memory)
    in_turn: Memory = field(default_factory=Memory)
    in_game: Memory = field(default_factory=Memory)
    cache: dict[Any, Any] = field(default_factory=dict)
    unchecked: Counter[str] = field(default_factory=Counter)
    taken_back: set[str] = field(default_factory=set)  # units whose moves of this phase were put right

    @property
    def turn(self) -> int:
        return self.position.turn

    @property
    def phase(self) -> str:
        return self.position.phase

    @property
    def season(self) -> str:
        turn = self.game.turn.get(self.turn)
        return turn.season if turn else ""

    @property
    def sequence(self) -> SequenceOfPlay:
        return self.once(SequenceOfPlay, lambda: SequenceOfPlay(self.game.sequence, self.game.orders))

    def phase_name(self, phase: str | None = None) -> str:
        """As the game calls a phase; the present one, if none is named."""
        names = {known.id: known.name for known in self.game.sequence}
        return names.get(phase or self.phase, phase or self.phase)

    def option(self, id_: str) -> str:
        return self.options[id_]

    def label(self, hex_: Any) -> str:
        """A hex as it is printed, on the scenario's own sheet first; a box by its id."""
        if isinstance(hex_, str):
            return hex_
        return self.game.map.lattice.label(hex_, self.scenario.sheet)

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What never changes, worked out when it is first asked for."""
        if key not in self.cache:
            self.cache[key] = make()
        found: T = self.cache[key]
        return found

    def kept(self, key: object, state: object, make: Callable[[], T]) -> T:
        """What holds while a state lasts: worked out anew when the state is another."""
        known = self.cache.get(key)
        if known is None or known[0] != state:
            known = self.cache[key] = (state, make())
        found: T = known[1]
        return found

    def take_back(self, unit: str) -> None:
        """A unit was put back by hand: what was wrong with its moves of this phase accuses nobody."""
        self.taken_back.add(unit)

    def not_checked(self, reason: str, count: int = 1) -> None:
        self.unchecked[reason] += count


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
    ) -> None:
        start = position or positions.start(game, scenario)
        defaults = {option.id: option.default for option in game.options}
        chosen = {**defaults, **scenario.options, **(options or {})}
        self.rules = rules
        self.statements = statements
        self.case = Case(game, scenario, chosen, start, start.copy())
        self.findings: list[Finding] = []
        self.actions = 0
        self._began = False
        self._phase_findings = self._known = 0
        self._moves: list[int] = []  # findings of this phase about counters moved or changed

    def feed(self, events: Iterable[Event]) -> None:
        for event in events:
            self.judge(event)

    def judge(self, event: Event) -> list[Finding]:
        """What is wrong with one event; afterwards the position is what the event made of it."""
        known = self._known = len(self.findings)
        case = self.case
        if isinstance(event, Unread):
            case.not_checked(event.reason)
        elif isinstance(event, NotUnderstood):
            pass  # the report lists it
        elif isinstance(event, PhaseBegan):
            self._turn_page(event)
        else:
            self._open_phase(event)
            self.actions += 1
            self._note(self.rules.ask_before(case, event), event)
            case.position.apply(event)
            self._note(self.rules.ask_after(case, event), event)
            if isinstance(event, Rolled):
                self._dice_followed()
            self._forgive(event)
        for memory in (case.in_phase, case.in_turn, case.in_game):
            memory.events.append(event)
        return self.findings[known:]

    def close(self) -> None:
        """The phase is over: what is due by now is asked for."""
        self._close_phase(PhaseBegan(self.case.turn, self.case.phase))

    def report(self) -> Report:
        case = self.case
        unchecked = tuple(Unchecked(reason, count) for reason, count in case.unchecked.most_common())
        return Report(case.game.id, case.scenario.id, self.actions, tuple(self.findings), unchecked)

    # --- phases ---

    def _turn_page(self, event: PhaseBegan) -> None:
        case = self.case
        same = (event.turn, event.phase) == (case.turn, case.phase)
        if self._began and not same:
            self._close_phase(event)
        self._note(self.rules.ask_before(case, event), event)
        new_turn = event.turn != case.turn
        case.position.apply(event)
        if new_turn:
            case.in_turn = Memory()
        if not (same and self._began):
            self._start_phase(event)

    def _open_phase(self, event: Event) -> None:
        if not self._began:
            self._start_phase(event)

    def _start_phase(self, event: Event) -> None:
        self._began = True
        self.case.phase_start = self.case.position.copy()
        self.case.in_phase = Memory()
        self._phase_findings = len(self.findings)
        self._moves = []
        self._note(self.rules.ask(self.rules.phase_start, self.case), event)

    def _close_phase(self, event: Event) -> None:
        self._note(self.rules.ask(self.rules.phase_end, self.case), event)

    # --- findings ---

    def _note(self, faults: Iterable[Fault], event: Event | None) -> None:
        case = self.case
        for fault in faults:
            origin = event.origin if event is not None else Event().origin
            self.findings.append(
                Finding(
                    fault=fault,
                    statement=self.statements.get(fault.rule, ""),
                    origin=origin,
                    turn=case.turn,
                    phase=case.phase,
                    side=self._side(fault),
                )
            )

    def _side(self, fault: Fault) -> str | None:
        for name in fault.units:
            unit = self.case.position.units.get(name)
            if unit is not None:
                return unit.side
        active = _phase(self.case.game, self.case.phase)
        return active.active if active and active.active != "both" else None

    def _forgive(self, event: Event) -> None:
        """What was wrong before a unit was put right is doubtful, not illegal; the last event counts."""
        for index in self._moves if self.case.taken_back else ():
            fault = self.findings[index].fault
            ours = bool(fault.units) and self.case.taken_back.issuperset(fault.units)
            if ours and fault.verdict is Verdict.ILLEGAL:
                self.findings[index] = replace(
                    self.findings[index], fault=replace(fault, verdict=Verdict.WARNING)
                )
        self.case.taken_back.clear()
        if isinstance(event, Moved | Placed | Removed | StepChanged):
            self._moves += range(self._known, len(self.findings))

    def _dice_followed(self) -> None:
        """Dice that follow a fault in its phase matter for the remedy."""
        for index in range(self._phase_findings, len(self.findings)):
            finding = self.findings[index]
            if not finding.dice_followed:
                self.findings[index] = Finding(**{**vars(finding), "dice_followed": True})


def _phase(game: Game, id_: str) -> Phase | None:
    return next((phase for phase in game.sequence if phase.id == id_), None)
