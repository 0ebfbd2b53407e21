"""What a rule is asked with: the game, the position, and what has happened so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from fieldpost.definition.model import Game, Scenario
from validator.core.recent import made
from validator.core.sequence import Moment, SequenceOfPlay
from validator.engine.forks import Made, forked
from validator.model.events import Event, PhaseBegan
from validator.model.findings import Fault
from validator.model.position import Position, Unit, kept_at

T = TypeVar("T")


E = TypeVar("E", bound=Event)
Allowed = object
"""What a field of an event may be: a value, a type of values, or a tuple of such. Capitals do not count."""
Fields = tuple[tuple[str, tuple[object, ...], tuple[type, ...]], ...]
"""Each field with the values and the types of values that it may have."""


def fields_of(wanted: Mapping[str, Allowed]) -> Fields:
    return tuple(_field(name, value if type(value) is tuple else (value,)) for name, value in wanted.items())


def _field(name: str, allowed: tuple[object, ...]) -> tuple[str, tuple[object, ...], tuple[type, ...]]:
    return name, allowed, tuple(each for each in allowed if isinstance(each, type))


def matches(event: Event, fields: Fields) -> bool:
    """Whether the fields of an event are as wanted; one that it does not have is not."""
    for name, allowed, types in fields:
        value = getattr(event, name, None)
        if value not in allowed and not isinstance(value, types) and _small(value) not in allowed:
            return False
    return True


def _small(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


@dataclass(frozen=True)
class Fixed:
    """What never changes in a scenario, and the options it was worked out by."""

    value: Any
    options: frozenset[str]


@dataclass
class Memory:
    """What has happened in a phase, a turn or the game.

    A game that remembers more derives a dataclass from it; its reducers (`Rulebook.track`) alone write it.
    """

    events: list[Event] = field(default_factory=list)

    def of(self, kind: type[E], **fields: Allowed) -> list[E]:
        """The events of a kind whose fields are as wanted: `of(Rolled, reason="attrition")`."""
        wanted = fields_of(fields)
        return [event for event in self.events if isinstance(event, kind) and matches(event, wanted)]

    def concerned(self, kind: type[Event], **fields: Allowed) -> list[str]:
        """The units that such events were about, each once: `concerned(Removed)`."""
        return list(dict.fromkeys(name for event in self.of(kind, **fields) for name in event.concerned))


G = TypeVar("G", bound=Memory)
U = TypeVar("U", bound=Memory)
P = TypeVar("P", bound=Memory)


@dataclass
class Case(Generic[G, U, P]):
    """`in_game`, `in_turn` and `in_phase` are of the types that the game's rulebook names."""

    game: Game
    scenario: Scenario
    options: Mapping[str, str]
    position: Position
    phase_start: Position
    in_game: G
    in_turn: U
    in_phase: P
    fixed: dict[Any, Fixed] = field(default_factory=dict)  # what never changes here, shared by cases
    cache: dict[Any, Any] = field(default_factory=dict)
    of_event: dict[Any, Any] = field(default_factory=dict)  # worked out about the event being judged
    faults: tuple[Fault, ...] = ()  # found about the event being judged, for reducers after the judges
    ways: dict[str, None] = field(default_factory=dict)  # to be noted of the event being judged, each once
    forgiven: set[str] = field(default_factory=set)  # units that the event being judged puts back by hand
    unchecked: Counter[str] = field(default_factory=Counter)
    asked_options: set[str] = field(default_factory=set)  # options that rules have asked for
    by_hand: bool = False  # a log of counters moved by hand: slips and corrections are likely

    def fork(self, options: Mapping[str, str], fixed: dict[Any, Fixed]) -> Self:
        """Another case as it is now, under options of its own: neither changes the other."""
        made: Made = {}
        return replace(
            self,
            options=options,
            fixed=fixed,
            position=self.position.copy(),
            in_game=forked(self.in_game, made),
            in_turn=forked(self.in_turn, made),
            in_phase=forked(self.in_phase, made),
            cache={},
            of_event={},
            ways={},
            forgiven=set(),
            unchecked=self.unchecked.copy(),
            asked_options=set(self.asked_options),
        )

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
        orders = self.scenario.orders or self.game.orders
        return self.once(SequenceOfPlay, lambda: SequenceOfPlay(self.game.sequence, orders))

    def phase_name(self, phase: str | None = None) -> str:
        """As the game calls a phase; the present one, if none is named."""
        names = {known.id: known.name for known in self.game.sequence}
        return names.get(phase or self.phase, phase or self.phase)

    def passed_by(self, event: PhaseBegan) -> list[Moment]:
        """Phases that a log goes past when another begins: none at its start, and none on the way back."""
        now, then = Moment(self.turn, self.phase), Moment(event.turn, event.phase)
        return (self.in_game.events and self.sequence.between(now, then)) or []

    def option(self, id_: str) -> str:
        self.asked_options.add(id_)
        return self.options[id_]

    def unit(self, name: str) -> Unit:
        return self.position.units[name]

    def units(self, names: Iterable[str]) -> list[Unit]:
        return [self.position.units[name] for name in names]

    def label(self, hex_: Any) -> str:
        """A hex as it is printed, on the scenario's own sheet first; a box by its id."""
        if isinstance(hex_, str):
            return hex_
        return self.game.map.lattice.label(hex_, self.scenario.sheet)

    # --- what is worked out once, under the function or the type that asks ---

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What never changes in the scenario with these options, worked out when it is first asked for."""
        if key not in self.fixed:
            asked_before, self.asked_options = self.asked_options, set()
            try:
                self.fixed[key] = Fixed(make(), frozenset(self.asked_options))
            finally:
                self.asked_options |= asked_before
        fixed = self.fixed[key]
        if fixed.options:  # another case may have worked it out
            self.asked_options |= fixed.options
        value: T = fixed.value
        return value

    def kept(self, key: object, state: object, make: Callable[[], T]) -> T:
        """What holds while a state lasts: worked out anew when the state is another."""
        return kept_at(self.cache, key, state, make)

    def about(self, key: object, make: Callable[[], T]) -> T:
        """What is worked out once about the event being judged."""
        value: T = made(self.of_event, key, make)
        return value

    def forgive(self, unit: str) -> None:
        """For reducers: a unit was put back by hand; its faults of this phase are doubtful."""
        self.forgiven.add(unit)

    def note_way(self, text: str) -> None:
        """A move that is legal only by another way than the straight one."""
        self.ways[text] = None

    def not_checked(self, reason: str, count: int = 1) -> None:
        self.unchecked[reason] += count


AnyCase = Case[Any, Any, Any]
"""For what serves every game."""
