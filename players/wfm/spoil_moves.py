"""Faults of movement, stacking, arrivals and overruns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.wfm.mutations import Place, fault
from validator.core.board import HexId
from validator.games.wfm.book import AXIS, ENEMY, SOVIET
from validator.games.wfm.c09_supply import supplied_mask
from validator.model.events import Attacked, Event, Moved, Placed, Rolled
from validator.model.position import Unit
from validator.procedures.field import printed

PHASES = {"axis-move": AXIS, "sov-move": SOVIET, "ger-mech": AXIS}
MARCH = "march"
LAST = 4  # the stage in which airbases and support groups move


def move(place: Place, unit: Unit, *way: HexId, mode: str = MARCH) -> Moved:
    hexes = place.field.board.hexes
    return Moved((unit.id,), tuple(hexes[h] for h in (place.hex_id(unit), *way)), mode)


def normal(unit: Unit) -> bool:
    return not unit.has("moves-last") and unit.type.zoc


def side_to_move(place: Place) -> str | None:
    """The side whose movement phase is about to end; None in the phase that Turning Point skips."""
    if not place.ends or (place.case.turn == 22 and place.phase == "axis-move"):
        return None
    return PHASES.get(place.phase)


def mover(place: Place, *, panzer: bool | None = None) -> Unit | None:
    """A unit that has not moved, when the phase is about to end: nothing else hangs on it."""
    side = side_to_move(place)
    if side is None or place.case.in_phase.stage == LAST:
        return None
    units = [u for u in place.movable(side) if normal(u)]
    if place.phase == "ger-mech":
        units = [u for u in units if u.has("panzer")]
    return place.one([u for u in units if panzer in (None, u.has("panzer"))])


@fault("5.31")
def the_other_side_moves(place: Place) -> Iterator[Edit]:
    side = PHASES.get(place.phase)
    if side and place.ends:
        unit = place.one([u for u in place.movable(ENEMY[side]) if normal(u)])
        if unit:
            start = place.hex_id(unit)
            near = place.hexes(lambda h: place.field.board.are_adjacent(start, h) and place.empty(h))
            if near:
                yield 0, [move(place, unit, place.random.choice(near))]


@fault("5.11", "5.21", "5.22a", "4.26a", "4.26b", "4.27", "5.41", "9.52", "9.53", "5.32a", "5.22b")
def a_march_too_far(place: Place) -> Iterator[Edit]:
    unit = mover(place)
    if unit:
        start, points = place.hex_id(unit), printed(unit, "movement")
        board = place.field.board
        far = place.hexes(lambda h: points < board.distance(start, h) <= points + 4 and place.empty(h))
        if far:
            yield 0, [move(place, unit, place.random.choice(far))]


@fault("5.32a")
def a_march_into_the_enemy(place: Place) -> Iterator[Edit]:
    unit = mover(place)
    if unit:
        start, board = place.hex_id(unit), place.field.board
        enemies = place.field.occupied(ENEMY[unit.side])
        near = place.hexes(lambda h: bool(board.are_adjacent(start, h) and enemies[h]))
        if near:
            yield 0, [move(place, unit, place.random.choice(near))]


@fault("4.26b", "4.26a", "4.27", "5.11", "5.41")
def a_step_from_zone_to_zone(place: Place) -> Iterator[Edit]:
    """Two steps from zone to zone: the first alone could be the hex a unit may always go."""
    unit = mover(place, panzer=False)
    if unit is None or printed(unit, "movement") < 3:
        return
    zones, board = place.field.enemy_zones(unit.side), place.field.board
    enemies = place.field.occupied(ENEMY[unit.side])
    start = place.hex_id(unit)
    open_ = [h for h in place.hexes(lambda h: zones.holds(h) and place.empty(h)) if not enemies[h]]
    ways = [
        (a, b)
        for a in open_
        if board.are_adjacent(start, a)
        for b in open_
        if board.are_adjacent(a, b) and b != start and board.distance(start, b) == 2
    ]
    if zones.holds(start) and ways:
        yield 0, [move(place, unit, *place.random.choice(ways))]


@fault("5.35")
def infantry_in_the_mechanized_phase(place: Place) -> Iterator[Edit]:
    if place.phase == "ger-mech" and place.ends:
        unit = place.one(place.units(AXIS, lambda u: not u.has("panzer") and normal(u)))
        if unit:
            step = _free_step(place, unit)
            if step is not None:
                yield 0, [move(place, unit, step)]


def _free_step(place: Place, unit: Unit) -> HexId | None:
    """An empty hex beside a unit, out of enemy zones and over no water."""
    board, start = place.field.board, place.hex_id(unit)
    zones = place.field.enemy_zones(unit.side)
    return place.pick(
        place.hexes(
            lambda h: bool(
                board.are_adjacent(start, h)
                and place.empty(h)
                and not zones.holds(h)
                and not board.side_of(start, h)
                and board.terrain[h] == "clear"
            )
        )
    )


@fault("5.12b")
def a_dropped_unit_moves_on(place: Place) -> Iterator[Edit]:
    side = side_to_move(place)
    notes = place.case.in_phase
    if side is None:
        return
    gone = [
        place.position.units[n]
        for n, t in notes.trips.items()
        if n in notes.dropped and not t.ended and t.mode == MARCH
    ]
    for unit in gone:
        if unit.on_map and normal(unit):
            step = _free_step(place, unit)
            if step is not None:
                yield 0, [move(place, unit, step)]


@fault("5.12a")
def units_from_two_hexes_as_one_stack(place: Place) -> Iterator[Edit]:
    side = side_to_move(place)
    if side is None or place.phase == "ger-mech" or (place.case.turn == 22 and side == AXIS):
        return
    able = [u for u in place.movable(side) if normal(u) and place.supplied(u)]
    stood = [u for u in able if place.case.phase_start.units[u.id].spot == u.spot]
    for one in place.random.sample(stood, len(stood)):
        for other in stood:
            board = place.field.board
            if board.are_adjacent(place.hex_id(one), place.hex_id(other)):
                hexes = (place.spot(place.hex_id(one)), place.spot(place.hex_id(other)))
                yield 0, [Moved((one.id, other.id), hexes, MARCH)]  # type: ignore[arg-type]


@fault("4.28")
def a_staff_alone_beside_the_enemy(place: Place) -> Iterator[Edit]:
    side = side_to_move(place)
    if side is None or place.phase == "ger-mech":
        return
    unit = place.one([u for u in place.movable(side) if u.has("escorted")])
    if unit:
        zones, board, start = place.field.enemy_zones(side), place.field.board, place.hex_id(unit)
        near = place.hexes(lambda h: zones.holds(h) and place.empty(h) and board.distance(start, h) <= 2)
        if near:
            yield 0, [move(place, unit, place.random.choice(near))]


@fault("4.12", "4.13", "4.15a", "4.11")
def a_hex_too_full(place: Place) -> Iterator[Edit]:
    """An army onto an army, a corps onto two: by a march of one hex over plain ground."""
    side = side_to_move(place)
    if side is None or place.phase == "ger-mech" or (place.case.turn == 22 and side == AXIS):
        return
    if place.case.in_phase.stage == LAST:
        return
    big = [u for u in place.movable(side) if normal(u) and u.type.stacking >= 1]
    board, zones = place.field.board, place.field.enemy_zones(side)
    for unit in place.random.sample(big, len(big)):
        start = place.hex_id(unit)
        for other in board.adjacent[start]:
            there = [u for u in place.field.units(other) if u.side == side]
            load = sum(u.type.stacking for u in there) + unit.type.stacking
            plain = not board.side_of(start, other) and not zones.holds(start) and place.supplied(unit)
            if there and plain and load > (1 if side == SOVIET else 7 / 3):
                yield 0, [move(place, unit, other)]


@fault("5.62", "5.64", "5.67", "5.66")
def a_strategic_move_beside_the_enemy(place: Place) -> Iterator[Edit]:
    unit = mover(place)
    if unit and place.phase != "ger-mech":
        start, board = place.hex_id(unit), place.field.board
        near = place.hexes(lambda h: place.empty(h) and place.away(h, unit.side) <= 2 and h != start)
        near = [h for h in near if board.distance(start, h) <= 12]
        if near:
            yield 0, [move(place, unit, place.random.choice(near), mode="strategic")]


@fault("5.66")
def a_strategic_move_of_who_may_not(place: Place) -> Iterator[Edit]:
    side = PHASES.get(place.phase)
    if side == AXIS and place.phase == "axis-move" and place.begins:
        unit = place.one(
            place.units(AXIS, lambda u: u.has("security") and place.away(place.hex_id(u), AXIS) > 6)
        )
        if unit:
            step = _free_step(place, unit)
            if step is not None and place.away(step, AXIS) > 6:
                yield 0, [move(place, unit, step, mode="strategic")]


@fault("16.41")
def a_voyage_by_sea(place: Place) -> Iterator[Edit]:
    if place.phase == "sov-move" and place.begins:
        ports = list(place.field.board.with_feature("black-sea-port"))
        units = [u for u in place.units(SOVIET) if place.hex_id(u) in ports and u.has("sea-transport")]
        unit = place.one(units)
        others = [p for p in ports if unit and p != place.hex_id(unit) and place.empty(p)]
        if unit and others:
            yield 0, [move(place, unit, place.random.choice(others), mode="sea")]


@fault("16.45")
def the_axis_moves_in_the_turn_it_must_wait(place: Place) -> Iterator[Edit]:
    if place.case.turn == 22 and place.phase == "supply" and place.ends:
        from validator.model.events import PhaseBegan

        unit = place.one(place.units(AXIS, lambda u: normal(u) and place.supplied(u)))
        if unit:
            step = _free_step(place, unit)
            if step is not None:
                yield 0, [PhaseBegan(22, "axis-move"), move(place, unit, step)]


@fault("5.33", "3.0c")
def a_march_after_the_airbases(place: Place) -> Iterator[Edit]:
    if place.phase not in ("axis-move", "sov-move") or not place.ends:
        return
    if place.case.in_phase.stage != LAST:
        return
    unit = place.one([u for u in place.movable(PHASES[place.phase]) if normal(u) and place.supplied(u)])
    if unit:
        step = _free_step(place, unit)
        if step is not None:
            yield 0, [move(place, unit, step)]


# --- arrivals (13) --------------------------------------------------------------------------------


@fault("13.11", "16.31")
def an_arrival_too_early(place: Place) -> Iterator[Edit]:
    side = {"axis-move": AXIS, "sov-move": SOVIET}.get(place.phase)
    if side is None or place.case.in_phase.events or (place.case.turn == 22 and side == AXIS):
        return
    early = [
        name
        for r in place.case.scenario.reinforcements
        if r.side == side and r.turn > place.case.turn
        for name in r.units
    ]
    here = _entry(place, side)
    if early and here is not None:
        yield 0, [Placed(place.random.choice(early), here)]  # type: ignore[arg-type]


@fault("16.31", "13.11")
def an_arrival_of_another_scenario(place: Place) -> Iterator[Edit]:
    side = {"axis-move": AXIS, "sov-move": SOVIET}.get(place.phase)
    if side is None or place.case.in_phase.events or (place.case.turn == 22 and side == AXIS):
        return
    units = [u for u in place.position.units.values() if u.side == side and u.spot is None and normal(u)]
    lost = place.case.in_game.lost
    listed = {n for r in place.case.scenario.reinforcements for n in r.units}
    units = [u for u in units if u.id not in listed and u.id not in lost and not u.has("drop-only")]
    unit, here = place.one([u for u in units if not u.has("kg")]), _entry(place, side)
    if unit and here is not None:
        yield 0, [Placed(unit.id, here)]  # type: ignore[arg-type]


def _entry(place: Place, side: str) -> object:
    """Where an arrival would be allowed."""
    some = place.one(place.units(side, lambda u: u.type.zoc and u.nationality in ("german", "soviet")))
    if some is None:
        return None
    fed, field = supplied_mask(place.case, some), place.field
    staffs = [h for h, u in field.of_side(side) if u.has("hq")]
    zones = field.enemy_zones(side)

    def good(h: HexId) -> bool:
        if not fed[h] or not place.empty(h) or zones.holds(h):
            return False
        near = any(field.board.distance(h, s) <= 1 for s in staffs)
        return near if side == SOVIET else place.away(h, side) >= 4

    found = place.a_hex(good)
    return None if found is None else place.spot(found)


@fault("13.12", "13.13a")
def an_arrival_in_the_wrong_place(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Placed):
        unit = place.position.units[place.event.unit]
        zones, side = place.field.enemy_zones(unit.side), unit.side

        def bad(h: HexId) -> bool:
            return place.empty(h) and (
                zones.holds(h) if side == SOVIET else not zones.holds(h) and place.away(h, side) in (2, 3)
            )

        where = place.a_hex(bad)
        if where is not None:
            yield 1, [replace(place.event, spot=place.spot(where))]  # type: ignore[arg-type]


@fault("13.16")
def an_arrival_that_is_reduced(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Placed) and len(place.position.units[place.event.unit].counter.steps) > 1:
        yield 1, [replace(place.event, step=2)]


# --- overruns (6) ------------------------------------------------------------------------------------


@fault("6.21", "6.1a", "6.22", "6.28")
def infantry_overruns_in_the_mechanized_phase(place: Place) -> Iterator[Edit]:
    if place.phase == "ger-mech" and place.ends:
        for unit, target in _pairs(place, lambda u: not u.has("panzer")):
            yield 0, _overrun(place, unit, target)


@fault("6.22")
def a_unit_without_supply_overruns(place: Place) -> Iterator[Edit]:
    side = side_to_move(place)
    if side and place.phase != "ger-mech":
        for unit, target in _pairs(place, lambda u: u.side == side and not place.supplied(u)):
            if not place.field.board.side_of(place.hex_id(unit), target):
                yield 0, _overrun(place, unit, target)


@fault("6.28")
def an_overrun_over_a_river(place: Place) -> Iterator[Edit]:
    side = side_to_move(place)
    if side and place.phase != "ger-mech":
        movable = {u.id for u in place.movable(side)}
        for unit, target in _pairs(place, lambda u: u.id in movable and place.supplied(u)):
            crossed = set(place.field.board.side_of(place.hex_id(unit), target))
            if crossed & {"minor-river", "major-river"} and printed(unit, "movement") >= 3:
                yield 0, _overrun(place, unit, target)


def _pairs(place: Place, wanted: object) -> Iterator[tuple[Unit, HexId]]:
    side = PHASES[place.phase]
    units = place.units(side, lambda u: normal(u) and not u.has("draws-strength") and wanted(u))  # type: ignore[operator]
    for unit in place.random.sample(units, len(units)):
        if printed(unit, "attack") == 0 or len(place.position.at(unit.hex)) > 1:
            continue
        for target in place.field.board.adjacent[place.hex_id(unit)]:
            opponents = [u for u in place.field.units(target) if u.side != side]
            armed = all(
                any(m.startswith("csm") for m in u.marks) for u in opponents if u.has("draws-strength")
            )
            if opponents and armed:
                yield unit, target


def _overrun(place: Place, unit: Unit, target: HexId) -> list[Event]:
    number = 1 + max((e.battle for e in place.events if isinstance(e, Attacked)), default=0)
    declared = Attacked(number, (unit.id,), (place.field.board.hexes[target],), overrun=True)
    return [declared, Rolled((3,), 6, "combat", None, number)]
