"""Prices: exact, read from a terrain effects table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from fieldpost.definition.mapmodel import Place
from fieldpost.definition.model import Provenance, Table, TableRow
from tests.validator.core import boards
from validator.core.costs import ONE, CostError, CostTable, Line, Local, Prices, points_text, scaled

TABLE = Table(
    "terrain",
    "Terrain",
    Provenance("rulebook"),
    ("foot", "motorized", "motorized@snow", "combat"),
    (
        TableRow("clear", ("1", "1", "2", "-")),
        TableRow("swamp", ("2", "no", "2", "1L")),
        TableRow("river", ("+1", "+2", "-", "x1/2")),
        TableRow("lake", ("no", "no", "no", "-")),
        TableRow("railway", ("-", "1/2", "1/2", "-")),
        TableRow("leaving a zone", ("+3", "+3", "+3", "-")),
    ),
    kind="terrain-effects",
)
ON = boards.board("..", sides={"river": "0101/0102"}, lines={"railway": "0101-0102"})


def test_table_gives_the_column_of_the_class() -> None:
    foot = Prices.from_table(TABLE, ON, "foot")
    assert foot.terrain == {"clear": ONE, "swamp": 2 * ONE}
    assert foot.hexsides == {"river": ONE, "lake": None}
    assert foot.lines == {}


def test_table_gives_the_column_of_class_and_season_where_there_is_one() -> None:
    assert Prices.from_table(TABLE, ON, "motorized", "snow").terrain["clear"] == 2 * ONE
    assert Prices.from_table(TABLE, ON, "motorized", "mud").terrain == {"clear": ONE, "swamp": None}
    assert Prices.from_table(TABLE, ON, "motorized", "snow").lines == {"railway": Line(ONE // 2)}


def test_priced_place_takes_the_place_of_its_terrain() -> None:
    stalingrad = Place(boards.LATTICE.hex("0102"), "Stalingrad", "major-city", "editorial")
    on = boards.board(".m.", places=(stalingrad,))
    step = on.step(on.id("0101"), on.id("0102"))
    assert boards.table(on).step_price(step).price == 4 * ONE
    in_town = replace(boards.PRICES, places={"major-city": ONE})
    assert [(i.subject, i.price) for i in boards.table(on, in_town).step_price(step).items] == [
        ("major-city", ONE)
    ]
    assert boards.table(on, in_town).links()[0] == ((on.id("0102"), ONE),)
    city = TableRow("major-city", ("2", "no", "2", "-"))
    table = replace(TABLE, rows=(*TABLE.rows, city))
    assert Prices.from_table(table, on, "foot").places == {"major-city": 2 * ONE}
    assert Prices.from_table(table, on, "motorized").places == {"major-city": None}


def test_unknown_class_is_an_error_that_lists_the_columns() -> None:
    with pytest.raises(CostError, match="no column 'ski'") as caught:
        Prices.from_table(TABLE, ON, "ski")
    assert "motorized@snow" in (caught.value.hint or "")


@pytest.mark.parametrize(("text", "price"), [("1", 12), ("1/2", 6), ("3/4", 9), ("2/3", 8), ("0", 0)])
def test_prices_are_exact(text: str, price: int) -> None:
    assert scaled(text) == price


@pytest.mark.parametrize("text", ["1/5", "a", "1/0"])
def test_price_that_is_no_number_of_twelfths_is_an_error(text: str) -> None:
    with pytest.raises(CostError):
        scaled(text)


@pytest.mark.parametrize(("price", "text"), [(12, "1"), (6, "1/2"), (42, "3 1/2"), (-6, "-1/2"), (0, "0")])
def test_prices_print_as_players_write_them(price: int, text: str) -> None:
    assert points_text(price) == text


def test_terrain_may_count_as_another() -> None:
    assert boards.PRICES.alike({"swamp": "forest"}).terrain["swamp"] == 2 * ONE


def test_all_hexes_may_cost_a_multiple() -> None:
    doubled = boards.PRICES.times(2)
    assert doubled.terrain["forest"] == 4 * ONE
    assert doubled.terrain["sea"] is None
    assert doubled.hexsides == boards.PRICES.hexsides
    assert boards.PRICES.times(Fraction(1, 2)).terrain["forest"] == ONE


def test_least_price_of_a_hex_holds_apart_on_and_off_a_line() -> None:
    on = boards.board("...", lines={"railway": "0101-0102"})
    prices = Prices(lines={"railway": Line(ONE // 2)})
    b = on.id("0102")
    table = CostTable(on, prices, Local(at_least={b: 2 * ONE}, at_least_on_line={b: ONE}))
    assert table.step_price(on.step(on.id("0101"), b)).price == ONE
    assert table.step_price(on.step(on.id("0103"), b)).price == 2 * ONE


def test_ban_keys_are_those_that_forbid_something_on_this_board() -> None:
    on = boards.board(".~", sides={"lake": "0101/0102"})
    assert boards.table(on).ban_keys == {"terrain:sea", "hexside:lake"}
    assert boards.table(boards.board("..")).ban_keys == set()


def test_own_bans_carry_the_games_key() -> None:
    on = boards.board("..")
    closed = boards.steps(on, "0101-0102")
    table = boards.table(on, local=Local(ban={"truce-line": closed}))
    assert table.step_price(on.step(0, 1)).bans == ("truce-line",)
    assert table.links()[0] == ()
    assert table.links(frozenset({"truce-line"}))[0] == ((1, ONE),)


def test_going_beside_a_road_is_free_to_choose_where_it_is_cheaper() -> None:
    on = boards.board("..", lines={"road": "0101-0102"})
    toll_road = Prices(lines={"road": Line(3 * ONE)})
    assert CostTable(on, toll_road).step_price(on.step(0, 1)).price == ONE


def test_a_region_has_prices_of_its_own_for_the_hexes_entered_there() -> None:
    board = boards.board("..")
    mud = Prices(terrain={"clear": 5 * ONE})
    table = CostTable(board, Prices(terrain={"clear": ONE}), regions=[(board.mask([1]), mud)])
    assert table.step_price(board.step(0, 1)).price == 5 * ONE
    assert table.step_price(board.step(1, 0)).price == ONE
    assert dict(table.links()[0]) == {1: 5 * ONE}


def test_a_hex_entered_from_beyond_the_edge_costs_its_ground_alone() -> None:
    on = boards.board(".s", sides={"river": "0101/0102"})
    foot = Prices.from_table(TABLE, on, "foot")
    assert [CostTable(on, foot).ground_price(hex_id) for hex_id in on.ids("0101 0102")] == [ONE, 2 * ONE]
    dry = CostTable(on, foot, regions=[(on.mask(on.ids("0102")), foot.terrain_at({"swamp": ONE}))])
    assert dry.ground_price(on.id("0102")) == ONE
