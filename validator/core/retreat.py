"""Retreat: hex by hex into the best class of hex there is, away from the battle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from validator.core.board import Board, HexId, Mask
from validator.core.breach import Breach
from validator.core.costs import CostTable

Preference = Callable[[HexId, HexId], bool]
"""Whether a step from one hex into the next has what is preferred."""


@dataclass(frozen=True)
class RetreatRules:
    """How one unit, or one stack, may retreat.

    `costs` forbids steps (its prices do not matter). `closed` hexes may not be entered, by key. `order`
    holds the classes of hexes from the best to the worst: each hex of a retreat must be of the best class
    that is to be had; a hex of no class may not be entered. `away`: every hex is farther from the origin.
    `look_ahead`: only hexes count from which the retreat can be completed. `losses`: hexes, and
    `step_losses`: steps, that cost a step when entered or taken, by key.
    """

    costs: CostTable
    closed: Mapping[str, Mask]
    order: Sequence[tuple[str, Preference]] = ()
    away: bool = True
    look_ahead: bool = False
    losses: Mapping[str, Mask] = field(default_factory=dict)
    step_losses: Mapping[str, Mask] = field(default_factory=dict)


def inside(*masks: Mask) -> Preference:
    """Hexes that are in every mask."""
    return lambda _, b: all(mask[b] for mask in masks)


def outside(*masks: Mask) -> Preference:
    """Hexes that are in none of the masks."""
    return lambda _, b: not any(mask[b] for mask in masks)


def anywhere(_: HexId, __: HexId) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Choice:
    """The hexes a retreating unit may enter next, all of the best class there is."""

    key: str
    hexes: tuple[HexId, ...]


@dataclass(frozen=True)
class RetreatVerdict:
    """A retreat judged: what is wrong, the steps it costs, and for each hex what was to be chosen from."""

    path: tuple[HexId, ...]
    breaches: tuple[Breach, ...]
    losses: tuple[Breach, ...]  # one for each step lost on the way
    choices: tuple[Choice | None, ...]

    @property
    def legal(self) -> bool:
        return not self.breaches


Known = dict[tuple[HexId, int], Choice | None]
"""The choices worked out before, by hex and the number of hexes left."""


def choices(
    board: Board, rules: RetreatRules, origin: HexId, here: HexId, left: int = 1, known: Known | None = None
) -> Choice | None:
    """Where a unit may go next, `left` hexes before the end of its retreat; None if nowhere.

    `known` keeps what was worked out on the way, for the other hexes of the same retreat.
    """
    known = {} if known is None else known
    if (here, left) not in known:
        known[here, left] = _choice(board, rules, origin, here, left, known)
    return known[here, left]


def _choice(
    board: Board, rules: RetreatRules, origin: HexId, here: HexId, left: int, known: Known
) -> Choice | None:
    open_hexes = _open(board, rules, origin, here)
    if rules.look_ahead and left > 1:
        open_hexes = [b for b in open_hexes if choices(board, rules, origin, b, left - 1, known) is not None]
    for key, preferred in rules.order or (("anywhere", anywhere),):
        best = tuple(b for b in open_hexes if preferred(here, b))
        if best:
            return Choice(key, best)
    return None


def retreats(board: Board, rules: RetreatRules, origin: HexId, hexes: int) -> Iterator[tuple[HexId, ...]]:
    """Every permitted retreat of so many hexes, from the origin on."""
    yield from _prolong(board, rules, (origin,), hexes)


def judge_retreat(board: Board, rules: RetreatRules, path: Sequence[HexId], hexes: int) -> RetreatVerdict:
    """A retreat shown hex by hex.

    Keys: `length`, `away`, `order` (a better hex was free), the keys of `closed`, and bans of steps.
    """
    origin = path[0]
    breaches: list[Breach] = []
    offered: list[Choice | None] = []
    known: Known = {}
    if len(path) - 1 != hexes:
        breaches.append(Breach("length", tuple(path), needed=hexes, available=len(path) - 1))
    for i, (a, b) in enumerate(pairwise(path)):
        choice = choices(board, rules, origin, a, hexes - i, known)
        offered.append(choice)
        breaches += _step_breaches(board, rules, origin, a, b) or _worse_than(choice, b)
    return RetreatVerdict(tuple(path), tuple(breaches), losses_on(board, rules, path), tuple(offered))


def _worse_than(choice: Choice | None, hex_id: HexId) -> list[Breach]:
    """A better hex was open."""
    fits = choice is None or hex_id in choice.hexes
    return [] if choice is None or fits else [Breach("order", (hex_id, *choice.hexes), detail=choice.key)]


def find_retreat(board: Board, rules: RetreatRules, start: HexId, end: HexId, hexes: int) -> RetreatVerdict:
    """A retreat of which only the ends are known: the permitted one with fewest losses, else the
    straightest one with what is wrong with it."""
    permitted = [path for path in retreats(board, rules, start, hexes) if path[-1] == end]
    if permitted:
        best = min(permitted, key=lambda path: len(losses_on(board, rules, path)))
        return judge_retreat(board, rules, best, hexes)
    straight = straight_paths(board, start, end)
    judged = [judge_retreat(board, rules, path, hexes) for path in straight]
    if not judged:
        return RetreatVerdict((start, end), (Breach("length", (start, end), needed=hexes),), (), ())
    return min(judged, key=lambda verdict: len(verdict.breaches))


def losses_on(board: Board, rules: RetreatRules, path: Sequence[HexId]) -> tuple[Breach, ...]:
    """One entry for each step a retreat costs on its way."""
    losses = []
    for a, b in pairwise(path):
        step = board.step(a, b)
        losses += [Breach(key, (b,)) for key, mask in rules.losses.items() if mask[b]]
        losses += [Breach(key, (a, b)) for key, mask in rules.step_losses.items() if step >= 0 and mask[step]]
    return tuple(losses)


def _open(board: Board, rules: RetreatRules, origin: HexId, here: HexId) -> list[HexId]:
    closed = board.any_of(rules.closed.values())
    far = board.distance(origin, here)
    return [
        b
        for b, _ in rules.costs.links()[here]
        if not closed[b] and (not rules.away or board.distance(origin, b) > far)
    ]


def _step_breaches(board: Board, rules: RetreatRules, origin: HexId, a: HexId, b: HexId) -> list[Breach]:
    step = board.step(a, b)
    if step < 0:
        return [Breach("not-adjacent", (a, b))]
    breaches = [Breach(key, (a, b)) for key in rules.costs.step_price(step).bans]
    breaches += [Breach(key, (b,)) for key, mask in rules.closed.items() if mask[b]]
    if rules.away and board.distance(origin, b) <= board.distance(origin, a):
        breaches.append(Breach("away", (b,)))
    return breaches


def _prolong(
    board: Board, rules: RetreatRules, path: tuple[HexId, ...], left: int
) -> Iterator[tuple[HexId, ...]]:
    if left == 0:
        yield path
        return
    choice = choices(board, rules, path[0], path[-1], left)
    for b in choice.hexes if choice else ():
        yield from _prolong(board, rules, (*path, b), left - 1)


FARTHEST = 12  # hexes between two that a drag shows: no result asks for so long a retreat


def straight_paths(board: Board, start: HexId, end: HexId) -> list[tuple[HexId, ...]]:
    """Every shortest path from hex to hex, whatever lies between; one, where that is too far to retreat."""
    paths: list[tuple[HexId, ...]] = [(start,)]
    length = board.distance(start, end)
    for left in range(length - 1, -1, -1):
        if length > FARTHEST:
            paths = paths[:1]
        paths = [
            (*path, b) for path in paths for b in board.adjacent[path[-1]] if board.distance(b, end) == left
        ]
    return paths
