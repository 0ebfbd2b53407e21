"""Where a hex lies, in words: by the town in it or the nearest one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

from fieldpost.definition.mapmodel import GameMap, Place
from fieldpost.hexes import Hex, Layout, distance, within

SETTLEMENTS = ("city", "town", "village", "fortress")  # what the ids of such kinds of places hold
FAR_HEXES = 6
WINDS = (
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"
)  # fmt: skip
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
BARE_PX = 100


class Gazetteer:
    """The towns of a map. A greater one is named before a lesser one that is as near."""

    def __init__(self, game_map: GameMap) -> None:
        self._map = game_map
        self._layout = Layout.regular(game_map.lattice.orientation, BARE_PX, 0, 0)
        self._near: dict[Hex, tuple[Place, int] | None] = {}

    @cached_property
    def towns(self) -> Mapping[Hex, Place]:
        """One place a hex, the greatest."""
        rank = {kind.id: number for number, kind in enumerate(self._map.place_kinds)}
        kinds = [kind for kind in rank if any(word in kind for word in SETTLEMENTS)]
        found: dict[Hex, Place] = {}
        for place in sorted(self._map.places, key=lambda place: rank[place.kind]):
            if place.kind in kinds:
                found.setdefault(place.hex, place)
        return found

    @cached_property
    def _rank(self) -> Mapping[Hex, int]:
        return {hex_: number for number, hex_ in enumerate(self.towns)}

    def nearest(self, hex_: Hex) -> tuple[Place, int] | None:
        """The town and how many hexes away it is; None where there is none near."""
        if hex_ not in self._near:
            towns = (near for near in within(hex_, FAR_HEXES) if near in self.towns)
            best = min(towns, key=lambda near: (distance(hex_, near), self._rank[near]), default=None)
            self._near[hex_] = None if best is None else (self.towns[best], distance(hex_, best))
        return self._near[hex_]

    def town(self, hex_: Hex) -> str | None:
        found = self.nearest(hex_)
        return found[0].name if found else None

    def at(self, hex_: Hex, label: str) -> str:
        """Where something happened: at Stalingrad (4708); two hexes west of Stalingrad (4610)."""
        words = self._words(hex_)
        return f"in hex {label}" if words is None else f"{words[0]}{words[1]} ({label})"

    def to(self, hex_: Hex, label: str) -> str:
        """Where something went: to Stalingrad (4708); to 4610, two hexes west of Stalingrad."""
        words = self._words(hex_)
        if words is None:
            return f"to hex {label}"
        near = self.nearest(hex_)
        return f"to {words[1]} ({label})" if near and near[1] <= 1 else f"to {label}, {words[1]}"

    def _words(self, hex_: Hex) -> tuple[str, str] | None:
        """A preposition if one is needed, and the place."""
        found = self.nearest(hex_)
        if found is None:
            return None
        place, away = found
        if not away:
            return "at ", place.name
        how_far = "just" if away == 1 else f"{NUMBERS[away]} hexes"
        return "", f"{how_far} {self.wind(place.hex, hex_)} of {place.name}"

    def wind(self, start: Hex, end: Hex) -> str:
        (ax, ay), (bx, by) = self._layout.exact(start), self._layout.exact(end)
        bearing = math.degrees(math.atan2(bx - ax, ay - by)) - self._map.north_degrees
        return WINDS[round(bearing / 45) % len(WINDS)]
