"""Battles as they are put together from the lines of a log: declared piece by piece, complete at the roll."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fieldpost.definition.words import WordList
from fieldpost.hexes import Hex
from validator.interpret.protocol import Line
from validator.model.events import Attacked, Event, Origin, ResultNamed, Rolled, Spot, Unread

FOUGHT = ("combat", "overrun")  # rolls that belong to a battle


@dataclass
class Battle:
    number: int
    units: dict[str, None] = field(default_factory=dict)
    targets: dict[Hex, None] = field(default_factory=dict)
    defenders: dict[str, None] = field(default_factory=dict)
    support: dict[str, None] = field(default_factory=dict)
    stood: dict[str, Spot] = field(default_factory=dict)  # where the attackers were when the die fell
    result: str = ""
    overrun: bool = False
    declared: bool = False
    rolled: bool = False
    origin: Origin = field(default_factory=Origin)

    def holds(self, unit: str) -> bool:
        return unit in self.units or unit in self.defenders


@dataclass
class Battles:
    """The battles of a log. `current` is the last that was declared."""

    known: dict[int, Battle] = field(default_factory=dict)
    current: Battle | None = None
    where: Callable[[str], Spot | None] = lambda unit: None
    lost: list[str] = field(default_factory=list)  # units that left since the current battle's die
    reasons: WordList = field(default_factory=lambda: WordList.of("reason to roll", ()))  # for dice
    early: frozenset[str] = frozenset()  # of them, those before a battle's own die

    def of(self, number: int, origin: Origin) -> Battle:
        if number not in self.known:
            self.known[number] = Battle(number, origin=origin)
        return self.known[number]

    def attack(self, line: Line, origin: Origin) -> None:
        """A unit declared that it attacks or overruns."""
        battle = self.of(line.battle or 0, origin)
        battle.units[line.words[0]] = None
        battle.overrun |= line.verb == "overrun"

    def target(self, line: Line, hex_: Hex, defenders: list[str], origin: Origin) -> None:
        battle = self.of(line.battle or 0, origin)
        battle.targets[hex_] = None
        battle.defenders |= dict.fromkeys(defenders)

    def support(self, line: Line, origin: Origin) -> None:
        self.of(line.battle or 0, origin).support[line.words[0]] = None

    def declare(self, number: int | None) -> Iterator[Event]:
        """What was gathered for a battle, once; or, with None, for all that still wait."""
        waiting = [b for b in self.known.values() if not b.declared and b.units and b.targets]
        for battle in waiting:
            if number is None or battle.number <= number:
                battle.declared = True
                battle.stood = {unit: spot for unit in battle.units if (spot := self.where(unit)) is not None}
                self.current, self.lost = battle, []
                yield Attacked(
                    battle.number,
                    tuple(battle.units),
                    tuple(battle.targets),
                    battle.overrun,
                    tuple(battle.support),
                    origin=battle.origin,
                )

    def roll(self, line: Line, origin: Origin) -> Iterator[Event]:
        dice = line.roll
        if dice is None or not all(1 <= value <= dice[0] for value in dice[1]):
            yield Unread("dice in a form that is not known")
            return
        sides, values = dice
        reason = self.reasons.find(line.reason) or line.reason
        battle = line.battle if reason in FOUGHT else None
        if battle is not None:
            yield from self.declare(battle)
            if battle in self.known:
                self.known[battle].rolled = True
        elif reason in self.early:
            yield from self.declare(line.battle)
            battle = self.current.number if self.current is not None else None
        yield Rolled(values, sides, reason, None, battle, origin=origin)

    def result(self, line: Line, named: str, origin: Origin) -> Iterator[Event]:
        battle = self.known.get(line.battle or 0)
        if battle is not None:  # named without a die, it is automatic
            yield from self.declare(battle.number)
            battle.result, battle.rolled = named, True
        yield ResultNamed(named, line.battle, origin=origin)

    # --- after the roll ---

    @property
    def fought(self) -> Battle | None:
        return self.current if self.current is not None and self.current.rolled else None

    def loser(self, unit: str) -> int | None:
        """The battle a loss of this unit belongs to."""
        battle = self.fought
        return battle.number if battle is not None and battle.holds(unit) else None

    def left(self, unit: str) -> None:
        if self.loser(unit) is not None:
            self.lost.append(unit)

    def inherit(self, heir: str, of: str) -> None:
        """A counter that takes the place of one that fought has its part in the battle."""
        battle = self.fought
        if battle is not None and of in self.lost:
            self.lost.remove(of)
            if of in battle.units:
                battle.units[heir] = None
                battle.stood[heir] = battle.stood.get(of, "")
            if of in battle.defenders:
                battle.defenders[heir] = None

    def follow_up(self, unit: str, path: tuple[Spot, ...]) -> tuple[str, int] | None:
        """Whether a move is the retreat or the advance of the battle just fought."""
        battle = self.fought
        if battle is None or not battle.holds(unit):
            return None
        attacks = unit in battle.units
        if battle.overrun:
            return self._after_overrun(battle, unit, path[-1], attacks)
        gone = battle.targets if attacks else dict.fromkeys(battle.stood.values())
        if path[-1] in gone:
            return "advance", battle.number
        return ("retreat" if self._beaten(battle, attacks) else "advance"), battle.number

    def _after_overrun(self, battle: Battle, unit: str, end: Spot, attacks: bool) -> tuple[str, int] | None:
        """Who overran enters the hex and may go on as before; who was overrun only retreats."""
        if attacks and end in battle.targets:
            battle.result = battle.result or "D"
            return "advance", battle.number
        return ("retreat", battle.number) if self._beaten(battle, attacks) else None

    def _beaten(self, battle: Battle, attacks: bool) -> bool:
        """By the result, where it was named and is of one side; else if the other side holds its ground."""
        letter = battle.result[:1].upper()
        if letter in ("A", "D"):
            return (letter == "A") == attacks
        if attacks:
            return any(self.where(unit) in battle.targets for unit in battle.defenders)
        return any(self.where(unit) == spot for unit, spot in battle.stood.items())

    def phase_ended(self) -> None:
        self.current = None
