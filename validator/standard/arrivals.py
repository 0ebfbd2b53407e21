"""Reinforcements: not before their turn, where the scenario says."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.definition.model import Game
from fieldpost.definition.scenariomodel import Reinforcement
from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.board import Mask
from validator.core.reinforcement import Arrival, check_arrival
from validator.engine.rulebook import Faults, Rulebook
from validator.model.events import Moved, Placed, Spot
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.moves import spot_of
from validator.standard.book import NOT_CONFIGURED, REINFORCEMENTS, STACKING, ZONES, cited, part, rules_of
from validator.standard.field import Field, field_of
from validator.standard.sequence import BETWEEN_MAPS, REBUILD, may
from validator.standard.state import Case

REBUILT = "where units that were lost come back is not told in `rules`"


def install(rules: Rulebook, game: Game) -> None:
    rules.before(Placed, Moved, comes_to=Hex)(what_is_not_told_of_arrivals)
    if rules_of(game).reinforcements is not None:
        judge = rules.before(Placed, Moved, comes_to=Hex)(units_arrive_when_and_where_they_may)
        rules.rule(cited(game, REINFORCEMENTS))(judge)


def what_is_not_told_of_arrivals(case: Case, event: Placed | Moved) -> Faults:
    left_out = [NOT_CONFIGURED[name] for name in (STACKING, REINFORCEMENTS) if part(case.game, name) is None]
    for unit in _coming(case, event):
        reason = _not_judged(case, unit)
        for untold in [reason] if reason else left_out:
            case.not_checked(untold)
    return iter(())


def units_arrive_when_and_where_they_may(case: Case, event: Placed | Moved) -> Faults:
    for unit in _coming(case, event):
        if _not_judged(case, unit) is None:
            yield from _of_arrival(case, unit, event.comes_to)


def _coming(case: Case, event: Placed | Moved) -> list[Unit]:
    """Units that come onto the map, and are not put back there."""
    away = [unit for unit in case.units(event.concerned) if not unit.on_map]
    return [unit for unit in away if not case.phase_start.units[unit.id].on_map]


def _not_judged(case: Case, unit: Unit) -> str | None:
    """Why nothing can be said of where a unit comes."""
    if unit.spot in [map_.id for map_ in case.game.maps]:
        return BETWEEN_MAPS
    due = schedule(case).get(unit.id)
    may_have_been_lost = unit.id in case.in_game.began or due is None or due.turn < case.turn
    return REBUILT if may_have_been_lost and may(case, unit, REBUILD) else None


def _of_arrival(case: Case, unit: Unit, spot: Spot) -> Iterator[Fault]:
    field, rule = field_of(case), cited(case.game, REINFORCEMENTS)
    hex_id, due = field.id(spot), schedule(case).get(unit.id)
    if hex_id is None:
        yield Fault(rule, f"{unit.id} arrives outside the hexes in play", (unit.id,), spot_of(spot))
        return
    arrival = Arrival(due.turn if due else None, places_of(case, field, due), _closed(case, field, unit))
    for breach in check_arrival(unit.id, arrival, case.turn, hex_id):
        text = f"{unit.id}: {say.breach_text(field.ground.wording, breach)}"
        yield Fault({"zone": cited(case.game, ZONES)}.get(breach.key, rule), text, (unit.id,), spot_of(spot))


def _closed(case: Case, field: Field, unit: Unit) -> dict[str, Mask]:
    told, enemies = rules_of(case.game).reinforcements, field.enemies(unit.side)
    if told is None or told.zones:
        return {"enemy": enemies}
    return {"enemy": enemies, "zone": field.zones_against(unit.side, "movement")}


def schedule(case: Case) -> dict[str, Reinforcement]:
    return case.once(
        schedule, lambda: {unit: each for each in case.scenario.reinforcements for unit in each.units}
    )


def places_of(case: Case, field: Field, due: Reinforcement | None) -> Mask | None:
    """The hexes a reinforcement may come to; None for any."""
    if due is None or not due.where or due.box_of(case.game.off_map):
        return None
    return field.board.mask(field.ids(case.game.map.hexes_of(due.where, case.scenario.sheet)))
