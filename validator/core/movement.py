"""Where a unit may go, what the cheapest way costs, and which rule stands in the way if there is none.

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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import combinations, pairwise

from validator.core.board import Board, HexId, Mask, union
from validator.core.breach import Breach
from validator.core.costs import CostTable, Item, Links

NEVER = 1 << 40
ENEMY, ZONE_TO_ZONE, ZONE_STOP, BUDGET = "enemy", "zone-to-zone", "zone-stop", "budget"
LEAVE_ZONE, ENTER_ZONE, WHOLE, TOLL = "leave-zone", "enter-zone", "whole", "toll"


@dataclass(frozen=True)
class MoveRules:
    """All that binds one unit, or one stack, in one move.

    `zone` holds the enemy zones as they count for this unit. `moved` says that it already moved in this
    move: then a stop in its hex binds it and the one-hex minimum is gone. `whole` is a mask of steps that
    take the whole allowance and only as the first step.
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
    zone_to_zone: bool = True  # allowed
    stop_in_zone: bool = False
    one_hex: bool = False  # may always go one hex, if nothing but the price stands against it
    whole: Mask | None = None
    moved: bool = False
    lifted: frozenset[str] = frozenset()

    def lift(self, *keys: str) -> MoveRules:
        """The same without these rules."""
        return replace(self, lifted=self.lifted | frozenset(keys))

    @property
    def keys(self) -> tuple[str, ...]:
        """Every rule that could stand in the way, the commonest slips first."""
        keys = [ENEMY] if any(self.enemy) else []
        if any(self.zone):
            keys += [] if self.zone_to_zone else [ZONE_TO_ZONE]
            keys += [ZONE_STOP] if self.stop_in_zone else []
        named = (*self.forbidden.items(), *self.stops.items(), *self.no_end.items(), *self.no_start.items())
        keys += dict.fromkeys(key for key, mask in named if any(mask))
        keys += [key for key in sorted(self.costs.ban_keys) if key not in keys]
        return (*(key for key in keys if key not in self.lifted), BUDGET)


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


@dataclass(frozen=True)
class Obstacle:
    """Rules that, if lifted, would open a way; the way, and where it breaks them."""

    keys: tuple[str, ...]
    way: Way
    breaches: tuple[Breach, ...]


@dataclass(frozen=True)
class PathVerdict:
    """The cheapest legal way; or what stands against every way, the likeliest slip first.

    Illegal without any obstacle: no way leads there whatever rule is lifted.
    """

    start: HexId
    target: HexId
    budget: int
    way: Way | None = None
    minimum: bool = False  # legal only because a unit may always go one hex
    obstacles: tuple[Obstacle, ...] = ()

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
    costs: Sequence[int]
    parents: Sequence[HexId]
    minimum: frozenset[HexId] = frozenset()  # only because a unit may always go one hex
    no_end: Mask = b""

    def __contains__(self, hex_id: object) -> bool:
        return isinstance(hex_id, int) and self.costs[hex_id] < NEVER and not self._barred(hex_id)

    def __iter__(self) -> Iterator[HexId]:
        return (h for h, cost in enumerate(self.costs) if cost < NEVER and not self._barred(h))

    def _barred(self, hex_id: HexId) -> bool:
        return bool(self.no_end and self.no_end[hex_id])

    def cost(self, hex_id: HexId) -> int | None:
        cost = self.costs[hex_id]
        return None if cost >= NEVER else cost

    def path(self, hex_id: HexId) -> tuple[HexId, ...]:
        return _walk_back(self.parents, self.start, hex_id)


def reach(board: Board, rules: MoveRules, start: HexId) -> Reach:
    """Everywhere a unit may go from a hex, with the cheapest way there."""
    search = _Search(rules)
    if search.barred(rules.no_start, start):
        return Reach(board, start, [NEVER] * len(board), [])
    costs, parents = search.spread(start, 0, first=True)
    minimum = search.one_hex(start, costs) if rules.one_hex and not rules.moved else []
    for end in minimum:
        costs[end] = search.step_cost(board, start, end)
        parents[end] = start
    no_end = [mask for key, mask in rules.no_end.items() if key not in rules.lifted]
    return Reach(board, start, costs, parents, frozenset(minimum), union(*no_end) if no_end else b"")


def find_way(
    board: Board, rules: MoveRules, start: HexId, target: HexId, waypoints: Sequence[HexId] = ()
) -> Way | None:
    """The cheapest legal way through the way-points; None if there is none."""
    search = _Search(rules)
    if search.barred(rules.no_start, start) or search.barred(rules.no_end, target):
        return None
    path: list[HexId] = [start]
    spent = 0
    for i, goal in enumerate((*waypoints, target)):
        here = path[-1]
        if goal == here:
            continue
        first = i == 0 or len(path) == 1
        costs, parents = search.spread(here, spent, first=first, goal=goal)
        if costs[goal] >= NEVER:
            return _one_hex_way(board, search, start, target, waypoints)
        path += _walk_back(parents, here, goal)[1:]
        spent = costs[goal]
    return itemise(board, rules, path)


