"""Supply as War for the Motherland judges it, against a slow search written from the rules' wording."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from random import Random

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex, Hexside, neighbors
from validator.core.costs import points
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.games.wfm import c09_supply
from validator.games.wfm.c09_markers import allowed, moments
from validator.games.wfm.state import Case
from validator.model.position import Position, Unit
from validator.procedures.supplymarks import OUT, SUPPLIED, shown_statuses
from validator.services import cases

DRY = {"sea", "lake", "causeway", "ice-road"}
CAMPAIGN = "war-for-the-motherland"


@functools.cache
def game() -> Game:
    return load("wfm")


def standing(lines: Sequence[str], scenario: str = "turning-point", turn: int = 23, **options: str) -> Case:
    """A case with the units that the lines of a turn sheet put there."""
    case = cases.Case("", "test", f"{turn} supply", scenario)
    position = Position(game())
    for event in cases._events(case, lines, game()):
        position.apply(event)
    position.turn, position.phase = turn, "supply"
    rules = rulebook.load("wfm")
    assert rules is not None
    chosen = {name.replace("_", "-"): choice for name, choice in options.items()}
    return Referee(game(), game().scenario[scenario], rules, {}, chosen, position).case


def statuses(case: Case) -> dict[str, c09_supply.Status]:
    return {**c09_supply.judge_supply(case, "axis"), **c09_supply.judge_supply(case, "soviet")}


# --- slow and obvious ----------------------------------------------------------------------------


class Slow:
    """Lines of Turning Point in snow, found from each unit by plain search over labels and fractions."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.map = position.game.map
        scenario = position.game.scenario["turning-point"]
        self.area = self.map.area["turning-point"].hexes - self.map.unplayable
        self.sources = {
            source.side: {self.map.lattice.hex(label, "E") for label in source.hexes}
            for source in scenario.supply_sources
        }

    def units(self, side: str, trait: str = "") -> list[Unit]:
        return [u for u in self.position.on_map(side) if not trait or u.has(trait)]

    def kinds(self, a: Hex, b: Hex) -> frozenset[str]:
        return self.map.side_kinds.get(Hexside.between(a, b), frozenset())

    def rails(self, a: Hex, b: Hex) -> bool:
        return "railway" in self.map.line_steps.get(Hexside.between(a, b), ())

    @functools.cache  # noqa: B019 - a position that does not change
    def shut(self, side: str) -> set[Hex]:
        opponents = [u for u in self.position.on_map() if u.side != side]
        zones = {n for u in opponents if u.type.zoc for n in neighbors(u.hex) if self._reaches(u, n)}
        return {u.hex for u in opponents} | (zones - {u.hex for u in self.units(side)})

    def _reaches(self, opponent: Unit, there: Hex) -> bool:
        return not DRY & self.kinds(opponent.hex, there) or (
            opponent.side == "soviet" and opponent.has("ice-roads")
        )

    def price(self, a: Hex, b: Hex, partisans: set[Hex]) -> Fraction | None:
        least = Fraction(2) if b in partisans else Fraction(0)
        ways = []
        if self.rails(a, b):
            ways.append(Fraction(1) if b in partisans else Fraction(1, 2))
        kinds, ground = self.kinds(a, b), self.map.terrain[b]
        closed = kinds & {"sea", "lake", "ice-road", "major-river", "strait"} or ground in ("sea", "lake")
        if not closed:
            ways.append(max(Fraction(2) if ground == "tundra" else Fraction(1), least))
        return min(ways) if ways else None

    def length(self, unit: Hex, goals: set[Hex], side: str) -> Fraction | None:
        shut, partisans = self.shut(side), self.partisans(side)
        best, queue = {unit: Fraction(0)}, [(Fraction(0), unit)]
        while queue:
            spent, here = heappop(queue)
            if here in goals:
                return spent
            for there in neighbors(here):
                price = self.price(here, there, partisans) if there in self.area else None
                if there in shut or price is None or spent + price >= best.get(there, Fraction(999)):
                    continue
                best[there] = spent + price
                heappush(queue, (spent + price, there))
        return None

    def partisans(self, side: str) -> set[Hex]:
        if side == "soviet":
            return set()
        held = {u.hex for u in self.units("axis")}
        return {h for h, marks in self.position.marks.items() if marks.keys() & {"Kov", "Kor"}} - held

    def within(self, unit: Hex, goals: set[Hex], side: str, limit: int) -> bool:
        length = self.length(unit, goals - self.shut(side), side)
        return length is not None and length <= limit

    def railed(self, start: Hex, side: str) -> bool:
        shut, seen, waiting = self.shut(side), {start}, [start]
        while waiting:
            here = waiting.pop()
            if here in self.sources[side] - shut:
                return True
            more = [n for n in neighbors(here) if n in self.area and self.rails(here, n)]
            waiting += [n for n in more if n not in seen and n not in shut]
            seen.update(more)
        return False

    @functools.cache  # noqa: B019
    def depots(self) -> set[Hex]:
        """Linked ones: again and again every depot that reaches a source or a linked one."""
        linked: set[Hex] = set()
        while True:
            goals = self.sources["axis"] | linked
            more = {u.hex for u in self.units("axis", "depot") if self.within(u.hex, goals, "axis", 4)}
            if more <= linked:
                return linked
            linked |= more

    def supplied(self, unit: Unit, times: int = 1) -> bool:
        """In range; or in so many times the range."""
        if unit.has("always-supplied"):
            return True
        if unit.has("hq"):
            return self.railed(unit.hex, unit.side)
        heads = {u.hex for u in self.units(unit.side, "hq") if self.railed(u.hex, u.side)}
        if unit.side == "soviet":
            return self.within(unit.hex, heads, "soviet", 6 * times)
        if unit.nationality == "rumanian":
            return self.within(unit.hex, heads, "axis", 4 * times)
        return self.within(unit.hex, self.sources["axis"] | self.depots(), "axis", 4 * times)


