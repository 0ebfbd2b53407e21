"""Which rules a game has, what decides each, and what the game remembers.

`games/<id>/rules.yaml` lists every rule of the inventory with its one-line statement. The code of a
game enforces rules by judges that name their ids:

    RULES = Rulebook("wfm", in_game=InGame, in_turn=InTurn, in_phase=InPhase)

    @RULES.rule("wfm-5.31")
    @RULES.before(Moved)
    def only_the_phasing_side_moves(case: Case, event: Moved) -> Faults:
        ...

A hook may name fields, traits or a side of its event (`before(Rolled, reason="weather")`, `before(Removed,
having="factory")`): it is asked about no other.

A judge only reads: judges may be asked in any order. What a game remembers is written by reducers:

    @RULES.track(Moved, when=APPLIED)
    def note_the_trip(case: Case, event: Moved) -> None:
        case.in_phase.trips[...] = ...

For each event the referee runs, in this order: reducers (when=FIRST); judges asked `before`; reducers
(when=JUDGED); the event changes the position; reducers (when=APPLIED); judges asked `after`; reducers
(when=LAST). Reducers run in an order of their own: those of the game's other modules before those of its
chapters (`c05_...`), then by module and line.

A permission says that the rules let an event happen (`claim`); an event that none claims is a finding.
A function may have several ids: a search for a path, say, tells which of its rules stands in the way.
What no function has is `judgement` or `not-checkable`, with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from functools import cached_property
from inspect import unwrap
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from validator.engine.case import Allowed, AnyCase, Fields, Memory, fields_of, matches
from validator.model.events import Event
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit

Faults = Iterator[Fault]
Judge = Callable[..., Iterable[Fault]]
Reducer = Callable[..., None]
Permission = Callable[..., bool]
F = TypeVar("F", bound=Callable[..., Any])
When = Literal["first", "judged", "applied", "last"]
FIRST: When = "first"
JUDGED: When = "judged"
APPLIED: When = "applied"
LAST: When = "last"
QUERIES = "queries"  # the module of a game that is only asked by players who want to know something


@dataclass(frozen=True)
class Hook:
    """What is asked, in which phases (None: in any), and about which events.

    `fields` holds what fields of the event may be (`reason`, `what`, `why`, `comes_to=Hex` ...); `having` the
    traits of which a unit of it has one, `side` the side of a unit of it, `kind` the kind of its marker.
    """

    ask: Callable[..., Any]
    phases: frozenset[str] | None = None
    fields: Fields = ()
    having: tuple[str, ...] = ()
    side: str = ""
    kind: str = ""

    @cached_property
    def about_any(self) -> bool:
        """Asked about every event of its kind."""
        return not (self.fields or self.kind or self.having or self.side)

    def asked_about(self, case: AnyCase, event: Event) -> bool:
        """Whatever the phase is."""
        if self.fields and not matches(event, self.fields):
            return False
        if self.kind and case.game.marker[getattr(event, "marker")].kind != self.kind:  # noqa: B009
            return False
        if not (self.having or self.side):
            return True
        return any(self._concerns(case.position.units[name]) for name in event.concerned)

    def _concerns(self, unit: Unit) -> bool:
        return self.side in ("", unit.side) and (not self.having or any(map(unit.has, self.having)))


Table = dict[type[Event], list[Hook]]


@dataclass
class Rulebook:
    game: str
    in_game: Callable[[], Memory] = Memory
    in_turn: Callable[[], Memory] = Memory
    in_phase: Callable[[], Memory] = Memory
    enforced: dict[str, list[Judge]] = field(default_factory=dict)
    doubtful: dict[str, str] = field(default_factory=dict)
    by_option: dict[str, str] = field(default_factory=dict)
    judgement: dict[str, str] = field(default_factory=dict)
    not_checkable: dict[str, str] = field(default_factory=dict)
    before_event: Table = field(default_factory=dict)
    after_event: Table = field(default_factory=dict)
    phase_start: list[Hook] = field(default_factory=list)
    phase_end: list[Hook] = field(default_factory=list)
    reducers: dict[When, Table] = field(default_factory=dict)
    reducers_at_start: list[Hook] = field(default_factory=list)
    reducers_at_end: list[Hook] = field(default_factory=list)
    passed: dict[str, list[Callable[[Any, int], None]]] = field(default_factory=dict)
    claims: Table = field(default_factory=dict)
    unclaimed: str = ""  # the rule that an event nobody claims breaks: the sequence of play
    elsewhere: str = ""  # the rule that an event breaks which does not fit the position, if a rule says so
    held: str = ""  # the rule by which no unit comes into a hex that the enemy holds
    certain: tuple[str, ...] = ()  # rules that the end of a phase asks for whatever battles were fought in it
    duties: tuple[str, ...] = ()  # phases in which something is owed even where nothing is done
    settlement: Any = None  # how its battles are settled (`validator.acts.settlement`), where acts are read
    boxes: bool = False  # its judges know moves out of boxes and into them

    # --- what a function is ---

    def rule(self, *ids: str) -> Callable[[F], F]:
        """The function below enforces these rules."""

        def registered(judge: F) -> F:
            for id_ in ids:
                self.enforced.setdefault(id_, []).append(judge)
            return judge

        return registered

    def at_most_doubtful(self, id_: str, reason: str) -> None:
        """An enforced rule whose breach a log can never prove: what its judges call illegal is doubtful."""
        self.doubtful[id_] = reason

    def sure_by_option(self, id_: str, reason: str) -> None:
        """An enforced rule that leaves a breach in doubt unless an option is chosen; its judges say which."""
        self.by_option[id_] = reason

    def needs_judgement(self, id_: str, reason: str) -> None:
        self.judgement[id_] = reason

    def cannot_check(self, id_: str, reason: str) -> None:
        self.not_checkable[id_] = reason

    # --- judges ---

    def before(
        self,
        *events: type[Event],
        phases: Iterable[str] | None = None,
        having: str | tuple[str, ...] = (),
        side: str = "",
        kind: str = "",
        **fields: Allowed,
    ) -> Callable[[F], F]:
        """Asked with the position as it was before the event; for the rest see `Hook`."""
        return _adding(self.before_event, events, phases, having, side, kind, fields)

    def after(
        self,
        *events: type[Event],
        phases: Iterable[str] | None = None,
        having: str | tuple[str, ...] = (),
        side: str = "",
        kind: str = "",
        **fields: Allowed,
    ) -> Callable[[F], F]:
        """Asked with the position as the event left it."""
        return _adding(self.after_event, events, phases, having, side, kind, fields)

    def at_phase_start(self, *phases: str) -> Callable[[F], F]:
        return _appending(self.phase_start, phases)

    def at_phase_end(self, *phases: str) -> Callable[[F], F]:
        """What such a judge finds while its phase is still open is reported as owed."""
        return _appending(self.phase_end, phases)

    # --- reducers ---

    def track(
        self,
        *events: type[Event],
        when: When = FIRST,
        phases: Iterable[str] | None = None,
        having: str | tuple[str, ...] = (),
        side: str = "",
        kind: str = "",
        **fields: Allowed,
    ) -> Callable[[F], F]:
        """Writes what the game remembers of such an event."""
        return _adding(self.reducers.setdefault(when, {}), events, phases, having, side, kind, fields)

    def track_start(self, *phases: str) -> Callable[[F], F]:
        """Run when a phase begins, before its judges."""
        return _appending(self.reducers_at_start, phases)

    def track_end(self, *phases: str) -> Callable[[F], F]:
        """Run when a phase ends, after its judges."""
        return _appending(self.reducers_at_end, phases)

    def track_passed(self, *phases: str) -> Callable[[F], F]:
        """Run with the turn when a log goes past such a phase without showing it: what is due is booked."""

        def add(function: F) -> F:
            for phase in phases:
                self.passed.setdefault(phase, []).append(function)
            return function

        return add

    # --- permissions ---

    def claim(
        self, *events: type[Event], phases: Iterable[str] | None = None, **fields: Allowed
    ) -> Callable[[F], F]:
        """The function below says whether the rules let such an event happen; asked before it."""
        return _adding(self.claims, events, phases, fields=fields)

    def claimed(self, case: AnyCase, event: Event) -> bool:
        """Whether a permission lets an event happen; a kind of event without permissions is free."""
        hooks = self.claims.get(type(event))
        return hooks is None or any(hook.ask(case, event) for hook in asked(hooks, case, event))

    # --- asking ---

    def judge_before(self, case: AnyCase, event: Event) -> Faults:
        return self.judge(self.before_event.get(type(event), ()), case, event)

    def judge_after(self, case: AnyCase, event: Event) -> Faults:
        return self.judge(self.after_event.get(type(event), ()), case, event)

    def judge_start(self, case: AnyCase) -> Faults:
        return self.judge(self.phase_start, case)

    def judge_end(self, case: AnyCase) -> Faults:
        return self.judge(self.phase_end, case)

    def reduce(self, when: When, case: AnyCase, event: Event) -> None:
        for hook in asked(self.reducers.get(when, {}).get(type(event), ()), case, event):
            hook.ask(case, event)

    def put_reducers_in_order(self) -> None:
        """Whatever imported what first."""
        tables = [table.values() for table in self.reducers.values()]
        for hooks in (self.reducers_at_start, self.reducers_at_end, *chain.from_iterable(tables)):
            hooks.sort(key=_place)

    def reduce_start(self, case: AnyCase) -> None:
        _run(self.reducers_at_start, case)

    def reduce_end(self, case: AnyCase) -> None:
        _run(self.reducers_at_end, case)

    def judge(self, hooks: Sequence[Hook], case: AnyCase, *event: Event) -> Faults:
        for hook in asked(hooks, case, *event):
            yield from map(self._doubted, hook.ask(case, *event))

    def _doubted(self, fault: Fault) -> Fault:
        doubtful = fault.verdict is Verdict.ILLEGAL and fault.rule in self.doubtful
        return replace(fault, verdict=Verdict.WARNING) if doubtful else fault


def asked(hooks: Iterable[Hook], case: AnyCase, *event: Event) -> Iterator[Hook]:
    """Those that are asked now, about an event if there is one."""
    phase = case.phase
    for hook in hooks:
        in_phase = hook.phases is None or phase in hook.phases
        if in_phase and (hook.about_any or hook.asked_about(case, event[0])):
            yield hook


def _run(hooks: Iterable[Hook], case: AnyCase) -> None:
    for hook in asked(hooks, case):
        hook.ask(case)


def _place(hook: Hook) -> tuple[bool, str, int]:
    function = unwrap(hook.ask)
    module = function.__module__.rpartition(".")[2]
    return module[:1] == "c" and module[1:3].isdigit(), module, function.__code__.co_firstlineno


def _adding(
    table: Table,
    events: tuple[type[Event], ...],
    phases: Iterable[str] | None,
    having: str | tuple[str, ...] = (),
    side: str = "",
    kind: str = "",
    fields: Mapping[str, Allowed] = MappingProxyType({}),
) -> Callable[[F], F]:
    scope = None if phases is None else frozenset(phases)
    traits = (having,) if isinstance(having, str) else having

    def add(function: F) -> F:
        for event in events:
            _refuse_slips(function, event, {*fields, *(["marker"] if kind else [])})
            hook = Hook(function, scope, fields_of(fields), traits, side, kind)
            table.setdefault(event, []).append(hook)
        return function

    return add


def place_of(function: Callable[..., Any]) -> str:
    """File and line of a function."""
    code = getattr(unwrap(function), "__code__", None)
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}" if code else repr(function)


def _refuse_slips(function: Callable[..., Any], event: type[Event], fields: Iterable[str]) -> None:
    """A field that the event does not have would leave the function never asked."""
    known = {*(each.name for each in dataclass_fields(event)), *dir(event)}
    for name in fields:
        if name not in known:
            raise TypeError(
                f"{place_of(function)}: {event.__name__} has no field {name!r}, so this is never asked"
            )


def _appending(hooks: list[Hook], phases: tuple[str, ...]) -> Callable[[F], F]:
    def append(function: F) -> F:
        hooks.append(Hook(function, frozenset(phases) or None))
        return function

    return append


def load(game: str) -> Rulebook | None:
    """The rulebook of a game that has one in `validator/games/`, with the rules of all its chapters."""
    from importlib import import_module
    from importlib.util import find_spec
    from pkgutil import iter_modules

    name = f"validator.games.{game}"
    if not game.isidentifier() or find_spec(name) is None:
        return None
    package: Any = import_module(name)
    for chapter in sorted({module.name for module in iter_modules(package.__path__)} - {QUERIES}):
        import_module(f"{name}.{chapter}")
    rules = package.RULES
    assert isinstance(rules, Rulebook)
    rules.put_reducers_in_order()
    return rules
