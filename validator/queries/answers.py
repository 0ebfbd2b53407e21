"""What a game can show beside its verdicts: supply lines, and where a unit may go.

A game that can has a module `validator.games.<id>.queries` with `MODES`, `supply(case)`,
`reach(case, unit, mode, target)` and, for the page of a report, `zones(case, side)`; a game with a `rules:`
block has `validator.standard.queries`. What is shared is below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import ONE, points
from validator.core.movement import MoveRules, explain, itemise
from validator.core.movement import reach as search
from validator.core.sea import SeaRules, destinations
from validator.engine.case import AnyCase
from validator.model.position import Unit
from validator.procedures.field import Field


@dataclass(frozen=True)
class SupplyLine:
    """A unit's supply as the rules find it, and what it is marked with."""

    unit: str
    side: str
    hex: Hex
    status: str  # as the game has it: supplied, attenuated, lack of supply, out of supply, isolated
    supplied: bool
    marked: str  # as its marker says; empty if it has none and needs none
    by: str  # what supplies it, or saves it from the worst
    length: Fraction | None  # of the line, in hexes
    limit: Fraction | None
    line: tuple[Hex, ...]
    text: str  # the line in words, or what cuts it


@dataclass(frozen=True)
class Reached:
    hex: Hex
    cost: Fraction
    path: tuple[Hex, ...]
    minimum: bool = False  # only because a unit may always go one hex
    bonus: str = ""  # what allows it beyond what the unit has: the extra hexes of a Rollbahn


@dataclass(frozen=True)
class Target:
    """A hex of the enemy's that a unit may attack as it moves, and from where at the least price."""

    hex: Hex
    start: Hex
    cost: Fraction  # of the way and the attack


@dataclass(frozen=True)
class Answer:
    """Whether one hex can be reached, and how or why not."""

    hex: Hex
    reached: bool
    text: str


@dataclass(frozen=True)
class Reach:
    """Everywhere a unit may go; no hexes and a reason, if it may not move in that way at all."""

    unit: str
    side: str
    start: Hex
    mode: str
    phase: str
    budget: Fraction
    hexes: tuple[Reached, ...]
    reason: str = ""
    answer: Answer | None = None
    turn: int = 0
    targets: tuple[Target, ...] = ()
    attack: str = ""  # what an attack in movement is called
    leaves_out: tuple[str, ...] = ()  # what was not looked at, in sentences

    @property
    def stacking(self) -> bool:
        """Whether room in the hexes was looked at."""
        return STACKING not in self.leaves_out


STACKING = "Stacking at the end of the phase is not looked at."
ALONE = "The unit moves alone: what units that move first change, or a stack does together, is not looked at."


class Queries(Protocol):
    @property
    def MODES(self) -> Sequence[str]: ...

    def supply(self, case: AnyCase) -> list[SupplyLine]: ...

    def reach(self, case: AnyCase, unit: str, mode: str, target: Hex | None) -> Reach: ...


def of(game: Game) -> Queries:
    """What a game can show; an error for a game that cannot."""
    if game.rules is not None:
        standard: Any = import_module("validator.standard.queries")
        shown: Queries = standard.Standard(game)
        return shown
    name = f"validator.games.{game.id}.queries"
    if game.id.isidentifier() and find_spec(f"validator.games.{game.id}") and find_spec(name):
        module: Queries = import_module(name)
        return module
    raise FieldpostError(
        f"{game.title} cannot show supply and reach yet", "'fieldpost games' lists what is in the box."
    )


# --- what the games' modules share --------------------------------------------------------------------

F = TypeVar("F", bound=Field)


@dataclass(frozen=True)
class Asked(Generic[F]):
    """A unit, the case in which it is asked about, and where it is to go."""

    case: AnyCase
    field: F
    unit: Unit
    start: HexId
    target: HexId | None

    def hex(self, hex_id: HexId) -> Hex:
        return self.field.board.hexes[hex_id]

    def hexes(self, way: Iterable[HexId]) -> tuple[Hex, ...]:
        return tuple(self.hex(hex_id) for hex_id in way)

    def nowhere(self, mode: str, reason: str) -> Reach:
        unit = self.unit
        phase, turn = self.case.phase, self.case.turn
        return Reach(unit.id, unit.side, unit.hex, mode, phase, points(ONE), (), reason, turn=turn)


def ask(
    case: AnyCase,
    field_of: Callable[[AnyCase], F],
    phases: Mapping[str, str],
    unit: str,
    target: Hex | None,
    played: Callable[[AnyCase, int, str], bool] = lambda case, turn, phase: True,
) -> Asked[F]:
    """A unit as it stands in the present phase if that is its own, else as its next one begins.

    `phases` holds the movement phases, each with its side; `played` says which of them a turn has.
    """
    case = _in_own_phase(case, phases, case.position.units[unit], played)
    field, counter = field_of(case), case.position.units[unit]
    start = field.id(counter.spot)
    if start is None:
        raise FieldpostError(f"{unit} is not on the map", "Only units on the map can move.")
    goal = None if target is None else field.id(target)
    if target is not None and goal is None:
        raise FieldpostError(f"{case.label(target)} is not in play in this scenario")
    return Asked(case, field, counter, start, goal)


