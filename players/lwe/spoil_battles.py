"""Faults in working out a battle: odds, dice, result, and what the dice for supply and artillery say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from fieldpost.definition.model import Game
from players.faults import Edit
from players.lwe import odds
from players.lwe.mutations import Place, fault
from validator.core.board import HexId
from validator.games.lwe.book import COMMAND_ROLL, GERMAN, SUPPLY_ROLL
from validator.games.lwe.field import Field
from validator.games.lwe.state import Case
from validator.model.events import Attacked, Event, Removed, ResultNamed, Rolled
from validator.model.position import Unit

RESULTS = ("AS", "AL1", "DR", "DE", "BB")
FIGHT = ("combat", "overrun")
GROUND = tuple(f"11.{n}a" for n in (13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 27))
OF_ODDS = (
    *GROUND,
    *("1.3a", "1.3b", "2.10a", "5.3c", "5.4c", "7.4a", "7.4b", "7.4c", "9.24e", "9.30a", "9.30b"),
    *("11.2a", "11.8a", "11.9a", "11.11a", "11.12a", "11.22c", "11.22d", "11.23b", "11.23c", "11.24b"),
    *("11.25b", "11.26b", "11.27b", "11.27c", "11.28b", "11.34a", "11.38b"),
)
OF_RESULT = (*OF_ODDS, "11.10a", "11.22b", "11.24d", "11.28a", "11.39a")


@dataclass(frozen=True)
class Seat:
    """A place in a game as the players see it who work out odds."""

    case: Case
    field: Field

    @property
    def game(self) -> Game:
        return self.case.game

    def at(self, unit: Unit) -> HexId:
        found = self.field.id(unit.spot)
        assert found is not None
        return found


def this_battle(place: Place) -> list[Event]:
    """The events of the phase since the last assault was declared, that one first."""
    events: list[Event] = place.case.in_phase.events
    last = max((i for i, e in enumerate(events) if isinstance(e, Attacked)), default=len(events))
    return events[last:]


def assault(place: Place) -> Attacked | None:
    """The battle that is being fought."""
    events = this_battle(place)
    return events[0] if events and isinstance(events[0], Attacked) else None


def between(place: Place) -> Attacked | None:
    """The battle that is over with this event."""
    return assault(place) if place.ends or isinstance(place.event, Attacked) else None


def named(place: Place, battle: int) -> str | None:
    """The result as it was named."""
    found = [
        e.result for e in place.case.in_phase.events if isinstance(e, ResultNamed) and e.battle == battle
    ]
    return found[-1] if found else None


def rolls(place: Place, battle: int, *reasons: str) -> list[Rolled]:
    events = (e for e in place.case.in_phase.events if isinstance(e, Rolled))
    return [e for e in events if e.battle == battle and e.reason in reasons]


# --- odds and results (11.8 to 11.28) ------------------------------------------------------------------


def _announced(place: Place, better: int) -> Iterator[Edit]:
    """Odds that nobody could work out: two beyond the best or worst of before and after shifts and supply."""
    event = place.event
    if not isinstance(event, Attacked) or event.column is None:
        return
    units = [place.position.units[name] for name in event.units]
    target = place.field.id(event.targets[0])
    if target is None or any(unit.has("artillery-command") for unit in units):
        return
    seat: Any = Seat(place.case, place.field)
    found = odds.work_out(seat, units, target, mobile=event.overrun, air=bool(event.support))
    ends = (found.base, found.shifted, found.shifted - 3)
    wrong = max(ends) + 2 if better > 0 else min(ends) - 2
    if min(ends) >= odds.LOWEST and max(ends) <= odds.HIGHEST:  # beyond an end all odds are alike
        yield 1, [replace(event, column=odds.label(wrong))]


@fault(*OF_ODDS)
def odds_too_good(place: Place) -> Iterator[Edit]:
    yield from _announced(place, 1)


@fault(*OF_ODDS)
def odds_too_poor(place: Place) -> Iterator[Edit]:
    yield from _announced(place, -1)


@fault(*OF_RESULT)
def a_result_misread(place: Place) -> Iterator[Edit]:
    event, battle = place.event, assault(place)
    if not isinstance(event, ResultNamed) or battle is None:
        return
    also = {event.result}
    target = place.field.id(battle.targets[0])
    if target is not None and place.field.board.has_place(target, "city", "large-town"):
        also |= {"AS", "DR", "AL1"}  # what the ground makes of a result, and what it was
    if event.result in ("DR", "DL1"):
        also |= {"DR", "DL1"}
    yield 1, [replace(event, result=place.random.choice([r for r in RESULTS if r not in also]))]


@fault("11.28a")
def a_second_die(place: Place) -> Iterator[Edit]:
    battle = assault(place)
    if battle and rolls(place, battle.battle, *FIGHT) and isinstance(place.events[place.at - 1], Rolled):
        yield 0, [Rolled((place.random.randint(1, 6),), 6, "combat", None, battle.battle)]


@fault("11.10a", "11.28a", "11.28b")
def a_die_where_none_is_due(place: Place) -> Iterator[Edit]:
    """Beyond the ends of the table nothing is rolled; here the table's last column is read by a die."""
    event, battle = place.event, assault(place)
    if not isinstance(event, ResultNamed) or battle is None or rolls(place, battle.battle, *FIGHT):
        return
    target = place.field.id(battle.targets[0])
    plain = target is not None and not place.field.board.has_place(target, "city", "large-town")
    read = {"DE": (1, "DR"), "AL1": (6, "AS")}.get(event.result)
    if plain and read:
        die, result = read
        yield 1, [Rolled((die,), 6, "combat", None, battle.battle), replace(event, result=result)]