UNITS = ["SD-1", "SD-2", "SD-3", "SD-4", "Ru3AHQ", "Ru4AHQ", "Ru1AK", "Ru2AK", "It8A", "11AK", "51AK", "3PzK"]
UNITS += ["StgHQ", "SWHQ", "NcsHQ", "TcsHQ", "28A", "51A", "57A", "62A", "64A", "65A", "5TkA", "OSG-1"]


def scattered(seed: int) -> Case:
    """Units of both sides, thrown over a part of the map small enough for lines to meet."""
    draw = Random(seed)
    case = standing([])
    position = case.position
    lattice = game().map.lattice
    middle = lattice.hex(draw.choice(["4814", "5214", "4710", "5010"]), "E")
    land = [
        h
        for h in sorted(game().map.area["turning-point"].hexes)
        if game().map.terrain[h] not in ("sea", "lake") and max(abs(h.q - middle.q), abs(h.r - middle.r)) < 7
    ]
    taken: dict[Hex, str] = {}
    for name in UNITS:
        hex_ = draw.choice(land)
        if taken.setdefault(hex_, position.units[name].side) == position.units[name].side:
            position.put(name, hex_)
    for marker in ("Kov", "Kor"):
        position.marks.setdefault(draw.choice(land), {})[marker] = 1
    return case


@pytest.mark.parametrize("seed", range(30))
def test_supply_of_scattered_units_is_what_searching_from_each_of_them_finds(seed: int) -> None:
    case = scattered(seed)
    slow = Slow(case.position)
    units = list(case.position.on_map())
    found = statuses(case)
    assert {u.id: found[u.id].supplied for u in units} == {u.id: slow.supplied(u) for u in units}
    stays = [unit for unit in units if not (unit.has("hq") or unit.has("osg"))]
    assert {u.id: found[u.id].isolated for u in stays} == {u.id: not slow.supplied(u, 2) for u in stays}


@pytest.mark.parametrize("seed", range(12))
def test_line_ends_where_it_says_and_is_as_long_as_it_says(seed: int) -> None:
    case = scattered(seed)
    slow = Slow(case.position)
    board = c09_supply.supply_now(case).field.board
    for name, status in statuses(case).items():
        if status.by in ("depot", "source", "headquarters"):
            unit, line = case.position.units[name], [board.hexes[h] for h in status.line]
            assert status.length is not None
            assert line[0] == unit.hex
            assert points(status.length) == slow.length(unit.hex, {line[-1]}, unit.side)
            assert not set(line[1:]) & slow.shut(unit.side)


