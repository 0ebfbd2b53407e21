"""Faults of movement: too far, over the wrong ground, by the wrong means, too late, too many in a hex."""

from __future__ import annotations

from collections.abc import Iterator

from players.faults import Edit
from players.ftm.mutations import Place, fault
from validator.core.board import HexId
from validator.core.movement import reach
from validator.games.ftm.book import AXIS, ENEMY, MOVING, SOVIET
from validator.games.ftm.c05_march import move_rules
from validator.games.ftm.c06_stacking import stack
from validator.model.events import Moved, Placed
from validator.model.position import Unit

MOVES = {"axis-move": AXIS, "sov-move": SOVIET}
PATH = ("5.0a", "4.2a", "4.2b", "5.1b", "5.1c", "5.1.8", "5.2.2", "9.5", "5.1.5a", "5.1.5b", "5.1.9", "5.1.7")


def move(place: Place, unit: Unit, *ways: HexId, mode: str = "march") -> Moved:
    hexes = tuple(place.field.board.hexes[h] for h in ways)
    return Moved((unit.id,), (unit.hex, *hexes), mode, dragged=len(ways) == 1)


def first(place: Place) -> Unit | None:
    """A unit that could still move, in a movement phase in which nobody has moved last."""
    side = MOVES.get(place.phase)
    return place.one(place.movable(side)) if side and place.case.in_phase.stage <= 2 else None


@fault(*PATH, "5.2.1a", "5.2.1b", "5.2.1c", "5.1.4")
def too_far(place: Place) -> Iterator[Edit]:
    unit = first(place)
    if unit is not None:
        board, here = place.field.board, place.hex_id(unit)
        found = reach(board, move_rules(place.case, place.field, unit, [unit]), here)
        target = place.a_hex(
            lambda h: h not in found and 6 <= board.distance(here, h) <= 9 and place.empty(h)
        )
        if target is not None:
            yield 0, [move(place, unit, target)]


@fault("5.2.2", *PATH)
def onto_an_enemy(place: Place) -> Iterator[Edit]:
    unit = first(place)
    if unit is not None:
        enemies = place.field.occupied(ENEMY[unit.side])
        near = [h for h in place.field.board.adjacent[place.hex_id(unit)] if enemies[h]]
        if near:
            yield 0, [move(place, unit, near[0])]


@fault("4.2b", *PATH)
def from_zone_to_zone(place: Place) -> Iterator[Edit]:
    unit = first(place)
    if unit is not None and not unit.has("panzer"):
        zones, here = place.field.enemy_zones(unit.side), place.hex_id(unit)
        near = [h for h in place.field.board.adjacent[here] if zones.holds(h) and place.empty(h)]
        if near and zones.holds(here):
            hexes = (unit.hex, place.field.board.hexes[near[0]])
            yield 0, [Moved((unit.id,), hexes, "march")]


@fault("4.2.3a")
def a_base_into_a_zone(place: Place) -> Iterator[Edit]:
    side = MOVES.get(place.phase)
    bases = place.units(side, lambda u: u.has("never-ezoc") and u.type.mobility != "rail") if side else []
    for unit in bases:
        zones = place.field.enemy_zones(unit.side)
        near = [
            h for h in place.field.board.adjacent[place.hex_id(unit)] if zones.holds(h) and place.empty(h)
        ]
        dry = [h for h in near if not place.field.board.side_of(place.hex_id(unit), h)]
        if dry and unit.id not in place.case.in_phase.trips and not place.field.in_enemy_zone(unit):
            yield 0, [Moved((unit.id,), (unit.hex, place.field.board.hexes[dry[0]]), "march")]


@fault("3.0a")
def the_other_side_moves(place: Place) -> Iterator[Edit]:
    side = MOVING.get(place.phase)
    unit = place.one(place.movable(ENEMY[side])) if side else None
    if unit is not None:
        near = [h for h in place.field.board.adjacent[place.hex_id(unit)] if place.empty(h)]
        dry = [h for h in near if place.field.board.terrain[h] not in ("sea", "lake")]
        if dry:
            yield 0, [move(place, unit, dry[0])]


@fault("5.0a", "12.0a")
def what_never_moves(place: Place) -> Iterator[Edit]:
    side = MOVES.get(place.phase)
    unit = place.one(place.units(SOVIET, lambda u: u.has("fortress"))) if side == SOVIET else None
    if unit is not None:
        near = [h for h in place.field.board.adjacent[place.hex_id(unit)] if place.empty(h)]
        dry = [h for h in near if place.field.board.terrain[h] not in ("sea", "lake")]
        if dry:
            yield 0, [move(place, unit, dry[0])]


@fault("5.3.1a", "5.3.1b", "5.3a", "5.3.1c", "5.3b", "5.2.2", "5.3.2", "5.2.1a", "5.2.1b", "5.2.1c")
def strategic_movement_beside_the_enemy(place: Place) -> Iterator[Edit]:
    unit = first(place)
    if unit is not None:
        zones = place.field.enemy_zones(unit.side)
        target = place.a_hex(lambda h: zones.holds(h) and place.empty(h))
        if target is not None:
            yield 0, [move(place, unit, target, mode="strategic")]


