"""Faults of supply, air fleets, regrouping, the sequence of play and the count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.wfm.mutations import Place, fault
from players.wfm.spoil_moves import normal
from validator.games.wfm.book import AXIS, SOVIET
from validator.games.wfm.c10_air import FLEET, fleets
from validator.model.events import (
    Declared,
    Marked,
    PhaseBegan,
    Placed,
    Removed,
    Replaced,
    Returned,
    Rolled,
    StepChanged,
    Unmarked,
)
from validator.procedures.strengthchits import steps_left
from validator.procedures.supplymarks import MARKER

UNSUPPLIED = ("9.21", "9.28a", "9.28b", "9.31", "9.32", "9.42", "9.43", "9.45", "9.61")


@fault(*UNSUPPLIED, "9.34", "9.58", "9.57", "9.71", "9.72", "9.73")
def a_marker_not_put(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Marked) and event.marker == MARKER and place.phase == "supply":
        dead = {e.unit for e in place.rest_of_phase() if isinstance(e, Removed)}
        if event.on not in dead:
            yield 1, []


@fault("9.11", "9.12", "9.33", "9.25")
def a_marker_on_a_supplied_unit(place: Place) -> Iterator[Edit]:
    if place.phase == "supply" and place.ends:
        unit = place.one([u for u in place.units(AXIS) if normal(u) and place.supplied(u)])
        if unit:
            yield 0, [Marked(MARKER, unit.id, place.random.choice((1, 2)))]


@fault("9.11")
def a_marker_not_taken_off(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Unmarked) and event.marker == MARKER:
        yield 1, []


@fault("9.61", "9.34", *UNSUPPLIED)
def lack_of_supply_for_out_of_supply(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Marked) and event.marker == MARKER and place.phase == "supply":
        dead = {e.unit for e in place.rest_of_phase() if isinstance(e, Removed)}
        if event.on not in dead:
            yield 1, [replace(event, face=3 - event.face)]


@fault("9.12")
def a_marker_taken_off_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.phase in ("sov-move", "axis-move", "admin") and place.ends:
        units = [u for side in (AXIS, SOVIET) for u in place.units(side) if u.marks.get(MARKER)]
        unit = place.one(units)
        if unit:
            yield 0, [Unmarked(MARKER, unit.id)]


@fault("9.58")
def an_isolated_unit_does_not_check(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason == "attrition":
        following = place.events[place.at + 1]
        if isinstance(following, (Rolled, PhaseBegan)) or _arrives(following):
            yield 1, []


def _arrives(event: object) -> bool:
    return isinstance(event, Returned) and event.unit is None


@fault("9.91", "9.58")
def an_attrition_loss_forgotten(place: Place) -> Iterator[Edit]:
    last = place.events[place.at - 1]
    if (
        isinstance(place.event, (StepChanged, Replaced))
        and isinstance(last, Rolled)
        and last.reason == "attrition"
    ):
        yield 1, []


@fault("9.91", "9.58")
def an_attrition_check_of_a_supplied_unit(place: Place) -> Iterator[Edit]:
    if place.phase == "supply" and place.ends:
        unit = place.one([u for u in place.units(SOVIET) if normal(u) and place.supplied(u)])
        if unit:
            yield 0, [Rolled((6,), 6, "attrition", unit.id)]


# --- air fleets (10) ------------------------------------------------------------------------------


def _is_fleet(place: Place, marker: str) -> bool:
    return place.case.game.marker[marker].kind == FLEET


@fault("10.11")
def a_fleet_out_of_range(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Marked) and _is_fleet(place, event.marker):
        values = place.case.game.marker[event.marker].values
        base = place.position.units[str(values["airbase"])]
        board, reach = place.field.board, int(values["range"])
        far = place.hexes(lambda h: board.distance(place.hex_id(base), h) == reach + 1)
        if far:
            yield 1, [replace(event, on=board.hexes[place.random.choice(far)])]


@fault("10.12", "10.11")
def a_fleet_moved_later(place: Place) -> Iterator[Edit]:
    if place.phase in ("axis-move", "sov-combat", "sov-move") and place.ends:
        for marker, hex_ in list(fleets(place.case)):
            near = list(place.field.board.adjacent[place.field.board.id_of[hex_]])
            to = place.field.board.hexes[place.random.choice(near)]
            yield 0, [Unmarked(marker, hex_), Marked(marker, to)]


@fault("10.13")
def a_fleet_that_stays(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Unmarked) and _is_fleet(place, place.event.marker):
        yield 1, []


# --- regrouping (14) --------------------------------------------------------------------------------


@fault("14.21")
def a_breakdown_that_gains_a_step(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Replaced) and event.why == "breakdown":
        weak = [i for i, (_, step) in enumerate(event.new) if step > 1]
        if weak:
            new = [(n, s - 1) if i == weak[0] else (n, s) for i, (n, s) in enumerate(event.new)]
            yield 1, [replace(event, new=tuple(new))]


@fault("14.11")
def a_breakdown_in_another_phase(place: Place) -> Iterator[Edit]:
    if place.phase in ("axis-move", "ger-mech") and place.ends:
        yield from _breakdown(place, lambda u: True)


@fault("14.12", "9.54")
def a_breakdown_beside_the_enemy(place: Place) -> Iterator[Edit]:
    if place.phase == "admin" and place.begins:
        yield from _breakdown(place, lambda u: place.field.in_enemy_zone(u))


def _breakdown(place: Place, wanted: object) -> Iterator[Edit]:
    corps = place.units(AXIS, lambda u: u.has("breaks-down") and u.step == 1 and wanted(u))  # type: ignore[operator]
    unit = place.one(corps)
    if unit is None or len(place.position.at(unit.hex)) > 1:
        return
    kind = str(unit.type.values["breaks-into"])
    coming = {n for r in place.case.scenario.reinforcements for n in r.units}
    spare = [u.id for u in place.position.units.values() if u.type.id == kind and u.spot is None]
    spare = [name for name in spare if name not in coming]
    steps = place.case.game.unit_type[kind].steps
    rest = steps_left(place.case, unit) - steps
    if 0 < rest <= steps and len(spare) > 1:
        new = ((spare[0], 1), (spare[1], steps - rest + 1))
        yield 0, [Replaced((unit.id,), new, unit.hex, "breakdown")]


@fault("14.15", "14.21")
def an_ally_breaks_down(place: Place) -> Iterator[Edit]:
    if place.phase == "admin" and place.begins:
        unit = place.one(place.units(AXIS, lambda u: not u.has("german") and u.type.zoc))
        spare = [
            u.id for u in place.position.units.values() if u.type.id == "german-infantry-kg" and not u.spot
        ]
        if unit:
            yield 0, [Replaced((unit.id,), ((spare[-1], 2),), unit.hex, "breakdown")]


# --- sequence, arrivals of markers, production, count ----------------------------------------------------


@fault("3.0b")
def a_phase_gone_back_to(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, PhaseBegan) and place.event.phase == "ger-mech":
        yield 0, [PhaseBegan(place.case.turn, "sov-combat")]


@fault("16.1")
def a_turn_too_many(place: Place) -> Iterator[Edit]:
    if place.at == len(place.events) - 1:
        yield 0, [PhaseBegan(place.case.turn + 1, "supply")]


@fault("13.17")
def arriving_strength_markers_forgotten(place: Place) -> Iterator[Edit]:
    event = place.event
    if _arrives(event) and place.phase == "supply" and place.case.turn > 22:
        yield 1, []


@fault("13.32", "7.23")
def arriving_strength_markers_in_the_wrong_cup(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Returned) and _arrives(event) and place.phase == "supply":
        yield 1, [replace(event, deck="csm-b" if event.deck != "csm-b" else "csm-c")]


@fault("9.57", "13.54")
def a_return_not_rolled_for(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason == "headquarters return" and place.phase == "supply":
        yield 1, []


@fault("16.41")
def a_group_produced(place: Place) -> Iterator[Edit]:
    if place.phase == "admin" and place.ends:
        group = next((u for u in place.position.units.values() if u.has("osg") and u.spot is None), None)
        staff = place.one(place.units(SOVIET, lambda u: u.has("hq")))
        if group and staff:
            yield 0, [Placed(group.id, staff.hex)]


@fault("9.56", "9.57", "9.55")
def a_supplied_staff_taken_off(place: Place) -> Iterator[Edit]:
    if place.phase == "supply" and place.ends:
        unit = place.one([u for u in place.units(SOVIET) if u.has("osg") and place.supplied(u)])
        if unit:
            yield 0, [Removed(unit.id, None)]


@fault("15.21", "15.22")
def points_miscounted(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Declared) and event.what == "victory-points":
        wrong = int(event.value) + place.random.choice((-2, -1, 1, 3))
        yield 1, [replace(event, value=str(wrong))]


@fault("16.52")
def the_wrong_winner(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Declared) and event.what == "victory":
        victory = place.case.scenario.victory
        others = [b.result for b in victory.bands if b.result != event.value] if victory else []
        yield 1, [replace(event, value=place.random.choice(others))]
