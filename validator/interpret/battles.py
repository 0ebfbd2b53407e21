"""Battles as they are put together from the lines of a log: declared piece by piece, complete at the roll."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fieldpost.hexes import Hex
from validator.events import Attacked, Event, Origin, ResultNamed, Rolled
from validator.interpret.protocol import Line

FOUGHT = ("combat", "overrun")  # rolls that belong to a battle


@dataclass
class Battle:
    number: int
    units: dict[str, None] = field(default_factory=dict)
    targets: dict[Hex, None] = field(default_factory=dict)
    defenders: dict[str, None] = field(default_factory=dict)
    support: dict[str, None] = field(default_factory=dict)
    overrun: bool = False
    declared: bool = False
    rolled: bool = False
    origin: Origin = field(default_factory=Origin)


@dataclass
class Battles:
    """The battles of a log. `current` is the last that was declared."""

    known: dict[int, Battle] = field(default_factory=dict)
    current: Battle | None = None

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
                self.current = battle
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
        if dice is None:
            return
        sides, values = dice
        reason = line.words[0] if line.words else ""
        battle = line.battle if reason in FOUGHT else None
        if battle is not None:
            yield from self.declare(battle)
            if battle in self.known:
                self.known[battle].rolled = True
        yield Rolled(values, sides, reason, None, battle, origin=origin)

    def result(self, line: Line, origin: Origin) -> Iterator[Event]:
        if line.words:
            yield ResultNamed(line.words[0], line.battle, origin=origin)

    # --- after the roll ---

    def loser(self, unit: str) -> int | None:
        """The battle a loss of this unit belongs to."""
        battle = self.current
        if battle is not None and battle.rolled and (unit in battle.units or unit in battle.defenders):
            return battle.number
        return None

    def follow_up(self, unit: str, path: tuple[object, ...]) -> tuple[str, int] | None:
        """Whether a move is the retreat or the advance of the battle just fought."""
        battle = self.current
        if battle is None or not battle.rolled:
            return None
        if unit in battle.defenders and path[0] in battle.targets:
            return "retreat", battle.number
        if unit in battle.units:
            return ("advance" if path[1] in battle.targets else "retreat"), battle.number
        return ("advance", battle.number) if unit in battle.defenders else None

    def phase_ended(self) -> None:
        self.current = None
