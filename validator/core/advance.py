"""Advance after combat: first into a hex the enemy left, then so many hexes more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from validator.core.board import Board, HexId, Mask
from validator.core.breach import Breach
from validator.core.costs import ONE, CostTable
from validator.core.movement import MoveRules, breaches, find_way, reach

FIRST_HEX, TOO_FAR = "first-hex", "advance-length"


@dataclass(frozen=True)
class AdvanceRules:
    """How far and where one unit may advance.

    `first` and `later` are tables of one point a hex that forbid steps of the first hex and of the rest.
    `vacated` are the hexes enemies left. `stop` holds hexes that end an advance (never the first one);
    `forbidden` hexes by key that may not be entered after the first, `first_forbidden` at once.
    `exact`: a path whose hexes are all neighbours is the way that was taken.
    """

    hexes: int
    vacated: frozenset[HexId]
    first: CostTable
    later: CostTable
    enemy: Mask
    stop: Mask | None = None
    forbidden: Mapping[str, Mask] = field(default_factory=dict)
    first_forbidden: Mapping[str, Mask] = field(default_factory=dict)
    exact: bool = False


def advances(board: Board, rules: AdvanceRules, start: HexId) -> list[HexId]:
    """Every hex a unit may advance to."""
    ends: set[HexId] = set()
    for entered in _first_hexes(board, rules, start):
        ends.update(reach(board, _onward(board, rules), entered))
    return sorted(ends - {start})


def check_advance(board: Board, rules: AdvanceRules, path: Sequence[HexId]) -> tuple[Breach, ...]:
    """Everything wrong with an advance: from the start to the end, way-points between if known.

    Keys: `first-hex`, `advance-length`, `advance-stop`, `enemy`, keys of the forbidden hexes, bans.
    """
    start, end = path[0], path[-1]
    exact = rules.exact and all(board.are_adjacent(a, b) for a, b in pairwise(path))
    through = list(path[2:-1] if exact else path[1:-1])
    if rules.hexes < 1:
        needed = max(board.distance(start, end), 1)
        return (Breach(TOO_FAR, (end,), needed=needed, available=rules.hexes),)
    rules = replace(rules, exact=exact)
    entries = [h for h in _first_hexes(board, rules, start) if h == path[1] or not exact]
    if any(_legal_onward(board, rules, entered, through, end) for entered in entries):
        return ()
    beside = board.are_adjacent(start, path[1])
    if beside and path[1] not in rules.vacated:
        return (Breach(FIRST_HEX, (path[1],)),)
    entry = path[1] if beside else _nearest(board, start, end, rules.vacated)
    if entry is None:
        return (Breach(FIRST_HEX, (path[1],)),)
    return (
        *_first_breaches(board, rules, start, entry),
        *_onward_breaches(board, rules, entry, through, end),
    )


def _first_hexes(board: Board, rules: AdvanceRules, start: HexId) -> list[HexId]:
    if rules.hexes < 1:
        return []
    return sorted(
        b
        for b in rules.vacated
        if board.are_adjacent(start, b) and not _first_breaches(board, rules, start, b)
    )


def _first_breaches(board: Board, rules: AdvanceRules, start: HexId, entered: HexId) -> list[Breach]:
    bans = rules.first.step_price(board.step(start, entered)).bans
    broken = [Breach(key, (start, entered)) for key in bans]
    closed = {"enemy": rules.enemy, **rules.first_forbidden}
    broken += [Breach(key, (entered,)) for key, mask in closed.items() if mask[entered]]
    return broken


def _onward(board: Board, rules: AdvanceRules) -> MoveRules:
    return MoveRules(
        costs=rules.later,
        budget=(rules.hexes - 1) * ONE,
        enemy=rules.enemy,
        zone=board.mask(),
        forbidden=rules.forbidden,
        stops={} if rules.stop is None else {"advance-stop": rules.stop},
        exact=rules.exact,
    )


def _legal_onward(
    board: Board, rules: AdvanceRules, entered: HexId, through: Sequence[HexId], end: HexId
) -> bool:
    return find_way(board, _onward(board, rules), entered, end, through) is not None


def _onward_breaches(
    board: Board, rules: AdvanceRules, entered: HexId, through: Sequence[HexId], end: HexId
) -> list[Breach]:
    onward = _onward(board, rules)
    lifted = onward.lift(*onward.keys)
    way = find_way(board, lifted, entered, end, through)
    if way is None:
        return [Breach(TOO_FAR, (end,), available=rules.hexes)]
    needed = 1 + way.cost // ONE
    broken = [
        replace(b, key=TOO_FAR, needed=needed, available=rules.hexes) if b.key == "budget" else b
        for b in breaches(board, onward, way.path)
    ]
    return broken or [Breach(TOO_FAR, (end,), needed=needed, available=rules.hexes)]


def _nearest(board: Board, start: HexId, end: HexId, among: Iterable[HexId]) -> HexId | None:
    beside = [b for b in among if board.are_adjacent(start, b)]
    return min(beside, key=lambda b: board.distance(b, end), default=None)