@pytest.mark.parametrize("seed", range(6))
def test_mask_tells_where_a_unit_would_be_in_supply(seed: int) -> None:
    case = scattered(seed)
    position, board = case.position, c09_supply.supply_now(case).field.board
    for name in ("11AK", "28A"):
        position.put(name, None)
        mask = c09_supply.supplied_mask(case, position.units[name])
        side = position.units[name].side
        opponents = {unit.hex for unit in position.on_map() if unit.side != side}
        for hex_id in Random(seed).sample(range(len(board)), 60):
            if board.hexes[hex_id] not in opponents and board.terrain[hex_id] not in ("sea", "lake"):
                position.put(name, board.hexes[hex_id])
                assert bool(mask[hex_id]) == statuses(case)[name].supplied, board.label(hex_id)
        position.put(name, None)


# --- facts ---------------------------------------------------------------------------------------


def test_only_one_unit_of_turning_point_begins_out_of_supply() -> None:
    rules = rulebook.load("wfm")
    assert rules is not None
    case = Referee(game(), game().scenario["turning-point"], rules, {}).case
    assert [name for name, status in statuses(case).items() if not status.supplied] == ["PzKG-2"]


def test_isolated_is_beyond_twice_the_range() -> None:
    case = standing(["place 11AK 4610", "place 51AK 5505"])
    assert statuses(case)["11AK"].name == "out of supply"
    assert statuses(case)["51AK"].name == "isolated"


def test_minor_range_is_a_matter_of_option() -> None:
    units = ["place Ru3AHQ 4913", "place Ru7AK 5113"]
    lengths = [statuses(standing(units, minor_supply_range=n))["Ru7AK"].limit for n in ("4", "6")]
    assert [None if n is None else points(n) for n in lengths] == [4, 6]


def test_expended_depot_supplies_who_reaches_it_and_no_rumanian() -> None:
    case = standing(["place SD-2 5505", "place 3PzK 5506", "place Ru7AK 5606", "mark SD-2 expended"])
    assert statuses(case)["3PzK"].by == "expended"
    assert not statuses(case)["Ru7AK"].supplied


def test_partisan_is_not_felt_below_an_axis_unit() -> None:
    units = ["place 3PzK 4812", "mark 4912 Kov"]
    assert not statuses(standing(units))["3PzK"].supplied
    assert statuses(standing([*units, "place InfKG-1 4912"]))["3PzK"].supplied


