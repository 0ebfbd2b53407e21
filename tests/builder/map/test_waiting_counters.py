"""What waits off the map: every counter in a heap, every heap within its space."""

from __future__ import annotations

import pytest

from builder.map import furniture, waiting_counters
from builder.map.palette import style
from builder.map.waiting_counters import Rack, Rect
from fieldpost.definition import load
from fieldpost.definition.model import Game

COUNTER = furniture.COUNTER_PX


@pytest.fixture(scope="module")
def lwe() -> Game:
    return load("lwe")


def _held(rack: Rack, rect: Rect, heaps: list[waiting_counters.Heap]) -> bool:
    """Whether all counters of all heaps lie within the rectangle, as VASSAL piles them up."""
    half = COUNTER / 2
    left, top, right, bottom = rect
    return len(heaps) <= len(rack.feet(rect, COUNTER)) and all(
        left <= x - half
        and x + half + waiting_counters.LEAN_PX * (len(heap) - 1) <= right
        and top <= y - half - waiting_counters.RISE_PX * (len(heap) - 1)
        and y + half <= bottom
        for (x, y), heap in zip(rack.feet(rect, COUNTER), heaps, strict=False)
    )


@pytest.mark.parametrize("scenario", ["campaign", "army-group-centre"])
def test_every_arrival_lies_within_its_turn(lwe: Game, scenario: str) -> None:
    played = lwe.scenario[scenario]
    board = waiting_counters.beside(lwe, played.area)
    panel = furniture.turn_track(lwe, board, style("classic"), 1.0, 3000)
    arriving = waiting_counters.arriving(lwe, played)
    assert arriving
    for turn, heaps in arriving.items():
        assert _held(board.track[turn], panel.spots[turn], heaps), turn


def test_a_turn_holds_all_its_arrivals_side_by_side_and_type_by_type(lwe: Game) -> None:
    campaign = lwe.scenario["campaign"]
    heaps = waiting_counters.arriving(lwe, campaign)[4]
    names = [name for heap in heaps for _, name in heap]
    expected = [name for arrival in campaign.reinforcements if arrival.turn == 4 for name in arrival.units]
    assert sorted(names) == sorted(expected)
    sides = [lwe.unit_type[lwe.counter[name].type].side for name in names]
    assert sides == sorted(sides)  # german, then soviet
    assert all(len({lwe.counter[name].type for _, name in heap}) == 1 for heap in heaps)
    assert max(map(len, heaps)) <= waiting_counters.ON_TRACK


def test_a_crowded_box_grows_until_it_holds_its_heaps(lwe: Game) -> None:
    board = waiting_counters.beside(lwe, None)
    pool = next(p for p in lwe.scenario["campaign"].set_up if p.box == "replacement-pool")
    box = next(box for box in lwe.boxes if box.id == "replacement-pool")
    rack = board.boxes["replacement-pool"]
    panel = furniture.holding_box(box, lwe, style("classic"), 1.0, rack)
    heaps = list(waiting_counters.crowd(lwe, [unit.id for unit in pool.units]))
    assert sum(map(len, heaps)) == len(pool.units) > waiting_counters.CROWD
    assert _held(rack, panel.spots["replacement-pool"], heaps)
    plain = furniture.holding_box(box, lwe, style("classic"), 1.0)
    assert not _held(rack, plain.spots["replacement-pool"], heaps)


@pytest.mark.parametrize("name", ["lwe", "wfm"])
def test_all_units_in_play_find_room_among_the_lost(name: str) -> None:
    game = load(name)
    board = waiting_counters.beside(game, None)
    for box_id, heaps in waiting_counters.fallen(game).items():
        box = next(box for box in game.boxes if box.id == box_id)
        panel = furniture.holding_box(box, game, style("classic"), 1.0, board.boxes[box_id])
        assert _held(waiting_counters.fallen_rack(heaps), panel.spots[box_id], heaps)
    lost = {unit for heaps in waiting_counters.fallen(game).values() for heap in heaps for _, unit in heap}
    assert {u.id for s in game.scenarios if s.playable for p in s.set_up for u in p.units} <= lost


def test_chits_that_come_later_lie_on_their_turn() -> None:
    wfm = load("wfm")
    scenario = wfm.scenario["turning-point"]
    later = [m for m in wfm.markers if m.enters in {"GT22", "GT23", "GT24"} and m.kind == "strength"]
    heaps = [heap for heaps in waiting_counters.arriving(wfm, scenario).values() for heap in heaps]
    chits = {name for heap in heaps for kind, name in heap if kind == waiting_counters.CHIT}
    assert chits == {marker.id for marker in later}


def test_a_map_without_a_scenario_shows_all_turns() -> None:
    wfm = load("wfm")
    assert len(waiting_counters.beside(wfm, None).turns) == len(wfm.turn_track.turns)
