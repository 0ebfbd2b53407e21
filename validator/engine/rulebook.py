"""Which rules a game has, and what decides each.

`games/<id>/rules.yaml` lists every rule of the inventory with its one-line statement. The code of a
game enforces rules by functions that bear their ids:

    RULES = Rulebook("wfm")

    @RULES.rule("wfm-5.31")
    @RULES.before(Moved)
    def only_the_phasing_side_moves(case: Case, event: Moved) -> Faults:
        ...

A function may bear several ids: a search for a path, say, tells which of its rules stands in the way.
What no function bears is `judgement` or `not-checkable`, with a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from validator.model.events import Event
from validator.model.findings import Fault

if TYPE_CHECKING:
    from validator.engine.referee import Case

Faults = Iterator[Fault]
Judge = Callable[..., Iterable[Fault]]
J = TypeVar("J", bound=Judge)


@dataclass(frozen=True)
class Hook:
    """When a judge is asked: at which event, or at the start or end of a phase (None: of any)."""

    judge: Judge
    phases: frozenset[str] | None = None

    def asked_in(self, phase: str) -> bool:
        return self.phases is None or phase in self.phases


@dataclass
class Rulebook:
    game: str
    enforced: dict[str, list[Judge]] = field(default_factory=dict)
    judgement: dict[str, str] = field(default_factory=dict)
    not_checkable: dict[str, str] = field(default_factory=dict)
    before_event: dict[type[Event], list[Hook]] = field(default_factory=dict)
    after_event: dict[type[Event], list[Hook]] = field(default_factory=dict)
    phase_start: list[Hook] = field(default_factory=list)
    phase_end: list[Hook] = field(default_factory=list)

    # --- what a function is ---

    def rule(self, *ids: str) -> Callable[[J], J]:
        """The function below enforces these rules."""

        def bear(judge: J) -> J:
            for id_ in ids:
                self.enforced.setdefault(id_, []).append(judge)
            return judge

        return bear

    def needs_judgement(self, id_: str, reason: str) -> None:
        self.judgement[id_] = reason

    def cannot_check(self, id_: str, reason: str) -> None:
        self.not_checkable[id_] = reason

    # --- when it is asked ---

    def before(self, *events: type[Event], phases: Iterable[str] | None = None) -> Callable[[J], J]:
        """Asked with the position as it was before the event."""
        return self._hook_events(self.before_event, events, phases)

    def after(self, *events: type[Event], phases: Iterable[str] | None = None) -> Callable[[J], J]:
        """Asked with the position as the event left it."""
        return self._hook_events(self.after_event, events, phases)

    def at_phase_start(self, *phases: str) -> Callable[[J], J]:
        return self._hook(self.phase_start, phases)

    def at_phase_end(self, *phases: str) -> Callable[[J], J]:
        return self._hook(self.phase_end, phases)

    def _hook_events(
        self,
        table: dict[type[Event], list[Hook]],
        events: tuple[type[Event], ...],
        phases: Iterable[str] | None,
    ) -> Callable[[J], J]:
        scope = None if phases is None else frozenset(phases)

        def hook(judge: J) -> J:
            for event in events:
                table.setdefault(event, []).append(Hook(judge, scope))
            return judge

        return hook

    def _hook(self, hooks: list[Hook], phases: tuple[str, ...]) -> Callable[[J], J]:
        def hook(judge: J) -> J:
            hooks.append(Hook(judge, frozenset(phases) or None))
            return judge

        return hook

    # --- asking ---

    def ask_before(self, case: Case, event: Event) -> Faults:
        yield from self._ask_event(self.before_event, case, event)

    def ask_after(self, case: Case, event: Event) -> Faults:
        yield from self._ask_event(self.after_event, case, event)

    def ask(self, hooks: list[Hook], case: Case) -> Faults:
        for hook in hooks:
            if hook.asked_in(case.phase):
                yield from hook.judge(case)

    def _ask_event(self, table: dict[type[Event], list[Hook]], case: Case, event: Event) -> Faults:
        for hook in table.get(type(event), ()):
            if hook.asked_in(case.phase):
                yield from hook.judge(case, event)


def load(game: str) -> Rulebook | None:
    """The rulebook of a game that has one in `validator/games/`."""
    from importlib import import_module
    from importlib.util import find_spec

    name = f"validator.games.{game}"
    if not game.isidentifier() or find_spec(name) is None:
        return None
    rules: Any = import_module(name).RULES
    assert isinstance(rules, Rulebook)
    return rules
