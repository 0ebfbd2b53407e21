"""Faults of mobile assaults (9.22 to 9.28)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from players.faults import Edit
from players.lwe.mutations import Place, fault
from players.lwe.spoil_assaults import able, pausing
from validator.core.board import HexId
from validator.games.lwe.book import FROST, GERMAN, GERMAN_MOVE, MUD, SNOW, SOVIET
from validator.games.lwe.field import printed
from validator.model.events import Attacked, Moved
from validator.model.position import Unit

PRICE = 6


def _plain(place: Place, target: HexId) -> bool:
    """Ground that a mobile assault may enter."""
    board, weather = place.field.board, place.field.weather(target)
    zone = any(u.has("fortified-zone") for u in place.field.units(target))
    held = zone or bool(place.field.intact_lines[target]) or board.has_place(target, "city")
    clear = board.terrain[target] == "clear" or (board.terrain[target] == "marsh" and weather == FROST)
    return clear and not held and weather not in (MUD, SNOW)


def mobile(
    place: Place, wanted: Callable[[Unit], bool], *, plain: bool = True
) -> Iterator[tuple[Unit, HexId]]:
    """Units that have not moved, beside a hex that could be assaulted from theirs."""
    if place.ending(GERMAN_MOVE) and not pausing(place):
        for unit, target in place.faced(GERMAN, wanted):
            dry = "river" not in place.crossed(place.hex_id(unit), target)
            if dry and _plain(place, target) == plain:
                yield unit, target


def _tank(place: Place) -> Callable[[Unit], bool]:
    return lambda u: u.has("leads-assault") and able(place, u) and printed(u, "movement") >= PRICE + 2


@fault("9.22a")
def infantry_makes_a_mobile_assault(place: Place) -> Iterator[Edit]:
    for unit, target in mobile(place, lambda u: able(place, u) and not u.has("armor")):
        yield 0, [place.attack([unit], target, mobile=True)]


@fault("9.22a")
def motorized_infantry_makes_a_mobile_assault_alone(place: Place) -> Iterator[Edit]:
    for unit, target in mobile(place, lambda u: able(place, u) and u.has("joins-assault")):
        yield 0, [place.attack([unit], target, mobile=True)]


@fault("9.24d")
def satellites_make_a_mobile_assault(place: Place) -> Iterator[Edit]:
    if place.turn > 1:
        for unit, target in mobile(place, lambda u: u.has("satellite") and place.fed(u)):
            yield 0, [place.attack([unit], target, mobile=True)]


@fault("9.24a", "9.24b", "10.5c", "10.6b", "10.7d")
def a_mobile_assault_into_hard_ground(place: Place) -> Iterator[Edit]:
    for unit, target in mobile(place, _tank(place), plain=False):
        yield 0, [place.attack([unit], target, mobile=True)]


@fault("9.24c", "9.19e")
def a_mobile_assault_over_a_river(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE) and not pausing(place) and place.turn > 3:
        for unit, target in place.faced(GERMAN, _tank(place)):
            wet = "river" in place.crossed(place.hex_id(unit), target)
            if wet and _plain(place, target) and place.field.weather(target) != FROST:
                yield 0, [place.attack([unit], target, mobile=True)]


@fault("9.23a", "9.19d")
def a_mobile_assault_without_the_points(place: Place) -> Iterator[Edit]:
    """Who marched so far that six points cannot be left."""
    if not place.ending(GERMAN_MOVE) or pausing(place):
        return
    fought = {n for e in place.case.in_phase.events if isinstance(e, Attacked) for n in e.units}
    for event in place.case.in_phase.events:
        if not isinstance(event, Moved) or isinstance(event.start, str) or len(event.units) > 1:
            continue
        unit = place.position.units[event.units[0]]
        start, here = place.field.id(event.start), place.field.id(unit.spot)
        if start is None or here is None or not unit.has("leads-assault") or unit.id in fought:
            continue
        most = 14 if place.turn == 1 else printed(unit, "movement")
        spent = place.field.board.distance(start, here)
        near = [h for h in place.beside(here) if h in place.enemies(GERMAN) and _plain(place, h)]
        if most - spent < PRICE and near and able(place, unit):
            yield 0, [place.attack([unit], near[0], mobile=True)]


@fault("9.23b", "9.23a", "9.27a")
def a_second_mobile_assault(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE) and not pausing(place):
        fought = {n for e in place.case.in_phase.events if isinstance(e, Attacked) for n in e.units}
        for unit in place.any(place.units(GERMAN, lambda u: u.id in fought and u.has("leads-assault"))):
            near = [h for h in place.beside(place.hex_id(unit)) if h in place.enemies(GERMAN)]
            near = [h for h in near if _plain(place, h)]
            if near and place.fed(unit):
                yield 0, [place.attack([unit], near[0], mobile=True)]


@fault("9.26a")
def a_mobile_assault_of_two_stacks(place: Place) -> Iterator[Edit]:
    first: dict[HexId, Unit] = {}
    for unit, target in mobile(place, _tank(place)):
        other = first.setdefault(target, unit)
        if other.spot != unit.spot:
            yield 0, [place.attack([unit, other], target, mobile=True)]


@fault("9.26a", "9.4a")
def a_mobile_assault_from_afar(place: Place) -> Iterator[Edit]:
    for unit, _ in mobile(place, _tank(place)):
        board, here = place.field.board, place.hex_id(unit)
        far = [h for h in place.enemies(GERMAN) if board.distance(here, h) == 2 and _plain(place, h)]
        if far:
            yield 0, [place.attack([unit], place.random.choice(far), mobile=True)]


@fault("7.3d", "9.25a", "7.7b")
def a_mobile_assault_out_of_supply(place: Place) -> Iterator[Edit]:
    for unit, target in mobile(place, lambda u: u.has("leads-assault") and not place.fed(u)):
        yield 0, [place.attack([unit], target, mobile=True)]


@fault("7.5b")
def a_mobile_assault_in_a_pause(place: Place) -> Iterator[Edit]:
    if place.ending(GERMAN_MOVE) and pausing(place):
        for unit, target in place.faced(GERMAN, _tank(place)):
            if _plain(place, target):
                yield 0, [place.attack([unit], target, mobile=True)]


@fault("9.27a")
def a_repulsed_force_moves_on(place: Place) -> Iterator[Edit]:
    """After a mobile assault that left defenders where they were."""
    if not place.ending(GERMAN_MOVE):
        return
    for event in (e for e in place.case.in_phase.events if isinstance(e, Attacked) and e.overrun):
        target = place.field.id(event.targets[0])
        for unit in place.any(place.position.units[name] for name in event.units):
            if target is None or not unit.on_map or not place.field.units(target, SOVIET):
                continue
            here = place.hex_id(unit)
            near = [h for h in place.beside(here) if place.free(h, GERMAN, unit) and place.supply.fed(h)]
            if near and place.field.board.are_adjacent(here, target):
                yield 0, [place.move(unit, place.random.choice(near))]
