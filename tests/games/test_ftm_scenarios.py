"""The set-ups of For the Motherland!: by the rules of stacking and ground, and in supply by 9.2 to 9.4."""

from __future__ import annotations

from collections import Counter as Tally
from functools import cache

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Scenario, UnitType
from fieldpost.hexes import Hex, Hexside, neighbors

SCENARIOS = ("barbarossa", "campaign", "turn-of-the-tide")
WATER = {"sea", "lake", "strait", "frozen-access", "rail-bridge"}
RANGE = 4
# Allied nations and where they may stand (5.2.1).
HOMES = {"romanian": "romania", "hungarian": "hungary", "italian": "germany", "finnish": "finland"}


class Start:
    """A scenario before its first phase, and what a line of supply may cross there."""

    def __init__(self, game: Game, scenario: Scenario) -> None:
        self.game, self.scenario, self.map = game, scenario, game.map
        self.snow = game.turn[scenario.first_turn].season == "snow"
        self.at = {u.id: self.hex(p.hex) for p in scenario.set_up if p.hex for u in p.units}

    def hex(self, label: str) -> Hex:
        return self.map.lattice.hex(label)

    def kind(self, unit: str) -> UnitType:
        return self.game.unit_type[self.game.counter[unit].type]

    def traits(self, unit: str) -> set[str]:
        return {*self.kind(unit).traits, *self.game.counter[unit].traits}

    def nation(self, unit: str) -> str:
        return self.game.counter[unit].nationality or self.kind(unit).nationality

    def units(self, side: str, trait: str = "") -> list[str]:
        return [u for u in self.at if self.kind(u).side == side and (not trait or trait in self.traits(u))]

    def hexes(self, side: str, trait: str = "") -> set[Hex]:
        return {self.at[u] for u in self.units(side, trait)}

    def country(self, hex_: Hex) -> str | None:
        return self.map.grid["country"].values.get(hex_)

    def features(self, a: Hex, b: Hex) -> frozenset[str]:
        return self.map.side_kinds.get(Hexside.between(a, b), frozenset())

    def rails(self, a: Hex, b: Hex) -> bool:
        return "railway" in self.map.line_steps.get(Hexside.between(a, b), ())

    def edge(self, *letters: str) -> set[Hex]:
        return {h for e in self.map.edges if e.id in letters for h in e.hexes}

    def zones(self, side: str) -> set[Hex]:
        return {
            n
            for u in self.units(side, "combat")
            for n in neighbors(self.at[u])
            if not {"sea", "lake"} & self.features(self.at[u], n)
        }

    def shut(self, side: str) -> set[Hex]:
        opponent = "soviet" if side == "axis" else "axis"
        return self.hexes(opponent) | (self.zones(opponent) - self.hexes(side))

    def open(self, side: str, a: Hex, b: Hex) -> bool:
        """Soviet armies trace over frozen access in snow (9.2.1); what else draws supply stands elsewhere."""
        features = self.features(a, b)
        return not WATER & features or (side == "soviet" and self.snow and "frozen-access" in features)

    def reached(self, side: str, starts: set[Hex], limit: int, *, by_rail: bool = False) -> set[Hex]:
        """Hexes that a line of so many hexes joins to one of the starts."""
        shut = self.shut(side)
        seen = {h for h in starts if h not in shut}
        edge = set(seen)
        for _ in range(limit):
            edge = {
                n
                for h in edge
                for n in neighbors(h)
                if self.map.terrain.get(n) not in (None, "sea", "lake")
                and n not in shut
                and (self.rails(h, n) if by_rail else self.open(side, h, n))
            } - seen
            seen |= edge
        return seen

    def supplied(self, unit: str) -> bool:
        return self.at[unit] in self._fed(self.kind(unit).side, self.nation(unit) == "finnish")

    @cache  # noqa: B019 (one start lives as long as its test module)
    def _fed(self, side: str, finnish: bool) -> set[Hex]:
        if side == "soviet":
            sources = self.edge("E", "S")
            return self.reached(side, self.reached(side, sources, 99, by_rail=True) | sources, RANGE)
        bases = self.hexes("axis", "supply-base") & self.reached(
            side, self.edge("W", "H", "R"), 99, by_rail=True
        )
        return self.reached(side, bases | self.edge(*("F" if finnish else "WHR")), RANGE)


@cache
def start(name: str) -> Start:
    game = load("ftm")
    return Start(game, game.scenario[name])


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_can_be_played_and_can_be_won_by_both(name: str) -> None:
    scenario = load("ftm").scenario[name]
    assert scenario.playable
    assert scenario.provenance.source == "reconstructed"
    assert scenario.victory is not None
    assert {band.winner for band in scenario.victory.bands} == {"axis", "soviet", None}


@pytest.mark.parametrize("name", SCENARIOS)
def test_nobody_stands_in_water_or_beside_the_enemy_in_one_hex(name: str) -> None:
    s = start(name)
    assert [
        u for u, h in s.at.items() if s.map.terrain.get(h) in (None, "sea", "lake", "high-mountain")
    ] == []
    assert s.hexes("axis") & s.hexes("soviet") == set()


