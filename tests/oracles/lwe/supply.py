"""Chapter 7: which hexes are in supply for the German side."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from fieldpost.hexes import Hex, distance
from tests.oracles.lwe.field import GERMAN, SNOW, SOVIET, Position, ground

RANGE = 12  # 7.3
FREE = range(1, 4)  # 5.4, 7.3: any Rollbahn will do until turn 3 is over


class Supply:
    """Of one position, each thing worked out once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.shut = self._shut()
        self.water = {"sea"} if position.weather == SNOW else {"sea", "lake"}  # 7.13
        edge = ground().edges["german-supply"]
        self.sources = [hex_ for hex_ in edge if position.holder(hex_) == GERMAN]  # 7.3, 7.15
        self.direct = self.lengths(self.sources)
        self.friendly = [hex_ for hex_ in ground().roads if position.holder(hex_) == GERMAN]
        works = self._working()
        self.functioning = [hex_ for hex_ in self.friendly if hex_ in works]
        self.known: dict[tuple[Hex, ...], dict[Hex, int]] = {}

    def _shut(self) -> set[Hex]:
        """7.3, 7.13: enemies, intact lines, enemy cities."""
        cities = {hex_ for hex_ in ground().cities if self.position.holder(hex_) == SOVIET}
        lines = {hex_ for hex_ in ground().fortified if self.position.intact(hex_)}
        return self.position.held(SOVIET) | cities | lines

    def lengths(self, ends: Iterable[Hex]) -> dict[Hex, int]:
        """How many hexes each hex is from the nearest of these ends, over open hexes."""
        found = dict.fromkeys((h for h in ends if h not in self.shut), 0)
        queue = deque(found)
        while queue:
            here = queue.popleft()
            for other in ground().near[here]:
                if other not in found and other not in self.shut and self._passes(other, here):
                    found[other] = found[here] + 1
                    queue.append(other)
        return found

    def _passes(self, a: Hex, b: Hex) -> bool:
        """7.13, 7.14: of the sea the Sivash and the straits alone."""
        return not (ground().kinds[a, b] & self.water or ground().terrain[a] in self.water)

    def _working(self) -> set[Hex]:
        """7.3: Rollbahn hexes from which the road is open to a source."""
        found = {h for h in self.sources if h in ground().roads and h not in self.shut}
        queue = deque(found)
        while queue:
            here = queue.popleft()
            for other in ground().near[here]:
                if other not in found and other not in self.shut and ground().road(here, other):
                    found.add(other)
                    queue.append(other)
        return found

    def supplied(self, hex_: Hex) -> bool:
        """7.3"""
        if self.direct.get(hex_, RANGE + 1) <= RANGE:
            return True
        ends = self.functioning
        if self.position.turn not in FREE:
            least = min((distance(hex_, road) for road in self.friendly), default=0)
            ends = [road for road in ends if distance(hex_, road) == least]
        key = tuple(ends)
        if key not in self.known:
            self.known[key] = self.lengths(key)
        return self.known[key].get(hex_, RANGE + 1) <= RANGE