def explain(
    board: Board, rules: MoveRules, start: HexId, target: HexId, waypoints: Sequence[HexId] = ()
) -> PathVerdict:
    """The cheapest legal way with its price part by part; or which rule, if lifted, would open one."""
    way = find_way(board, rules, start, target, waypoints)
    if way is not None:
        return PathVerdict(start, target, rules.budget, way, minimum=way.cost > rules.budget)
    obstacles = _obstacles(board, rules, start, target, waypoints)
    return PathVerdict(start, target, rules.budget, obstacles=obstacles)


def explain_overrun(
    board: Board, rules: MoveRules, start: HexId, target: HexId, toll: int, allowed: Mask | None = None
) -> PathVerdict:
    """Whether a unit can come next to a hex and pay the toll of an overrun there.

    `allowed` is a mask of steps an overrun may take. The way ends in the launch hex; the toll is the
    price of its last step, which enters the target.
    """
    launches = [a for a in board.adjacent[target] if allowed is None or allowed[board.step(a, target)]]
    short = replace(rules, budget=rules.budget - toll, one_hex=False, no_end={})
    verdicts = [explain(board, short, start, launch) for launch in launches]
    best = min(verdicts, key=_likeliest, default=None)
    if best is None:
        return PathVerdict(start, target, rules.budget)
    toll_step = PathStep(best.target, target, (Item(TOLL, "overrun", toll),))
    return PathVerdict(
        start,
        target,
        rules.budget,
        _prolonged(best.way, toll_step) if best.way else None,
        obstacles=tuple(replace(o, way=_prolonged(o.way, toll_step)) for o in best.obstacles),
    )


def itemise(board: Board, rules: MoveRules, path: Sequence[HexId]) -> Way:
    """The price of a path, part by part, legal or not."""
    steps = []
    for i, (a, b) in enumerate(pairwise(path)):
        if i == 0 and _takes_all(board, rules, a, b):
            steps.append(PathStep(a, b, (Item(WHOLE, "", rules.budget),)))
            continue
        items = list(rules.costs.step_price(board.step(a, b)).items)
        if rules.zone[a] and rules.leave_zone:
            items.append(Item(LEAVE_ZONE, "", rules.leave_zone))
        if rules.zone[b] and rules.enter_zone:
            items.append(Item(ENTER_ZONE, "", rules.enter_zone))
        steps.append(PathStep(a, b, tuple(items)))
    return Way(tuple(path), tuple(steps))


def breaches(board: Board, rules: MoveRules, path: Sequence[HexId]) -> tuple[Breach, ...]:
    """Every rule a path breaks, and where: for paths the log shows hex by hex."""
    return tuple(Breach(key, hexes) for key in rules.keys if (hexes := _broken_at(board, rules, key, path)))


# --- the search ------------------------------------------------------------------------------


class _Search:
    """One set of rules made ready for spreading over the board."""

    def __init__(self, rules: MoveRules) -> None:
        lifted = rules.lifted
        self.rules = rules
        self.links: Links = rules.costs.links(lifted)
        closed = [mask for key, mask in rules.forbidden.items() if key not in lifted]
        if ENEMY not in lifted:
            closed.append(rules.enemy)
        self.closed: Mask = union(*closed) if closed else bytes(len(self.links))
        stops = [mask for key, mask in rules.stops.items() if key not in lifted]
        if rules.stop_in_zone and ZONE_STOP not in lifted:
            stops.append(rules.zone)
        self.stops: Mask | None = union(*stops) if stops else None
        self.zone_bars = not rules.zone_to_zone and ZONE_TO_ZONE not in lifted
        self.limit = NEVER - 1 if BUDGET in lifted else rules.budget

    def barred(self, masks: Mapping[str, Mask], hex_id: HexId) -> bool:
        return any(mask[hex_id] for key, mask in masks.items() if key not in self.rules.lifted)

    def spread(
        self, start: HexId, spent: int, *, first: bool, goal: HexId = -1
    ) -> tuple[list[int], list[HexId]]:
        """Costs and parents of all that can be reached; stops early once the goal is certain."""
        links, closed, zone, stops, limit = self.links, self.closed, self.rules.zone, self.stops, self.limit
        enter, leave, zone_bars = self.rules.enter_zone, self.rules.leave_zone, self.zone_bars
        size = len(links)
        costs, parents = [NEVER] * size, [-1] * size
        costs[start] = spent
        may_start = first and not self.rules.moved
        halted = self._whole_steps(start, costs, parents) if may_start and not spent else ()
        queue = [spent * size + start]
        while queue:
            here = heappop(queue)
            cost, h = divmod(here, size)
            if cost > costs[h]:
                continue
            if h == goal:
                break
            if stops is not None and stops[h] and not (h == start and may_start):
                continue
            in_zone = zone[h]
            if in_zone:
                cost += leave
            for b, price in links[h]:
                price += cost
                if price >= costs[b] or closed[b]:
                    continue
                if zone[b]:
                    if in_zone and zone_bars:
                        continue
                    price += enter
                if price <= limit and price < costs[b]:
                    costs[b] = price
                    parents[b] = h
                    heappush(queue, price * size + b)
        for b in halted:
            if costs[b] > self.rules.budget:
                costs[b], parents[b] = self.rules.budget, start
        return costs, parents

    def _whole_steps(self, start: HexId, costs: list[int], parents: list[HexId]) -> Sequence[HexId]:
        """Hexes that a first step which takes the whole allowance leads to."""
        whole = self.rules.whole
        if whole is None or self.rules.budget <= 0:
            return ()
        board = self.rules.costs.board
        return [
            b
            for b in board.adjacent[start]
            if whole[board.step(start, b)] and not self.closed[b] and not self._zone_bar(start, b)
        ]

    def _zone_bar(self, a: HexId, b: HexId) -> bool:
        return bool(self.zone_bars and self.rules.zone[a] and self.rules.zone[b])

    def one_hex(self, start: HexId, costs: Sequence[int]) -> list[HexId]:
        """Neighbours that are too dear and otherwise open."""
        if self.rules.budget <= 0:
            return []
        return [
            b
            for b, _ in self.links[start]
            if costs[b] >= NEVER and not self.closed[b] and not self._zone_bar(start, b)
        ]

    def step_cost(self, board: Board, a: HexId, b: HexId) -> int:
        return itemise(board, self.rules, (a, b)).cost


