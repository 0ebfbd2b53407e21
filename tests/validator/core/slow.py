"""The same answers found the slow, obvious way: repeat until nothing changes, or try everything.

Written from the rules' wording on labels and fractions, without the core's tables, masks and queues.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex, Hexside, neighbors


@dataclass(frozen=True)
class Ground:
    """Prices in fractions; None forbids."""

    map: GameMap
    terrain: Mapping[str, Fraction | None]
    sides: Mapping[str, Fraction | None]
    roads: Mapping[str, Fraction]

    def price(self, a: Hex, b: Hex) -> Fraction | None:
        """Of the step from a to b: along a road its rate, unless going beside it is cheaper."""
        ways = []
        side = Hexside.between(a, b)
        for kind in self.map.line_steps.get(side, ()):
            if kind in self.roads:
                ways.append(self.roads[kind])
        total = self.terrain[self.map.terrain[b]]
        for kind in self.map.side_kinds.get(side, ()):
            extra = self.sides[kind]
            total = None if total is None or extra is None else total + extra
        if total is not None:
            ways.append(total)
        return min(ways) if ways else None


@dataclass(frozen=True)
class Rules:
    enemy: frozenset[Hex] = frozenset()
    zone: frozenset[Hex] = frozenset()
    leave: Fraction = Fraction(0)
    enter: Fraction = Fraction(0)
    zone_to_zone: bool = True
    stop_in_zone: bool = False
    stops: frozenset[Hex] = field(default_factory=frozenset)


def reach(ground: Ground, rules: Rules, start: Hex, budget: Fraction) -> dict[Hex, Fraction]:
    """The cheapest price of every hex, by trying every step again until nothing gets cheaper."""
    best = {start: Fraction(0)}
    changed = True
    while changed:
        changed = False
        for a, spent in list(best.items()):
            ended = a in rules.stops or (rules.stop_in_zone and a in rules.zone)
            if ended and a != start:
                continue
            for b in neighbors(a):
                price = step(ground, rules, a, b)
                if price is not None and spent + price <= budget and spent + price < best.get(b, budget + 1):
                    best[b] = spent + price
                    changed = True
    return best


def step(ground: Ground, rules: Rules, a: Hex, b: Hex) -> Fraction | None:
    if b not in ground.map.terrain or b in rules.enemy:
        return None
    if a in rules.zone and b in rules.zone and not rules.zone_to_zone:
        return None
    price = ground.price(a, b)
    if price is None:
        return None
    if a in rules.zone:
        price += rules.leave
    if b in rules.zone:
        price += rules.enter
    return price


def line_length(
    ground: Ground, blocked: frozenset[Hex], sources: Iterable[Hex], unit: Hex
) -> Fraction | None:
    """The shortest line from one unit to any source, searched from the unit."""
    ends = {s for s in sources if s not in blocked}
    if unit in blocked:
        return None
    lengths = reach(ground, Rules(enemy=blocked), unit, Fraction(10_000))
    return min((lengths[s] for s in ends if s in lengths), default=None)


def zones(ground: Ground, exerting: Iterable[Hex], blocked_kinds: frozenset[str]) -> frozenset[Hex]:
    held = set()
    for a in exerting:
        for b in neighbors(a):
            if b in ground.map.terrain:
                kinds = ground.map.side_kinds.get(Hexside.between(a, b), frozenset())
                if not kinds & blocked_kinds:
                    held.add(b)
    return frozenset(held)


# --- prices settled on leaving: the state is the hex and the step that led there ---------------------


def way(ground: Ground, a: Hex, b: Hex) -> str:
    """The road the step is paid by, or none."""
    kinds = ground.map.line_steps.get(Hexside.between(a, b), frozenset())
    rated = sorted((ground.roads[kind], kind) for kind in kinds if kind in ground.roads)
    off_road = Ground(ground.map, ground.terrain, ground.sides, {}).price(a, b)
    return rated[0][1] if rated and (off_road is None or rated[0][0] <= off_road) else ""


def paid_by(ground: Ground, hex_: Hex, by: str) -> Fraction:
    return ground.roads[by] if by else ground.terrain[ground.map.terrain[hex_]] or Fraction(0)


def reach_settled(ground: Ground, rules: Rules, start: Hex, budget: Fraction) -> dict[Hex, Fraction]:
    best: dict[tuple[Hex | None, Hex], Fraction] = {(None, start): Fraction(0)}
    changed = True
    while changed:
        changed = False
        for (before, a), spent in list(best.items()):
            ended = a in rules.stops or (rules.stop_in_zone and a in rules.zone)
            if ended and a != start:
                continue
            for b in neighbors(a):
                price = step(ground, rules, a, b)
                if price is None:
                    continue
                total = spent + price
                if before is not None:
                    came, goes = way(ground, before, a), way(ground, a, b)
                    total += max(paid_by(ground, a, goes) - paid_by(ground, a, came), Fraction(0))
                if total <= budget and total < best.get((a, b), budget + 1):
                    best[a, b] = total
                    changed = True
    cheapest: dict[Hex, Fraction] = {}
    for (_, hex_), spent in best.items():
        cheapest[hex_] = min(spent, cheapest.get(hex_, spent))
    return cheapest
