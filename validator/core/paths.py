"""What binds a move, and what a path costs and breaks under it.

A game states its movement rules once, as a `MoveRules` value; every rule in it has a key, which the game
maps to the number in its rulebook:

    enemy          a hex with enemy units may not be entered
    zone-to-zone   no step from one enemy zone into another
    zone-stop      entering an enemy zone ends the move
    leave-zone, enter-zone   what leaving, entering a zone costs on top (parts of a price, never lifted)
    budget         the movement points
    any key of `forbidden`, `no_start`, `no_end`, `stops`, and the bans of the cost table
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Self

from validator.core.board import Board, HexId, Mask, those_in
from validator.core.breach import Breach
from validator.core.costs import CostTable, Item

ENEMY, ZONE_TO_ZONE, ZONE_STOP, BUDGET = "enemy", "zone-to-zone", "zone-stop", "budget"
LEAVE_ZONE, ENTER_ZONE, WHOLE, SETTLE = "leave-zone", "enter-zone", "whole", "settle"
BETWEEN_ZONES = "between-zones"
ONE_HEX = 1  # a budget that pays for no step: only the one hex that a unit may always go


@dataclass(frozen=True)
class Liftable:
    """Rules of which some may be lifted, to see whether they alone stand in the way."""

    lifted: frozenset[str] = field(default=frozenset(), kw_only=True)

    def lift(self, *keys: str) -> Self:
        """The same without these rules."""
        return replace(self, lifted=self.lifted | frozenset(keys))

    def binds(self, key: str) -> bool:
        return key not in self.lifted

    def binding(self, masks: Mapping[str, Mask]) -> list[Mask]:
        """Those of the masks whose rules are not lifted."""
        return [mask for key, mask in masks.items() if key not in self.lifted]


@dataclass(frozen=True)
class MoveRules(Liftable):
    """All that binds one unit, or one stack, in one move.

    `zone` holds the enemy zones as they count for this unit. `moved` says that it already moved in this
    move: then a stop in its hex binds it and the one-hex minimum is gone. `whole` is a mask of steps that
    take the whole allowance and only as the first step. `exact` says that a way of neighbours is the way that
    was taken; else its hexes are way-points, and a detour between two of them may make it legal.
    """

    costs: CostTable
    budget: int
    enemy: Mask
    zone: Mask
    forbidden: Mapping[str, Mask] = field(default_factory=dict)
    no_start: Mapping[str, Mask] = field(default_factory=dict)
    no_end: Mapping[str, Mask] = field(default_factory=dict)
    stops: Mapping[str, Mask] = field(default_factory=dict)
    leave_zone: int = 0
    enter_zone: int = 0
    between_zones: int = 0  # on top of both for a step from zone to zone; may be less than 0, not all three
    zone_to_zone: bool = True  # allowed
    stop_in_zone: bool = False
    one_hex: bool = False  # may always go one hex, if nothing but the price stands against it
    whole: Mask | None = None
    moved: bool = False
    exact: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """Every rule that could stand in the way, the commonest slips first."""
        return self.keys_with(self.costs.ban_keys)

    def keys_with(self, bans: Iterable[str]) -> tuple[str, ...]:
        """Those that forbid hexes, these of those that forbid steps, and the price."""
        named = (
            (ENEMY, self.enemy),
            *([] if self.zone_to_zone else [(ZONE_TO_ZONE, self.zone)]),
            *([(ZONE_STOP, self.zone)] if self.stop_in_zone else []),
            *self.forbidden.items(),
            *self.stops.items(),
            *self.no_end.items(),
            *self.no_start.items(),
        )
        keys = dict.fromkeys((*(key for key, mask in named if 1 in mask), *sorted(bans)))
        return (*filter(self.binds, keys), BUDGET)


@dataclass(frozen=True, slots=True)
class PathStep:
    """One hex of a path: what it costs, part by part."""

    start: HexId
    end: HexId
    items: tuple[Item, ...]

    @property
    def price(self) -> int:
        return sum(item.price for item in self.items)


@dataclass(frozen=True)
class Way:
    """A path with its price."""

    path: tuple[HexId, ...]
    steps: tuple[PathStep, ...]

    @property
    def cost(self) -> int:
        return sum(step.price for step in self.steps)


def itemise(board: Board, rules: MoveRules, path: Sequence[HexId]) -> Way:
    """The price of a path, part by part, legal or not."""
    steps = []
    came = rules.costs.nothing_to_settle
    for i, (a, b) in enumerate(pairwise(path)):
        if i == 0 and takes_all(board, rules, a, b):
            steps.append(PathStep(a, b, (Item(WHOLE, "", rules.budget),)))
            continue
        steps.append(PathStep(a, b, (*_parts(board, rules, a, b), *_settled(rules.costs, a, b, came))))
        came = rules.costs.way(a, b) if rules.costs.by_way else came
    return Way(tuple(path), tuple(steps))


def _parts(board: Board, rules: MoveRules, a: HexId, b: HexId) -> list[Item]:
    items = list(rules.costs.step_price(board.step(a, b)).items)
    if rules.zone[a] and rules.leave_zone:
        items.append(Item(LEAVE_ZONE, "", rules.leave_zone))
    if rules.zone[b] and rules.enter_zone:
        items.append(Item(ENTER_ZONE, "", rules.enter_zone))
    if rules.zone[a] and rules.zone[b] and rules.between_zones:
        items.append(Item(BETWEEN_ZONES, "", rules.between_zones))
    return items


def _settled(table: CostTable, a: HexId, b: HexId, came: int) -> tuple[Item, ...]:
    if not table.by_way:
        return ()
    goes = table.way(a, b)
    owed = table.settlement(a, came, goes)
    return (Item(SETTLE, table.ways[goes], owed),) if owed else ()


def breaches(board: Board, rules: MoveRules, path: Sequence[HexId]) -> tuple[Breach, ...]:
    """Every rule a path breaks, and where: for paths the log shows hex by hex."""
    return breaches_of(board, rules, itemise(board, rules, path))


def breaches_of(board: Board, rules: MoveRules, way: Way) -> tuple[Breach, ...]:
    """The same of a path whose price is known."""
    path = way.path
    met = {ban for a, b in pairwise(path) for ban in rules.costs.step_price(board.step(a, b)).bans}
    broken = ((key, _broken_at(board, rules, key, way, met)) for key in rules.keys_with(met))
    return tuple(Breach(key, hexes) for key, hexes in broken if hexes)


def takes_all(board: Board, rules: MoveRules, a: HexId, b: HexId) -> bool:
    if rules.whole is None or not rules.whole[board.step(a, b)]:
        return False
    price = rules.costs.step_price(board.step(a, b))
    return bool(price.bans) or price.price > rules.budget


def _broken_at(board: Board, rules: MoveRules, key: str, way: Way, met: set[str]) -> tuple[HexId, ...]:
    """The hexes of a path where it breaks a rule; `met` are those that forbid one of its steps."""
    path = way.path
    steps = list(pairwise(path))
    if key == BUDGET:
        return () if _affordable(rules, way) else path[-1:]
    if key == ENEMY:
        return those_in(rules.enemy, path[1:])
    if key == ZONE_TO_ZONE:
        return tuple(b for a, b in steps if rules.zone[a] and rules.zone[b])
    if key == ZONE_STOP:
        return those_in(rules.zone, _passed(rules, path))
    if key in met:
        return tuple(b for i, (a, b) in enumerate(steps) if _banned(board, rules, key, a, b, first=i == 0))
    return _broken_on_hexes(rules, key, path)


def _broken_on_hexes(rules: MoveRules, key: str, path: Sequence[HexId]) -> tuple[HexId, ...]:
    """For rules that name hexes; one key may stand for start, way and end."""
    parts = (
        (rules.no_start, path[:1]),
        (rules.forbidden, path[1:]),
        (rules.stops, _passed(rules, path)),
        (rules.no_end, path[-1:]),
    )
    hexes = (h for masks, part in parts if key in masks for h in those_in(masks[key], part))
    return tuple(dict.fromkeys(hexes))


def _passed(rules: MoveRules, path: Sequence[HexId]) -> Sequence[HexId]:
    """Hexes a path did not end in; its start too, if the unit had moved there before."""
    return path[:-1] if rules.moved else path[1:-1]


def _affordable(rules: MoveRules, way: Way) -> bool:
    """Within the budget, or the one hex that a unit may always go."""
    alone = rules.one_hex and not rules.moved and len(way.path) == 2 and rules.budget > 0
    return way.cost <= rules.budget or alone


def _banned(board: Board, rules: MoveRules, key: str, a: HexId, b: HexId, *, first: bool) -> bool:
    if first and takes_all(board, rules, a, b):
        return False
    return key in rules.costs.step_price(board.step(a, b)).bans