def _takes_all(board: Board, rules: MoveRules, a: HexId, b: HexId) -> bool:
    if rules.whole is None or not rules.whole[board.step(a, b)]:
        return False
    price = rules.costs.step_price(board.step(a, b))
    return bool(price.bans) or price.price > rules.budget


def _walk_back(parents: Sequence[HexId], start: HexId, goal: HexId) -> tuple[HexId, ...]:
    path = [goal]
    while path[-1] != start:
        path.append(parents[path[-1]])
    return tuple(reversed(path))


def _one_hex_way(
    board: Board, search: _Search, start: HexId, target: HexId, waypoints: Sequence[HexId]
) -> Way | None:
    rules = search.rules
    if not rules.one_hex or rules.moved or any(w not in (start, target) for w in waypoints):
        return None
    if target not in search.one_hex(start, [NEVER] * len(board)):
        return None
    return itemise(board, rules, (start, target))


def _prolonged(way: Way, step: PathStep) -> Way:
    return Way((*way.path, step.end), (*way.steps, step))


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
        found = [
            Obstacle(chosen, way, breaches(board, rules, way.path))
            for chosen in sets
            if (way := find_way(board, rules.lift(*chosen), start, target, waypoints)) is not None
        ]
        if found:
            return tuple(sorted(found, key=_plausible))
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


def _likeliest(verdict: PathVerdict) -> tuple[int, int, int]:
    if verdict.way is not None:
        return 0, 0, verdict.way.cost
    if verdict.obstacle is None:
        return 9, 0, 0
    return len(verdict.obstacle.keys), len(verdict.obstacle.way.path), verdict.obstacle.way.cost


def _broken_at(board: Board, rules: MoveRules, key: str, path: Sequence[HexId]) -> tuple[HexId, ...]:
    """The hexes of a path where it breaks a rule."""
    steps = list(pairwise(path))
    if key == BUDGET:
        over = itemise(board, rules, path).cost > rules.budget
        alone = rules.one_hex and not rules.moved and len(path) == 2 and rules.budget > 0
        return (path[-1],) if over and not alone else ()
    if key == ENEMY:
        return tuple(b for _, b in steps if rules.enemy[b])
    if key == ZONE_TO_ZONE:
        return tuple(b for a, b in steps if rules.zone[a] and rules.zone[b])
    if key == ZONE_STOP:
        return _stopped_at(rules, rules.zone, path)
    if key in rules.costs.ban_keys:
        return tuple(b for i, (a, b) in enumerate(steps) if _banned(board, rules, key, a, b, first=i == 0))
    return _broken_on_hexes(rules, key, path)


def _broken_on_hexes(rules: MoveRules, key: str, path: Sequence[HexId]) -> tuple[HexId, ...]:
    """For rules that name hexes; one key may stand for start, way and end."""
    found: list[HexId] = []
    if key in rules.no_start and rules.no_start[key][path[0]]:
        found.append(path[0])
    if key in rules.forbidden:
        found += [b for b in path[1:] if rules.forbidden[key][b]]
    if key in rules.stops:
        found += _stopped_at(rules, rules.stops[key], path)
    if key in rules.no_end and rules.no_end[key][path[-1]]:
        found.append(path[-1])
    return tuple(dict.fromkeys(found))


def _stopped_at(rules: MoveRules, mask: Mask, path: Sequence[HexId]) -> tuple[HexId, ...]:
    """Hexes a path should have ended in; its start too, if the unit had moved there before."""
    passed = path[:-1] if rules.moved else path[1:-1]
    return tuple(h for h in passed if mask[h])


def _banned(board: Board, rules: MoveRules, key: str, a: HexId, b: HexId, *, first: bool) -> bool:
    if first and _takes_all(board, rules, a, b):
        return False
    return key in rules.costs.step_price(board.step(a, b)).bans
