"""Faults of who assaults whom in prepared assaults, and with what support."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from players.faults import Edit
from players.lwe.mutations import CONCENTRATION, STRAITS, WATER, Place, fault
from players.lwe.spoil_turns import passed
from validator.core.board import HexId
from validator.games.lwe.book import (
    ASSAULTING,
    ENEMY,
    GERMAN,
    GERMAN_MOVE,
    GERMAN_PA,
    SNOW,
    SOVIET,
)
from validator.games.lwe.field import printed
from validator.model.events import Attacked, Declared, Event, Moved, PhaseBegan, ResultNamed, Rolled
from validator.model.position import Position, Unit

ROMANIA = "romania"


def able(place: Place, unit: Unit) -> bool:
    """Who may assault, as far as unit and supply go."""
    if unit.has("never-attacks") or "refit" in unit.marks or unit.has("artillery-command"):
        return False
    german = unit.side == GERMAN
    held = german and any(CONCENTRATION in u.marks for u in place.units(GERMAN))
    rested = not (german and unit.id in place.arrived())
    frozen = place.turn == 1 and german and place.field.ground.country(place.hex_id(unit)) == ROMANIA
    return (
        rested
        and not frozen
        and not unit.has("satellite")
        and (not german or (place.fed(unit) and (not held or CONCENTRATION in unit.marks)))
    )


def pausing(place: Place) -> bool:
    return place.course.pausing(place.turn)


def prepared(place: Place, wanted: Callable[[Unit], bool]) -> Iterator[tuple[Unit, HexId]]:
    """Attacks that could still be made as a phase of prepared assaults ends."""
    side = place.attacker()
    if side is not None and not (side == GERMAN and pausing(place)):
        yield from place.faced(side, wanted)


# --- prepared assaults (11.1 to 11.5) -----------------------------------------------------------------


def declared(place: Place) -> Attacked | None:
    event = place.event
    return event if isinstance(event, Attacked) and not event.overrun else None


@fault("11.1a")
def an_attack_from_afar(place: Place) -> Iterator[Edit]:
    event, side = declared(place), ASSAULTING.get(place.phase)
    if event is None or side is None:
        return
    target, board, done = place.field.id(event.targets[0]), place.field.board, place.gone()
    if target is None:
        return
    for unit in place.any(place.units(side, lambda u: printed(u, "attack") > 0 and u.id not in done)):
        if board.distance(place.hex_id(unit), target) == 2 and able(place, unit):
            yield 1, [_joined(event, unit)]


def _joined(event: Attacked, unit: Unit) -> Attacked:
    return Attacked(
        event.battle, (*event.units, unit.id), event.targets, support=event.support, column=event.column
    )


@fault("11.4a")
def a_unit_attacks_twice(place: Place) -> Iterator[Edit]:
    event = declared(place)
    if event is None:
        return
    target, board = place.field.id(event.targets[0]), place.field.board
    fought = [e for e in place.case.in_phase.events if isinstance(e, Attacked) and not e.overrun]
    names = {name for e in fought for name in e.units} - set(event.units)
    for unit in place.any(place.position.units[name] for name in names):
        if not unit.on_map or target is None or not able(place, unit):
            continue
        here = place.hex_id(unit)
        if board.are_adjacent(here, target) and not place.crossed(here, target) & {*WATER, *STRAITS}:
            yield 1, [_joined(event, unit)]


@fault("11.1c")
def the_other_side_attacks(place: Place) -> Iterator[Edit]:
    side = place.attacker()
    if side:
        for unit, target in place.faced(ENEMY[side], lambda u: not u.has("never-attacks")):
            yield 0, [place.attack([unit], target)]


@fault("11.1a")
def a_prepared_assault_in_another_phase(place: Place) -> Iterator[Edit]:
    sides = {GERMAN_MOVE: GERMAN, "soviet-move": SOVIET}
    side = sides.get(place.phase)
    if side and place.ends and not (side == GERMAN and pausing(place)):
        for unit, target in place.faced(side, lambda u: able(place, u)):
            yield 0, [place.attack([unit], target)]


@fault("11.1a")
def an_attack_on_nobody(place: Place) -> Iterator[Edit]:
    side = place.attacker()
    if side and not (side == GERMAN and pausing(place)):
        done = place.gone()
        for unit in place.any(place.units(side, lambda u: printed(u, "attack") > 0 and u.id not in done)):
            near = [h for h in place.beside(place.hex_id(unit)) if place.empty(h)]
            if near and able(place, unit):
                yield 0, [place.attack([unit], place.random.choice(near))]


@fault("11.3a")
def one_attack_on_two_hexes(place: Place) -> Iterator[Edit]:
    seen: dict[str, HexId] = {}
    for unit, target in prepared(place, lambda u: able(place, u)):
        if unit.id in seen and seen[unit.id] != target:
            yield 0, [place.attack([unit], seen[unit.id], target)]
        seen[unit.id] = target


@fault("11.18a")
def an_attack_over_water(place: Place) -> Iterator[Edit]:
    side = place.attacker()
    if (
        side is None
        or (side == GERMAN and pausing(place))
        or SNOW in (place.course.north, place.course.south)
    ):
        return
    enemies, board, done = place.enemies(side), place.field.board, place.gone()
    for unit in place.any(place.units(side, lambda u: printed(u, "attack") > 0 and u.id not in done)):
        here = place.hex_id(unit)
        over = [h for h in board.adjacent[here] if h in enemies and place.crossed(here, h) & WATER]
        if over and able(place, unit):
            yield 0, [place.attack([unit], over[0])]


@fault("7.7a", "7.6d")
def an_attack_out_of_supply(place: Place) -> Iterator[Edit]:
    if place.attacker() == GERMAN:
        for unit, target in prepared(place, lambda u: not u.has("satellite") and not place.fed(u)):
            yield 0, [place.attack([unit], target)]


@fault("11.38a")
def two_nations_of_satellites_attack(place: Place) -> Iterator[Edit]:
    if place.attacker() != GERMAN or place.turn == 1:
        return
    first: dict[HexId, Unit] = {}
    for unit, target in prepared(place, lambda u: u.has("satellite") and place.fed(u)):
        other = first.setdefault(target, unit)
        if other.nationality != unit.nationality:
            yield 0, [place.attack([unit, other], target)]


@fault("9.31b")
def satellites_attack_in_the_north(place: Place) -> Iterator[Edit]:
    if place.attacker() == GERMAN and place.turn > 1:
        south = place.south()
        for unit, target in prepared(place, lambda u: u.has("satellite") and place.fed(u)):
            if target not in south:
                yield 0, [place.attack([unit], target)]


@fault("5.4a")
def an_attack_out_of_romania_in_turn_1(place: Place) -> Iterator[Edit]:
    if place.turn == 1 and place.attacker() == GERMAN:
        ground = place.field.ground
        for unit, target in prepared(place, lambda u: ground.country(place.hex_id(u)) == ROMANIA):
            yield 0, [place.attack([unit], target)]


@fault("5.4b")
def a_soviet_attack_on_romania_in_turn_1(place: Place) -> Iterator[Edit]:
    if place.turn == 1 and place.attacker() == SOVIET:
        for unit, target in prepared(place, lambda u: able(place, u)):
            if place.field.ground.country(target) == ROMANIA:
                yield 0, [place.attack([unit], target)]


@fault("7.5b")
def an_attack_in_a_pause(place: Place) -> Iterator[Edit]:
    if place.attacker() == GERMAN and pausing(place):
        for unit, target in place.faced(GERMAN, lambda u: able(place, u)):
            if not any(u.has("fortified-zone") for u in place.field.units(target)):
                yield 0, [place.attack([unit], target)]


@fault("7.6c")
def an_unmarked_unit_attacks_beside_a_concentration(place: Place) -> Iterator[Edit]:
    if place.attacker() == GERMAN and any(CONCENTRATION in u.marks for u in place.units(GERMAN)):
        bare = prepared(place, lambda u: CONCENTRATION not in u.marks and place.fed(u))
        for unit, target in bare:
            if not unit.has("satellite") and unit.id not in place.arrived():
                yield 0, [place.attack([unit], target)]


@fault("8.11c")
def a_refitting_unit_attacks(place: Place) -> Iterator[Edit]:
    if place.attacker() == GERMAN:
        for unit, target in prepared(place, lambda u: "refit" in u.marks):
            yield 0, [place.attack([unit], target)]


@fault("11.26a")
def artillery_attacks_alone(place: Place) -> Iterator[Edit]:
    if place.attacker() == GERMAN:
        for unit in place.units(GERMAN, lambda u: u.has("artillery-command")):
            here, enemies = place.hex_id(unit), place.enemies(GERMAN)
            near = [h for h in place.beside(here) if h in enemies]
            if near and len(place.field.units(here)) == 1 and unit.id not in place.gone():
                yield 0, [place.attack([unit], near[0])]


@fault("5.3a")
def prepared_assaults_before_and_after_movement(place: Place) -> Iterator[Edit]:
    """A turn that fought first fights again after movement."""
    fought = any(isinstance(e, Attacked) and not e.overrun for e in place.case.in_turn.events)
    if place.ending(GERMAN_MOVE) and fought and not pausing(place):
        for unit, target in place.faced(GERMAN, lambda u: able(place, u)):
            yield 0, [PhaseBegan(place.turn, GERMAN_PA), place.attack([unit], target)]


# --- the aircraft (11.25) -------------------------------------------------------------------------------


def _flies(place: Place, event: Attacked) -> Edit:
    return 1, [Attacked(event.battle, event.units, event.targets, event.overrun, ("aircraft",), event.column)]


@fault("11.25a")
def the_aircraft_in_turn_1(place: Place) -> Iterator[Edit]:
    if place.turn == 1 and isinstance(place.event, Attacked):
        yield _flies(place, place.event)


@fault("11.25a")
def the_aircraft_flies_twice(place: Place) -> Iterator[Edit]:
    known = (e for e in place.case.in_turn.events if isinstance(e, Attacked))
    if isinstance(place.event, Attacked) and any(e.support for e in known):
        yield _flies(place, place.event)


@fault("8.12d")
def the_aircraft_in_turn_22(place: Place) -> Iterator[Edit]:
    if place.turn == 22 and isinstance(place.event, Attacked):
        yield _flies(place, place.event)


# --- mandatory attacks (5.6) -----------------------------------------------------------------------------


@fault("5.6a", "11.1b")
def a_mandatory_attack_left_out(place: Place) -> Iterator[Edit]:
    """A battle that changed nothing is not fought, by units that had to attack."""
    event = place.event
    if not isinstance(event, Attacked) or place.phase != "soviet-pa" or not place.course.dd3:
        return
    deeds: list[Event] = []
    for following in place.events[place.at :]:
        if deeds and not isinstance(following, Rolled | ResultNamed | Declared):
            break
        deeds.append(following)
    quiet = isinstance(following, Attacked | PhaseBegan)
    if quiet and any(_bound(place, place.position.units[name]) for name in event.units):
        yield len(deeds), []


@fault("5.6a", "11.1b")
def mandatory_attacks_passed_over(place: Place) -> Iterator[Edit]:
    """The whole phase of Soviet assaults is left out."""
    deeds = passed(place, "soviet-pa")
    attacks = (e for e in deeds if isinstance(e, Attacked))
    units = [place.position.units[name] for e in attacks for name in e.units]
    if place.course.dd3 and any(_forced(place, unit, place.position) for unit in units):
        yield len(deeds), []


def _bound(place: Place, unit: Unit) -> bool:
    """Whether it had to attack, and nobody drove off those it could have attacked."""
    near = _forced(place, unit, place.case.phase_start)
    left = [e for e in place.rest_of_phase() if isinstance(e, Moved) and e.mode == "retreat"]
    emptied = {place.field.id(e.start) for e in left}
    return bool(near) and all(place.field.units(h, GERMAN) and h not in emptied for h in near)


def _forced(place: Place, unit: Unit, before: Position) -> list[HexId]:
    """The hexes it must attack one of, as it began the phase beside the enemy under no shelter (5.6)."""
    spot = before.units[unit.id].spot
    here = place.field.id(spot)
    if here is None or unit.has("never-attacks") or printed(unit, "attack") == 0:
        return []
    company = before.at(place.hex(here))
    sheltered = any(u.has("fortified-zone") or u.has("naval-infantry") for u in company)
    if sheltered or place.field.intact_lines[here] or place.field.board.has_place(here, "city"):
        return []
    near = [h for h in place.beside(here) if any(u.side == GERMAN for u in before.at(place.hex(h)))]
    return [h for h in near if place.turn > 1 or place.field.ground.country(h) != ROMANIA]
