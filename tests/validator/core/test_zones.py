"""Zones of control come and go with the units that exert them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.validator.core import boards, slow
from tests.validator.core.random_boards import World, some, worlds
from validator.core.board import Board
from validator.core.zones import Projection, ZoneMap

AROUND = "....\n....\n...."


def labels(on: Board, zones: ZoneMap) -> set[str]:
    return {on.label(h) for h in on.members(zones.mask)}


def test_zone_is_the_six_hexes_around() -> None:
    on = boards.board(AROUND)
    zones = ZoneMap.of(on, [(on.id("0202"), Projection(on))])
    assert labels(on, zones) == {"0102", "0103", "0201", "0203", "0302", "0303"}


def test_zone_does_not_pass_blocked_hexsides() -> None:
    on = boards.board("...", sides={"lake": "0101/0102"})
    zones = ZoneMap.of(on, [(on.id("0102"), Projection(on, on.steps_across("lake")))])
    assert labels(on, zones) == {"0103"}


def test_zone_does_not_enter_closed_hexes() -> None:
    on = boards.board("c..")
    zones = ZoneMap.of(on, [(on.id("0102"), Projection(on, closed=on.of_terrain("city")))])
    assert labels(on, zones) == {"0103"}


def test_zone_stays_while_one_of_two_units_stays() -> None:
    on = boards.board("...")
    everywhere = Projection(on)
    zones = ZoneMap.of(on, [(0, everywhere), (0, everywhere)])
    zones.remove(0, everywhere)
    assert labels(on, zones) == {"0102"}
    zones.remove(0, everywhere)
    assert labels(on, zones) == set()


def test_hex_in_two_zones_stays_in_one_when_the_other_goes() -> None:
    on = boards.board("...")
    everywhere = Projection(on)
    zones = ZoneMap.of(on, [(0, everywhere), (2, everywhere)])
    zones.remove(0, everywhere)
    assert labels(on, zones) == {"0102"}


def test_unit_that_is_not_there_cannot_leave() -> None:
    on = boards.board("...")
    with pytest.raises(LookupError):
        ZoneMap(on).remove(0, Projection(on))


def test_friends_negate_the_zone_in_their_hex() -> None:
    on = boards.board("...")
    zones = ZoneMap.of(on, [(1, Projection(on))])
    assert on.members(zones.negated(on.mask([0]))) == [2]


def test_hexes_that_exert_are_named() -> None:
    on = boards.board("....")
    everywhere = Projection(on)
    zones = ZoneMap.of(on, [(0, everywhere), (2, everywhere), (3, everywhere)])
    assert zones.exerted_by(1) == [0, 2]


@given(worlds(), st.data())
def test_zones_are_what_looking_at_every_neighbour_finds(world: World, data: st.DataObject) -> None:
    on = Board(world.map)
    came = data.draw(some(world.hexes, 6))
    left = data.draw(some(sorted(came), 6)) if came else frozenset()
    projection = Projection(on, on.steps_across("lake"))
    zones = ZoneMap.of(on, [(on.id_of[h], projection) for h in came])
    for hex_ in left:
        zones.remove(on.id_of[hex_], projection)
    ground = slow.Ground(world.map, {}, {}, {})
    expected = slow.zones(ground, came - left, frozenset({"lake"}))
    assert {on.hexes[h] for h in on.members(zones.mask)} == expected
