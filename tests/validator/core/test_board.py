"""The compiled board says the same as the map."""

from __future__ import annotations

import pytest
from hypothesis import given

from fieldpost.hexes import HexError, Hexside, adjacent, distance
from tests.validator.core import boards
from tests.validator.core.random_boards import World, worlds
from validator.core.board import Board, both, minus, union


@given(worlds())
def test_neighbours_hexsides_and_lines_are_those_of_the_map(world: World) -> None:
    on = Board(world.map)
    for a, hex_a in enumerate(on.hexes):
        for b, hex_b in enumerate(on.hexes):
            assert on.are_adjacent(a, b) == adjacent(hex_a, hex_b)
            assert on.distance(a, b) == distance(hex_a, hex_b)
            if adjacent(hex_a, hex_b):
                side = Hexside.between(hex_a, hex_b)
                assert set(on.side_of(a, b)) == set(world.map.side_kinds.get(side, ()))
                assert set(on.line_of(a, b)) == set(world.map.line_steps.get(side, ()))
                assert on.reverse(on.step(a, b)) == on.step(b, a)
                assert on.ends(on.step(a, b)) == (a, b)


@given(worlds())
def test_hexes_within_a_distance_are_all_of_them(world: World) -> None:
    on = Board(world.map)
    for radius in (0, 1, 2):
        near = {i for i in range(len(on)) if on.distance(0, i) <= radius}
        assert set(on.within(0, radius)) == near
        assert set(on.members(on.near([0], radius))) == near


def test_labels_and_ids_are_each_others_inverse() -> None:
    on = boards.board("..\n..")
    assert [on.label(on.id(text)) for text in ("0101", "0202")] == ["0101", "0202"]
    assert on.path_text(on.ids("0101-0102 0202")) == "0101-0102-0202"


def test_hex_outside_the_scenarios_part_of_the_map_is_not_in_play() -> None:
    whole = boards.draw("...")
    part = Board(whole, [boards.LATTICE.hex("0101"), boards.LATTICE.hex("0102")])
    assert len(part) == 2
    assert part.adjacent[part.id("0102")] == (part.id("0101"),)
    with pytest.raises(HexError, match="0103 is not in play"):
        part.id("0103")


def test_masks_combine_like_sets() -> None:
    a, b = bytes((1, 1, 0, 0)), bytes((0, 1, 1, 0))
    assert union(a, b) == bytes((1, 1, 1, 0))
    assert minus(a, b) == bytes((1, 0, 0, 0))
    assert both(a, b) == bytes((0, 1, 0, 0))


def test_hexes_on_a_line_are_its_hexes() -> None:
    on = boards.board("....", lines={"railway": "0102-0103", "road": "0103-0104"})
    assert {on.label(h) for h in on.members(on.on_line("railway"))} == {"0102", "0103"}
    assert {on.label(h) for h in on.members(on.on_line("road"))} == {"0103", "0104"}
