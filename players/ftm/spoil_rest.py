"""Faults of supply, partisans, aircraft, the economy, the sequence of play and the last phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.ftm.mutations import Place, fault
from validator.games.ftm.book import AXIS, SOVIET
from validator.games.ftm.c11_chits import beside_enemy
from validator.games.ftm.c12_economy import LOST
from validator.games.ftm.c14_air import BOX, GONE, air_units
from validator.model.events import (
    Declared,
    Drawn,
    Marked,
    PhaseBegan,
    Placed,
    Pointed,
    Removed,
    Replaced,
    Returned,
    Rolled,
    StepChanged,
    Unmarked,
)
from validator.procedures.airunits import USED
from validator.procedures.supplymarks import MARKER
from validator.procedures.wareconomy import produces

STATUS = (
    "9.1",
    "9.1.1",
    "9.1.2",
    "9.2",
    "9.3",
    "9.3.3",
    "9.4",
    "9.6.1",
    "9.6.1b",
    "9.6.2",
    "9.6.3",
    "9.6z",
    "10.3",
)


@fault(*STATUS, "9.1.3", "9.3.5", "10.1")
def a_marker_not_put(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Marked) and event.marker == MARKER and place.phase == "supply":
        gone = {e.unit for e in place.rest_of_phase() if isinstance(e, Removed)}
        if event.on not in gone and event.face != 1:
            yield 1, []


@fault("9.1", "12.0a")
def a_marker_on_a_supplied_unit(place: Place) -> Iterator[Edit]:
    if place.phase == "supply" and place.ends:
        units = [u for u in place.units(SOVIET, lambda u: u.type.zoc) if place.supplied(u)]
        unit = place.one([u for u in units if u.has("tank") or u.has("mechanized-group")] or [])
        if unit:
            yield 0, [Marked(MARKER, unit.id, 2)]


@fault("9.1")
def a_marker_not_taken_off(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Unmarked) and place.event.marker == MARKER:
        yield 1, []


@fault("9.1")
def a_status_changed_later(place: Place) -> Iterator[Edit]:
    if place.phase in ("axis-combat", "sov-combat") and place.begins:
        unit = place.one([u for u in place.units(AXIS, lambda u: u.type.zoc) if place.supplied(u)])
        if unit:
            yield 0, [Marked(MARKER, unit.id, 1)]


@fault("9.1.1", "9.6z")
def a_base_without_supply_stays(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Removed) and place.phase == "supply":
        unit = place.position.units[event.unit]
        if unit.has("air-base") or unit.has("offensive-support"):
            yield 1, []


@fault("9.1.1")
def a_supplied_base_is_taken_off(place: Place) -> Iterator[Edit]:
    if place.phase == "supply" and place.ends:
        unit = place.one(place.units(AXIS, lambda u: u.has("air-base")))
        if unit:
            yield 0, [Removed(unit.id, f"turn-{place.case.turn + 3}")]


@fault("9.1.3")
def an_attrition_die_not_rolled(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason == "attrition" and event.values[0] > 3:
        yield 1, []


@fault("9.1.4")
def a_grave_on_the_wrong_turn(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Removed) and event.box and event.box.startswith("turn-"):
        yield 1, [replace(event, box=f"turn-{int(event.box[5:]) - 1}")]


@fault("12.0a")
def an_asset_in_the_wrong_box(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Removed) and event.box and event.box.startswith(LOST):
        yield 1, [replace(event, box=f"{LOST}{int(event.box.removeprefix(LOST)) + 1}")]


@fault("9.3.4")
def an_expended_base_stays(place: Place) -> Iterator[Edit]:
    event = place.event
    taken = isinstance(event, Removed) and place.position.units[event.unit].has("supply-base")
    if taken and place.phase == "supply":
        yield 1, []


@fault("10.1")
def no_die_for_partisans(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason == "partisans" and event.values[0] < 3:
        yield 1, []


@fault("10.2a", "10.2b")
def partisans_where_no_base_is(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Marked) and place.case.game.marker[event.marker].kind == "partisan":
        target = place.a_hex(place.empty)
        if target is not None:
            yield 1, [replace(event, on=place.field.board.hexes[target])]


@fault("14.0a")
def an_air_unit_stays(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Pointed) and place.event.box == GONE:
        yield 1, []


@fault("14.0a")
def an_air_unit_leaves_too_early(place: Place) -> Iterator[Edit]:
    if place.phase == "supply" and place.ends:
        ready = [marker for marker, box, _ in air_units(place.case) if box == BOX]
        if ready:
            yield 0, [Pointed(ready[0], GONE)]


@fault("14.0b")
def an_air_unit_stays_up(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Pointed) and place.event.face == USED and place.phase != "supply":
        yield 1, []


@fault("3.1h")
def no_recovery(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Pointed) and place.event.face != USED and place.phase == "admin":
        yield 1, []


@fault("12.1a")
def a_second_production_die(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Rolled) and place.event.reason == "production":
        yield 1, [place.event, replace(place.event, values=(1,))]


@fault("12.1a", "13.0b")
def support_without_a_die(place: Place) -> Iterator[Edit]:
    if place.phase == "admin" and place.ends and not produces(place.case):
        unit = place.one([u for u in place.position.units.values() if u.spot == "osm-waiting"])
        target = place.a_hex(lambda h: place.empty(h) and place.away(h, SOVIET) > 4)
        if unit and target is not None:
            yield 0, [Placed(unit.id, place.field.board.hexes[target])]


@fault("12.2")
def a_second_evacuation(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Removed) and place.event.box == "evacuated-factories":
        others = place.units(SOVIET, lambda u: u.has("evacuates") and u.id != place.event.unit)  # type: ignore[attr-defined]
        if others:
            yield 1, [place.event, Removed(others[0].id, "evacuated-factories")]


@fault("11.2.1", "11.1.2")
def a_chit_stays_away_from_the_enemy(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Returned) and event.unit and place.phase == "admin":
        unit = place.position.units[event.unit]
        if unit.on_map and not beside_enemy(place.case, unit) and _stays(place, unit.id):
            yield 1, []


def _stays(place: Place, name: str) -> bool:
    """Not converted or replaced later in the phase."""
    return not any(isinstance(e, Replaced) and name in e.old for e in place.rest_of_phase())


@fault("11.1.2")
def no_chit_beside_the_enemy(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Drawn) and place.phase == "admin" and place.position.decks.get(event.deck):
        yield 1, []


@fault("3.1g", "9.5.1")
def steps_without_replacements(place: Place) -> Iterator[Edit]:
    if place.phase == "admin" and place.ends and place.case.season != "mud":
        hurt = place.units(AXIS, lambda u: u.has("corps") and u.step == 2)
        begun = place.case.phase_start.units
        unit = place.one([u for u in hurt if begun[u.id].on_map and begun[u.id].step == 2])
        if unit:
            yield 0, [StepChanged(unit.id, 2, 1)]


@fault("3.0b")
def a_phase_gone_back_to(place: Place) -> Iterator[Edit]:
    if place.ends and isinstance(place.event, PhaseBegan) and len(place.case.in_phase.events) > 3:
        phases = place.case.sequence.of_turn(place.case.turn)
        if place.phase in phases[1:]:
            earlier = phases[phases.index(place.phase) - 1]
            yield 0, [PhaseBegan(place.case.turn, earlier)]


@fault("3.0a")
def a_declaration_out_of_phase(place: Place) -> Iterator[Edit]:
    if place.phase in ("axis-combat", "sov-combat") and place.begins:
        unit = place.one(place.units(AXIS, lambda u: u.has("supply-base")))
        if unit:
            yield 0, [Declared("expend-base", (unit.id,))]


@fault("3.1j", "9.5.1")
def a_tank_army_becomes_guards(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Replaced) and event.why == "convert":
        unit = place.one(place.units(SOVIET, lambda u: u.has("tank")))
        if unit:
            yield 1, [replace(event, old=(unit.id,), spot=unit.hex)]
