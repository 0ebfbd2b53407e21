"""Faults put into games that are refereed by their data, each with the rule of the example it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players import faults
from players.faults import Edit
from validator.core.board import HexId
from validator.model.events import Attacked, Declared, Event, Moved, Placed, Removed, ResultNamed, Rolled
from validator.model.position import Unit
from validator.standard.arrivals import schedule
from validator.standard.field import Field, factor, field_of
from validator.standard.sequence import ATTACK, MOVE, arrival_phases, phases_with
from validator.standard.state import Battle


class Place(faults.Place[Field]):
    @property
    def field(self) -> Field:
        return field_of(self.case)

    @property
    def mover(self) -> str | None:
        """The side whose movement is about to end."""
        if self.phase not in phases_with(self.case.game, MOVE) or not self.ends:
            return None
        return self.case.sequence.phase(self.phase).active

    @property
    def opponent(self) -> str | None:
        return next((s.id for s in self.case.game.sides if s.id != self.mover), None) if self.mover else None

    def fresh(self, side: str | None) -> list[Unit]:
        trips = self.case.in_phase.trips
        return self.units(side, lambda unit: unit.id not in trips) if side else []

    def move(self, unit: Unit, *way: HexId, mode: str = "") -> Moved:
        hexes = self.field.hexes((self.hex_id(unit), *way))
        return Moved((unit.id,), tuple(hexes), mode)

    def beside(self, unit: Unit) -> list[HexId]:
        return [h for h in self.field.board.adjacent[self.hex_id(unit)] if self.empty(h)]

    @property
    def battles(self) -> list[Battle]:
        known: list[Battle] = self.case.in_phase.battles
        return known


FAULTS = faults.Faults("ferry", Place)
fault = FAULTS.fault


# --- movement ---------------------------------------------------------------------------------------------


@fault("2.1")
def the_other_side_moves(place: Place) -> Iterator[Edit]:
    unit = place.one(place.units(place.opponent)) if place.opponent else None
    if unit and place.beside(unit):
        yield 0, [place.move(unit, place.random.choice(place.beside(unit)))]


@fault("2.1")
def a_move_in_the_combat_phase(place: Place) -> Iterator[Edit]:
    if place.ends and place.phase in phases_with(place.case.game, ATTACK):
        unit = place.one(place.units(place.case.sequence.phase(place.phase).active))
        if unit and place.beside(unit):
            yield 0, [place.move(unit, place.random.choice(place.beside(unit)))]


@fault("4.1", "4.2", "4.4", "6.1")
def a_march_too_far(place: Place) -> Iterator[Edit]:
    unit = place.one(place.fresh(place.mover))
    if unit:
        points, board = factor(unit, "movement") or 0, place.field.board
        start = place.hex_id(unit)
        far = place.hexes(lambda h: board.distance(start, h) > 2 * points and place.empty(h))
        if far:
            yield 0, [place.move(unit, place.random.choice(far))]


@fault("4.1", "6.1")
def a_march_into_the_enemy(place: Place) -> Iterator[Edit]:
    unit = place.one(place.fresh(place.mover))
    if unit:
        enemies = place.field.enemies(unit.side)
        near = [h for h in place.field.board.adjacent[place.hex_id(unit)] if enemies[h]]
        if near:
            yield 0, [place.move(unit, near[0])]


@fault("4.2")
def a_march_on_through_a_zone(place: Place) -> Iterator[Edit]:
    for unit in place.fresh(place.mover):
        zone, start = place.field.enemy_zones(unit.side), place.hex_id(unit)
        for a in place.beside(unit):
            onward = [b for b in place.field.board.adjacent[a] if b != start and place.empty(b)]
            wide = (factor(unit, "movement") or 0) >= 7  # enough for any two hexes but across water
            if zone[a] and wide and onward and not zone[start]:
                yield 0, [place.move(unit, a, onward[0])]
                return


@fault("4.3")
def too_many_in_a_hex(place: Place) -> Iterator[Edit]:
    if place.mover is None:
        return
    for hex_id, unit in place.field.of_side(place.mover):
        there = [u for u in place.field.units(hex_id) if u.type.stacking == 1]
        joiners = [u for u in place.fresh(place.mover) if u.type.stacking == 1 and u not in there]
        beside = [u for u in joiners if place.field.board.are_adjacent(place.hex_id(u), hex_id)]
        if len(there) == 2 and beside and unit in there:
            yield 0, [place.move(beside[0], hex_id)]
            return


@fault("2.1")
def a_move_from_elsewhere(place: Place) -> Iterator[Edit]:
    unit = place.one(place.fresh(place.mover))
    if unit:
        other = place.pick([h for h in place.hexes(place.empty) if h != place.hex_id(unit)])
        if other is not None:
            moved = place.move(unit, place.hex_id(unit))
            yield 0, [replace(moved, path=(place.field.board.hexes[other], unit.hex))]


# --- arrivals ---------------------------------------------------------------------------------------------


@fault("6.2")
def a_reinforcement_too_early(place: Place) -> Iterator[Edit]:
    yield from _arrival(place, early=True)


@fault("6.2")
def a_reinforcement_elsewhere(place: Place) -> Iterator[Edit]:
    yield from _arrival(place, early=False)


def _arrival(place: Place, *, early: bool) -> Iterator[Edit]:
    for name, due in schedule(place.case).items():
        waits = place.position.units[name].spot is None and name not in place.case.in_game.began
        now = place.phase in arrival_phases(place.case.game, due.side) and place.ends
        if waits and now and (due.turn > place.case.turn) == early:
            label = due.where[0] if early else "0706"
            hex_id = place.field.board.id(label)
            if place.empty(hex_id):
                yield 0, [Placed(name, place.field.board.hexes[hex_id])]


@fault("2.1")
def a_unit_taken_off(place: Place) -> Iterator[Edit]:
    unit = place.one(place.units(place.mover)) if place.mover else None
    if unit:
        yield 0, [Removed(unit.id)]


# --- combat -----------------------------------------------------------------------------------------------


@fault("2.2")
def an_attack_from_afar(place: Place) -> Iterator[Edit]:
    if place.ends and place.phase in phases_with(place.case.game, ATTACK):
        side = place.case.sequence.phase(place.phase).active
        enemies = place.field.board.members(place.field.enemies(side))
        units = [u for u in place.units(side) if "attack" in u.type.factors]
        unit = place.one(units)
        if unit:
            far = [h for h in enemies if place.field.board.distance(place.hex_id(unit), h) > 1]
            if far:
                yield 0, [Attacked(99, (unit.id,), (place.field.board.hexes[far[0]],))]


@fault("2.2")
def a_second_attack(place: Place) -> Iterator[Edit]:
    if place.ends and place.battles:
        battle = place.battles[-1]
        attackers = [n for n in battle.attacker.steps if place.position.units[n].on_map]
        enemies = place.field.enemies(battle.attacker.side)
        if attackers and enemies[battle.targets[0]]:
            yield 0, [Attacked(99, (attackers[0],), tuple(place.field.hexes(battle.targets)))]


@fault("2.2")
def a_second_die(place: Place) -> Iterator[Edit]:
    if place.ends and place.battles:
        yield 0, [Rolled((3,), 6, "combat", None, place.battles[-1].number)]


@fault("2.2")
def another_result(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, ResultNamed) and place.event.result != "DE":
        yield 1, [replace(place.event, result="DE")]


@fault("2.2")
def other_odds(place: Place) -> Iterator[Edit]:
    """The column is announced that is two away from any this attack can be at."""
    event = place.event
    if isinstance(event, Attacked):
        attack = sum(factor(place.position.units[n], "attack") or 0 for n in event.units)
        there = place.position.at(event.targets[0])
        defense = sum(factor(unit, "defense") or 0 for unit in there)
        yield 1, [replace(event, column="1:2" if attack >= 6 * defense else "4:1")]


@fault("2.2", "5.2")
def a_loss_forgotten(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Removed):
        name = place.event.unit
        own = [event for event in place.rest_of_phase() if _names(event, name)]
        if len(own) == 1:
            yield 1, []


def _names(event: Event, name: str) -> bool:
    return name in getattr(event, "units", ()) or getattr(event, "unit", None) == name


@fault("2.2")
def a_step_lost_for_nothing(place: Place) -> Iterator[Edit]:
    if place.ends and place.battles:
        for battle in place.battles:
            for party in battle.parties:
                alive = [n for n in party.steps if place.position.units[n].on_map]
                if battle.part(party).points == 0 and not party.excused and len(alive) > 1:
                    yield 0, [Removed(alive[0], None, battle.number)]
                    return


@fault("5.2")
def a_retreat_into_the_enemy(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "retreat":
        unit = place.position.units[event.units[0]]
        enemies = place.field.board.members(place.field.enemies(unit.side))
        near = [h for h in enemies if place.field.board.distance(place.hex_id(unit), h) <= 2]
        if near:
            yield 1, [replace(event, path=(unit.hex, place.field.board.hexes[near[0]]), dragged=True)]


@fault("5.2")
def a_retreat_cut_short(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "retreat" and len(event.path) == 3:
        yield 1, [replace(event, path=event.path[:2])]


@fault("5.3")
def an_advance_elsewhere(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "advance":
        unit = place.position.units[event.units[0]]
        others = [h for h in place.beside(unit) if place.field.board.hexes[h] != event.end]
        if others:
            yield 1, [replace(event, path=(unit.hex, place.field.board.hexes[others[0]]))]


# --- the end ----------------------------------------------------------------------------------------------


@fault("7.1")
def points_miscounted(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Declared) and event.value.lstrip("-").isdigit():
        yield 1, [replace(event, value=str(int(event.value) + 1))]


@fault("7.1")
def another_winner(place: Place) -> Iterator[Edit]:
    event, victory = place.event, place.case.scenario.victory
    if isinstance(event, Declared) and victory is not None and event.what == "victory":
        others = [band.result for band in victory.bands if band.result != event.value]
        yield 1, [replace(event, value=others[0])]
