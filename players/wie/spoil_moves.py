"""Faults of movement, planes and redeployment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.wie.mutations import Place, fault
from validator.games.wie.book import MISSIONS
from validator.games.wie.c05_air import range_of
from validator.games.wie.c06_redeployment import CAPACITY, rail_hexes
from validator.games.wie.units import BOMBER, CLASS_1, FIGHTER, is_air, is_hq
from validator.model.events import Fired, Moved, Removed, Rolled

BUDGET = (
    *("gnd.1", "gnd.3", "gnd.4", "gnd.5", "wx.4", "hq.2", "hq.7", "unit.2", "plo.1", "ter.7"),
    *("sup.3", "sup.8", "sup.7"),
)


@fault(*BUDGET)
def a_march_too_far(place: Place) -> Iterator[Edit]:
    if not place.ending("move"):
        return
    unit = place.one(place.fresh(lambda u: not u.has("rail-gun")))
    if unit is None:
        return
    end = place.far(place.hex_id(unit), 4, 5, lambda h: place.empty_of(place.enemy, h))
    if end is not None:
        yield 0, [Moved((unit.id,), (unit.hex, place.hex(end)), "", None, True)]  # type: ignore[arg-type]


@fault(*BUDGET)
def a_headquarters_too_far(place: Place) -> Iterator[Edit]:
    if place.ending("move"):
        gone = place.case.in_turn.by(place.side).trips
        unit = place.one(place.units(place.side, lambda u: is_hq(u) and u.id not in gone))
        end = place.far(place.hex_id(unit), 7, 8, lambda h: place.empty_of(place.enemy, h)) if unit else None
        if unit and end is not None:
            yield 0, [Moved((unit.id,), (unit.hex, place.hex(end)), "", None, True)]  # type: ignore[arg-type]


@fault(*BUDGET)
def a_second_march(place: Place) -> Iterator[Edit]:
    """A unit that has used up its movement goes on by three hexes."""
    if not place.ending("move"):
        return
    gone = [place.position.units[n] for n in place.case.in_turn.by(place.side).trips]
    unit = place.one([u for u in gone if u.on_map and not is_hq(u)])
    end = place.far(place.hex_id(unit), 3, 3, lambda h: place.empty_of(place.enemy, h)) if unit else None
    if unit and end is not None:
        yield 0, [Moved((unit.id,), (unit.hex, place.hex(end)), "", None, True)]  # type: ignore[arg-type]


@fault("gnd.3", *BUDGET)
def a_march_into_the_enemy(place: Place) -> Iterator[Edit]:
    if not place.ending("move"):
        return
    field = place.field
    for unit in place.fresh(lambda u: not u.has("rail-gun")):
        beside = [
            h for h, _ in field.ground.costs.links()[place.hex_id(unit)] if field.occupied(place.enemy)[h]
        ]
        if beside:
            yield 0, [Moved((unit.id,), (unit.hex, place.hex(beside[0])))]  # type: ignore[arg-type]
            return


@fault("unit.8", "sr.6")
def a_rail_gun_that_walks(place: Place) -> Iterator[Edit]:
    if place.ending("move"):
        unit = place.one(place.units(place.side, lambda u: u.has("rail-gun")))
        end = place.far(place.hex_id(unit), 1, 1, lambda h: place.empty_of(place.enemy, h)) if unit else None
        if unit and end is not None:
            yield 0, [Moved((unit.id,), (unit.hex, place.hex(end)))]  # type: ignore[arg-type]


@fault("seq.1", "seq.2")
def the_other_side_moves(place: Place) -> Iterator[Edit]:
    if place.ending("move"):
        unit = place.one(place.units(place.enemy, lambda u: not is_hq(u)))
        end = place.far(place.hex_id(unit), 1, 1, place.empty) if unit else None
        if unit and end is not None:
            yield 0, [Moved((unit.id,), (unit.hex, place.hex(end)))]  # type: ignore[arg-type]


# --- planes -------------------------------------------------------------------------------------------------


@fault("air.2", "wx.6", "plo.1", "air.17")
def a_flight_too_far(place: Place) -> Iterator[Edit]:
    if not place.ending("move"):
        return
    for base, plane in place.planes(place.side):
        most = range_of(place.case, place.field, plane)
        end = place.far(base, most + 1, most + 1, lambda h: True)
        if end is not None:
            yield 0, [Moved((plane.id,), (plane.hex, place.hex(end)), "ground-support")]  # type: ignore[arg-type]
            return


@fault("air.1")
def a_second_mission(place: Place) -> Iterator[Edit]:
    if not place.ending("move"):
        return
    for name, flight in place.case.in_turn.by(place.side).flights.items():
        unit = place.position.units[name]
        flown = [m for m in flight.missions if m in MISSIONS]
        if unit.on_map and flown:
            near = place.far(flight.base, 1, 2, lambda h, f=flight: h != f.targets[-1])  # type: ignore[misc]
            if near is not None:
                yield 0, [Moved((name,), (unit.hex, place.hex(near)), "escort")]  # type: ignore[arg-type]
                return


@fault("air.19")
def a_fighter_that_interdicts(place: Place) -> Iterator[Edit]:
    if place.ending("move"):
        for base, plane in place.planes(place.side, FIGHTER):
            end = place.far(base, 1, 2, lambda h: True)
            if end is not None:
                yield 0, [Moved((plane.id,), (plane.hex, place.hex(end)), "interdiction")]  # type: ignore[arg-type]
                return


@fault("air.12", "air.14", "air.15")
def the_wrong_die_for_bombs(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason.endswith("bombing"):
        yield 1, [replace(event, sides=20, values=(7,))]


@fault("air.12", "air.14", "air.15")
def two_dice_for_bombs(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason.endswith("bombing"):
        yield 0, [event]


@fault("aa.1")
def guns_that_hit_too_well(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Fired) and event.manner == "anti-air":
        yield 1, [replace(event, value=3)]


@fault("aa.1")
def guns_with_the_wrong_die(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Fired) and event.manner == "anti-air" and 1 not in event.values:
        yield 1, [replace(event, sides=12)]


@fault("aa.1", "air.11")
def a_plane_that_was_hit_flies_on(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Removed) and event.unit in place.case.in_phase.downed:
        yield 1, []


@fault("unit.1", "air.5", "air.7")
def guns_in_a_bomber(place: Place) -> Iterator[Edit]:
    if not place.ending("move"):
        return
    field = place.field
    for base, plane in place.planes(place.side, BOMBER):
        guns = [u for u in field.units(base, place.side) if u.has("guns")]
        cities = [h for h in field.ground.cities if field.holder(h) == place.side and h != base]
        near = [h for h in cities if field.board.distance(base, h) <= 4]
        if guns and near:
            path = (plane.hex, place.hex(near[0]))
            yield 0, [Moved((plane.id, guns[0].id), path, "transport")]  # type: ignore[arg-type]
            return


@fault("ncm.4")
def a_base_in_the_open(place: Place) -> Iterator[Edit]:
    if place.ending("redeploy"):
        for base, plane in place.planes(place.side):
            end = place.far(base, 1, 3, lambda h: not place.field.city(h))
            if end is not None:
                yield 0, [Moved((plane.id,), (plane.hex, place.hex(end)), "base-change")]  # type: ignore[arg-type]
                return


@fault("air.9", "ncm.4")
def a_plane_lands_elsewhere(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "fly-home" and place.part in ("combat", "exploit"):
        field = place.field
        side = place.position.units[event.units[0]].side
        others = [h for h in field.ground.cities if field.holder(h) == side and place.hex(h) != event.end]
        end = place.pick(sorted(others))
        if end is not None:
            yield 1, [replace(event, path=(event.start, place.hex(end)))]  # type: ignore[arg-type]


# --- action 4 -----------------------------------------------------------------------------------------------


@fault("ncm.1", "gnd.4", "ncm.3")
def a_non_combat_move_after_a_march(place: Place) -> Iterator[Edit]:
    if not place.beginning("redeploy"):
        return
    field, trips = place.field, place.case.in_turn.by(place.side).trips
    gone = [place.position.units[n] for n in trips if place.position.units[n].on_map]
    unit = place.one([u for u in gone if u.id not in place.case.in_turn.by(place.side).dropped])
    if unit is None:
        return
    links = field.ground.costs.links()[place.hex_id(unit)]
    ends = [h for h, _ in links if field.holder(h) == place.side]
    if ends:
        yield 0, [Moved((unit.id,), (unit.hex, place.hex(ends[0])), "non-combat")]  # type: ignore[arg-type]


@fault("sr.1", "sr.3", "sr.5", "sr.8")
def a_ride_too_far(place: Place) -> Iterator[Edit]:
    if not place.beginning("redeploy"):
        return
    unit = place.one([u for u in place.units(place.side) if _may_ride(place, u.id)])
    if unit is None:
        return
    most = rail_hexes(place.case, place.side)
    field = place.field
    end = place.far(place.hex_id(unit), most + 1, most + 2, lambda h: field.holder(h) == place.side)
    if end is not None and field.ground.country(end) == field.ground.country(place.hex_id(unit)):
        yield 0, [Moved((unit.id,), (unit.hex, place.hex(end)), "strategic")]  # type: ignore[arg-type]


def _may_ride(place: Place, name: str) -> bool:
    from validator.games.wie.lines import is_out

    unit = place.position.units[name]
    turn = place.case.in_turn.by(place.side)
    return not is_air(unit) and not is_hq(unit) and not is_out(place.case, unit) and name not in turn.dropped


@fault("sr.2", "unit.13")
def too_many_rides(place: Place) -> Iterator[Edit]:
    """From one hex to the next, as many as the rails do not take."""
    if not place.beginning("redeploy"):
        return
    field = place.field
    edits = []
    for unit in place.units(place.side, lambda u: u.has(CLASS_1) and not u.has("half-rail")):
        if not _may_ride(place, unit.id):
            continue
        ends = [
            h
            for h, p in field.ground.rails.links()[place.hex_id(unit)]
            if field.holder(h) == place.side and p == 12
        ]
        ends = [
            h for h in ends if field.ground.country(h) != "finland" and not field.occupied(place.enemy)[h]
        ]
        if ends:
            edits.append(Moved((unit.id,), (unit.hex, place.hex(ends[0])), "strategic"))  # type: ignore[arg-type]
        if len(edits) > CAPACITY[place.side]:
            yield 0, [*edits]
            return


@fault("sr.2")
def a_second_ride(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "strategic" and place.part == "redeploy":
        back = replace(event, path=(event.end, event.start))
        yield 1, [event, back]


@fault("ncm.3", "sr.5", "gnd.3")
def a_non_combat_move_into_the_enemy(place: Place) -> Iterator[Edit]:
    if not place.beginning("redeploy"):
        return
    field = place.field
    for unit in place.fresh(lambda u: not u.has("rail-gun")):
        ends = [
            h for h, _ in field.ground.costs.links()[place.hex_id(unit)] if field.holder(h) == place.enemy
        ]
        if ends:
            yield 0, [Moved((unit.id,), (unit.hex, place.hex(ends[0])), "non-combat")]  # type: ignore[arg-type]
            return


@fault("plc.1", "brk.7")
def seven_in_a_hex(place: Place) -> Iterator[Edit]:
    if not place.ending("redeploy"):
        return
    field = place.field
    stacks: dict[int, int] = {}
    for h, u in field.of_side(place.side):
        stacks[h] = stacks.get(h, 0) + bool(u.type.stacking)
    full = [h for h, n in stacks.items() if n == 6]
    for goal in full:
        for unit in place.fresh(lambda u: not u.has("rail-gun") and not u.has("half-rail")):
            near = {h for h, _ in field.ground.costs.links()[place.hex_id(unit)]}
            if goal in near:
                yield 0, [Moved((unit.id,), (unit.hex, place.hex(goal)), "non-combat")]  # type: ignore[arg-type]
                return