@fault("5.3.2")
def a_base_by_rail(place: Place) -> Iterator[Edit]:
    side = MOVES.get(place.phase)
    unit = place.one(place.units(AXIS, lambda u: u.has("air-base"))) if side == AXIS else None
    if unit is not None and unit.id not in place.case.in_phase.trips:
        near = [h for h in place.field.board.adjacent[place.hex_id(unit)] if place.empty(h)]
        if near:
            yield 0, [move(place, unit, near[0], mode="strategic")]


@fault("5.3b", "5.3.2", "5.3.1b")
def by_rail_after_a_march(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.by_land and place.phase in MOVES and event.mode == "":
        unit = place.position.units[event.units[0]]
        if unit.has("strategic") and len(event.units) == 1:
            end = place.field.id(event.end)
            near = [] if end is None else [h for h in place.field.board.adjacent[end] if place.empty(h)]
            if near and unit.id not in place.case.in_phase.trips:
                hexes = (event.end, place.field.board.hexes[near[0]])
                yield 1, [event, Moved((unit.id,), hexes, "strategic")]


@fault("5.5.1a", "5.5b", "5.5c", "5.5.1b")
def tanks_by_sea(place: Place) -> Iterator[Edit]:
    unit = first(place)
    ports = place.field.board.with_feature("port")
    if unit is not None and unit.has("armor"):
        yield 0, [move(place, unit, place.random.choice(ports), mode="sea")]


@fault("6.1", "6.2a", "6.2b", "6.3", "6.4")
def too_many_in_a_hex(place: Place) -> Iterator[Edit]:
    """The last move of a phase ends where a full stack stands."""
    event = place.event
    rest = list(place.rest_of_phase())[1:]
    if not isinstance(event, Moved) or not event.by_land or place.phase not in MOVES or event.mode:
        return
    names = {n for e in rest if isinstance(e, Moved) for n in e.units}
    unit = place.position.units[event.units[0]]
    here = place.field.id(event.path[0])
    full = [h for h in place.field.board.adjacent[here or 0] if place.field.occupied(unit.side)[h]]
    for h in full:
        there = place.field.units(h, unit.side)
        fits = stack(place.case, [*there, unit], unit.side).legal
        sides = place.field.board.side_of(here or 0, h)
        stays = not names & {u.id for u in (*there, unit)}
        zoned = place.field.enemy_zones(unit.side).holds(h)
        open_ground = place.field.board.terrain[h] == "clear" and not sides and not zoned
        if not fits and stays and open_ground and len(event.units) == 1 and unit.type.zoc:
            yield 1, [Moved((unit.id,), (event.path[0], place.field.board.hexes[h]), "march")]
            return


@fault("3.1k")
def a_reinforcement_too_early(place: Place) -> Iterator[Edit]:
    side = MOVES.get(place.phase)
    late = {name for r in place.case.scenario.reinforcements if r.turn > place.case.turn for name in r.units}
    units = [place.position.units[n] for n in sorted(late)]
    able = [
        u for u in units if u.side == side and u.spot is None and not u.has("guards") and not u.has("shock")
    ]
    unit = place.one([u for u in able if not u.has("mechanized-group")])
    if unit is not None and not place.case.in_phase.trips:
        target = place.a_hex(lambda h: place.empty(h) and place.away(h, unit.side) > 4)
        if target is not None:
            yield 0, [Placed(unit.id, place.field.board.hexes[target])]


@fault("9.1.4", "3.1k", "3.1j")
def a_lost_unit_returns_too_early(place: Place) -> Iterator[Edit]:
    side = MOVES.get(place.phase)
    lost = place.case.in_game.lost
    units = [place.position.units[n] for n, turn in lost.items() if turn >= place.case.turn - 1]
    unit = place.one(
        [u for u in units if u.side == side and not u.on_map and not u.has("kg") and not u.has("star")]
    )
    if unit is not None and not unit.has("economic-asset"):
        target = place.a_hex(lambda h: place.empty(h) and place.away(h, unit.side) > 4)
        if target is not None:
            yield 0, [Placed(unit.id, place.field.board.hexes[target])]


@fault("5.4.1b", "5.4.2b")
def two_hexes_in_exploitation(place: Place) -> Iterator[Edit]:
    if place.phase in ("axis-exploit", "sov-exploit"):
        side = MOVING[place.phase]
        units = [u for u in place.movable(side) if u.has("closes-up")]
        unit = place.one(units)
        if unit is not None:
            board, here = place.field.board, place.hex_id(unit)
            target = place.a_hex(lambda h: board.distance(here, h) == 2 and place.empty(h))
            if target is not None:
                yield 0, [move(place, unit, target)]
