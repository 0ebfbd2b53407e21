"""What a phase remembers of its battles: who fought, what was rolled, what each side lost and retreated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validator.core.board import HexId, Mask
from validator.core.combat import Worksheet
from validator.core.results import Part, Pays, Result
from validator.events import Attacked
from validator.games.wfm.book import ENEMY
from validator.games.wfm.field import Field, ground_of, printed
from validator.position import Unit
from validator.referee import Case

MOVING = ("axis-move", "sov-move", "ger-mech")
FIGHTING = ("axis-combat", "sov-combat", *MOVING)


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

    `guests` retreated into the hex earlier in the phase: they neither defend nor pay (8.107). `heirs` are
    Kampfgruppen that took the place of a corps. `spare` holds the hexes a unit retreated for want of room,
    `excused` the units removed for it (8.105).
    """

    side: str
    steps: dict[str, int]
    stood: dict[str, HexId]
    with_zone: frozenset[str]
    immobile: frozenset[str]
    armor: frozenset[str]
    guests: tuple[str, ...] = ()
    lost: dict[str, int] = field(default_factory=dict)
    paths: dict[str, tuple[HexId, ...]] = field(default_factory=dict)
    extras: list[Extra] = field(default_factory=list)
    heirs: dict[str, str] = field(default_factory=dict)
    spare: dict[str, int] = field(default_factory=dict)
    excused: set[str] = field(default_factory=set)
    advanced: set[str] = field(default_factory=set)
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
        most = max((self.hexes_retreated(unit) for unit in self.steps), default=0)
        paid = self.lost_steps - len(self.extras) + most
        uneven = any(self.hexes_retreated(u) < most for u in self.steps if self.alive(u))
        return part.pays is Pays.ALL or paid < part.points or uneven


@dataclass
class Battle:
    number: int
    overrun: bool
    attacker: Party
    defender: Party
    targets: tuple[HexId, ...]
    support: tuple[str, ...]
    announced: str | None
    sum: Any = None  # what went into the worksheet (c08_odds.Sum)
    sheet: Worksheet | None = None
    die: int | None = None
    named: str | None = None
    result: Result | None = None
    else_: Result | None = None  # what it should have been, where the players named another
    accused: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)  # sides whose fault has been named
    over: bool = False  # ... and what follows from the battle judged
    late: bool = False
    won: bool = False  # an overrun that emptied its hex
    city: bool = False  # a major city or fortress that stands was attacked (20.41)
    armored: tuple[str, ...] = ()  # attackers that roll for additional losses (20.41)
    additional: dict[str, bool] = field(default_factory=dict)  # unit rolled for: a step is due
    paid: set[str] = field(default_factory=set)  # ... and was lost

    @property
    def parties(self) -> tuple[Party, Party]:
        return self.attacker, self.defender

    def party(self, unit: str) -> Party | None:
        return next((party for party in self.parties if party.holds(unit)), None)

    def foe(self, party: Party) -> Party:
        return self.defender if party is self.attacker else self.attacker

    def part(self, party: Party) -> Part:
        return Part() if self.result is None else self._of(self.result, party)

    def parts(self, party: Party) -> list[Part]:
        """What may be asked of a side; two things where the result was misnamed."""
        return [self._of(result, party) for result in (self.result, self.else_) if result is not None]

    def _of(self, result: Result, party: Party) -> Part:
        return result.attacker if party is self.attacker else result.defender

    @property
    def rolled(self) -> bool:
        return self.die is not None or self.result is not None


def battles(case: Case) -> list[Battle]:
    """The battles of this phase, in the order they were declared."""
    found: list[Battle] = case.in_phase.notes.setdefault("battles", [])
    return found


def numbered(case: Case, number: int | None) -> Battle | None:
    """The battle of this number; without one, the latest."""
    known = reversed(battles(case))
    return next((battle for battle in known if number in (None, battle.number)), None)


def engaged(case: Case, unit: str, number: int | None) -> tuple[Battle, Party] | None:
    """The battle a loss or move belongs to: the latest the unit took part in, first of those still owed."""
    known = [
        (battle, party)
        for battle in reversed(battles(case))
        if number in (None, battle.number) and (party := battle.party(unit)) is not None
    ]
    owed = (pair for pair in known if pair[1].owing(pair[0].part(pair[1])))
    return next(owed, known[0] if known else None)


def retreated_before(case: Case) -> set[str]:
    """Units that retreated in a battle of this phase, by their names now."""
    names = set()
    for battle in battles(case):
        for party in battle.parties if not battle.overrun else ():
            gone = {unit for unit in party.steps if party.hexes_retreated(unit)}
            names |= gone | {heir for heir, root in party.heirs.items() if root in gone}
    return names


def open_battle(case: Case, field_now: Field, event: Attacked) -> Battle:
    """A battle as it was declared, with those who stand in the attacked hexes."""
    position = case.position
    attackers = [position.units[name] for name in event.units]
    side = attackers[0].side if attackers else "axis"
    targets = tuple(h for hex_ in event.targets if (h := field_now.id(hex_)) is not None)
    there = [u for h in targets for u in field_now.units(h) if u.side == ENEMY[side]]
    guests = [] if event.overrun else [u.id for u in there if u.id in retreated_before(case)]
    residents = [u for u in there if u.id not in guests] or there
    left = tuple(name for name in guests if name not in {u.id for u in residents})
    battle = Battle(
        event.battle,
        event.overrun,
        _party(field_now, side, attackers, ()),
        _party(field_now, ENEMY[side], residents, left),
        targets,
        event.support,
        event.column,
    )
    battles(case).append(battle)
    return battle


def _party(field_now: Field, side: str, units: Sequence[Unit], guests: tuple[str, ...]) -> Party:
    return Party(
        side,
        {unit.id: steps_left(unit) for unit in units},
        {unit.id: h for unit in units if (h := field_now.id(unit.spot)) is not None},
        frozenset(unit.id for unit in units if unit.on_map and field_now.has_zone(unit)),
        frozenset(unit.id for unit in units if printed(unit, "movement") == 0),
        frozenset(unit.id for unit in units if unit.has("armor")),
        guests,
    )


def strength_marker(unit: Unit) -> str | None:
    """The strength marker an army carries (7.1)."""
    return next((mark for mark in unit.marks if mark.startswith("csm-")), None)


def steps_left(unit: Unit) -> int:
    """8.91 to 8.93; an army's steps are the sides of its strength marker."""
    marker = strength_marker(unit)
    if marker is not None:
        return 3 - unit.marks[marker]
    return unit.type.steps - unit.step + 1


def across(case: Case, *kinds: str) -> Mask:
    """Step mask: hexsides of these kinds; worked out once."""
    key = ("across", kinds)
    if key not in case.cache:
        case.cache[key] = ground_of(case).board.steps_across(*kinds)
    found: Mask = case.cache[key]
    return found


def units_of(case: Case, names: Iterable[str]) -> Iterator[Unit]:
    return (case.position.units[name] for name in names)
