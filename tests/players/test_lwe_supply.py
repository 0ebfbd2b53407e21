"""Supply worked out twice, by the player and by the referee, is one and the same on every hex."""

from __future__ import annotations

from random import Random

import pytest

from players.lwe.supply import SupplyMap
from players.table import new_referee
from validator.games.lwe.field import field_of
from validator.games.lwe.lines import german_lines, soviet_lines
from validator.games.lwe.state import Case
from validator.model.events import PhaseBegan, Placed, Rolled

LAND = ("clear", "forest", "hills", "marsh")


def scattered(seed: int, turn: int) -> Case:
    """A campaign whose units were thrown over the map."""
    referee, random = new_referee("lwe", "campaign"), Random(seed)
    case = referee.case
    board = field_of(case).board
    land = [h for h in range(len(board)) if board.terrain[h] in LAND]
    units = [unit for unit in case.position.units.values() if not unit.has("aircraft")]
    referee.judge(PhaseBegan(turn, "weather"))
    for unit in random.sample(units, 200):
        spot = random.choice(land)
        if all(other.side == unit.side for other in case.position.at(board.hexes[spot])):
            referee.judge(Placed(unit.id, board.hexes[spot]))
    if turn >= 12:
        referee.judge(Rolled((random.randint(1, 6),), 6, "weather"))
    return case


@pytest.mark.parametrize("turn", [1, 2, 4, 8, 13, 20, 22])
@pytest.mark.parametrize("seed", range(3))
def test_both_agree(seed: int, turn: int) -> None:
    case = scattered(seed, turn)
    found, german, soviet = SupplyMap(case), german_lines(case), soviet_lines(case)
    ground = [h for h in range(len(found.board)) if found.board.terrain[h] in LAND]
    off = [h for h in ground if found.state(h) != german.state(h) and not german.closed[h]]
    off += [h for h in ground if found.supplied(h) != soviet.supplied(h) and not soviet.closed[h]]
    assert not off, [found.board.label(h) for h in off[:9]]
    assert 20 < sum(german.supplied(h) for h in ground) < len(ground) - 20
