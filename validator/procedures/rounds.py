"""Battles of many rounds: who fights, who fired in this round, which hits are still to be taken.

A game's reducers write them; its judges read. What a die means is the game's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from validator.core.board import HexId
from validator.core.volleys import Shot
from validator.model.position import Unit


@dataclass
class Round:
    """One round: the shots of each side, in the order they fell. Number 0 stands before the first."""

    number: int
    under: tuple[str, ...] = ()  # headquarters that order it
    shots: dict[str, list[Shot]] = field(default_factory=dict)  # by side
    helped: Counter[tuple[str, str]] = field(default_factory=Counter)  # by side and helper, units at +1
    first_hits: int = 0  # of the attacker, that come off before the defender fires
    on_armor: Counter[str] = field(default_factory=Counter)  # by side, hits that armor takes first
    lost_before: Counter[str] = field(default_factory=Counter)  # by side, units lost when it began
    shielded_before: dict[str, Counter[HexId]] = field(default_factory=dict)

    def fired(self, unit: str) -> bool:
        return any(shot.unit == unit for volley in self.shots.values() for shot in volley)

    def of(self, side: str) -> list[Shot]:
        """The shots of a side so far."""
        return self.shots.get(side, [])

    def hits(self, side: str) -> int:
        return sum(shot.hits for shot in self.of(side))


@dataclass
class Side:
    """One side of a battle: the units that began it, and what became of them."""

    side: str
    stood: dict[str, HexId]
    lost: list[str] = field(default_factory=list)
    gone: dict[str, int] = field(default_factory=dict)  # units out of the battle, and the round they left in
    disrupted: dict[str, int] = field(default_factory=dict)  # by the round of the die
    shielded: Counter[HexId] = field(default_factory=Counter)  # hits taken by fortifications, by their front

    @property
    def absorbed(self) -> int:
        return self.shielded.total()

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
    def key(self) -> tuple[str, str, HexId]:
        """Tolls alike in this are one."""
        return self.manner, self.side, self.place

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
    def round(self) -> Round:
        return self.rounds[-1] if self.rounds else Round(0)

    def begin(self, number: int, under: tuple[str, ...]) -> None:
        """A round begins."""
        lost = Counter({side.side: len(side.lost) for side in self.sides})
        shielded = {side.side: Counter(side.shielded) for side in self.sides}
        self.rounds.append(Round(number, under, lost_before=lost, shielded_before=shielded))

    def of(self, unit: str) -> Side | None:
        return next((side for side in self.sides if unit in side.stood), None)

    def opponent(self, side: Side) -> Side:
        return self.defender if side is self.attacker else self.attacker

    def owed(self, side: Side) -> int:
        """Hits that a side has suffered and not yet taken."""
        return self.suffered(side) - side.paid

    def suffered(self, side: Side) -> int:
        return sum(each.hits(self.opponent(side).side) for each in self.rounds)

    def fallen(self, side: Side) -> list[str]:
        """Units of a side that were lost in the present round."""
        return side.lost[self.round.lost_before[side.side] :]

    def absorbed(self, side: Side) -> int:
        """Hits of the present round that fortifications have taken."""
        return self.absorbed_now(side).total()

    def absorbed_now(self, side: Side) -> Counter[HexId]:
        """The same by their fronts."""
        return side.shielded - self.round.shielded_before.get(side.side, Counter())

    def shots_of(self, side: Side) -> list[Shot]:
        """In all rounds."""
        return [shot for each in self.rounds for shot in each.of(side.side)]

    def hits_from(self, front: HexId) -> int:
        """Hits by attackers out of one hex, and by those that came to the attacked hex through the air."""
        return self.hits_out_of(front) + self.hits_out_of(self.target)

    def hits_out_of(self, start: HexId) -> int:
        """Hits by attackers that stood in one hex."""
        stood = self.attacker.stood
        return sum(shot.hits for shot in self.shots_of(self.attacker) if stood.get(shot.unit) == start)

    def hits_of_this_round(self, start: HexId) -> int:
        """Of them, those of the present round."""
        stood = self.attacker.stood
        return sum(shot.hits for shot in self.round.of(self.attacker.side) if stood.get(shot.unit) == start)

    def attacking_now(self) -> list[str]:
        """Attackers of the present round: who throws no die in a later round has gone on no longer."""
        side, now = self.attacker, self.round.number
        fired = [shot.unit for shot in self.round.of(side.side)]
        if now > 1 and fired:
            return fired
        before = set(side.lost) - set(self.fallen(side))
        return [name for name in side.stood if name not in before and side.gone.get(name, now) >= now]


@dataclass(frozen=True)
class Fighter:
    """A unit in a battle, and the side that it is on."""

    unit: str
    battle: Engagement
    side: Side

    @property
    def attacks(self) -> bool:
        return self.side is self.battle.attacker

    @property
    def owed(self) -> int:
        """Hits that its side has still to take."""
        return self.battle.owed(self.side)

    def falls(self) -> None:
        """It is lost for a hit of the battle, once; who had gone in an earlier round, for something else."""
        now = self.battle.round.number
        went = self.side.gone.get(self.unit, now) < now and self.unit not in self.side.disrupted
        if self.unit not in self.side.lost and not went:
            self.side.lost.append(self.unit)

    def leaves(self) -> None:
        """It is out of the battle in the present round; of several times the first counts."""
        self.side.gone.setdefault(self.unit, self.battle.round.number)

    def is_put_back(self) -> None:
        """Whoever left in the present round, and not for a die of its own, has not left after all."""
        if self.side.gone.get(self.unit) == self.battle.round.number and self.unit not in self.side.disrupted:
            del self.side.gone[self.unit]


@dataclass(frozen=True)
class Volley:
    """The dice of units of one side in a round of a battle; `aloft` if planes fire at planes."""

    battle: Engagement
    side: Side
    units: list[Unit]
    aloft: bool

    @property
    def round(self) -> Round:
        return self.battle.round

    @property
    def attacks(self) -> bool:
        return self.side is self.battle.attacker

    @property
    def firing(self) -> set[str]:
        """Units of its side that fire in the round, those of this volley among them."""
        return {shot.unit for shot in self.round.of(self.side.side)} | {unit.id for unit in self.units}


def numbered(battles: Sequence[Engagement], number: int | None) -> Engagement | None:
    """The battle of this number; without one, the latest."""
    return next((battle for battle in reversed(battles) if number in (None, battle.number)), None)


def fighter_in(battles: Sequence[Engagement], unit: str, number: int | None = None) -> Fighter | None:
    """A unit in the battle that its loss or move belongs to: the latest it took part in."""
    parts = ((b, b.of(unit)) for b in reversed(battles) if number in (None, b.number))
    return next((Fighter(unit, battle, side) for battle, side in parts if side is not None), None)


def owing(tolls: Sequence[Toll], unit: str) -> Toll | None:
    """The first toll that a unit's loss pays for."""
    return next((toll for toll in tolls if toll.owed > 0 and unit in toll.exposed), None)


def toll_like(tolls: list[Toll], new: Toll) -> Toll:
    """The toll of this kind that there is; else the new one, which is added."""
    alike = next((toll for toll in tolls if toll.key == new.key), new)
    if alike is new:
        tolls.append(new)
    return alike
