"""Faults of the set-up: while the first turn opens, units are put where they do not belong (3.3 to 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from players.faults import Edit
from players.lwe.mutations import Place, fault
from validator.core.board import HexId
from validator.games.lwe.book import GERMAN, SOVIET, TURN_START
from validator.model.events import Placed
from validator.model.position import Unit

RESERVE = "okh-reserve"


def setting_up(place: Place) -> bool:
    return place.ending(TURN_START) and place.turn == 1 and place.case.scenario.id == "campaign"


def _put(place: Place, units: list[Unit], good: Callable[[HexId], bool]) -> Iterator[Edit]:
    """One of some units on land where it may not be: elsewhere in its country, and alone."""
    if not setting_up(place):
        return
    for unit in place.any(units):
        ends = place.hexes(lambda h: place.empty(h) and good(h))
        if ends:
            yield 0, [Placed(unit.id, place.hex(place.random.choice(ends)))]


def _country(place: Place, name: str) -> Callable[[HexId], bool]:
    return lambda h: place.field.ground.country(h) == name


def _coded(place: Place, wanted: Callable[[str], bool]) -> list[Unit]:
    units = place.units(SOVIET, lambda u: not u.has("fortified-zone"))
    return [unit for unit in units if wanted(unit.counter.setup or "")]


@fault("3.4a")
def a_soviet_unit_set_up_in_another_hex(place: Place) -> Iterator[Edit]:
    printed = _coded(place, lambda code: code[:4].isdigit())
    codes = {label for unit in printed for label in (unit.counter.setup or "").split()}
    home = _country(place, "soviet-union")
    yield from _put(place, printed, lambda h: home(h) and place.label(h) not in codes)


@fault("3.4b")
def a_soviet_unit_set_up_outside_its_army(place: Place) -> Iterator[Edit]:
    """In the column where the map ends."""
    armies = _coded(place, lambda code: code.endswith("A"))
    yield from _put(place, armies, lambda h: place.label(h) > "4700")


@fault("3.4c")
def a_unit_of_the_pool_is_set_up(place: Place) -> Iterator[Edit]:
    yield from _put(place, place.boxed("replacement-pool"), _country(place, "soviet-union"))


@fault("3.4d")
def a_fortified_zone_set_up_elsewhere(place: Place) -> Iterator[Edit]:
    zones = place.units(SOVIET, lambda u: u.has("fortified-zone"))
    yield from _put(place, zones, _country(place, "soviet-union"))


@fault("3.4e", "3.5a")
def a_reinforcement_is_set_up(place: Place) -> Iterator[Edit]:
    names = {name for arrival in place.case.scenario.reinforcements for name in arrival.units}
    units = [unit for name, unit in place.position.units.items() if name in names]
    odd = ("guards", "coastal-army", "naval-infantry", "satellite")
    plain = [unit for unit in units if not any(unit.has(trait) for trait in odd)]
    yield from _put(place, [u for u in plain if u.side == SOVIET], _country(place, "soviet-union"))
    yield from _put(place, [u for u in plain if u.side == GERMAN], _country(place, "greater-germany"))


@fault("3.5a")
def a_german_unit_set_up_abroad(place: Place) -> Iterator[Edit]:
    home = place.units(GERMAN, lambda u: u.counter.setup != "R" and not u.has("satellite"))
    yield from _put(place, home, _country(place, "romania"))
    yield from _put(place, place.units(GERMAN), _country(place, "soviet-union"))


@fault("3.5b")
def romania_held_in_reserve(place: Place) -> Iterator[Edit]:
    if setting_up(place):
        for unit in place.any(place.units(GERMAN, lambda u: u.counter.setup == "R" or u.has("satellite"))):
            yield 0, [Placed(unit.id, RESERVE)]
