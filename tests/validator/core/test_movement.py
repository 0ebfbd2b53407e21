"""Movement: prices, zones, stops, the one-hex minimum, and which rule stands in the way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.validator.core import boards, slow
from tests.validator.core.random_boards import World, some, worlds
from validator.core.board import Board, Mask
from validator.core.costs import ONE, CostTable, Line, Local, Prices, points
from validator.core.movement import (
    MoveRules,
    breaches,
    explain,
    find_way,
    reach,
)
from validator.core.spread import NEVER
from validator.core.zones import Projection, ZoneMap

OPEN = """
.......
.......
.......
.......
.......
"""


def rules(on: Board, budget: int = 4 * ONE, **changes: Any) -> MoveRules:
    return replace(MoveRules(boards.table(on), budget, on.mask(), on.mask()), **changes)


def hexes(on: Board, labels: str) -> bytearray:
    return on.mask(on.ids(labels))


def around(on: Board, label: str) -> Mask:
    return ZoneMap.of(on, [(on.id(label), Projection(on))]).mask


# --- prices ---------------------------------------------------------------------------------


def test_price_is_that_of_the_hex_entered_and_the_hexside_crossed() -> None:
    on = boards.board(".f.", sides={"river": "0102/0103"})
    way = explain(on, rules(on), on.id("0101"), on.id("0103")).way
    assert way is not None
    assert [[(i.key, i.subject, i.price) for i in s.items] for s in way.steps] == [
        [("terrain", "forest", 24)],
        [("terrain", "clear", 12), ("hexside", "river", 12)],
    ]


def test_road_takes_the_place_of_hex_and_hexside() -> None:
    on = boards.board(".m.", sides={"lake": "0101/0102"}, lines={"road": "0101-0102"})
    assert reach(on, rules(on), on.id("0101")).cost(on.id("0102")) == ONE // 2
    assert reach(on, rules(on), on.id("0102")).cost(on.id("0101")) == ONE // 2


def test_line_without_a_rate_bridges_a_hexside_and_leaves_the_hex_its_price() -> None:
    on = boards.board(".f", sides={"strait": "0101/0102"}, lines={"railway": "0101-0102"})
    bridged = boards.PRICES.along({"railway": Line(bridges=("strait",))})
    r = rules(on, costs=boards.table(on, bridged))
    assert reach(on, r, on.id("0101")).cost(on.id("0102")) == 2 * ONE


def test_local_factor_doubles_the_hex_and_not_the_hexside() -> None:
    on = boards.board(".f", sides={"river": "0101/0102"})
    arctic = boards.table(on, local=Local(factor={on.id("0102"): 2}))
    assert reach(on, rules(on, costs=arctic, budget=9 * ONE), on.id("0101")).cost(on.id("0102")) == 5 * ONE


def test_local_factor_leaves_the_rate_of_a_road_alone() -> None:
    on = boards.board("..", lines={"road": "0101-0102"})
    arctic = boards.table(on, local=Local(factor={on.id("0102"): 2}))
    assert reach(on, rules(on, costs=arctic), on.id("0101")).cost(on.id("0102")) == ONE // 2


def test_rate_of_a_road_may_differ_by_terrain() -> None:
    on = boards.board(".f.", lines={"road": "0101-0102-0103"})
    track = boards.PRICES.along({"road": Line(ONE // 2, rates={"forest": ONE})})
    assert reach(on, rules(on, costs=boards.table(on, track)), 0).costs == [0, ONE, ONE + ONE // 2]


def test_local_opening_lifts_a_hexside_ban() -> None:
    on = boards.board("..", sides={"lake": "0101/0102"})
    ice = Local(open=boards.steps(on, "0101-0102"), open_price=ONE)
    frozen = rules(on, costs=boards.table(on, local=ice))
    assert on.id("0102") not in reach(on, rules(on), on.id("0101"))
    assert reach(on, frozen, on.id("0101")).cost(on.id("0102")) == 2 * ONE


def test_opening_a_hexside_that_was_never_shut_costs_nothing() -> None:
    on = boards.board("..", sides={"river": "0101/0102"})
    ice = Local(open=boards.steps(on, "0101-0102"), open_price=ONE)
    frozen = rules(on, costs=boards.table(on, local=ice))
    assert reach(on, frozen, on.id("0101")).cost(on.id("0102")) == 2 * ONE


def test_unit_bound_to_a_railway_goes_nowhere_else() -> None:
    on = boards.board("...\n...", lines={"railway": "0101-0102-0202"})
    gun = Prices(other=ONE, only_along=("railway",))
    found = reach(on, rules(on, costs=boards.table(on, gun)), on.id("0101"))
    assert {on.label(h) for h in found} == {"0101", "0102", "0202"}
    assert explain(on, rules(on, costs=boards.table(on, gun)), on.id("0101"), on.id("0201")).key == "off-line"


# --- zones ----------------------------------------------------------------------------------


def test_leaving_a_zone_costs_extra() -> None:
    on = boards.board(OPEN)
    r = rules(on, zone=hexes(on, "0301"), leave_zone=3 * ONE, zone_to_zone=False)
    assert reach(on, r, on.id("0301")).cost(on.id("0302")) == 4 * ONE
    assert on.id("0303") not in reach(on, r, on.id("0301"))


def test_unit_may_pass_through_a_zone_by_paying_to_leave_it() -> None:
    on = boards.board("...")
    r = rules(on, zone=hexes(on, "0102"), leave_zone=2 * ONE)
    assert reach(on, r, on.id("0101")).cost(on.id("0103")) == 4 * ONE


def test_entering_a_zone_ends_the_move_where_the_rule_says_so() -> None:
    on = boards.board("...")
    r = rules(on, zone=hexes(on, "0102"), stop_in_zone=True)
    assert on.id("0102") in reach(on, r, on.id("0101"))
    assert on.id("0103") not in reach(on, r, on.id("0101"))
    assert explain(on, r, on.id("0101"), on.id("0103")).key == "zone-stop"


def test_unit_that_starts_in_a_zone_may_leave_it_though_zones_stop() -> None:
    on = boards.board("...")
    r = rules(on, zone=hexes(on, "0101"), stop_in_zone=True)
    assert on.id("0103") in reach(on, r, on.id("0101"))


def test_unit_stopped_by_a_zone_earlier_in_its_move_stays() -> None:
    on = boards.board("...")
    r = rules(on, zone=hexes(on, "0101"), stop_in_zone=True, moved=True)
    assert list(reach(on, r, on.id("0101"))) == [on.id("0101")]
    verdict = explain(on, r, on.id("0101"), on.id("0102"))
    assert verdict.obstacle is not None
    assert [(b.key, b.hexes) for b in verdict.obstacle.breaches] == [("zone-stop", (on.id("0101"),))]


def test_zone_to_zone_step_is_named_though_a_dear_way_round_exists() -> None:
    on = boards.board(OPEN)
    zone = around(on, "0203")
    r = rules(on, budget=4 * ONE, zone=zone, enemy=hexes(on, "0203"), leave_zone=3 * ONE, zone_to_zone=False)
    verdict = explain(on, r, on.id("0202"), on.id("0303"))
    assert not verdict.legal
    assert verdict.key == "zone-to-zone"
    assert verdict.obstacle is not None
    assert on.path_text(verdict.obstacle.way.path) == "0202-0303"
    assert ("budget",) in [o.keys for o in verdict.obstacles]


def test_zone_to_zone_step_is_legal_where_the_unit_may() -> None:
    on = boards.board(OPEN)
    r = rules(on, zone=around(on, "0203"), leave_zone=3 * ONE)
    verdict = explain(on, r, on.id("0202"), on.id("0303"))
    assert verdict.cost == 4 * ONE


# --- what stands in the way ------------------------------------------------------------------


def test_budget_is_named_with_what_the_way_costs() -> None:
    on = boards.board(".......")
    verdict = explain(on, rules(on, budget=4 * ONE), on.id("0101"), on.id("0107"))
    assert verdict.key == "budget"
    assert verdict.obstacle is not None
    assert verdict.obstacle.way.cost == 6 * ONE
    assert verdict.budget == 4 * ONE


def test_enemy_hex_is_named_as_the_target() -> None:
    on = boards.board("...")
    r = rules(on, enemy=hexes(on, "0102"))
    assert explain(on, r, on.id("0101"), on.id("0102")).key == "enemy"


def test_enemy_hex_in_the_way_is_named_when_the_only_other_way_is_longer() -> None:
    on = boards.board("...\n...", sides={"lake": "0101/0201"})
    r = rules(on, budget=2 * ONE, enemy=hexes(on, "0102"))
    verdict = explain(on, r, on.id("0101"), on.id("0103"))
    assert verdict.obstacle is not None
    assert verdict.obstacle.keys == ("enemy",)
    assert verdict.obstacle.breaches[0].hexes == (on.id("0102"),)


def test_hexside_ban_is_named_by_its_kind() -> None:
    on = boards.board("..", sides={"lake": "0101/0102"})
    assert explain(on, rules(on), on.id("0101"), on.id("0102")).key == "hexside:lake"


def test_forbidden_terrain_is_named_by_its_kind() -> None:
    on = boards.board(".~.")
    assert explain(on, rules(on), on.id("0101"), on.id("0102")).key == "terrain:sea"


def test_forbidden_hexes_are_named_by_the_games_key() -> None:
    on = boards.board("...")
    r = rules(on, forbidden={"neutral": hexes(on, "0103")})
    assert explain(on, r, on.id("0101"), on.id("0103")).key == "neutral"


def test_hex_that_may_be_passed_may_still_not_be_ended_in() -> None:
    on = boards.board("...")
    r = rules(on, no_end={"full": hexes(on, "0102")})
    assert explain(on, r, on.id("0101"), on.id("0103")).legal
    assert explain(on, r, on.id("0101"), on.id("0102")).key == "full"
    assert on.id("0102") not in reach(on, r, on.id("0101"))


def test_stop_hex_ends_the_move() -> None:
    on = boards.board("...")
    r = rules(on, stops={"mud": hexes(on, "0102")})
    assert explain(on, r, on.id("0101"), on.id("0103")).key == "mud"


def test_two_rules_are_named_together_when_neither_alone_opens_a_way() -> None:
    on = boards.board("...", sides={"lake": "0101/0102"})
    r = rules(on, enemy=hexes(on, "0103"))
    verdict = explain(on, r, on.id("0101"), on.id("0103"))
    assert verdict.obstacle is not None
    assert set(verdict.obstacle.keys) == {"enemy", "hexside:lake"}


def test_three_broken_rules_are_all_named() -> None:
    on = boards.board("....", sides={"lake": "0101/0102"})
    r = rules(on, budget=2 * ONE, enemy=hexes(on, "0104"))
    verdict = explain(on, r, on.id("0101"), on.id("0104"))
    assert verdict.obstacle is not None
    assert set(verdict.obstacle.keys) == {"enemy", "hexside:lake", "budget"}


def test_hex_on_no_connected_ground_cannot_be_reached_whatever_is_lifted() -> None:
    on = boards.board("._.")
    verdict = explain(on, rules(on), on.id("0101"), on.id("0103"))
    assert not verdict.legal
    assert verdict.obstacles == ()


# --- way-points ------------------------------------------------------------------------------


def test_way_leads_through_the_waypoints() -> None:
    on = boards.board(OPEN)
    verdict = explain(on, rules(on), on.id("0301"), on.id("0303"), [on.id("0202")])
    assert verdict.way is not None
    assert on.path_text(verdict.way.path) == "0301-0202-0302-0303" or verdict.cost == 3 * ONE
    assert on.id("0202") in verdict.way.path


def test_waypoint_in_a_stop_zone_bars_the_rest_of_the_move() -> None:
    on = boards.board(OPEN)
    r = rules(on, zone=hexes(on, "0202"), stop_in_zone=True)
    assert explain(on, r, on.id("0301"), on.id("0303")).legal
    assert explain(on, r, on.id("0301"), on.id("0303"), [on.id("0202")]).key == "zone-stop"


def test_budget_is_for_all_legs_together() -> None:
    on = boards.board(OPEN)
    r = rules(on, budget=4 * ONE)
    assert explain(on, r, on.id("0301"), on.id("0303"), [on.id("0302")]).legal
    far = explain(on, r, on.id("0301"), on.id("0302"), on.ids("0303 0304"))
    assert far.key == "budget"
    assert far.obstacle is not None
    assert far.obstacle.way.cost == 5 * ONE


def test_way_back_to_the_start_is_paid_for() -> None:
    on = boards.board("...")
    verdict = explain(on, rules(on), on.id("0101"), on.id("0101"), [on.id("0102")])
    assert verdict.cost == 2 * ONE


def test_path_the_log_shows_is_judged_step_by_step() -> None:
    on = boards.board("....", sides={"lake": "0101/0102"})
    r = rules(on, budget=2 * ONE, enemy=hexes(on, "0103"))
    found = breaches(on, r, on.ids("0101-0102-0103-0104"))
    assert {b.key: [on.label(h) for h in b.hexes] for b in found} == {
        "enemy": ["0103"],
        "hexside:lake": ["0102"],
        "budget": ["0104"],
    }


# --- one hex, whole allowance -----------------------------------------------------------------


def test_unit_may_always_go_one_hex_where_the_rule_says_so() -> None:
    on = boards.board(".m.")
    r = rules(on, budget=ONE, one_hex=True)
    verdict = explain(on, r, on.id("0101"), on.id("0102"))
    assert verdict.legal
    assert verdict.minimum
    assert on.id("0102") in reach(on, r, on.id("0101")).minimum
    assert explain(on, replace(r, one_hex=False), on.id("0101"), on.id("0102")).key == "budget"


def test_unit_that_moved_already_has_no_one_hex_minimum() -> None:
    on = boards.board(".m.")
    r = rules(on, budget=ONE, one_hex=True, moved=True)
    assert explain(on, r, on.id("0101"), on.id("0102")).key == "budget"
    assert on.id("0102") not in reach(on, r, on.id("0101"))


def test_one_hex_minimum_breaks_no_other_rule() -> None:
    on = boards.board("..", sides={"lake": "0101/0102"})
    r = rules(on, budget=ONE, one_hex=True)
    assert explain(on, r, on.id("0101"), on.id("0102")).key == "hexside:lake"
    both = rules(on, budget=ONE, one_hex=True, zone=hexes(on, "0101 0102"), zone_to_zone=False)
    open_ground = replace(both, costs=boards.table(boards.board("..")), leave_zone=3 * ONE)
    assert explain(on, open_ground, on.id("0101"), on.id("0102")).key == "zone-to-zone"


def test_unit_without_movement_points_has_no_one_hex_minimum() -> None:
    on = boards.board("..")
    r = rules(on, budget=0, one_hex=True)
    assert not explain(on, r, on.id("0101"), on.id("0102")).legal
    assert list(reach(on, r, on.id("0101"))) == [on.id("0101")]


def test_step_that_takes_the_whole_allowance_is_the_first_and_only_one() -> None:
    on = boards.board("....", sides={"strait": "0101/0102 0103/0104"})
    straits = on.steps_across("strait")
    r = rules(on, budget=4 * ONE, whole=straits)
    found = reach(on, r, on.id("0101"))
    assert {on.label(h) for h in found} == {"0101", "0102"}
    assert found.cost(on.id("0102")) == 4 * ONE
    assert explain(on, r, on.id("0102"), on.id("0104")).key == "hexside:strait"
    way = explain(on, r, on.id("0101"), on.id("0102")).way
    assert way is not None
    assert way.steps[0].items[0].key == "whole"


# --- overrun inside a move ---------------------------------------------------------------------


# --- against the slow way ------------------------------------------------------------------------

GROUND_TERRAIN = {
    "clear": Fraction(1),
    "forest": Fraction(2),
    "swamp": Fraction(3),
    "mountain": Fraction(4),
    "city": Fraction(1),
    "sea": None,
}
GROUND_SIDES = {"river": Fraction(1), "canal": Fraction(2), "lake": None, "strait": None}


def ground(world: World) -> slow.Ground:
    return slow.Ground(world.map, GROUND_TERRAIN, GROUND_SIDES, {"road": Fraction(1, 2)})


@st.composite
def cases(draw: st.DrawFn) -> tuple[World, slow.Rules, Fraction]:
    world = draw(worlds())
    drawn = slow.Rules(
        enemy=draw(some(world.hexes[1:] or world.hexes, 3)),
        zone=draw(some(world.hexes, 8)),
        leave=Fraction(draw(st.sampled_from((0, 0, 1, 3)))),
        enter=Fraction(draw(st.sampled_from((0, 0, 1)))),
        zone_to_zone=draw(st.booleans()),
        stop_in_zone=draw(st.booleans()),
        stops=draw(some(world.hexes, 2)),
    )
    return world, drawn, Fraction(draw(st.integers(0, 16)), 2)


def fast_rules(on: Board, of: slow.Rules, budget: Fraction) -> MoveRules:
    def mask(hexes: frozenset[Any]) -> bytearray:
        return on.mask(on.id_of[h] for h in hexes)

    return MoveRules(
        CostTable(on, boards.PRICES),
        int(budget * ONE),
        mask(of.enemy),
        mask(of.zone),
        stops={"stop": mask(of.stops)},
        leave_zone=int(of.leave * ONE),
        enter_zone=int(of.enter * ONE),
        zone_to_zone=of.zone_to_zone,
        stop_in_zone=of.stop_in_zone,
    )


@given(cases())
def test_reach_is_what_trying_every_step_finds(case: tuple[World, slow.Rules, Fraction]) -> None:
    world, drawn, budget = case
    on = Board(world.map)
    start = world.hexes[0]
    found = reach(on, fast_rules(on, drawn, budget), on.id_of[start])
    fast = {on.hexes[h]: points(found.costs[h]) for h in found}
    assert fast == slow.reach(ground(world), drawn, start, budget)


@given(cases(), st.data())
def test_verdict_agrees_with_reach_and_its_way_is_legal_and_priced_right(
    case: tuple[World, slow.Rules, Fraction], data: st.DataObject
) -> None:
    world, drawn, budget = case
    on = Board(world.map)
    r = fast_rules(on, drawn, budget)
    target = on.id_of[data.draw(st.sampled_from(world.hexes))]
    start = on.id_of[world.hexes[0]]
    found = reach(on, r, start)
    verdict = explain(on, r, start, target)
    assert verdict.legal == (found.costs[target] < NEVER)
    if verdict.way is not None:
        assert verdict.cost == found.costs[target]
        assert breaches(on, r, verdict.way.path) == ()


@given(cases(), st.data())
def test_lifting_the_named_rules_opens_the_way_and_its_breaches_are_those_rules(
    case: tuple[World, slow.Rules, Fraction], data: st.DataObject
) -> None:
    world, drawn, budget = case
    on = Board(world.map)
    r = fast_rules(on, drawn, budget)
    target = on.id_of[data.draw(st.sampled_from(world.hexes))]
    start = on.id_of[world.hexes[0]]
    for obstacle in explain(on, r, start, target).obstacles:
        assert find_way(on, r.lift(*obstacle.keys), start, target) is not None
        assert {b.key for b in obstacle.breaches} == set(obstacle.keys)
        if len(obstacle.keys) > 1:
            assert all(find_way(on, r.lift(key), start, target) is None for key in obstacle.keys)


# --- prices settled on leaving --------------------------------------------------------------------

SETTLED = replace(
    boards.PRICES,
    lines={"railway": Line(ONE // 2), "road": Line(ONE)},
    settle_on_leaving=True,
)


def settled(on: Board, budget: int = 9 * ONE, **changes: Any) -> MoveRules:
    return rules(on, budget, costs=CostTable(on, SETTLED), **changes)


def test_hex_left_by_a_poorer_way_is_paid_at_the_poorer_rate() -> None:
    on = boards.board(".ff.", lines={"railway": "0101-0102-0103"})
    along = explain(on, settled(on), 0, 2)
    assert along.cost == ONE
    off = explain(on, settled(on), 0, 3)
    assert off.cost == ONE // 2 + 2 * ONE + ONE  # half, then the forest in full, then clear
    assert off.way is not None
    assert [i.key for i in off.way.steps[2].items] == ["terrain", "settle"]


def test_hex_left_by_a_better_way_keeps_its_price() -> None:
    on = boards.board(".f.", lines={"railway": "0102-0103"})
    assert explain(on, settled(on), 0, 2).cost == 2 * ONE + ONE // 2


def test_price_is_settled_across_waypoints() -> None:
    on = boards.board(".ff.", lines={"railway": "0101-0102-0103"})
    whole = explain(on, settled(on), 0, 3)
    assert explain(on, settled(on), 0, 3, [1, 2]).cost == whole.cost
    assert explain(on, settled(on, whole.cost or 0), 0, 3, [1, 2]).legal
    assert explain(on, settled(on, (whole.cost or 0) - 1), 0, 3, [1, 2]).key == "budget"


@given(cases(), st.data())
def test_reach_with_settled_prices_is_what_trying_every_way_finds(
    case: tuple[World, slow.Rules, Fraction], data: st.DataObject
) -> None:
    world, drawn, budget = case
    on = Board(world.map)
    r = replace(fast_rules(on, drawn, budget), costs=CostTable(on, SETTLED))
    found = reach(on, r, on.id_of[world.hexes[0]])
    plain = slow.Ground(
        world.map, GROUND_TERRAIN, GROUND_SIDES, {"railway": Fraction(1, 2), "road": Fraction(1)}
    )
    expected = slow.reach_settled(plain, drawn, world.hexes[0], budget)
    assert {on.hexes[h]: points(found.costs[h]) for h in found} == expected
    target = data.draw(st.sampled_from(sorted(expected)))
    way = find_way(on, r, on.id_of[world.hexes[0]], on.id_of[target])
    assert way is not None
    assert points(way.cost) == expected[target]


# --- ways as written ------------------------------------------------------------------------


def test_a_way_of_neighbours_is_judged_as_written() -> None:
    on = boards.board(OPEN)
    start, middle, end = on.ids("0303 0304 0305")
    exact = rules(on, enemy=hexes(on, "0304"), exact=True)
    assert find_way(on, exact, start, end) is not None  # a gap leaves room to go round
    verdict = explain(on, exact, start, end, [middle])
    assert verdict.key == "enemy"
    assert verdict.obstacle is not None
    assert verdict.obstacle.way.path == (start, middle, end)


def test_one_step_between_neighbours_is_not_gone_round() -> None:
    on = boards.board(OPEN, sides={"lake": "0303/0304"})
    start, end = on.ids("0303 0304")
    assert find_way(on, rules(on), start, end) is not None
    verdict = explain(on, rules(on, exact=True), start, end)
    assert verdict.key == "hexside:lake"


def test_way_points_with_a_gap_are_way_points() -> None:
    on = boards.board(OPEN, sides={"lake": "0303/0304"})
    start, middle, end = on.ids("0303 0304 0306")
    assert find_way(on, rules(on, exact=True, budget=6 * ONE), start, end, [middle]) is not None


def test_too_dear_a_way_of_neighbours_is_told_by_its_price() -> None:
    on = boards.board(OPEN)
    start, middle, end = on.ids("0303 0304 0305")
    verdict = explain(on, rules(on, budget=ONE, exact=True), start, end, [middle])
    assert verdict.key == "budget"
    assert verdict.obstacle is not None
    assert verdict.obstacle.way.cost == 2 * ONE
