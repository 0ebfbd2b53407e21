"""Boards: where counters lie in a box."""

from __future__ import annotations

from builder.module.boards import Board
from fieldpost.definition import load
from fieldpost.hexes import Layout, Orientation

BOX = (100, 200, 500, 400)


def test_spots_of_a_crowded_box_are_eight_and_lie_within_it() -> None:
    game_map = load("lwe").map
    layout = Layout(Orientation.FLAT, 60.0, 70.0, 0, 0)
    board = Board("b", "b.png", 900, 900, game_map, layout, game_map.hexes, boxes={"pool": BOX})
    spots = board.box_spots("pool")
    left, top, right, bottom = BOX
    assert len(set(spots)) == len(spots) == 8
    assert all(left < x < right and top < y < bottom for x, y in spots)
