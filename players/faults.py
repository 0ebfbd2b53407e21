"""Single faults put into a game: each operator knows what rules it breaks, by working the game out by itself.

for trial in trials(played, Random(1)):      # at random places of the game, judged
    spoiled = trial.fault.applied(played.events)

A game's own faults are in `players.<game>.mutations` and the modules `spoil_...` beside it.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import takewhile
from pkgutil import iter_modules
from random import Random
from typing import Any, Generic, TypeVar

from players import table
from players.game import Played
from players.table import F
from validator.core.board import HexId
from validator.engine.case import AnyCase
from validator.engine.referee import Referee
from validator.model.events import Event, PhaseBegan
from validator.model.findings import Finding, Verdict
from validator.model.position import Position, Unit

T = TypeVar("T")
P = TypeVar("P", bound="Place[Any]")
WATER = ("sea", "lake")


@dataclass(frozen=True)
class Fault:
    """An edit of a game: `removed` events at an index give way to others."""

    name: str
    rules: frozenset[str]
    at: int
    removed: int
    inserted: tuple[Event, ...]
    turn: int
    phase: str

    def applied(self, events: list[Event]) -> list[Event]:
        return [*events[: self.at], *self.inserted, *events[self.at + self.removed :]]


class Place(Generic[F]):
    """A place in a game: the case just before event `at`."""

    def __init__(self, case: AnyCase, events: list[Event], at: int, random: Random) -> None:
        self.case, self.events, self.at, self.random = case, events, at, random
        self.event = events[at]
        self._held: dict[str, list[HexId]] = {}

    @property
    def field(self) -> F:
        raise NotImplementedError

    @property
    def position(self) -> Position:
        return self.case.position

    @property
    def phase(self) -> str:
        return self.case.phase

    @property
    def ends(self) -> bool:
        """Whether the phase is over with the next event."""
        return isinstance(self.event, PhaseBegan)

    @property
    def begins(self) -> bool:
        """Whether nothing was done in this phase yet."""
        return len(self.case.in_phase.events) <= 1

    def rest_of_phase(self) -> Iterator[Event]:
        return takewhile(lambda event: not isinstance(event, PhaseBegan), self.events[self.at :])

    def one(self, units: list[Unit]) -> Unit | None:
        return self.random.choice(units) if units else None

    def units(self, side: str, wanted: Callable[[Unit], bool] = lambda unit: True) -> list[Unit]:
        return [unit for _, unit in self.field.of_side(side) if wanted(unit)]

    def hex_id(self, unit: Unit) -> HexId:
        found = self.field.id(unit.spot)
        assert found is not None
        return found

    def hexes(self, wanted: Callable[[HexId], bool]) -> list[HexId]:
        board = self.field.board
        dry = (h for h in range(len(board)) if board.terrain[h] not in WATER)
        return [h for h in dry if wanted(h)]

    def empty(self, hex_id: HexId) -> bool:
        return not self.field.units(hex_id)

    def nearest(self, hex_id: HexId, side: str) -> int:
        """Hexes to the nearest unit of a side."""
        if side not in self._held:
            self._held[side] = sorted({h for h, _ in self.field.of_side(side)})
        board = self.field.board
        return min((board.distance(hex_id, h) for h in self._held[side]), default=99)

    def a_hex(self, wanted: Callable[[HexId], bool]) -> HexId | None:
        """Any of the hexes that are wanted, without a look at all of them."""
        board = self.field.board
        mixed = self.random.sample(range(len(board)), len(board))
        return next((h for h in mixed if board.terrain[h] not in WATER and wanted(h)), None)

    def pick(self, hexes: list[HexId]) -> HexId | None:
        return self.random.choice(hexes) if hexes else None

    def spot(self, hex_id: HexId) -> object:
        return self.field.board.hexes[hex_id]


Edit = tuple[int, list[Event]]
"""Events that go, and events that come in their place."""

Operator = Callable[[P], Iterator[Edit]]


@dataclass(frozen=True)
class Kind(Generic[P]):
    name: str
    rules: frozenset[str]
    operator: Operator[P]


@dataclass
class Faults(Generic[P]):
    """The kinds of fault of one game, and the places its operators look at."""

    game: str
    place: type[P]
    kinds: list[Kind[P]] = field(default_factory=list)

    def fault(self, *rules: str) -> Callable[[Operator[P]], Operator[P]]:
        """Registers an operator with the rules that it breaks."""

        def register(operator: Operator[P]) -> Operator[P]:
            name = operator.__name__.replace("_", " ")
            self.kinds.append(Kind(name, frozenset(f"{self.game}-{rule}" for rule in rules), operator))
            return operator

        return register


def faults_of(game: str) -> Faults[Any]:
    """Every kind of fault there is of a game; its modules `spoil_...` register theirs."""
    package = f"players.{game}"
    for module in iter_modules(import_module(package).__path__):
        if module.name.startswith("spoil_"):
            import_module(f"{package}.{module.name}")
    found = import_module(f"{package}.mutations").FAULTS
    assert isinstance(found, Faults)
    return found


def kinds(game: str) -> list[Kind[Any]]:
    return faults_of(game).kinds


@dataclass(frozen=True)
class Trial:
    """A fault, and what the referee called illegal by the end of its phase."""

    fault: Fault
    said: tuple[tuple[str, str], ...]  # rule and message

    @property
    def accused(self) -> frozenset[str]:
        return frozenset(rule for rule, _ in self.said)

    @property
    def found(self) -> bool:
        return bool(self.accused & self.fault.rules)


def trials(played: Played, random: Random, each: int = 1, names: Sequence[str] = ()) -> Iterator[Trial]:
    """Up to `each` faults of every kind, put into a game one at a time, at random places of it."""
    found = _candidates(played, random, names)
    chosen = [fault for some in found.values() for fault in some[:each]]
    referee, at = new_referee(played), 0
    for spoiled in sorted(chosen, key=lambda fault: fault.at):
        referee.feed(played.events[at : spoiled.at])
        at = spoiled.at
        yield Trial(spoiled, apart(lambda s=spoiled: _judged(referee, played, s)))  # type: ignore[misc]


def _chosen(game: str, names: Sequence[str]) -> list[Kind[Any]]:
    return [kind for kind in kinds(game) if not names or kind.name in names]


def _candidates(played: Played, random: Random, names: Sequence[str]) -> dict[str, list[Fault]]:
    """One fault of each kind at every place that has one, in no order."""
    known = _KNOWN.get(played.seed)
    if known is None or known[0] is not played or known[1] != names:
        some = _chosen(played.game, names)
        found: dict[str, list[Fault]] = {kind.name: [] for kind in some}
        for spoiled in everywhere(played, random, some):
            found[spoiled.name].append(spoiled)
        for faults in found.values():
            random.shuffle(faults)
        _KNOWN.clear()
        known = _KNOWN[played.seed] = (played, names, found)
    return known[2]


_KNOWN: dict[int, tuple[Played, Sequence[str], dict[str, list[Fault]]]] = {}


def everywhere(played: Played, random: Random, some: Sequence[Kind[Any]]) -> Iterator[Fault]:
    """A fault of each of some kinds at every place of a game that has room for one."""
    referee, place_type = new_referee(played), faults_of(played.game).place
    referee.judge(played.events[0])
    for at, event in enumerate(played.events[1:], 1):
        for kind in some:
            place = place_type(referee.case, played.events, at, random)
            for removed, inserted in kind.operator(place):
                turn, phase = referee.case.turn, referee.case.phase
                yield Fault(kind.name, kind.rules, at, removed, tuple(inserted), turn, phase)
                break
        referee.judge(event)


def new_referee(played: Played) -> Referee:
    return table.new_referee(played.game, played.scenario)


def accused(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.fault.verdict is Verdict.ILLEGAL]


def meant(finding: Finding) -> str:
    """The rule broken; of a battle worked out wrongly, the rule whose misreading explains it."""
    return finding.fault.guess or finding.fault.rule


def _judged(referee: Referee, played: Played, spoiled: Fault) -> tuple[tuple[str, str], ...]:
    """What is called illegal from the fault on, until its phase is over."""
    known = len(referee.findings)
    referee.feed(spoiled.inserted)
    for event in played.events[spoiled.at + spoiled.removed :]:
        referee.judge(event)
        if isinstance(event, PhaseBegan):
            break
    else:
        referee.close()
    return tuple((meant(f), f.fault.message) for f in accused(referee.findings[known:]))


def apart(work: Callable[[], T]) -> T:
    """The outcome of some work that leaves no trace here: it is done in a child of this process."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(theirs, "wb") as pipe:
            pickle.dump(work(), pipe)
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        sent = pipe.read()
    os.waitpid(child, 0)
    if not sent:
        raise RuntimeError("the referee failed; see above")
    outcome: T = pickle.loads(sent)
    return outcome
