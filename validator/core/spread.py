"""The search itself: from a hex outwards, the cheapest first, every way that is open.

`spread` is the common search, a node for each hex. `spread_by_way` is for games in which the price of a hex
is settled only when it is left, by the dearer of the ways into and out of it: a node for each hex and way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from validator.core.board import HexId, Mask
from validator.core.costs import CostTable, Links

NEVER = 1 << 40


Tolls = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Terms:
    """What binds the search: open steps, closed hexes, zones with their tolls, stops, and the limit.

    `tolls` is what a step costs on top by the zones it leaves and enters: `tolls[zone[a]][zone[b]]`, NEVER
    where it may not be taken.
    """

    costs: CostTable
    links: Links
    closed: Mask
    zone: Mask
    stops: Mask
    tolls: Tolls
    limit: int


@dataclass(slots=True)
class Spread:
    """What a search found. `costs` holds NEVER where it did not come; `seeds` start the next leg."""

    start: HexId
    costs: list[int]
    parents: list[HexId]

    def path(self, goal: HexId) -> tuple[HexId, ...]:
        path = [goal]
        while path[-1] != self.start:
            path.append(self.parents[path[-1]])
        return tuple(reversed(path))

    def seeds(self, goal: HexId) -> dict[int, int]:
        """Nodes and costs to go on from."""
        return {goal: self.costs[goal]}

    def put(self, hex_id: HexId, cost: int) -> None:
        """Reach a hex straight from the start."""
        self.costs[hex_id] = cost
        self.parents[hex_id] = self.start


def spread(
    terms: Terms,
    start: HexId,
    seeds: Mapping[int, int] | None = None,
    *,
    free_start: bool,
    goal: HexId = -1,
) -> Spread:
    """Everything within the limit; stops early once the goal is certain. `seeds` are those of the leg
    before; without them the unit sets out here. `free_start` lets it leave its first hex though that stops
    units."""
    if terms.costs.by_way:
        return _spread_by_way(terms, start, seeds, free_start=free_start)
    links, closed, zone, stops, limit = terms.links, terms.closed, terms.zone, terms.stops, terms.limit
    tolls, size = terms.tolls, len(closed)
    costs, parents = [NEVER] * size, [-1] * size
    costs[start] = seeds[start] if seeds else 0
    queue = [costs[start] * size + start]
    while queue:
        cost, h = divmod(heappop(queue), size)
        if cost > costs[h]:
            continue
        if h == goal:
            break
        if stops[h] and not (h == start and free_start):
            continue
        toll = tolls[zone[h]]
        for b, price in links[h]:
            price += cost
            if price >= costs[b]:  # most are; no toll is less than nothing
                continue
            price += toll[zone[b]]
            if price < costs[b] and price <= limit and not closed[b]:
                costs[b] = price
                parents[b] = h
                heappush(queue, price * size + b)
    return Spread(start, costs, parents)


# --- prices settled on leaving -----------------------------------------------------------------


@dataclass(slots=True)
class SpreadByWay(Spread):
    """The same with a node for each hex and way into it; node = hex * ways + way."""

    ways: int
    node_costs: dict[int, int]
    node_parents: dict[int, int]

    def path(self, goal: HexId) -> tuple[HexId, ...]:
        nodes = [node for node in range(goal * self.ways, (goal + 1) * self.ways) if node in self.node_costs]
        if not nodes:
            return (self.start, goal)  # put there straight from the start
        node = min(nodes, key=self.node_costs.__getitem__)
        path = [goal]
        while node in self.node_parents:
            node = self.node_parents[node]
            path.append(node // self.ways)
        return tuple(reversed(path))

    def seeds(self, goal: HexId) -> dict[int, int]:
        nodes = range(goal * self.ways, (goal + 1) * self.ways)
        return {node: self.node_costs[node] for node in nodes if node in self.node_costs}


def _spread_by_way(
    terms: Terms, start: HexId, seeds: Mapping[int, int] | None, *, free_start: bool
) -> Spread:
    table, ways = terms.costs, len(terms.costs.ways)
    seeds = seeds or {start * ways + table.nothing_to_settle: 0}
    reached: dict[int, int] = dict(seeds)
    parents: dict[int, int] = {}
    queue = [(cost, node) for node, cost in seeds.items()]
    heapify(queue)
    while queue:
        cost, node = heappop(queue)
        h, way = divmod(node, ways)
        if cost > reached[node] or (terms.stops[h] and not (h == start and free_start)):
            continue
        toll = terms.tolls[terms.zone[h]]
        for b, price in terms.links[h]:
            if terms.closed[b]:
                continue
            out = table.way(h, b)
            total = cost + price + toll[terms.zone[b]] + table.settlement(h, way, out)
            onward = b * ways + out
            if total <= terms.limit and total < reached.get(onward, NEVER):
                reached[onward] = total
                parents[onward] = node
                heappush(queue, (total, onward))
    costs = [NEVER] * len(terms.closed)
    for node, cost in reached.items():
        costs[node // ways] = min(costs[node // ways], cost)
    return SpreadByWay(start, costs, [], ways, reached, parents)
