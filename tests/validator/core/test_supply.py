"""Lines of supply: length, blocks, chains, networks, and what cuts them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fieldpost.hexes import Hexside, adjacent
from tests.validator.core import boards, slow
from tests.validator.core.random_boards import World, some, worlds
from validator.core.board import Board
from validator.core.costs import ONE, CostTable, Line, Local, Prices, points
from validator.core.supply import SupplyRules, chain, explain_line, network, trace

LINE = Prices(
    {"swamp": 2 * ONE, "sea": None},
    {"lake": None, "strait": None},
    {"railway": Line(ONE // 2)},
)


def rules(on: Board, limit: int = 3, local: Local | None = None, **blocked: str) -> SupplyRules:
    masks = {key: on.mask(on.ids(text)) for key, text in blocked.items()}
    return SupplyRules(CostTable(on, LINE, local), limit * ONE, masks)


def test_line_counts_the_hexes_entered_and_not_the_units_own() -> None:
    on = boards.board("s...")
    lines = trace(rules(on), on.ids("0104"))
    assert lines.length(on.id("0101")) == 3 * ONE
    assert on.path_text(lines.path(on.id("0101"))) == "0101-0102-0103-0104"
    assert lines.source(on.id("0101")) == on.id("0104")


def test_swamp_counts_double_and_railway_half() -> None:
    on = boards.board(".s.\n...", lines={"railway": "0101-0201-0202"})
    lines = trace(rules(on), on.ids("0103"))
    assert lines.length(on.id("0101")) == 2 * ONE  # 1/2 + 1/2 + 1, not 2 + 1
    assert on.path_text(lines.path(on.id("0101"))) == "0101-0201-0202-0103"


def test_partisan_makes_a_hex_count_two_and_a_railway_hex_one() -> None:
    on = boards.board("...", lines={"railway": "0101-0102"})
    b = on.id("0102")
    partisan = Local(at_least={b: 2 * ONE}, at_least_on_line={b: ONE})
    assert trace(rules(on, local=partisan), [b]).length(on.id("0101")) == ONE
    assert trace(rules(on, local=partisan), [b]).length(on.id("0103")) == 2 * ONE


def test_hex_beyond_the_limit_has_no_line_and_within_twice_of_it_is_not_isolated() -> None:
    on = boards.board("........")
    lines = trace(rules(on), [0], times=2)
    assert [lines.reaches(h) for h in range(8)] == [True] * 4 + [False] * 4
    assert [lines.reaches(h, 2) for h in range(8)] == [True] * 7 + [False]


def test_source_in_a_blocked_hex_gives_nothing() -> None:
    on = boards.board("...")
    assert trace(rules(on, enemy="0101"), [0]).length(1) is None


def test_enemy_hex_and_zone_cut_a_line() -> None:
    on = boards.board("....")
    verdict = explain_line(rules(on, enemy="0103"), [0], on.id("0104"))
    assert not verdict.supplied
    assert verdict.key == "enemy"
    assert verdict.shortest is None
    assert verdict.breaks[0].breaches[0].hexes == (on.id("0103"),)
    assert explain_line(rules(on, zone="0103"), [0], on.id("0104")).key == "zone"


def test_hexside_cuts_a_line_unless_a_railway_crosses_it() -> None:
    on = boards.board("..", sides={"strait": "0101/0102"})
    bridged = boards.board("..", sides={"strait": "0101/0102"}, lines={"railway": "0101-0102"})
    assert explain_line(rules(on), [0], 1).key == "hexside:strait"
    assert explain_line(rules(bridged), [0], 1).supplied


def test_terrain_that_cuts_a_line_is_named() -> None:
    on = boards.board(".~.")
    verdict = explain_line(rules(on), on.ids("0103"), 0)
    assert verdict.key == "terrain:sea"
    assert [on.path_text(b.way.path) for b in verdict.breaks] == ["0101-0102-0103"]


def test_too_long_a_line_is_named_with_its_length() -> None:
    on = boards.board("......")
    verdict = explain_line(rules(on), [0], 5)
    assert verdict.key == "length"
    assert verdict.shortest == 5 * ONE


def test_line_is_itemised_hex_by_hex() -> None:
    on = boards.board(".s.", lines={"railway": "0102-0103"})
    way = explain_line(rules(on), on.ids("0103"), 0).way
    assert way is not None
    assert [(i.key, i.subject, i.price) for s in way.steps for i in s.items] == [
        ("terrain", "swamp", 24),
        ("line", "railway", 6),
    ]


def test_two_cuts_are_named_together() -> None:
    on = boards.board("......")
    verdict = explain_line(rules(on, enemy="0103"), [0], 5)
    assert [set(b.keys) for b in verdict.breaks] == [{"enemy", "length"}]


def test_chain_links_depot_to_depot_to_source() -> None:
    on = boards.board("..........")
    linked = chain(rules(on), [0], [3, 6, 9])
    assert [d in linked for d in (3, 6, 9)] == [True, True, True]
    assert [on.path_text(p) for p in linked.links(6)] == ["0107-0106-0105-0104", "0104-0103-0102-0101"]
    assert linked.ends == (0, 3, 6, 9)


def test_broken_link_cuts_off_all_beyond_it() -> None:
    on = boards.board("..........")
    linked = chain(rules(on, enemy="0106"), [0], [3, 6, 9])
    assert [d in linked for d in (3, 6, 9)] == [True, False, False]


def test_depots_in_a_ring_without_a_source_supply_nobody() -> None:
    on = boards.board("........")
    assert chain(rules(on), [], [1, 3, 5]).ends == ()


def test_railway_network_ends_at_a_gap_and_at_a_closed_hex() -> None:
    on = boards.board(".......", lines={"railway": "0101-0102-0103,0104-0105"})
    joined = network(on, ["railway"], [0], bytes(7))
    assert [h for h in range(7) if joined.reaches(h)] == [0, 1, 2]
    assert on.path_text(joined.path(2)) == "0103-0102-0101"
    cut = network(on, ["railway"], [0], on.mask([1]))
    assert [h for h in range(7) if cut.reaches(h)] == [0]


GROUND_TERRAIN = {
    "clear": Fraction(1),
    "forest": Fraction(1),
    "swamp": Fraction(2),
    "mountain": Fraction(1),
    "city": Fraction(1),
    "sea": None,
}
GROUND_SIDES = {"river": Fraction(0), "canal": Fraction(0), "lake": None, "strait": None}


@given(worlds(), st.data())
def test_line_of_every_unit_is_what_searching_from_it_finds(world: World, data: st.DataObject) -> None:
    on = Board(world.map)
    blocked = data.draw(some(world.hexes, 4))
    sources = data.draw(some(world.hexes, 3))
    r = SupplyRules(CostTable(on, LINE), 3 * ONE, {"enemy": on.mask(on.id_of[h] for h in blocked)})
    lines = trace(r, [on.id_of[h] for h in sources], times=0)
    ground = slow.Ground(world.map, GROUND_TERRAIN, GROUND_SIDES, {"railway": Fraction(1, 2)})
    for hex_ in world.hexes:
        length = lines.length(on.id_of[hex_])
        expected = slow.line_length(ground, blocked, sources, hex_)
        assert (None if length is None else points(length)) == expected
        if length is not None:
            path = [on.hexes[h] for h in lines.path(on.id_of[hex_])]
            paid = [ground.price(a, b) or Fraction(0) for a, b in pairwise(path)]
            assert sum(paid, Fraction(0)) == expected
            assert path[-1] in sources


@given(worlds(), st.data())
def test_chain_is_what_linking_depots_until_nothing_changes_finds(world: World, data: st.DataObject) -> None:
    on = Board(world.map)
    blocked = data.draw(some(world.hexes, 3))
    sources = data.draw(some(world.hexes, 2))
    depots = data.draw(some(world.hexes, 5))
    r = SupplyRules(CostTable(on, LINE), 2 * ONE, {"enemy": on.mask(on.id_of[h] for h in blocked)})
    linked = chain(r, [on.id_of[h] for h in sources], [on.id_of[h] for h in depots])
    ground = slow.Ground(world.map, GROUND_TERRAIN, GROUND_SIDES, {"railway": Fraction(1, 2)})
    ends = set(sources)
    while True:
        lengths = {depot: slow.line_length(ground, blocked, ends, depot) for depot in depots}
        new = {d for d, length in lengths.items() if length is not None and length <= 2} - ends
        if not new:
            break
        ends |= new
    assert {on.hexes[h] for h in linked.ends} == ends


@given(worlds(), st.data())
def test_network_is_what_following_the_line_hex_by_hex_finds(world: World, data: st.DataObject) -> None:
    on = Board(world.map)
    closed = data.draw(some(world.hexes, 3))
    sources = data.draw(some(world.hexes, 2))
    joined = network(on, ["railway"], [on.id_of[h] for h in sources], on.mask(on.id_of[h] for h in closed))
    found = set(sources - closed)
    while more := {
        b
        for a in found
        for b in world.hexes
        if adjacent(a, b)
        and b not in found | closed
        and "railway" in world.map.line_steps.get(Hexside.between(a, b), ())
    }:
        found |= more
    assert {on.hexes[h] for h in range(len(on)) if joined.reaches(h)} == found
