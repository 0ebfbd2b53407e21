"""The core on the whole map of War for the Motherland: what it takes against what it may take.

A textbook search (dictionaries of hexes, fractions) runs beside it, so the ratio holds on any machine.
"""

from __future__ import annotations

import random
from fractions import Fraction
from heapq import heappop, heappush

from bench import Result, best_of
from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex, Hexside, neighbors
from validator.core.board import Board, HexId, Mask, union
from validator.core.costs import ONE, CostTable, Prices, points
from validator.core.movement import MoveRules, explain, reach
from validator.core.supply import SupplyRules, chain, network, trace
from validator.core.zones import Projection, ZoneMap

UNITS_OF_A_SIDE = 150
FRONT_HEXES = 12


class Front:
    """Two sides of 150 units each along a line through the middle of the map, always the same."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.board = Board(game.map)
        draw = random.Random(1941)
        land = [h for h in range(len(self.board)) if self.board.terrain[h] not in ("sea", "lake")]
        middle = sorted(self.board.hexes[h].q for h in land)[len(land) // 2]
        near = [h for h in land if abs(self.board.hexes[h].q - middle) <= FRONT_HEXES]
        west = [h for h in near if self.board.hexes[h].q < middle]
        east = [h for h in near if self.board.hexes[h].q >= middle]
        self.red = draw.sample(west, min(UNITS_OF_A_SIDE, len(west)))
        self.blue = draw.sample(east, min(UNITS_OF_A_SIDE, len(east)))
        self.depots = draw.sample(self.red, 12)
        self.headquarters = draw.sample(self.blue, 12)
        dry = Projection(self.board, self.board.steps_across("sea", "lake"))
        self.red_zones = ZoneMap.of(self.board, [(h, dry) for h in self.red])
        self.blue_zones = ZoneMap.of(self.board, [(h, dry) for h in self.blue])
        table = game.table["terrain-effects"]
        self.costs = CostTable(self.board, Prices.from_table(table, self.board, "motorized"))
        self.lines = CostTable(self.board, Prices.from_table(table, self.board, "los"))
        self.everywhere = CostTable(self.board, Prices())

    def move_rules(self, budget: int, *, zone_to_zone: bool) -> MoveRules:
        return MoveRules(
            self.costs,
            budget * ONE,
            self.board.mask(self.blue),
            self.blue_zones.mask,
            leave_zone=3 * ONE,
            zone_to_zone=zone_to_zone,
        )

    def whole_map(self) -> MoveRules:
        return MoveRules(self.everywhere, len(self.board) * ONE, self.board.mask(), self.board.mask())

    def supply_of(
        self, own: list[HexId], enemy: list[HexId], zones: ZoneMap, hubs: list[HexId], limit: int
    ) -> list[bool]:
        """One side's supply as a phase judges it: railways, the chain of hubs, and every unit."""
        board = self.board
        blocked: dict[str, Mask] = {"enemy": board.mask(enemy), "zone": zones.negated(board.mask(own))}
        rules = SupplyRules(self.lines, limit * ONE, blocked)
        railed = network(board, ["railway"], hubs[:2], union(*blocked.values()))
        linked = chain(rules, hubs[:2], [h for h in hubs if railed.length(h) is not None or h in own])
        lines = trace(rules, linked.ends, times=2)
        return [lines.reaches(h) or lines.reaches(h, 2) for h in own]

    def supply(self) -> None:
        self.supply_of(self.red, self.blue, self.blue_zones, self.depots, 4)
        self.supply_of(self.blue, self.red, self.red_zones, self.headquarters, 6)


def textbook(front: Front, start: HexId, budget: Fraction) -> dict[Hex, Fraction]:
    """A plain search over hexes with exact fractions, no zones: less than what the core does."""
    game_map, prices = front.game.map, front.costs.prices
    best = {front.board.hexes[start]: Fraction(0)}
    queue = [(Fraction(0), front.board.hexes[start])]
    while queue:
        spent, a = heappop(queue)
        for b in neighbors(a):
            if b not in game_map.terrain:
                continue
            parts = [prices.terrain.get(game_map.terrain[b], prices.other)]
            kinds = game_map.side_kinds.get(Hexside.between(a, b), frozenset())
            parts += [prices.hexsides.get(kind, 0) for kind in kinds]
            if None in parts:
                continue
            price = spent + points(sum(part or 0 for part in parts))
            if price <= budget and price < best.get(b, budget + 1):
                best[b] = price
                heappush(queue, (price, b))
    return best


def run() -> list[Result]:
    front = Front(load("wfm"))
    board, start = front.board, front.red[0]
    panzer, infantry = front.move_rules(9, zone_to_zone=True), front.move_rules(5, zone_to_zone=False)
    far = max(reach(board, panzer, start), key=lambda h: board.distance(start, h))
    beyond = max(board.within(start, 12), key=lambda h: board.distance(start, h))
    free = MoveRules(front.costs, 9 * ONE, board.mask(), board.mask())
    plain, limit = "textbook search, 9 points, no zones", 0.002
    return [
        Result(plain, best_of(5, lambda: textbook(front, start, Fraction(9)))),
        Result("reach, 9 points, no zones", best_of(30, lambda: reach(board, free, start)), plain, limit),
        Result("reach, 9 points, zones", best_of(30, lambda: reach(board, panzer, start)), plain, limit),
        Result(
            "reach, every hex of the map",
            best_of(30, lambda: reach(board, front.whole_map(), start)),
            limit_seconds=limit,
        ),
        Result("explain a legal move", best_of(30, lambda: explain(board, panzer, start, far))),
        Result("explain an illegal move", best_of(9, lambda: explain(board, infantry, start, beyond))),
        Result("supply of both sides, 300 units", best_of(15, front.supply), limit_seconds=0.030),
        Result("compile the board", best_of(5, lambda: Board(front.game.map))),
        Result("compile prices", best_of(9, lambda: front.costs.overlay(front.costs.local).links())),
    ]
