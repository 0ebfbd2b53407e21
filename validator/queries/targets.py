"""Hexes of the enemy's that a unit may attack as it moves: overruns and mobile assaults."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from validator.core.board import HexId
from validator.core.costs import points
from validator.model.events import Attacked
from validator.procedures.overruns import Overruns
from validator.queries.answers import Asked, Reach, Target


def with_targets(of: Overruns, asked: Asked[Any], reach: Reach) -> Reach:
    """The same answer with the targets of a unit that attacks alone."""
    return replace(reach, attack=of.name, targets=tuple(_targets(of, asked, reach)))


def _targets(of: Overruns, asked: Asked[Any], reach: Reach) -> Iterator[Target]:
    case, unit = asked.case, asked.unit
    if case.phase not in of.phases or of.again(case, unit) is not None:
        return
    event = Attacked(0, (unit.id,), (), overrun=True)
    if any(of.units(case, [unit], event)):
        return
    trip = case.in_phase.trips.get(unit.id)
    left = points(of.allowance(case, unit) - (trip.spent if trip else 0) - of.price(case, unit))
    price = points(of.price(case, unit))
    launched = [(points(0), asked.start)]
    launched += [(h.cost, asked.field.board.id_of[h.hex]) for h in reach.hexes if not h.bonus]
    for target, (cost, start) in sorted(_cheapest(of, asked, [one for one in launched if one[0] <= left])):
        yield Target(asked.hex(target), asked.hex(start), cost + price)


def _cheapest(of: Overruns, asked: Asked[Any], launched: list[Any]) -> list[tuple[HexId, Any]]:
    """The hexes that may be attacked, each with the price of the way and the hex it is attacked from."""
    field, board, best = asked.field, asked.field.board, {}
    enemies = [side.id for side in asked.case.game.sides if side.id != asked.unit.side]
    for cost, start in sorted(launched):
        for target in board.adjacent[start]:
            if target in best or not any(field.occupied(side)[target] for side in enemies):
                continue
            if not any(of.barred(asked.case, field, [asked.unit], start, target)):
                best[target] = (cost, start)
    return list(best.items())