def test_swamp_and_partisan_count_two_or_three() -> None:
    swamp = "4425"
    label = game().map.lattice.hex(swamp, "C")
    if game().map.terrain[label] != "swamp":
        swamps = sorted(h for h, kind in game().map.terrain.items() if kind == "swamp")
        label = swamps[len(swamps) // 2]
    prices = []
    for choice in ("two", "add"):
        case = standing([], CAMPAIGN, 14, partisan_swamp=choice)
        case.position.marks[label] = {"Kov": 1}
        board = c09_supply.supply_now(case).field.board
        costs = c09_supply.supply_now(case).tracing["axis"].costs
        here = board.id_of[label]
        off_rail = [n for n in board.adjacent[here] if "railway" not in board.line_of(n, here)]
        plain = [costs.step_price(board.step(n, here)) for n in off_rail]
        prices.append({points(p.price) for p in plain if not p.bans})
    assert prices == [{2}, {3}]


def test_moscow_is_no_source_once_an_axis_unit_has_been_there() -> None:
    far = ["place StgHQ 2706"]
    assert statuses(standing(far, CAMPAIGN, 14))["StgHQ"].supplied
    case = standing(far, CAMPAIGN, 14)
    goals = c09_supply.supply_now(case).tracing["soviet"].to_capital["soviet"]
    moscow = c09_supply.supply_now(case).field.board.id("2706", "C")
    assert goals.length(moscow) == 0
    lost = standing([*far, "mark 2706 destroyed"], CAMPAIGN, 14)
    assert c09_supply.supply_now(lost).tracing["soviet"].to_capital["soviet"].length(moscow) != 0


def test_air_supply_ends_in_mud() -> None:
    units = ["place 4AB 4336", "place 11AK 4020", "mark 4021 4AF"]
    assert statuses(standing(units, CAMPAIGN, 14))["11AK"].by == "air"
    assert statuses(standing(units, CAMPAIGN, 12))["11AK"].status == OUT


def test_lines_over_lake_ladoga_are_open_to_soviets_in_snow_only() -> None:
    for turn, open_ in ((9, True), (14, False)):
        case = standing([], CAMPAIGN, turn)
        tracing = c09_supply.supply_now(case).tracing
        board = c09_supply.supply_now(case).field.board
        step = board.step(board.id("1315", "C"), board.id("1316", "C"))
        assert (not tracing["soviet"].costs.step_price(step).bans) == open_
        assert tracing["axis"].costs.step_price(step).bans


def test_extended_depots_come_last_in_the_chain() -> None:
    on = {"extended_depots": "on"}
    chains = {
        "unit E N source": (["place ND-1 4333", "place SD-1 4330", "place 11AK 4327"], True),
        "unit N E source": (["place SD-1 4333", "place ND-1 4330", "place 11AK 4327"], False),
        "unit E source": (["place SD-1 4333", "place 11AK 4330"], False),
        "unit source": (["place 11AK 4334"], True),
    }
    for name, (units, supplied) in chains.items():
        case = standing(units, CAMPAIGN, 14, **on)
        assert statuses(case)["11AK"].supplied == supplied, name


def test_unit_beside_a_source_needs_a_normal_depot_where_so_agreed() -> None:
    units = ["place 11AK 4334"]
    chosen = {"extended_depots": "on", "direct_source": "off"}
    assert not statuses(standing(units, CAMPAIGN, 14, **chosen))["11AK"].supplied
    assert statuses(standing([*units, "place ND-1 4333"], CAMPAIGN, 14, **chosen))["11AK"].supplied


def test_status_found_before_or_after_units_left_the_map_is_accepted() -> None:
    """A headquarters that goes may open or cover a hex; players may judge before or after."""
    case = standing(["place 11AK 4714", "place StgHQ 4715"])
    unit = case.position.units["11AK"]
    before = allowed(case, unit, [status for _, _, status in moments(case, unit)])
    assert len(before) == 1
    case.position.put("StgHQ", None)
    assert SUPPLIED in allowed(case, unit, [status for _, _, status in moments(case, unit)])


def test_marker_in_the_hex_may_be_meant_for_any_of_its_units() -> None:
    case = standing(["place 3PzK 4612", "place SD-1 4612", "mark 4612 out-of-supply"])
    assert shown_statuses(case, case.position.units["3PzK"]) == (OUT, SUPPLIED)
    case = standing(["place 3PzK 4612", "mark 3PzK out-of-supply"])
    assert shown_statuses(case, case.position.units["3PzK"]) == (OUT,)


def test_supply_found_in_the_supply_phase_is_kept_when_units_have_gone_on() -> None:
    case = standing(["place SD-4 4913", "place 3PzK 4612"])
    found = c09_supply.supply_now(case).settle()
    case.position.put("SD-4", None)
    unit = case.position.units["3PzK"]
    here = found.field.board.id("4612", "E")
    assert found.would_supply(unit)[here]
    assert not c09_supply.supplied_mask(case, unit)[here]


def test_kampfgruppe_takes_over_the_status_of_the_corps_it_replaces() -> None:
    case = cases.Case("", "test", "23 axis-combat", "turning-point")
    rules = rulebook.load("wfm")
    assert rules is not None
    position = Position(game())
    for event in cases._events(case, ["place 11AK 5209 step 2", "mark 11AK out-of-supply"], game()):
        position.apply(event)
    position.turn, position.phase = 23, "axis-combat"
    referee = Referee(game(), game().scenario["turning-point"], rules, {}, {}, position)
    referee.feed(cases._events(case, ["replace 11AK with InfKG-1 at 5209"], game()))
    assert position.units["InfKG-1"].marks == {"out-of-supply": 1}
    assert position.units["11AK"].marks == {}
