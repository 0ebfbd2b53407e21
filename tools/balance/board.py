"""A set-up as pieces that a crude player can push: what the games' automatic players share."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, TypeVar

from fieldpost.definition.model import Counter, Game, Scenario, UnitType
from fieldpost.hexes import Hex, distance

Steps = Callable[[Hex], Iterable[tuple[Hex, int]]]


@dataclass(eq=False)
class Unit:
    id: str
    side: str
    kind: UnitType
    ladder: tuple[tuple[int, int, int], ...]  # attack, defense, movement of each step
    hex: Hex
    lost: int = 0
    on_map: bool = True
    traits: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.traits = frozenset(self.kind.traits)

    @property
    def steps(self) -> int:
        return self.kind.steps - self.lost


U = TypeVar("U", bound=Unit)


class Board(Generic[U]):
    """Units by name and by hex, on the playing area of a scenario."""

    sides: ClassVar[tuple[str, str]]

    def __init__(self, game: Game, scenario: Scenario, rng: random.Random) -> None:
        self.game, self.scenario, self.rng = game, scenario, rng
        self.map = game.map
        area = self.map.area.get(scenario.area or "")
        self.hexes = area.hexes if area else self.map.hexes
        self.sheet = scenario.sheet
        self.units: dict[str, U] = {}
        self.stacks: dict[Hex, list[U]] = {}
        self.sources = {
            side: [self.label(h) for s in scenario.supply_sources if s.side == side for h in s.hexes]
            for side in self.sides
        }

    def label(self, text: str) -> Hex:
        return self.map.lattice.hex(text, self.sheet)

    def land(self, hex_: Hex) -> bool:
        return hex_ in self.hexes and self.map.terrain.get(hex_) not in ("sea", "lake", None)

    # --- units

    def place(self, name: str, hex_: Hex) -> U:
        counter = self.game.counter[name]
        kind = self.game.unit_type[counter.type]
        unit = self.make(name, kind, tuple(self.ladder(counter, kind)), hex_)
        self.units[name] = unit
        self.stacks.setdefault(hex_, []).append(unit)
        return unit

    def make(self, name: str, kind: UnitType, ladder: tuple[tuple[int, int, int], ...], hex_: Hex) -> U:
        raise NotImplementedError

    def ladder(self, counter: Counter, kind: UnitType) -> Iterator[tuple[int, int, int]]:
        """Attack, defense and movement of each step."""
        raise NotImplementedError

    def other(self, side: str) -> str:
        return self.sides[side == self.sides[0]]

    def side(self, side: str) -> list[U]:
        return [u for u in self.units.values() if u.side == side]

    def at(self, hex_: Hex, side: str) -> list[U]:
        return [u for u in self.stacks.get(hex_, ()) if u.side == side]

    def move(self, unit: U, hex_: Hex) -> None:
        self.stacks[unit.hex].remove(unit)
        unit.hex = hex_
        self.stacks.setdefault(hex_, []).append(unit)

    def remove(self, unit: U) -> None:
        if unit.on_map:
            self.stacks[unit.hex].remove(unit)
            self.units.pop(unit.id)
            unit.on_map = False

    def lose(self, unit: U) -> None:
        unit.lost += 1
        if unit.lost >= unit.kind.steps:
            self.remove(unit)

    def nearest(self, hex_: Hex, side: str) -> int:
        return min((distance(hex_, u.hex) for u in self.side(side)), default=99)


def spread(starts: Mapping[Hex, int], steps: Steps, limit: int) -> tuple[dict[Hex, int], dict[Hex, Hex]]:
    """What it costs to reach each hex within the limit, and from where it is entered."""
    best = dict(starts)
    came: dict[Hex, Hex] = {}
    queue = [(spent, h) for h, spent in starts.items()]
    heapq.heapify(queue)
    while queue:
        spent, here = heapq.heappop(queue)
        if spent > best[here]:
            continue
        for there, cost in steps(here):
            total = spent + cost
            if total <= limit and (there not in best or total < best[there]):
                best[there], came[there] = total, here
                heapq.heappush(queue, (total, there))
    return best, came
