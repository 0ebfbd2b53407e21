"""On our map Turning Point starts in supply: 9.2 to 9.4 traced by a few lines of their own."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import UnitType
from fieldpost.hexes import Hex, Hexside, neighbors

AXIS_RANGE, SOVIET_RANGE = 8, 12  # halves of a hex
WATER = {"sea", "lake", "causeway", "ice-road"}
BIG_RIVERS = {"major-river", "strait"}
FAR_OUT = "PzKG-2"  # at Elista: six hexes from the next depot, and no railway


class Start:
    """Turning Point before its first phase, and what a line of supply costs there."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.scenario = game.scenario["turning-point"]
        self.at = {u.id: self.hex(p.hex or "") for p in self.scenario.set_up for u in p.units}

    def hex(self, label: str) -> Hex:
        return self.game.map.lattice.hex(label, "E")

    def kind(self, unit: str) -> UnitType:
        return self.game.unit_type[self.game.counter[unit].type]

    def hexes(self, side: str, trait: str = "") -> set[Hex]:
        return {
            h
            for u, h in self.at.items()
            if self.kind(u).side == side and (not trait or trait in self.kind(u).traits)
        }

    def sources(self, side: str) -> set[Hex]:
        return {self.hex(h) for s in self.scenario.supply_sources if s.side == side for h in s.hexes}

    def shut(self, side: str) -> set[Hex]:
        opponent = "soviet" if side == "axis" else "axis"
        zones = {
            n
            for u, h in self.at.items()
            if self.kind(u).side == opponent and self.kind(u).zoc
            for n in neighbors(h)
            if not WATER & self.features(h, n)
        }
        return self.hexes(opponent) | (zones - self.hexes(side))

    def features(self, a: Hex, b: Hex) -> frozenset[str]:
        return self.game.map.side_kinds.get(Hexside.between(a, b), frozenset())

    def rails(self, a: Hex, b: Hex) -> bool:
        return "railway" in self.game.map.line_steps.get(Hexside.between(a, b), ())

    def cost(self, a: Hex, b: Hex) -> int | None:
        features, ground = self.features(a, b), self.game.map.terrain.get(b)
        if ground in (None, "sea", "lake") or WATER & features:
            return None
        if self.rails(a, b):
            return 1
        if BIG_RIVERS & features:
            return None
        return 4 if ground == "tundra" else 2

    def reached(self, side: str, starts: Iterable[Hex], limit: int, *, by_rail: bool = False) -> set[Hex]:
        shut = self.shut(side)
        best = {h: 0 for h in starts if h not in shut}
        queue = [(0, h) for h in best]
        while queue:
            spent, here = heapq.heappop(queue)
            for there in neighbors(here):
                step = self.cost(here, there)
                if step is None or there in shut or (by_rail and not self.rails(here, there)):
                    continue
                if spent + step <= limit and spent + step < best.get(there, limit + 1):
                    best[there] = spent + step
                    heapq.heappush(queue, (spent + step, there))
        return set(best)

    def chain(self) -> set[Hex]:
        """What depots in a chain to the sources supply."""
        field = self.reached("axis", self.sources("axis"), AXIS_RANGE)
        linked: set[Hex] = set()
        while more := (self.hexes("axis", "depot") & field) - linked:
            linked |= more
            field |= self.reached("axis", more, AXIS_RANGE)
        return field


@pytest.fixture(scope="module")
def start() -> Start:
    return Start(load("wfm"))


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_headquarters_stand_on_a_free_railway_to_a_source(start: Start, side: str) -> None:
    railed = start.reached(side, start.sources(side), 999, by_rail=True)
    assert start.hexes(side, "hq") <= railed


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_every_source_is_on_land_and_on_a_railway(start: Start, side: str) -> None:
    for source in start.sources(side):
        assert any(start.rails(source, n) for n in neighbors(source)), source


def test_depots_form_a_chain(start: Start) -> None:
    assert start.hexes("axis", "depot") <= start.chain()


def test_germans_and_italians_start_in_supply_but_for_one(start: Start) -> None:
    field = start.chain()
    traced = [u for u in start.at if start.kind(u).values.get("supply") == "depot"]
    assert {u for u in traced if start.at[u] not in field} == {FAR_OUT}


def test_rumanians_start_within_reach_of_their_headquarters(start: Start) -> None:
    field = start.reached("axis", start.hexes("axis", "hq"), AXIS_RANGE)
    corps = {u for u in start.at if start.kind(u).id == "rumanian-corps"}
    assert len(corps) == 6
    assert {u for u in corps if start.at[u] not in field} == set()


def test_soviets_start_within_reach_of_a_headquarters(start: Start) -> None:
    field = start.reached("soviet", start.hexes("soviet", "hq"), SOVIET_RANGE)
    armies = {u for u in start.at if start.kind(u).side == "soviet"}
    assert {u for u in armies if start.at[u] not in field} == set()
