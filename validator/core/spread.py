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


@dataclass(frozen=True, slots=True)
class Terms:
    """What binds the search: open steps, closed hexes, zones with their tolls, stops, and the limit.

    `free_start` lets the unit leave its first hex though it stops units.
    """

    costs: CostTable
    links: Links
    closed: Mask
    zone: Mask
    stops: Mask | None
    enter: int
    leave: int
    between: int  # on top of both, from zone to zone
    zone_bars: bool
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
    before; without them the unit sets out here."""
    if terms.costs.by_way:
        return _spread_by_way(terms, start, seeds, free_start=free_start)
    links, closed, zone, stops, limit = terms.links, terms.closed, terms.zone, terms.stops, terms.limit
    enter, leave, between, zone_bars = terms.enter, terms.leave, terms.between, terms.zone_bars
    size = len(links)
    costs, parents = [NEVER] * size, [-1] * size
    costs[start] = seeds[start] if seeds else 0
    queue = [costs[start] * size + start]
    while queue:
        cost, h = divmod(heappop(queue), size)
        if cost > costs[h]:
            continue
        if h == goal:
            break
        if stops is not None and stops[h] and not (h == start and free_start):
            continue
        in_zone = zone[h]
        if in_zone:
            cost += leave
        for b, price in links[h]:
            price += cost
            if (price >= costs[b] and not between) or closed[b]:
                continue
            if zone[b]:
                if in_zone:
                    if zone_bars:
                        continue
                    price += between
                price += enter
            if price <= limit and price < costs[b]:
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
    found: dict[int, int] = dict(seeds)
    parents: dict[int, int] = {}
    queue = [(cost, node) for node, cost in seeds.items()]
    heapify(queue)
    while queue:
        cost, node = heappop(queue)
        h, way = divmod(node, ways)
        if cost > found[node] or (terms.stops and terms.stops[h] and not (h == start and free_start)):
            continue
        for b, price in terms.links[h]:
            if terms.closed[b] or (terms.zone_bars and terms.zone[h] and terms.zone[b]):
                continue
            out = table.way(h, b)
            total = cost + price + table.settlement(h, way, out)
            total += terms.leave if terms.zone[h] else 0
            total += terms.enter if terms.zone[b] else 0
            total += terms.between if terms.zone[h] and terms.zone[b] else 0
            onward = b * ways + out
            if total <= terms.limit and total < found.get(onward, NEVER):
                found[onward] = total
                parents[onward] = node
                heappush(queue, (total, onward))
    costs = [NEVER] * len(terms.links)
    for node, cost in found.items():
        costs[node // ways] = min(costs[node // ways], cost)
    return SpreadByWay(start, costs, [], ways, found, parents)
