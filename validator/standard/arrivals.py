"""Reinforcements: not before their turn, where the scenario says."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.definition.model import Game
from fieldpost.definition.scenariomodel import Reinforcement
from fieldpost.hexes import Hex, HexError
from validator.core import explain as say
from validator.core.board import HexId, Mask
from validator.core.reinforcement import Arrival, check_arrival
from validator.engine.rulebook import Faults, Rulebook
from validator.model.events import Event, Moved, Placed, Spot
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.standard.book import NOT_CONFIGURED, REINFORCEMENTS, STACKING, ZONES, cited, part, rules_of
from validator.standard.field import Field, field_of
from validator.standard.sequence import BETWEEN_MAPS, REBUILD, may
from validator.standard.state import Case


def install(rules: Rulebook, game: Game) -> None:
    judge = rules.before(Placed, Moved)(units_arrive_when_and_where_they_may)
    if rules_of(game).reinforcements is not None:
        rules.rule(cited(game, REINFORCEMENTS))(judge)


def units_arrive_when_and_where_they_may(case: Case, event: Event) -> Faults:
    for name, spot in _arriving(event):
        unit = case.position.units[name]
        if unit.spot in [map_.id for map_ in case.game.maps]:
            case.not_checked(BETWEEN_MAPS)
            continue
        if unit.on_map or case.phase_start.units[name].on_map or may(case, unit, REBUILD):
            continue
        if part(case.game, STACKING) is None:
            case.not_checked(NOT_CONFIGURED[STACKING])
        if rules_of(case.game).reinforcements is None:
            case.not_checked(NOT_CONFIGURED[REINFORCEMENTS])
        else:
            yield from _of_arrival(case, unit, spot)


def _arriving(event: Event) -> Iterator[tuple[str, Hex]]:
    """Units that come onto the map."""
    spot: Spot | None = None
    names: tuple[str, ...] = ()
    if isinstance(event, Placed):
        names, spot = (event.unit,), event.spot
    elif isinstance(event, Moved) and isinstance(event.start, str):
        names, spot = event.units, event.end
    if isinstance(spot, Hex):
        yield from ((name, spot) for name in names)


def _of_arrival(case: Case, unit: Unit, spot: Hex) -> Iterator[Fault]:
    field, rule = field_of(case), cited(case.game, REINFORCEMENTS)
    hex_id = field.id(spot)
    due = schedule(case).get(unit.id)
    if hex_id is None:
        yield Fault(rule, f"{unit.id} arrives outside the hexes in play", (unit.id,), (spot,))
        return
    places, told = _places(case, field, due)
    if not told and due is not None:
        case.not_checked(f"reinforcements: where {due.where!r} is")
    arrival = Arrival(due.turn if due else None, places, _closed(case, field, unit))
    for breach in check_arrival(unit.id, arrival, case.turn, hex_id):
        of_zone = breach.key == "zone"
        text = f"{unit.id}: {say.breach_text(field.ground.wording, breach)}"
        yield Fault(cited(case.game, ZONES) if of_zone else rule, text, (unit.id,), (spot,))


def _closed(case: Case, field: Field, unit: Unit) -> dict[str, Mask]:
    told = rules_of(case.game).reinforcements
    closed: dict[str, Mask] = {"enemy": field.enemies(unit.side)}
    if told is not None and not told.zones:
        closed["zone"] = field.zones_against(unit.side, "movement")
    return closed


def schedule(case: Case) -> dict[str, Reinforcement]:
    return case.once(
        "schedule", lambda: {unit: each for each in case.scenario.reinforcements for unit in each.units}
    )


def _places(case: Case, field: Field, due: Reinforcement | None) -> tuple[Mask | None, bool]:
    """The hexes a reinforcement may come to, None for any; and whether the scenario's words were read."""
    if due is None or due.where is None or due.where in {box.id for box in case.game.boxes}:
        return None, True
    hexes = hexes_of(case, field, due.where)
    return (None, False) if hexes is None else (field.board.mask(hexes), True)


def hexes_of(case: Case, field: Field, where: str) -> list[HexId] | None:
    """Labels of hexes, ids of areas and of map edges, with spaces or commas between; None for other words."""
    map_, found = case.game.map, list[Hex]()
    edges = {edge.id: edge.hexes for edge in map_.edges}
    for word in where.replace(",", " ").split():
        if word in map_.area:
            found += map_.area[word].hexes
        elif word in edges:
            found += edges[word]
        else:
            try:
                found.append(map_.lattice.hex(word, case.scenario.sheet))
            except HexError:
                return None
    return field.ids(found)
