"""Who may fight whom, over which hexsides, and once only: the rules before the dice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from validator.core.board import Board, HexId, Mask
from validator.core.breach import Breach, broken_where


@dataclass(frozen=True, slots=True)
class Attacker:
    """A unit that attacks, from its hex, as far as it reaches; `banned` are masks of the steps it may not
    attack across, by key."""

    unit: str
    hex_id: HexId
    banned: Mapping[str, Mask] = field(default_factory=dict)
    reach: int = 1  # hexes


@dataclass(frozen=True)
class BattleRules:
    """What battles may look like.

    `many_on_many`: several attackers may attack several hexes. `twice`: a hex may be attacked again in the
    phase. `targets`: hexes that may be attacked together by one unit (None: any number).
    """

    many_on_many: bool = False
    twice: bool = False
    targets: int | None = None


@dataclass
class Fought:
    """Who has fought in this phase: a unit attacks once; a hex is attacked once unless a game allows more."""

    attackers: set[str] = field(default_factory=set)
    hexes: set[HexId] = field(default_factory=set)
    defenders: set[str] = field(default_factory=set)

    def book(self, attackers: Iterable[str], targets: Iterable[HexId], defenders: Iterable[str]) -> None:
        self.attackers.update(attackers)
        self.hexes.update(targets)
        self.defenders.update(defenders)


def check_battle(
    board: Board,
    rules: BattleRules,
    attackers: Sequence[Attacker],
    targets: Sequence[HexId],
    fought: Fought,
) -> tuple[Breach, ...]:
    """Everything wrong with who attacks what.

    Keys: `not-adjacent`, the keys of each attacker's banned steps, `many-on-many`, `too-many-targets`,
    `attacked-before` (units), `hex-attacked-before`.
    """
    return (*_reach_breaches(board, attackers, targets), *_count_breaches(rules, attackers, targets, fought))


def _reach_breaches(board: Board, attackers: Sequence[Attacker], targets: Sequence[HexId]) -> list[Breach]:
    breaches = []
    for attacker in attackers:
        for target in targets:
            step = board.step(attacker.hex_id, target)
            if step < 0:
                if not 1 <= board.distance(attacker.hex_id, target) <= attacker.reach:
                    breaches.append(Breach("not-adjacent", (attacker.hex_id, target), (attacker.unit,)))
                continue
            breaches += [
                Breach(key, (attacker.hex_id, target), (attacker.unit,))
                for key, mask in attacker.banned.items()
                if mask[step]
            ]
    return breaches


def _count_breaches(
    rules: BattleRules, attackers: Sequence[Attacker], targets: Sequence[HexId], fought: Fought
) -> tuple[Breach, ...]:
    units, hexes, number = tuple(attacker.unit for attacker in attackers), tuple(targets), len(targets)
    many_on_many = number > 1 and len(units) > 1 and not rules.many_on_many
    too_many = rules.targets is not None and number > rules.targets
    again = tuple(unit for unit in units if unit in fought.attackers)
    attacked = () if rules.twice else tuple(hex_id for hex_id in targets if hex_id in fought.hexes)
    return broken_where(
        (many_on_many, Breach("many-on-many", hexes, units)),
        (too_many, Breach("too-many-targets", hexes, units, number, rules.targets)),
        (again, Breach("attacked-before", units=again)),
        (attacked, Breach("hex-attacked-before", attacked)),
    )


# --- the ground between ----------------------------------------------------------------------------


def sides_across(board: Board, start: HexId, targets: Iterable[HexId]) -> frozenset[str]:
    """The kinds of hexsides between an attacker and the adjacent ones of its targets."""
    return frozenset(
        kind for t in targets if board.are_adjacent(start, t) for kind in board.side_of(start, t)
    )


def all_across(
    board: Board, attackers: Iterable[HexId], targets: Collection[HexId], kinds: Collection[str]
) -> bool:
    """Whether every attacker attacks only across hexsides of these kinds: one that does not spoils it."""
    pairs = [(a, t) for a in attackers for t in targets if board.are_adjacent(a, t)]
    return bool(pairs) and all(set(board.side_of(a, t)) & set(kinds) for a, t in pairs)


def concentric(board: Board, attackers: Iterable[HexId], target: HexId) -> bool:
    """From two opposite hexes, or from three alternate ones; four hexes always hold an opposite pair."""
    six = board.neighbors[target]
    around = {six.index(a) for a in attackers if a in six}
    opposite = any((d + 3) % 6 in around for d in around)
    alternate = {0, 2, 4} <= around or {1, 3, 5} <= around
    return opposite or alternate