@pytest.mark.parametrize("name", SCENARIOS)
def test_stacks_keep_the_limits_of_6_1_to_6_4(name: str) -> None:
    s = start(name)
    late = s.scenario.first_turn >= 12
    for hex_ in set(s.at.values()):
        there = [u for u, h in s.at.items() if h == hex_]
        places = Tally(str(s.kind(u).values["stack"]) for u in there)
        label = s.map.lattice.label(hex_)
        assert sum(s.kind(u).stacking for u in there if s.kind(u).side == "axis") <= 3, label
        assert places.pop("corps", 0) <= 3, label
        assert not places or max(places.values()) == 1, label
        if not late:
            assert places["combined-arms"] + places["elite"] <= 1, label
        fighting = [u for u in there if "combat" in s.traits(u) and s.kind(u).side == "axis"]
        assert len(fighting) == 1 or not any("allied" in s.traits(u) for u in fighting), label


@pytest.mark.parametrize("name", SCENARIOS)
def test_nations_stand_where_they_may(name: str) -> None:
    s = start(name)
    for unit, hex_ in s.at.items():
        home = HOMES.get(s.nation(unit))
        country = s.country(hex_)
        if home is not None:
            assert country in ("soviet-union", home), unit
        elif s.kind(unit).side == "axis":
            assert country not in ("finland", "turkey"), unit
        else:
            assert country == "soviet-union", unit


@pytest.mark.parametrize("name", SCENARIOS)
def test_supply_bases_stand_on_a_railway_to_a_source(name: str) -> None:
    s = start(name)
    linked = s.reached("axis", s.edge("W", "H", "R"), 99, by_rail=True)
    assert [u for u in s.units("axis", "supply-base") if s.at[u] not in linked] == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_units_begin_in_supply(name: str) -> None:
    s = start(name)
    traced = [u for u in s.at if not {"economic-asset", "supply-base"} & s.traits(u)]
    assert [u for u in traced if not s.supplied(u)] == []


def test_the_campaign_begins_as_barbarossa_and_goes_on() -> None:
    short, long = start("barbarossa"), start("campaign")
    assert short.at == long.at
    assert (short.scenario.first_turn, short.scenario.last_turn) == (1, 6)
    assert (long.scenario.first_turn, long.scenario.last_turn) == (1, 22)


@pytest.mark.parametrize("name", SCENARIOS)
def test_fortresses_assets_and_bases_of_1941_stand_in_their_printed_hexes(name: str) -> None:
    s = start(name)
    moved = {"supply-base"} if name == "turn-of-the-tide" else set()
    for unit, hex_ in s.at.items():
        printed = s.game.counter[unit].setup
        if printed and not moved & s.traits(unit):
            assert hex_ == s.hex(printed), unit


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_unit_in_play_is_somewhere_once(name: str) -> None:
    s = start(name)
    placed = [u.id for p in s.scenario.set_up for u in p.units]
    arriving = [u for r in s.scenario.reinforcements for u in r.units]
    assert {u: n for u, n in Tally([*placed, *arriving]).items() if n > 1} == {}
    assert {c.id for c in s.game.counters if c.type == "offensive-support"} <= set(placed)


@pytest.mark.parametrize("name", SCENARIOS)
def test_reinforcements_come_in_the_turn_of_their_counter(name: str) -> None:
    s = start(name)
    for arrival in s.scenario.reinforcements:
        for unit in arrival.units:
            assert s.game.counter[unit].enters == f"GT{arrival.turn}", unit


@pytest.mark.parametrize("name", ["barbarossa", "campaign"])
def test_in_a_game_from_turn_1_there_are_three_air_bases_and_five_air_units(name: str) -> None:
    s = start(name)
    assert len(s.units("axis", "air-base")) == 3
    boxed = {p.box: [m.id for m in p.markers] for p in s.scenario.set_up if p.box}
    assert boxed["german-air-units"] == [f"AU-{n}" for n in range(1, 6)]


def test_in_turn_12_one_air_unit_is_withdrawn_already() -> None:
    boxed = {p.box: [m.id for m in p.markers] for p in start("turn-of-the-tide").scenario.set_up if p.box}
    assert len(boxed["german-air-units"]) == 4
    assert boxed["axis-withdrawn"] == ["AU-5"]


@pytest.mark.parametrize("name", ["barbarossa", "campaign"])
def test_the_cups_of_turn_1_hold_the_starred_chits_and_no_other(name: str) -> None:
    game = load("ftm")
    held = Tally(m for deck in game.scenario[name].decks for m in deck.markers)
    assert held == {m.id: m.count for m in game.markers if m.values.get("starred") == 1}


def test_the_cups_of_turn_12_hold_what_has_arrived_and_no_star() -> None:
    game = load("ftm")
    held = Tally(m for deck in game.scenario["turn-of-the-tide"].decks for m in deck.markers)
    assert held == {
        m.id: m.count
        for m in game.markers
        if m.kind == "strength" and m.enters and int(m.enters.removeprefix("GT")) < 12
    }


def test_leningrad_hangs_on_the_ice_of_the_lake() -> None:
    besieged = {"42A", "F-Leningrad", "23A", "67A"}
    thawed = Start(load("ftm"), load("ftm").scenario["turn-of-the-tide"])
    assert thawed.snow
    thawed.snow = False
    assert {u for u in thawed.units("soviet", "combat") if not thawed.supplied(u)} == besieged
