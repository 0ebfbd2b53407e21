"""Where everything stands. `apply` does what an event says and never refuses: judging is the referee's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol, Self, TypeVar

from fieldpost.definition.model import Counter, Game, Scenario, UnitType
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event, Spot

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Unit:
    """A counter in play; its position changes it. `marks` are the markers it carries, and their faces."""

    counter: Counter
    type: UnitType
    side: str
    nationality: str
    traits: frozenset[str]  # of its type and of the counter
    spot: Spot | None = None
    step: int = 1
    marks: dict[str, int] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.counter.id

    @property
    def on_map(self) -> bool:
        return isinstance(self.spot, Hex)

    @property
    def hex(self) -> Hex:
        if not isinstance(self.spot, Hex):
            raise LookupError(f"{self.id} is not on the map")
        return self.spot

    def has(self, trait: str) -> bool:
        return trait in self.traits

    def copy(self) -> Unit:
        marks = dict(self.marks)
        return Unit(
            self.counter, self.type, self.side, self.nationality, self.traits, self.spot, self.step, marks
        )


def having(units: Iterable[Unit], *traits: str) -> list[Unit]:
    """Those of the units that have one of the traits."""
    return [unit for unit in units if any(map(unit.has, traits))]


def lacking(units: Iterable[Unit], *traits: str) -> list[Unit]:
    """Those of the units that have none of the traits."""
    return [unit for unit in units if not any(map(unit.has, traits))]


def of_side(units: Iterable[Unit], side: str) -> list[Unit]:
    """Those of the units that belong to a side."""
    return [unit for unit in units if unit.side == side]


def on_map(units: Iterable[Unit]) -> list[Unit]:
    """Those of the units that stand on the map."""
    return [unit for unit in units if unit.on_map]


def carrying(units: Iterable[Unit], marker: str) -> list[Unit]:
    """Those of the units that carry a marker."""
    return [unit for unit in units if marker in unit.marks]


def any_has(units: Iterable[Unit], *traits: str) -> bool:
    return bool(having(units, *traits))


def all_have(units: Iterable[Unit], trait: str) -> bool:
    return all(unit.has(trait) for unit in units)


def names_of(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(unit.id for unit in units)


def kept_at(store: dict[Any, Any], key: object, state: object, make: Callable[[], T]) -> T:
    """What a store keeps while a state lasts: made anew when the state is another."""
    kept = store.get(key)
    if kept is None or kept[0] != state:
        kept = store[key] = (state, make())
    value: T = kept[1]
    return value


class Watcher(Protocol):
    """What is kept up to date with a position."""

    def moved(self, unit: Unit, old: Spot | None, new: Spot | None) -> None: ...

    def copy(self) -> Self: ...


class Position:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.turn = 0
        self.phase = ""
        self.units: dict[str, Unit] = {counter.id: _unit(game, counter) for counter in game.counters}
        self.marks: dict[Hex, dict[str, int]] = {}
        self.pointers: dict[str, tuple[str, int]] = {}  # the box each marker beside the map lies in, its face
        self.stated: frozenset[str] = frozenset()  # those of them that a turn sheet states
        self.spread: dict[str, frozenset[str]] = {}  # the boxes that markers of several copies were set into
        self.control: dict[Hex, str] = {}
        self.decks: dict[str, list[str]] = {deck.id: [] for deck in game.decks}
        self.due: dict[Spot, tuple[str, ...]] = {}  # by space of the turn track, what a scenario has there
        self.partial = False  # read where a log begins in mid-game: who holds which hex is not known
        self.version = 0  # grows with every change, so that what was worked out can be kept
        self.place_version = 0  # grows whenever a unit comes or goes
        self.held_changes: list[Hex] = []  # hexes whose holder may have changed, one after the other
        self.marks_version = 0  # grows whenever units may carry other markers
        self.kept: dict[object, tuple[int, Any]] = {}  # what `keep` keeps
        self.watchers: dict[object, Watcher] = {}  # told of every unit that comes or goes
        self._at: dict[Spot, tuple[str, ...]] = {}
        self._still: dict[str, Unit] = {}  # units as the last snapshot has them
        self._changed = set(self.units)  # those that have changed since

    def at(self, spot: Spot) -> list[Unit]:
        """The units in a hex or box, in the order they came."""
        return [self.units[name] for name in self._at.get(spot, ())]

    def waiting(self, spot: Spot) -> list[Unit]:
        """And those that a scenario has on a space of the turn track, while nothing has moved them."""
        due = (self.units[name] for name in self.due.get(spot, ()))
        return [*self.at(spot), *(unit for unit in due if unit.spot is None)]

    def on_map(self, side: str | None = None) -> Iterator[Unit]:
        for _, names in self.stacks():
            for name in names:
                unit = self.units[name]
                if side is None or unit.side == side:
                    yield unit

    def stacks(self) -> Iterator[tuple[Hex, tuple[str, ...]]]:
        """The hexes of the map where units stand, and which."""
        return ((spot, names) for spot, names in self._at.items() if names and isinstance(spot, Hex))

    def occupied(self) -> Iterator[Hex]:
        return (hex_ for hex_, _ in self.stacks())

    def copy(self) -> Position:
        """An independent copy; the definition is shared."""
        return self._with_units({name: unit.copy() for name, unit in self.units.items()})

    def snapshot(self) -> Position:
        """As it is now, to ask of and not to change: units that stay as they are belong to all snapshots."""
        self._still.update({name: self.units[name].copy() for name in self._changed})
        self._changed.clear()
        return self._with_units(dict(self._still))

    def _with_units(self, units: dict[str, Unit]) -> Position:
        twin = copy(self)
        twin.watchers = {key: watcher.copy() for key, watcher in self.watchers.items()}
        twin.kept, twin.units = {}, units
        twin._still, twin._changed = {}, set(units)
        twin.marks = {hex_: dict(marks) for hex_, marks in self.marks.items()}
        twin.pointers, twin.stated = dict(self.pointers), self.stated
        twin.spread = dict(self.spread)
        twin.control, twin.held_changes = dict(self.control), list(self.held_changes)
        twin.decks = {deck: list(chits) for deck, chits in self.decks.items()}
        twin._at = dict(self._at)
        return twin

    def keep(self, key: object, version: int, make: Callable[[], T]) -> T:
        """What was worked out at a version of something; worked out anew at another."""
        return kept_at(self.kept, key, version, make)

    def keep_held(self, key: object, hexes: frozenset[Hex], make: Callable[[], T]) -> T:
        """What hangs on who holds these hexes alone: made anew when the holder of one may have changed."""
        changes = self.held_changes
        known, value = self.kept.get(key, (-1, None))
        if known < 0 or not hexes.isdisjoint(changes[known:]):
            value = make()
        self.kept[key] = (len(changes), value)
        kept: T = value
        return kept

    def supposing(self, control: Mapping[Hex, str]) -> Position:
        """The same units, with other holders of hexes: to ask of, not to change."""
        twin = copy(self)
        twin.control, twin.kept = {**self.control, **control}, {}
        return twin

    def _to_change(self, name: str) -> Unit:
        """A unit for one of the methods below, which alone change any."""
        self._changed.add(name)
        return self.units[name]

    def put(self, name: str, spot: Spot | None) -> None:
        unit = self._to_change(name)
        old = unit.spot
        held_before = self._held_by(old), self._held_by(spot)
        unit.spot = spot
        if old is not None:
            self._at[old] = tuple([other for other in self._at[old] if other != name])
        if spot is not None:
            self._at[spot] = (*self._at.get(spot, ()), name)
        for watcher in self.watchers.values():
            watcher.moved(unit, old, spot)
        if unit.marks:
            self.marks_version += 1
        if held_before != (self._held_by(old), self._held_by(spot)):
            self.held_changes += [hex_ for hex_ in (old, spot) if isinstance(hex_, Hex)]
        self.place_version += 1
        self.version += 1

    def turn_over(self, name: str, step: int) -> None:
        """A counter shows another step; of those it has, the one that comes nearest."""
        unit = self._to_change(name)
        unit.step = min(max(step, 1), len(unit.counter.steps) or 1)
        self.version += 1

    def take(self, hex_: Hex, side: str) -> None:
        """A side comes to hold a hex."""
        if self.control.get(hex_) != side:
            held_before = self._held_by(hex_)
            self.control[hex_] = side
            self.version += 1
            if held_before != side:
                self.held_changes.append(hex_)

    def known_holder(self, hex_: Hex) -> str | None:
        """Who holds a hex by what is seen: who entered last, whose marker lies there, who stands there."""
        known = self.marked_holder(hex_)
        here = self._at.get(hex_)
        if known is not None or not here:
            return known
        sides = {self.units[name].side for name in here}
        return sides.pop() if len(sides) == 1 else None

    def marked_holder(self, hex_: Hex) -> str | None:
        """Who entered a hex last, or whose marker lies there."""
        known = self.control.get(hex_)
        if known is not None:
            return known
        marks = self.marks.get(hex_)
        if marks:
            return next((side.id for side in self.game.sides if f"{side.id}-control" in marks), None)
        return None

    def _held_by(self, spot: Spot | None) -> str | None:
        if not isinstance(spot, Hex):
            return None
        return self.known_holder(spot) or (None if self.partial else self.game.holder_at_start(spot))

    def mark(self, name: str, marker: str, face: int) -> None:
        """A unit carries a marker."""
        self._to_change(name).marks[marker] = face
        self.version += 1
        self.marks_version += 1

    def unmark(self, name: str, marker: str) -> None:
        if self._to_change(name).marks.pop(marker, None) is not None:
            self.version += 1
            self.marks_version += 1

    def marks_on(self, on: str | Hex) -> dict[str, int]:
        """The markers of a unit or a hex, to change them."""
        if isinstance(on, Hex):
            self.held_changes.append(on)
            return self.marks.setdefault(on, {})
        self.marks_version += 1
        return self._to_change(on).marks

    def apply(self, event: Event) -> None:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(self, event)
            self.version += 1


def start(game: Game, scenario: Scenario) -> Position:
    """The position a scenario begins with."""
    position = Position(game)
    lattice = game.map.lattice
    position.turn = scenario.first_turn
    position.phase = game.phases(scenario.first_turn, scenario)[0].id
    for placement in scenario.set_up:
        spot: Spot = placement.box or placement.map or ""
        if placement.box is not None:
            position.pointers.update({mark.id: (placement.box, mark.face) for mark in placement.markers})
        if placement.hex is not None:
            spot = lattice.hex(placement.hex, scenario.sheet)
            if placement.markers:
                position.marks[spot] = {mark.id: mark.face for mark in placement.markers}
        for placed in placement.units:
            position.put(placed.id, spot)
            position.turn_over(placed.id, placed.step)
            position.marks_on(placed.id).update({mark.id: mark.face for mark in placed.markers})
    for arrival in scenario.reinforcements:
        track = f"turn-{arrival.turn}"
        position.due[track] = (*position.due.get(track, ()), *arrival.units)
    for content in scenario.decks:
        position.decks[content.deck] = list(content.markers)
    position.control = held_at_start(game, scenario)
    return position


def held_at_start(game: Game, scenario: Scenario) -> dict[Hex, str]:
    """The hexes that a scenario gives to another holder than the map does."""
    return {
        hex_: side
        for side, labels in scenario.control.items()
        for hex_ in game.map.hexes_of(labels, scenario.sheet)
    }


def _unit(game: Game, counter: Counter) -> Unit:
    type_ = game.unit_type[counter.type]
    traits = _traits(tuple(type_.traits), tuple(counter.traits))
    return Unit(counter, type_, type_.side, counter.nationality or type_.nationality, traits)


@cache
def _traits(of_type: tuple[str, ...], of_counter: tuple[str, ...]) -> frozenset[str]:
    """One for all units that have the same."""
    return frozenset((*of_type, *of_counter))


# --- what each event does --------------------------------------------------------------------


def _phase(position: Position, event: ev.PhaseBegan) -> None:
    position.turn, position.phase = event.turn, event.phase


def _moved(position: Position, event: ev.Moved) -> None:
    for name in event.units:
        position.put(name, event.end)


def _step(position: Position, event: ev.StepChanged) -> None:
    position.turn_over(event.unit, event.new)


def _placed(position: Position, event: ev.Placed) -> None:
    position.put(event.unit, event.spot)
    position.turn_over(event.unit, event.step)


def _removed(position: Position, event: ev.Removed) -> None:
    position.put(event.unit, event.box)
    position.marks_on(event.unit).clear()


def _replaced(position: Position, event: ev.Replaced) -> None:
    for name in event.old:
        position.put(name, None)
    for name, step in event.new:
        position.put(name, event.spot)
        position.turn_over(name, step)


def _marked(position: Position, event: ev.Marked) -> None:
    position.pointers.pop(event.marker, None)
    position.marks_on(event.on)[event.marker] = event.face


def _unmarked(position: Position, event: ev.Unmarked) -> None:
    position.marks_on(event.on).pop(event.marker, None)


def _pointed(position: Position, event: ev.Pointed) -> None:
    if position.game.marker[event.marker].count > 1:
        position.spread[event.marker] = position.spread.get(event.marker, frozenset()) | {event.box}
    else:
        position.pointers[event.marker] = (event.box, event.face)


def _drawn(position: Position, event: ev.Drawn) -> None:
    deck = position.decks.setdefault(event.deck, [])
    if event.marker in deck:
        deck.remove(event.marker)
    if event.unit is not None:
        position.mark(event.unit, event.marker, 1)


def _returned(position: Position, event: ev.Returned) -> None:
    if event.unit is not None:
        position.unmark(event.unit, event.marker)
    if event.deck is not None:
        position.decks.setdefault(event.deck, []).append(event.marker)


_HANDLERS: dict[type[Event], Callable[[Position, Any], None]] = {
    ev.PhaseBegan: _phase,
    ev.Moved: _moved,
    ev.StepChanged: _step,
    ev.Placed: _placed,
    ev.Removed: _removed,
    ev.Replaced: _replaced,
    ev.Marked: _marked,
    ev.Unmarked: _unmarked,
    ev.Pointed: _pointed,
    ev.Drawn: _drawn,
    ev.Returned: _returned,
}