def _in_own_phase(
    case: AnyCase,
    phases: Mapping[str, str],
    unit: Unit,
    played: Callable[[AnyCase, int, str], bool],
) -> AnyCase:
    own = [(turn, phase) for turn, phase in _ahead(case) if phases.get(phase) == unit.side]
    next_ = next((moment for moment in own if played(case, *moment)), None)
    if next_ is None:
        raise FieldpostError(f"{unit.id} has no phase to move in before the game ends")
    if next_ == (case.turn, case.phase):
        return case
    position = case.position.copy()
    position.turn, position.phase = next_
    in_phase = type(case.in_phase)()
    return replace(case, position=position, phase_start=position.copy(), in_phase=in_phase, cache={})


def _ahead(case: AnyCase) -> list[tuple[int, str]]:
    """The present phase and those to come, to the end of the turn track."""
    turns = [turn for turn in sorted(case.game.turn) if turn >= case.turn]
    ahead = [(turn, phase.id) for turn in turns for phase in case.game.phases(turn, case.scenario)]
    now = (case.turn, case.phase)
    return ahead[ahead.index(now) :] if now in ahead else ahead


Refuses = Callable[[MoveRules, tuple[HexId, ...]], str]
"""Why a way that a search has found is none after all; "" if it is one."""


def never(rules: MoveRules, way: tuple[HexId, ...]) -> str:
    return ""


def searched(
    asked: Asked[F],
    mode: str,
    *ways: MoveRules,
    refuses: Refuses = never,
    detours: Callable[[HexId], Iterable[tuple[HexId, ...]]] = lambda end: (),
    bonus: str = "",
) -> Reach:
    """Where the unit may go, by the cheapest of these ways; the first is the ordinary one, and `bonus` names
    what the others allow beyond it. `detours` are other ways to a hex, where the cheapest is refused."""
    best: dict[HexId, Reached] = {}
    for number, rules in enumerate(ways):
        reached = search(asked.field.board, rules, asked.start)
        for h in set(reached).difference([asked.start]):
            way, cost = reached.path(h), points(reached.costs[h])
            if h in best and best[h].cost <= cost:
                continue
            if refuses(rules, way):
                way = next((w for w in detours(h) if not number and not refuses(rules, w)), ())
                cost = points(itemise(asked.field.board, rules, way).cost) if way else cost
            if way and (h not in best or cost < best[h].cost):
                beyond = bonus if number and cost > points(ways[0].budget) else ""
                best[h] = Reached(asked.hex(h), cost, asked.hexes(way), h in reached.minimum, beyond)
    answer = None if asked.target is None else _explained(asked, asked.target, ways, refuses, best)
    hexes = tuple(best[h] for h in sorted(best))
    return replace(asked.nowhere(mode, ""), budget=points(ways[0].budget), hexes=hexes, answer=answer)


def _explained(
    asked: Asked[F],
    target: HexId,
    ways: Sequence[MoveRules],
    refuses: Refuses,
    best: Mapping[HexId, Reached],
) -> Answer:
    """By the first way that leads there; if none does, what stands against the first of all."""
    board, words = asked.field.board, asked.field.ground.wording
    via = tuple(asked.field.ids(best[target].path[1:-1])) if target in best else ()
    verdicts = [explain(board, rules, asked.start, target, via) for rules in ways]
    legal = [(v, rules) for v, rules in zip(verdicts, ways, strict=True) if v.way is not None]
    refused = [refuses(rules, v.way.path) if v.way is not None else "" for v, rules in legal]
    for (verdict, _), why in zip(legal, refused, strict=True):
        if not why:
            return Answer(asked.hex(target), True, say.path_text(words, verdict))
    text = refused[0] if refused else say.path_text(words, verdicts[0])
    return Answer(asked.hex(target), False, text)


def voyages(asked: Asked[F], mode: str, rules: SeaRules, faults: Callable[[HexId], list[str]]) -> Reach:
    """Where the unit may go by sea; `faults` says what is wrong with a voyage to a hex."""
    faults_at = {h: faults(h) for h in destinations(rules, asked.start)}
    open_ = [h for h, wrong in faults_at.items() if not wrong]
    hexes = tuple(Reached(asked.hex(h), points(ONE), asked.hexes((asked.start, h))) for h in open_)
    answer = None
    if asked.target is not None:
        wrong = faults(asked.target)
        answer = Answer(asked.hex(asked.target), not wrong, next(iter(wrong), "a voyage by sea"))
    if hexes:
        return replace(asked.nowhere(mode, ""), hexes=hexes, answer=answer)
    reasons = [*chain(*faults_at.values()), *faults(asked.start), "no other friendly port lies on this water"]
    return replace(asked.nowhere(mode, reasons[0]), answer=answer)
