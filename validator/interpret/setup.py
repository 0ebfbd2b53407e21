"""Whether a board whose tracker shows the first phase is the set-up, or shows play."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.definition.model import Game, Scenario
from fieldpost.hexes import Hex
from validator.model import position as positions
from validator.model.events import Spot
from validator.model.position import Position, Unit

SIGNS_OF_PLAY = 3  # fewer may be mistakes in setting up
DISPLACED = 0.25  # of the counters of the set-up: more have moved, not been set up wrongly


def unlike_the_set_up(position: Position, game: Game, scenario: Scenario) -> tuple[str, ...]:
    """How the board is other than the set-up, if it shows play; else nothing, and the set-up is judged."""
    printed = positions.start(game, scenario)
    laid = [unit for unit in printed.units.values() if unit.on_map]
    if not laid or not any(position.on_map()):
        return ()
    late = {name for due in scenario.reinforcements if due.turn > scenario.first_turn for name in due.units}
    signs = sum(_shows_play(unit, printed.units[unit.id], late, game) for unit in position.units.values())
    displaced = sum(position.units[unit.id].spot != unit.spot for unit in laid)
    if signs < SIGNS_OF_PLAY and displaced <= DISPLACED * len(laid):
        return ()
    return tuple(_differences(position, printed, scenario.sheet))


def _shows_play(unit: Unit, printed: Unit, late: set[str], game: Game) -> bool:
    """A reinforcement of a later turn, a loss, a unit found without supply."""
    if not unit.on_map:
        return printed.on_map
    unsupplied = any(game.marker[mark].kind == "supply" for mark in unit.marks if mark not in printed.marks)
    arrived = unit.id in late and not printed.on_map
    return arrived or unsupplied or (printed.on_map and unit.step > printed.step)


def _differences(position: Position, printed: Position, sheet: str | None) -> Iterator[str]:
    lattice = position.game.map.lattice

    def place(spot: Spot | None) -> str:
        return lattice.label(spot, sheet) if isinstance(spot, Hex) else spot or "out of play"

    for unit in position.units.values():
        then = printed.units[unit.id]
        if unit.spot != then.spot and (unit.on_map or then.on_map):
            yield f"{unit.id}: {place(unit.spot)}, set up in {place(then.spot)}"
        elif unit.on_map and unit.step != then.step:
            yield f"{unit.id}: step {unit.step}, set up with step {then.step}"
