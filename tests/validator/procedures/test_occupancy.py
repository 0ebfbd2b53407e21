"""What a position keeps up to date is what would be found by looking at every unit anew."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from fieldpost.definition import load
from validator.core.board import Board
from validator.engine.case import Memory
from validator.model import position as positions
from validator.model.events import Drawn, Placed, Rolled
from validator.model.position import Position
from validator.procedures.control import holder
from validator.procedures.occupancy import Occupancy, occupancy_of

GAME = load("lwe")
BOARD = Board(GAME.map)


def start() -> Position:
    return positions.start(GAME, GAME.scenario["army-group-centre"])


@pytest.mark.parametrize("seed", range(3))
def test_masks_and_loads_follow_units_that_come_and_go(seed: int) -> None:
    random, position = Random(seed), start()
    kept = occupancy_of(position, BOARD, lambda unit: not unit.has("aircraft"))
    names = [unit.id for unit in position.on_map()]
    for _ in range(200):
        position.put(random.choice(names), random.choice([None, "soviet-eliminated", *BOARD.hexes[:40]]))
    anew = Occupancy(BOARD, position, lambda unit: not unit.has("aircraft"))
    for side in ("german", "soviet"):
        assert kept.masks[side] == anew.masks[side]
        assert [kept.load(side, h) for h in range(len(BOARD))] == [
            anew.load(side, h) for h in range(len(BOARD))
        ]
        full = [h for h in range(len(BOARD)) if anew.load(side, h) > Fraction(3)]
        assert BOARD.members(kept.fuller_than(side, Fraction(3))) == full


def test_a_mask_that_was_handed_out_stays_as_it_was() -> None:
    position = start()
    kept = occupancy_of(position, BOARD, lambda unit: True)
    unit = next(unit for unit in position.on_map() if len(position.at(unit.hex)) == 1)
    mask, hex_id = kept.masks[unit.side], BOARD.id_of[unit.hex]
    position.put(unit.id, None)
    assert mask[hex_id] == 1
    assert kept.masks[unit.side][hex_id] == 0


@pytest.mark.parametrize("seed", range(3))
def test_what_hangs_on_holders_is_worked_out_anew_when_one_changes(seed: int) -> None:
    random, position = Random(seed), start()
    names, hexes = [unit.id for unit in position.on_map()], BOARD.hexes[:60]
    for _ in range(100):
        hex_ = random.choice(hexes)
        name = random.choice(names)
        position.put(name, hex_)
        if random.random() < 0.5:
            position.take(hex_, position.units[name].side)
        kept = position.keep_held("all", frozenset(hexes), lambda: [holder(position, h) for h in hexes])
        assert kept == [holder(position, h) for h in hexes]


def test_a_memory_is_asked_for_events_by_their_fields() -> None:
    memory = Memory(
        [Rolled((3,), reason="Weather"), Rolled((5,), about="3Pz"), Drawn("a", "b"), Placed("3Pz", "x")]
    )
    assert [event.values for event in memory.of(Rolled, reason="weather")] == [(3,)]
    assert [event.values for event in memory.of(Rolled, about=(None, "7Pz"))] == [(3,)]
    assert memory.of(Placed, unit="3Pz", spot="y") == []
