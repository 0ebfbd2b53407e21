"""Where a unit may go, what the cheapest way costs, and which rule stands in the way if there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations, pairwise

from validator.core.board import Board, HexId, Mask
from validator.core.breach import Breach
from validator.core.paths import (
    BUDGET,
    ENEMY,
    ENTER_ZONE,
    LEAVE_ZONE,
    ONE_HEX,
    ZONE_STOP,
    ZONE_TO_ZONE,
    MoveRules,
    PathStep,
    Way,
    breaches,
    breaches_of,
    itemise,
)
from validator.core.spread import NEVER, Spread, Terms, Tolls, spread

__all__ = [
    "BUDGET",
    "ENEMY",
    "ENTER_ZONE",
    "LEAVE_ZONE",
    "NEVER",
    "ONE_HEX",
    "ZONE_STOP",
    "ZONE_TO_ZONE",
    "Breach",
    "MoveRules",
    "Obstacle",
    "PathStep",
    "PathVerdict",
    "Reach",
    "Way",
    "breaches",
    "explain",
    "find_way",
    "itemise",
    "reach",
]


@dataclass(frozen=True)
class Obstacle:
    """Rules that, if lifted, would open a way; the way, and where it breaks them."""

    keys: tuple[str, ...]
    way: Way
    breaches: tuple[Breach, ...]


@dataclass(frozen=True)
class PathVerdict:
    """The cheapest legal way; or what stands against every way, looked for when it is asked for.

    Illegal without any obstacle: no way leads there whatever rule is lifted.
    """

    start: HexId
    target: HexId
    budget: int
    way: Way | None = None
    minimum: bool = False  # legal only because a unit may always go one hex
    look_for_obstacles: Callable[[], tuple[Obstacle, ...]] = field(default=tuple, compare=False, repr=False)

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """The likeliest slip first."""
        return self.look_for_obstacles()

    @property
    def legal(self) -> bool:
        return self.way is not None

    @property
    def cost(self) -> int | None:
        return None if self.way is None else self.way.cost

    @property
    def obstacle(self) -> Obstacle | None:
        return self.obstacles[0] if self.obstacles else None

    @property
    def key(self) -> str | None:
        """The rule to name: the single one, or the first of the smallest set."""
        return self.obstacles[0].keys[0] if self.obstacles else None


@dataclass(frozen=True)
class Reach:
    """Everywhere a unit may go. `costs` holds NEVER for what it cannot reach."""

    board: Board
    start: HexId
    spread: Spread
    minimum: frozenset[HexId] = frozenset()  # only because a unit may always go one hex
    no_end: Mask = b""  # of every hex of the board, if any is reached

    @property
    def costs(self) -> Sequence[int]:
        return self.spread.costs

    def __contains__(self, hex_id: object) -> bool:
        return isinstance(hex_id, int) and self.costs[hex_id] < NEVER and not self._barred(hex_id)

    def __iter__(self) -> Iterator[HexId]:
        return (h for h, cost in enumerate(self.costs) if cost < NEVER and not self._barred(h))

    def _barred(self, hex_id: HexId) -> bool:
        return bool(self.no_end[hex_id])

    def cost(self, hex_id: HexId) -> int | None:
        cost = self.costs[hex_id]
        return None if cost >= NEVER else cost

    def path(self, hex_id: HexId) -> tuple[HexId, ...]:
        return self.spread.path(hex_id)


def reach(board: Board, rules: MoveRules, start: HexId) -> Reach:
    """Everywhere a unit may go from a hex, with the cheapest way there."""
    search = _Search(rules)
    if search.barred(rules.no_start, start):
        return Reach(board, start, Spread(start, [NEVER] * len(board), []))
    reached = search.spread(start, first=True)
    minimum = search.one_hex(start, reached.costs) if rules.one_hex and not rules.moved else []
    for end in minimum:
        reached.put(end, itemise(board, rules, (start, end)).cost)
    return Reach(board, start, reached, frozenset(minimum), board.any_of(rules.binding(rules.no_end)))


def find_way(
    board: Board, rules: MoveRules, start: HexId, target: HexId, waypoints: Sequence[HexId] = ()
) -> Way | None:
    """The cheapest legal way through the way-points; None if there is none.

    Under exact rules a way of neighbours is judged as it stands; way-points fill gaps alone.
    """
    shown = (start, *waypoints, target)
    if rules.exact and _hex_by_hex(board, shown):
        way = itemise(board, rules, shown)
        broken = any(rules.binds(breach.key) for breach in breaches_of(board, rules, way))
        return None if broken else way
    search = _Search(rules)
    if search.barred(rules.no_start, start) or search.barred(rules.no_end, target):
        return None
    if search.terms.limit < 0:
        return None
    path: list[HexId] = [start]
    seeds: Mapping[int, int] | None = None
    for goal in (*waypoints, target):
        here = path[-1]
        if goal == here:
            continue
        leg = search.spread(here, seeds, first=len(path) == 1, goal=goal)
        if leg.costs[goal] >= NEVER:
            return _one_hex_way(board, search, start, target, waypoints)
        path += leg.path(goal)[1:]
        seeds = leg.seeds(goal)
    return itemise(board, rules, path)


def _hex_by_hex(board: Board, path: Sequence[HexId]) -> bool:
    return len(path) > 1 and all(board.step(a, b) >= 0 for a, b in pairwise(path))


def explain(
    board: Board, rules: MoveRules, start: HexId, target: HexId, waypoints: Sequence[HexId] = ()
) -> PathVerdict:
    """The cheapest legal way with its price part by part; or which rule, if lifted, would open one."""
    way = find_way(board, rules, start, target, waypoints)
    if way is not None:
        return PathVerdict(start, target, rules.budget, way, minimum=way.cost > rules.budget)
    obstacles = partial(_obstacles, board, rules, start, target, waypoints)
    return PathVerdict(start, target, rules.budget, look_for_obstacles=obstacles)


# --- the search ------------------------------------------------------------------------------


class _Search:
    """One set of rules made ready for spreading over the board."""

    def __init__(self, rules: MoveRules) -> None:
        self.rules, board = rules, rules.costs.board
        closed = rules.binding({ENEMY: rules.enemy}) + rules.binding(rules.forbidden)
        stops = rules.binding({ZONE_STOP: rules.zone} if rules.stop_in_zone else {})
        self.terms = Terms(
            costs=rules.costs,
            links=rules.costs.links(rules.lifted),
            closed=board.any_of(closed),
            zone=rules.zone,
            stops=board.any_of(stops + rules.binding(rules.stops)),
            tolls=_tolls(rules),
            limit=rules.budget if rules.binds(BUDGET) else NEVER - 1,
        )

    def barred(self, masks: Mapping[str, Mask], hex_id: HexId) -> bool:
        return any(mask[hex_id] for mask in self.rules.binding(masks))

    def spread(
        self, start: HexId, seeds: Mapping[int, int] | None = None, *, first: bool, goal: HexId = -1
    ) -> Spread:
        """Everything that can be reached, steps that take the whole allowance among it."""
        may_start = first and not self.rules.moved
        reached = spread(self.terms, start, seeds, free_start=may_start, goal=goal)
        for b in self._whole_steps(start) if may_start else ():
            if reached.costs[b] > self.rules.budget:
                reached.put(b, self.rules.budget)
        return reached

    def _whole_steps(self, start: HexId) -> Sequence[HexId]:
        """Hexes that a first step which takes the whole allowance leads to."""
        whole = self.rules.whole
        if whole is None or self.rules.budget <= 0:
            return ()
        board = self.rules.costs.board
        return [b for b in board.adjacent[start] if whole[board.step(start, b)] and not self._shut(start, b)]

    def _shut(self, a: HexId, b: HexId) -> bool:
        zone = self.rules.zone
        return bool(self.terms.closed[b]) or self.terms.tolls[zone[a]][zone[b]] >= NEVER

    def one_hex(self, start: HexId, costs: Sequence[int]) -> list[HexId]:
        """Neighbours that are too dear and otherwise open."""
        if self.rules.budget <= 0:
            return []
        open_steps = self.terms.links[start]
        return [b for b, _ in open_steps if costs[b] >= NEVER and not self._shut(start, b)]


def _tolls(rules: MoveRules) -> Tolls:
    """What a step costs on top by the zones it leaves and enters."""
    leave, enter = rules.leave_zone, rules.enter_zone
    may_step = rules.zone_to_zone or not rules.binds(ZONE_TO_ZONE)
    across = leave + enter + rules.between_zones if may_step else NEVER
    return (0, enter), (leave, across)


def _one_hex_way(
    board: Board, search: _Search, start: HexId, target: HexId, waypoints: Sequence[HexId]
) -> Way | None:
    rules = search.rules
    if not rules.one_hex or rules.moved or any(w not in (start, target) for w in waypoints):
        return None
    if target not in search.one_hex(start, [NEVER] * len(board)):
        return None
    return itemise(board, rules, (start, target))


# --- what stands in the way --------------------------------------------------------------------


def _obstacles(
    board: Board, rules: MoveRules, start: HexId, target: HexId, waypoints: Sequence[HexId]
) -> tuple[Obstacle, ...]:
    """Single rules whose lifting opens a way; else pairs; else all that the shortest way breaks."""
    keys = rules.keys
    everything = find_way(board, rules.lift(*keys), start, target, waypoints)
    if everything is None:
        return ()
    needed = _needed(rules, start, target)
    others = [key for key in keys if key not in needed]
    for size in (1, 2):
        if len(needed) > size:
            continue
        sets = [(*needed, *more) for more in combinations(others, size - len(needed))]
        obstacles = [
            Obstacle(chosen, way, breaches(board, rules, way.path))
            for chosen in sets
            if (way := find_way(board, rules.lift(*chosen), start, target, waypoints)) is not None
        ]
        if obstacles:
            return tuple(sorted(obstacles, key=_plausible))
    broken = breaches(board, rules, everything.path)
    return (Obstacle(tuple(breach.key for breach in broken), everything, broken),)


def _needed(rules: MoveRules, start: HexId, target: HexId) -> tuple[str, ...]:
    """Rules that close the start or the target itself: they are in the way on every path."""
    closed = [(ENEMY, rules.enemy), *rules.forbidden.items(), *rules.no_end.items()]
    needed = {key for key, mask in closed if mask[target]}
    needed |= {key for key, mask in rules.no_start.items() if mask[start]}
    return tuple(key for key in rules.keys if key in needed)


def _plausible(obstacle: Obstacle) -> tuple[int, int, int]:
    """A player who slipped went the short way; of equally short ones, points were miscounted."""
    return len(obstacle.way.path), 0 if obstacle.keys == (BUDGET,) else 1, obstacle.way.cost