@fault("11.28a", "2.1a")
def two_dice_for_one(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason in FIGHT:
        yield 1, [replace(event, values=(*event.values, place.random.randint(1, 6)))]


@fault("11.28a", "2.1a")
def a_die_of_ten_sides(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason in FIGHT:
        yield 1, [replace(event, sides=10)]


# --- attenuated supply (7.4), artillery (11.26), the aircraft (11.25) ----------------------------------


@fault("7.4a", "7.4c", "7.5d", "7.5e")
def no_die_for_attenuated_supply(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason == SUPPLY_ROLL:
        yield 1, []


@fault("7.4a")
def a_second_die_for_attenuated_supply(place: Place) -> Iterator[Edit]:
    last = place.events[place.at - 1]
    if isinstance(last, Rolled) and last.reason == SUPPLY_ROLL:
        yield 0, [replace(last, values=(place.random.randint(1, 6),))]


@fault("7.4a", "7.4c", "7.5d", "7.5e")
def the_die_for_supply_after_that_of_battle(place: Place) -> Iterator[Edit]:
    event, following = place.event, place.events[place.at + 1 : place.at + 2]
    due = isinstance(event, Rolled) and event.reason == SUPPLY_ROLL
    for die in following if due else ():
        if isinstance(die, Rolled) and die.reason in FIGHT:
            yield 2, [die, event]


@fault("11.26b")
def two_dice_for_the_artillery(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Rolled) and event.reason == COMMAND_ROLL:
        yield 1, [replace(event, values=event.values[:2])]


@fault("11.26b")
def the_artillery_rolls_again(place: Place) -> Iterator[Edit]:
    last = place.events[place.at - 1]
    if isinstance(last, Rolled) and last.reason == COMMAND_ROLL:
        yield 0, [replace(last, values=(6, 6, 6))]


@fault("11.25b")
def the_aircraft_is_lost(place: Place) -> Iterator[Edit]:
    battle = between(place)
    if battle and battle.support and place.position.units["VIIIFK"].spot is not None:
        yield 0, [Removed("VIIIFK", f"{GERMAN}-eliminated", battle.battle)]
