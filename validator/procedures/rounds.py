"""Battles of many rounds: who fights, who fired in this round, which hits are still to be taken.

A game's reducers write them; its judges read. What a die means is the game's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from validator.core.board import HexId
from validator.core.volleys import Shot


@dataclass
class Round:
    """One round: the shots of each side, in the order they fell."""

    number: int
    under: tuple[str, ...] = ()  # headquarters that order it
    shots: dict[str, list[Shot]] = field(default_factory=dict)  # by side
    raised: dict[str, int] = field(default_factory=dict)  # by side, units that fired with a supporter's help
    lifted: dict[str, int] = field(default_factory=dict)
    first_hits: int = 0  # of the attacker, that come off before the defender fires
    paid_before: int = 0  # hits the defender had taken when it began
    on_armor: dict[str, int] = field(default_factory=dict)  # by side, hits that armor takes first
    lost_before: dict[str, int] = field(default_factory=dict)  # by side, units lost when it began
    absorbed_before: dict[str, int] = field(default_factory=dict)

    def fired(self, unit: str) -> bool:
        return any(shot.unit == unit for some in self.shots.values() for shot in some)

    def hits(self, side: str) -> int:
        return sum(shot.hits for shot in self.shots.get(side, ()))


@dataclass
class Side:
    """One side of a battle: the units that began it, and what became of them."""

    side: str
    stood: dict[str, HexId]
    lost: list[str] = field(default_factory=list)
    gone: dict[str, int] = field(default_factory=dict)  # units out of the battle, and the round they left in
    disrupted: dict[str, int] = field(default_factory=dict)  # by the round of the die
    shielded: dict[HexId, int] = field(default_factory=dict)  # hits taken by fortifications, by their front

    @property
    def absorbed(self) -> int:
        return sum(self.shielded.values())

    @property
    def fighting(self) -> list[str]:
        return [unit for unit in self.stood if unit not in self.lost and unit not in self.gone]

    @property
    def paid(self) -> int:
        return len(self.lost) + self.absorbed


@dataclass
class Toll:
    """Hits outside the rounds of a battle, in the air or by a salvo, that units of one side must take."""

    manner: str
    side: str
    place: HexId
    exposed: set[str]
    hits: int = 0
    taken: int = 0

    @property
    def owed(self) -> int:
        return self.hits - self.taken

    def outstanding(self, standing: Callable[[str], bool]) -> int:
        """Of them, those that units which still stand could take."""
        return min(max(self.owed, 0), sum(map(standing, self.exposed)))


@dataclass
class Engagement:
    """A battle from its declaration to the last hit taken for it."""

    number: int
    target: HexId
    attacker: Side
    defender: Side
    exploiting: bool = False
    rounds: list[Round] = field(default_factory=list)

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.attacker, self.defender

    @property
    def round(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    def of(self, unit: str) -> Side | None:
        return next((side for side in self.sides if unit in side.stood), None)

    def foe(self, side: Side) -> Side:
        return self.defender if side is self.attacker else self.attacker

    def owed(self, side: Side) -> int:
        """Hits that a side has suffered and not yet taken."""
        return self.suffered(side) - side.paid

    def suffered(self, side: Side) -> int:
        return sum(one.hits(self.foe(side).side) for one in self.rounds)

    def hits_from(self, front: HexId) -> int:
        """Hits by attackers out of one hex, and by those that came to the attacked hex through the air."""
        return self.hits_out_of(front) + self.hits_out_of(self.target)

    def hits_out_of(self, start: HexId) -> int:
        """Hits by attackers that stood in one hex."""
        shots = (shot for one in self.rounds for shot in one.shots.get(self.attacker.side, ()))
        return sum(shot.hits for shot in shots if self.attacker.stood.get(shot.unit) == start)

    def outstanding(self, side: Side, standing: Iterable[str]) -> int:
        """Of them, those that units standing in the battle could still take."""
        return min(max(self.owed(side), 0), len(list(standing)))


def numbered(known: Sequence[Engagement], number: int | None) -> Engagement | None:
    """The battle of this number; without one, the latest."""
    return next((battle for battle in reversed(known) if number in (None, battle.number)), None)


def owing(tolls: Sequence[Toll], unit: str) -> Toll | None:
    """The first toll that a unit's loss pays for."""
    return next((toll for toll in tolls if toll.owed > 0 and unit in toll.exposed), None)


def engaged(known: Sequence[Engagement], unit: str, number: int | None = None) -> Engagement | None:
    """The battle that a unit's loss or move belongs to: the latest it took part in."""
    return next((b for b in reversed(known) if number in (None, b.number) and b.of(unit)), None)
