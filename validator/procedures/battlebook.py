"""What a phase remembers of its battles: who fought, what was rolled, what each side lost and retreated.

A game makes its parties and battles of these, with what its own rules ask for besides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from validator.core.battle import Fought
from validator.core.board import HexId
from validator.core.combat import Worksheet
from validator.core.results import Part, Pays, Result
from validator.engine.case import AnyCase
from validator.model.events import Attacked, Event, Moved, Removed, StepChanged
from validator.model.position import Position, Unit


@dataclass(frozen=True)
class Extra:
    """A step lost on top of the result, for how a unit retreated; any of `units` may lose it."""

    key: str
    hexes: tuple[HexId, ...]
    origin: HexId
    units: tuple[str, ...]
    required: bool = True


@dataclass
class Party:
    """One side of a battle, as it stood when the battle was declared.

    `guests` retreated into the hex earlier in the phase and neither defend nor pay. `heirs` are counters that
    took the place of others. `spare` holds the hexes a unit retreated for lack of room, `excused` the units
    removed for it.
    """

    side: str
    steps: dict[str, int]
    stood: dict[str, HexId]
    immobile: frozenset[str] = frozenset()
    guests: tuple[str, ...] = ()
    lost: dict[str, int] = field(default_factory=dict)
    paths: dict[str, tuple[HexId, ...]] = field(default_factory=dict)
    extras: list[Extra] = field(default_factory=list)
    heirs: dict[str, str] = field(default_factory=dict)
    spare: dict[str, int] = field(default_factory=dict)
    excused: set[str] = field(default_factory=set)
    advanced: set[str] = field(default_factory=set)
    early: list[Moved] = field(default_factory=list)  # advances that wait for what the other side owes
    removed_whole: set[str] = field(default_factory=set)  # removed with steps it could have lost one by one
    doubtful: set[str] = field(default_factory=set)  # units that should not have fought: named once is enough
    strayed: bool = False  # a retreat was faulty: what follows from it is not held against the side

    def root(self, unit: str) -> str:
        """The unit as it was named when the battle began."""
        return self.heirs.get(unit, unit)

    @property
    def names(self) -> set[str]:
        """All counters that stood for its units."""
        return {*self.steps, *self.heirs}

    def holds(self, unit: str) -> bool:
        return self.root(unit) in self.steps

    def lose(self, unit: str, steps: int) -> None:
        name = self.root(unit)
        self.lost[name] = self.lost.get(name, 0) + steps

    def alive(self, unit: str) -> bool:
        return self.lost.get(unit, 0) < self.steps[unit] and unit not in self.excused

    @property
    def lost_steps(self) -> int:
        return sum(self.lost.values())

    @property
    def suffered(self) -> bool:
        return bool(self.lost_steps or self.paths)

    def hexes_retreated(self, unit: str) -> int:
        return max(len(self.paths.get(unit, ())) - 1, 0)

    def owing(self, part: Part) -> bool:
        """Whether a loss or retreat would still fit the result."""
        if not any(self.alive(unit) for unit in self.steps):
            return False
        if part.pays is Pays.EACH:
            return any(self.lost.get(unit, 0) < part.points for unit in self.steps if self.alive(unit))
        most = max((self.hexes_retreated(unit) for unit in self.steps), default=0)
        paid = self.lost_steps - sum(extra.required for extra in self.extras) + most
        uneven = any(self.hexes_retreated(u) < most for u in self.steps if self.alive(u))
        return part.pays is Pays.ALL or paid < part.points or uneven


P = TypeVar("P", bound=Party)


@dataclass
class Battle(Generic[P]):
    """A battle from its declaration to the last step lost for it."""

    number: int
    overrun: bool
    attacker: P
    defender: P
    targets: tuple[HexId, ...]
    support: tuple[str, ...]
    announced: str | None
    revealed: bool = False  # it has been worked out
    sum: Any = None  # what went into the worksheet, as the game keeps it
    doubts: list[Any] = field(default_factory=list)  # other sums, by what the log does not show
    sheet: Worksheet | None = None
    die: int | None = None
    named: str | None = None
    raw: str | None = None  # the result as the table has it, where the ground changes it
    result: Result | None = None
    automatic: Result | None = None  # what needs no die and no name, as the battle stood when it was declared
    else_: Result | None = None  # what it should have been, where the players named another
    accused: set[str] = field(default_factory=set)

    won: bool = False  # an overrun that emptied its hex

    @classmethod
    def declared(cls, event: Attacked, attacker: P, defender: P, targets: tuple[HexId, ...]) -> Self:
        return cls(event.battle, event.overrun, attacker, defender, targets, event.support, event.column)

    @property
    def parties(self) -> tuple[P, P]:
        return self.attacker, self.defender

    def attackers_but(self, left_out: Collection[str]) -> list[str]:
        """Without some of them; all, if that leaves nobody."""
        return [name for name in self.attacker.steps if name not in left_out] or list(self.attacker.steps)

    def party(self, unit: str) -> P | None:
        return next((party for party in self.parties if party.holds(unit)), None)

    def opponent(self, party: P) -> P:
        return self.defender if party is self.attacker else self.attacker

    def part(self, party: P) -> Part:
        return Part() if self.result is None else self.asks(self.result, party)

    def owes(self, party: P) -> bool:
        """Whether a loss or retreat of a side would still fit the result."""
        return party.owing(self.part(party))

    def parts(self, party: P) -> list[Part]:
        """What may be asked of a side; two things where the result was misnamed."""
        return [self.asks(result, party) for result in (self.result, self.else_) if result is not None]

    def asks(self, result: Result, party: P) -> Part:
        """What a result asks of a side."""
        part = result.attacker if party is self.attacker else result.defender
        if part.pays is Pays.SAME:
            return replace(part, pays=Pays.STEPS, points=self.opponent(party).lost_steps)
        return part

    def draft(self) -> Self:
        """A copy to work with; a reducer takes it over."""
        return replace(self, accused=set(self.accused))

    @property
    def idle(self) -> bool:
        """Declared, and nothing has come of it: it may be declared otherwise."""
        return not (self.rolled or self.attacker.suffered or self.defender.suffered)

    def is_declared_anew_by(self, later: Battle[Any]) -> bool:
        """Declared, and declared once more before anything came of it."""
        ours = not self.attacker.names.isdisjoint(later.attacker.names)
        return ours and later.targets == self.targets and later.overrun == self.overrun

    @property
    def rolled(self) -> bool:
        return self.die is not None or self.result is not None


B = TypeVar("B", bound=Battle[Any])


def numbered(known: Sequence[B], number: int | None) -> B | None:
    """The battle of this number; without one, the latest."""
    return next((battle for battle in reversed(known) if number in (None, battle.number)), None)


def engaged(known: Sequence[B], unit: str, number: int | None) -> B | None:
    """The battle a loss or move belongs to: the latest the unit took part in, first of those still owed."""
    joined = [battle for battle in reversed(known) if number in (None, battle.number) and battle.party(unit)]
    owed = (battle for battle in joined if _owed(battle, unit))
    return next(owed, joined[0] if joined else None)


def _owed(battle: Battle[Any], unit: str) -> bool:
    party = battle.party(unit)
    return party is not None and party.owing(battle.part(party))


def retreated(known: Sequence[Battle[Any]], *, overruns: bool = False) -> set[str]:
    """Units that retreated in one of the battles, by their names now."""
    names = set()
    for battle in known:
        for party in battle.parties if overruns or not battle.overrun else ():
            gone = {unit for unit in party.steps if party.hexes_retreated(unit)}
            names |= gone | {heir for heir, root in party.heirs.items() if root in gone}
    return names


class BattleBook(Generic[B, P]):
    """The battles of a phase, of the kinds a game has made, in the order they were declared."""

    def of(self, case: AnyCase) -> list[B]:
        known: list[B] = case.in_phase.battles
        return known

    def numbered(self, case: AnyCase, number: int | None) -> B | None:
        return numbered(self.of(case), number)

    def engaged(self, case: AnyCase, unit: str, number: int | None) -> tuple[B, P] | None:
        """The battle a loss or move belongs to, and the unit's side of it."""
        battle = engaged(self.of(case), unit, number)
        party: P | None = battle.party(unit) if battle else None
        return (battle, party) if battle and party else None


def fought_before(known: Iterable[Battle[Any]]) -> Fought:
    """Who has attacked what in these battles; overruns do not count."""
    fought = Fought()
    for battle in known:
        if not battle.overrun:
            fought.book(battle.attacker.names, battle.targets, ())
    return fought


# --- losses as the log shows them ---------------------------------------------------------------


@dataclass(frozen=True)
class Loss:
    """Steps that a unit lost by one event."""

    unit: str
    steps: int
    battle: int | None
    whole: bool = False  # the counter was removed outright


def printed_steps_left(unit: Unit) -> int:
    """By the side the counter shows."""
    return unit.type.steps - unit.step + 1


def loss_of(
    position: Position,
    event: Event,
    kept: Sequence[str] = (),
    steps_left: Callable[[Unit], int] = printed_steps_left,
) -> Loss | None:
    """A counter turned to a weaker side, or taken off the map other than to a box that keeps it."""
    units = position.units
    match event:
        case StepChanged(name, old, new, battle) if new > old:
            return Loss(name, new - old, battle)
        case Removed(name, box, battle) if units[name].on_map and box not in kept:
            return Loss(name, steps_left(units[name]), battle, True)
    return None
