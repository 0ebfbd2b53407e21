"""Battles as they are put together from the lines of a log: declared piece by piece, complete at the roll.

A battle that has its die takes no more declarations: what is declared next opens another one, whatever
number the log prints. A die that falls before its battle is declared waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from fieldpost.definition.words import WordList
from fieldpost.hexes import Hex
from validator.interpret.protocol import Line
from validator.model.events import Attacked, Event, Origin, OtherDie, ResultNamed, Rolled, Spot, Unread

FOUGHT = ("combat", "overrun")  # rolls that belong to a battle
DECLARING = ("attack", "overrun", "target", "support", "battle")
BY_CHART = "chart"  # ends a result that the module looked up; players have not named it


@dataclass
class Battle:
    number: int | None  # None where no battle was declared
    units: dict[str, None] = field(default_factory=dict)
    targets: dict[Hex, None] = field(default_factory=dict)
    defenders: dict[str, None] = field(default_factory=dict)
    support: dict[str, None] = field(default_factory=dict)
    stood: dict[str, Spot] = field(default_factory=dict)  # where the attackers were when the die fell
    result: str = ""
    overrun: bool = False
    declared: bool = False
    rolled: bool = False
    in_rounds: bool = False  # fought round by round, with a die for each unit
    other_die: Rolled | None = None  # rolled for something else while this battle waited for its own
    origin: Origin = field(default_factory=Origin)

    def holds(self, unit: str) -> bool:
        return unit in self.units or unit in self.defenders

    @property
    def complete(self) -> bool:
        return bool(self.units and self.targets)


NO_BATTLE = Battle(None)


@dataclass
class Early:
    """A die that fell before its battle was declared, as far as can be told yet."""

    roll: Rolled
    printed: int  # the number of the battle as the log prints it
    fought: Battle | None  # the battle of that number has its die already: this may be a second one
    waits: Battle | None  # the battle that is being declared since


@dataclass
class Battles:
    """The battles of a log. `current` is the last that was declared in this phase."""

    by_number: dict[int, Battle] = field(default_factory=dict)
    current: Battle = field(default_factory=lambda: Battle(None))
    where: Callable[[str], Spot | None] = lambda unit: None
    lost: list[str] = field(default_factory=list)  # units that left since the current battle's die
    reasons: WordList = field(default_factory=lambda: WordList.of("reason to roll", ()))  # for dice
    early: frozenset[str] = frozenset()  # of them, those before a battle's own die
    printed: dict[int | None, Battle] = field(default_factory=dict)  # by the number the log prints, the last
    waiting: Early | None = None

    # --- declarations ---

    def attack(self, line: Line, origin: Origin) -> None:
        """A unit declared that it attacks or overruns."""
        battle = self._declaring(line, origin)
        battle.units[line.words[0]] = None
        battle.overrun |= line.verb == "overrun"

    def target(self, line: Line, hex_: Hex, defenders: list[str], origin: Origin) -> None:
        battle = self._declaring(line, origin)
        battle.targets[hex_] = None
        battle.defenders |= dict.fromkeys(defenders)

    def support(self, line: Line, origin: Origin) -> None:
        self._declaring(line, origin).support[line.words[0]] = None

    def _declaring(self, line: Line, origin: Origin) -> Battle:
        """The battle that a declaration belongs to."""
        number = line.battle or 0
        battle = self.printed.get(number)
        if self.waiting is not None and self.waiting.waits is not None:
            battle = self.waiting.waits
        elif battle is None or battle.rolled:
            battle = self._new(number, origin)
        if self.waiting is not None:
            self.waiting.waits = battle
        self.printed[number] = battle
        return battle

    def _new(self, number: int, origin: Origin) -> Battle:
        """By the number that is printed, or by the next one if that is taken."""
        if number in self.by_number:
            number = max(self.by_number) + 1
        battle = self.by_number[number] = Battle(number, origin=origin)
        return battle

    def declare(self, last: Battle | None = None) -> Iterator[Event]:
        """What was gathered for a battle and those before it, once; without one, all that still wait."""
        for battle in list(self.by_number.values()):
            if battle.complete and not battle.declared:
                yield self._declared(battle)
            if battle is last:
                return

    def _declared(self, battle: Battle) -> Attacked:
        battle.declared = True
        battle.stood = {unit: spot for unit in battle.units if (spot := self.where(unit)) is not None}
        self.current, self.lost = battle, []
        return Attacked(
            battle.number or 0,
            tuple(battle.units),
            tuple(battle.targets),
            battle.overrun,
            tuple(battle.support),
            origin=battle.origin,
        )

    # --- rounds ---

    def fight(self, number: int | None) -> Iterator[Event]:
        """A round of a battle, or a volley: it takes no more declarations, and what follows belongs to it."""
        yield from self.declare()
        battle = self.printed.get(number, NO_BATTLE)
        if battle.complete:
            battle.rolled = battle.in_rounds = True
            self.current = battle

    # --- dice and results ---

    def roll(self, line: Line, origin: Origin) -> Iterator[Event]:
        if line.roll is None:
            yield Unread("dice in a form that is not known")
            return
        sides, values = line.roll
        reason = self.reasons.find(line.reason) or line.reason
        rolled = Rolled(values, sides, reason, origin=origin)
        if reason in FOUGHT and line.battle is not None:
            yield from self._of_battle(rolled, line.battle)
        elif reason in self.early:
            yield from self.declare(self.printed.get(line.battle))
            yield replace(rolled, battle=self.current.number)
        else:
            waiting = self._waiting_for_a_die()
            if waiting is not None:
                waiting.other_die = rolled
            yield rolled

    def _of_battle(self, rolled: Rolled, number: int) -> Iterator[Event]:
        yield from self.settle(another_die=True)
        battle = self.printed.get(number)
        if battle is not None and battle.rolled:
            self.waiting = Early(rolled, number, battle, None)
        elif battle is not None and battle.complete:
            yield from self._decide(battle, rolled)
        else:
            self.waiting = Early(rolled, number, None, battle)

    def _decide(self, battle: Battle, rolled: Rolled) -> Iterator[Event]:
        yield from self.declare(battle)
        battle.rolled = True
        yield replace(rolled, battle=battle.number)

    def take(self, rolled: Rolled, battle: Battle) -> Iterator[Event]:
        """A die of no battle becomes that of one."""
        yield from self._decide(battle, replace(rolled, reason=FOUGHT[0]))

    def settle(self, another_die: bool = False) -> Iterator[Event]:
        """What became of an early die, now that something else is done than declaring."""
        early, self.waiting = self.waiting, None
        if early is None:
            return
        complete = early.waits is not None and early.waits.complete
        if early.fought is not None and (another_die or not complete):
            yield replace(early.roll, battle=early.fought.number)  # a second die of that battle
        elif early.waits is not None and complete:
            yield from self._decide(early.waits, early.roll)
        else:
            yield replace(early.roll, battle=early.printed)

    @property
    def _waiting(self) -> list[Battle]:
        """The battles declared in this phase that wait for their dice."""
        return [battle for battle in self.printed.values() if battle.complete and not battle.rolled]

    @property
    def first_waiting(self) -> Battle | None:
        return next(iter(self._waiting), None)

    def _waiting_for_a_die(self) -> Battle | None:
        """The battle declared last in this phase that waits for its die."""
        return next(reversed(self._waiting), None)

    def result(self, line: Line, named: str, origin: Origin) -> Iterator[Event]:
        battle = self.printed.get(line.battle or 0)
        if battle is not None:
            battle.result = named
        if line.second == BY_CHART:
            return
        if battle is not None:  # named without a die, it is automatic
            yield from self.declare(battle)
            battle.rolled = True
        number = battle.number if battle is not None else line.battle
        yield ResultNamed(named, number, origin=origin)

    def without_die(self) -> Iterator[Event]:
        """Battles that got no die, though one fell for something else while they waited."""
        for battle in self.by_number.values():
            if battle.complete and not battle.rolled and battle.other_die is not None:
                die, battle.other_die = battle.other_die, None
                yield OtherDie(battle.number or 0, die.reason, die.values, origin=die.origin)

    # --- after the roll ---

    @property
    def fought(self) -> Battle:
        """The battle whose losses, retreats and advances are due; one of nobody, if there is none."""
        return self.current if self.current.rolled else NO_BATTLE

    def loser(self, unit: str) -> int | None:
        """The battle a loss of this unit belongs to."""
        return self.fought.number if self.fought.holds(unit) else None

    def left(self, unit: str) -> None:
        if self.fought.holds(unit):
            self.lost.append(unit)

    def inherit(self, heir: str, lost: list[str]) -> None:
        """A counter that takes the place of the first of these has its part in the battle."""
        battle = self.fought
        if not lost:
            return
        first = lost[0]
        self.lost.remove(first)
        if first in battle.units:
            battle.units[heir] = None
            battle.stood[heir] = battle.stood.get(first, "")
        if first in battle.defenders:
            battle.defenders[heir] = None

    def follow_up(self, unit: str, path: tuple[Spot, ...], mode: str = "") -> tuple[str, int] | None:
        """Whether a move of this declared mode is the retreat or the advance of the battle just fought."""
        battle = self._fought_by(unit)
        if battle.number is None:
            return None
        if battle.in_rounds and mode and path[-1] not in battle.targets:
            return None
        attacks = unit in battle.units
        if battle.overrun:
            return self._after_overrun(battle, battle.number, path[-1], attacks)
        gone = battle.targets if attacks else dict.fromkeys(battle.stood.values())
        if battle.in_rounds and not attacks:
            return "retreat", battle.number  # whoever is left of the attackers
        if path[-1] in gone:
            return "advance", battle.number
        return ("retreat" if self._beaten(battle, attacks) else "advance"), battle.number

    def _fought_by(self, unit: str) -> Battle:
        """The battle that a unit moves for: the one just fought, or one before it whose losses come late."""
        if self.fought.holds(unit):
            return self.fought
        before = (
            b for b in reversed(self.printed.values()) if b.rolled and not b.in_rounds and b.holds(unit)
        )
        return next(before, NO_BATTLE)

    def _after_overrun(self, battle: Battle, number: int, end: Spot, attacks: bool) -> tuple[str, int] | None:
        """Who overran enters the hex and may go on as before; who was overrun only retreats."""
        if attacks and end in battle.targets:
            battle.result = battle.result or "D"
            return "advance", number
        return ("retreat", number) if self._beaten(battle, attacks) else None

    def _beaten(self, battle: Battle, attacks: bool) -> bool:
        """By the result, where it was named and is of one side; else if the other side holds its ground."""
        letter = battle.result[:1].upper()
        if letter in ("A", "D"):
            return (letter == "A") == attacks
        if attacks:
            return any(self.where(unit) in battle.targets for unit in battle.defenders)
        return any(self.where(unit) == spot for unit, spot in battle.stood.items())

    def phase_ended(self) -> None:
        """What was declared and not fought is over with its phase."""
        self.current = Battle(None)
        self.printed.clear()
