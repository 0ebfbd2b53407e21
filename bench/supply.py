"""Supply of War for the Motherland as the referee judges it, on the whole map with 300 units."""

from __future__ import annotations

import random

from bench import Result, best_of
from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.games.wfm import c09_supply
from validator.games.wfm.state import Case
from validator.model.position import Position

UNITS_OF_A_SIDE = 150
FRONT_HEXES = 12
SEED = 1941
LIMIT_SECONDS = 0.030


def run() -> list[Result]:
    case = crowded(load("wfm"))
    judge(case)  # compiles the tables of prices, which the referee keeps
    both = best_of(9, lambda: judge(case))
    axis = best_of(9, lambda: judge(case, "axis"))
    text = "every unit's status, line and length; chains of depots, railways, sea; from a changed position"
    unit = case.position.units["57PzK"]

    def mask() -> None:
        case.position.version += 1
        c09_supply.supplied_mask(case, unit)

    return [
        Result("supply of both sides, 300 units", both, limit_seconds=LIMIT_SECONDS, note=text),
        Result("supply of one side, 150 units", axis, against="supply of both sides, 300 units"),
        Result(
            "hexes in which one unit would be supplied",
            best_of(9, mask),
            against="supply of both sides, 300 units",
        ),
    ]


def judge(case: Case, *sides: str) -> None:
    """As after a move: nothing that was worked out for the position before is used again."""
    case.position.version += 1
    for side in sides or ("axis", "soviet"):
        c09_supply.judge_supply(case, side)


def crowded(game: Game) -> Case:
    """The campaign's map with 150 units a side along a front through its middle, always the same."""
    rules = rulebook.load(game.id)
    assert rules is not None
    position = Position(game)
    position.turn, position.phase = 14, "supply"
    land = sorted(h for h, kind in game.map.terrain.items() if kind not in ("sea", "lake"))
    middle = sorted(hex_.q for hex_ in land)[len(land) // 2]
    near = [hex_ for hex_ in land if abs(hex_.q - middle) <= FRONT_HEXES]
    fronts: dict[str, list[Hex]] = {
        "axis": [hex_ for hex_ in near if hex_.q < middle],
        "soviet": [hex_ for hex_ in near if hex_.q >= middle],
    }
    draw = random.Random(SEED)
    for side, hexes in fronts.items():
        names = [name for name, unit in position.units.items() if unit.side == side and unit.type.steps]
        for name in draw.sample(names, UNITS_OF_A_SIDE):
            position.put(name, draw.choice(hexes))
    return Referee(game, game.scenario["war-for-the-motherland"], rules, {}, {}, position).case
