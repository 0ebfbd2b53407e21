"""What is to be drawn after each step of a log: which piece lies where and looks how, as small changes.

Who comes back out of a deck, a hand or out of hiding gets a new number, so that nothing tells which it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fieldpost.vassal import looks
from fieldpost.vassal.changes import (
    Added,
    Change,
    DeckTurned,
    Moved,
    OrderChanged,
    PlayerSat,
    PropertyChanged,
    Removed,
    StateChanged,
)
from fieldpost.vassal.layout import USUAL_HABITS
from fieldpost.vassal.looks import Look, Sizes, StackStep
from fieldpost.vassal.module import Module
from fieldpost.vassal.sight import Sealed
from fieldpost.vassal.things import Deck, Piece, Place, Stack, Thing
from validator.anygame.one_log import Replay

Spot = tuple[int, float, float, int, int, int]
"""Map, x, y, order on the map, order in the stack, look."""
Op = list[float]
"""An actor's number and its new spot, or the number alone where it leaves."""
Point = tuple[str | None, int, int]


@dataclass
class Cast:
    """Everything that appears in a replay, over all its logs: maps, looks, actors."""

    maps: dict[str, int] = field(default_factory=dict)
    looks: dict[Look, int] = field(default_factory=dict)
    actors: int = 0
    _actor_of: dict[str, int] = field(default_factory=dict)

    def map(self, name: str) -> int:
        return self.maps.setdefault(name, len(self.maps))

    def look(self, look: Look) -> int:
        return self.looks.setdefault(look, len(self.looks))

    def actor(self, key: str) -> int:
        if key not in self._actor_of:
            self._actor_of[key] = self.actors
            self.actors += 1
        return self._actor_of[key]

    def leave(self, key: str) -> int:
        """Its number, which it will not have again."""
        return self._actor_of.pop(key)


class Stage:
    """One log after the other on the same stage; `spots` is what is shown now."""

    def __init__(self, cast: Cast, sizes: Sizes) -> None:
        self.cast, self.sizes = cast, sizes
        self.spots: dict[str, Spot] = {}
        self._at: dict[Point, list[str]] = {}
        self._where: dict[str, Point] = {}
        self._steps: dict[str, StackStep] = {}
        self._looks: dict[Piece, tuple[tuple[list[str], object], Look | None]] = {}
        self._labels: dict[Piece, str] = {}
        """What is printed on pieces whose labels name properties."""

    def enter(self, replay: Replay) -> list[Op]:
        """The first position of a log, as what differs from what is shown."""
        self.replay = replay
        self._looks, self._labels = {}, {}
        self._steps = stack_steps(replay.module)
        self._where = {id: _point(piece.place) for id, piece in replay.table.pieces.items()}
        now = [point for point, _ in replay.table.layout.spots()]
        return self._refresh(list(dict.fromkeys([*now, *self._at])))

    def after(self, changes: Sequence[Change]) -> list[Op]:
        """What differs after a step that has been carried out on the table."""
        if any(isinstance(change, PlayerSat) for change in changes):
            return self.enter(self.replay)
        return self._refresh(self._touched(changes))

    def _touched(self, changes: Iterable[Change]) -> list[Point]:
        return list(dict.fromkeys(point for change in changes for point in self._points(change)))

    def _points(self, change: Change) -> Iterator[Point]:
        match change:
            case Moved(piece, deck=deck, old_deck=old_deck):
                for cards in filter(None, (deck, old_deck)):
                    yield from self._labelled(cards.name + looks.CARDS_LEFT)
                yield from self._from_to(piece)
            case StateChanged(piece) | Added(piece) | Removed(piece):
                yield from self._from_to(piece)
            case OrderChanged(container) | DeckTurned(container):
                yield _point(container.place)
            case PropertyChanged(name):
                yield from self._labelled(name)

    def _from_to(self, piece: Piece) -> Iterator[Point]:
        """Where it was, and where it is now."""
        now = _point(piece.place)
        yield self._where.get(piece.id, now)
        yield now
        self._where[piece.id] = now

    def _labelled(self, property: str) -> Iterator[Point]:
        """Where pieces lie whose labels show a global property; they are worked out anew."""
        for piece, text in self._labels.items():
            if property in text and self._looks.pop(piece, None) is not None:
                yield _point(piece.place)

    def _refresh(self, points: Sequence[Point]) -> list[Op]:
        gone: list[str] = []
        fresh: dict[str, Spot] = {}
        for point in points:
            gone += self._at.pop(point, [])
            drawn = dict(self._draw(point))
            if drawn:
                self._at[point] = list(drawn)
            fresh |= drawn
        ops: list[Op] = []
        for key in dict.fromkeys(key for key in gone if key not in fresh):
            self.spots.pop(key, None)
            ops.append([self.cast.leave(key)])
        for key, spot in fresh.items():
            if self.spots.get(key) != spot:
                self.spots[key] = spot
                ops.append([self.cast.actor(key), *spot])
        return ops

    # -- what lies on a point

    def _draw(self, point: Point) -> Iterator[tuple[str, Spot]]:
        name, x, y = point
        if name is None or not self.replay.sight.sees_window(name):
            return
        for thing in self.replay.table.layout.at(name, x, y):
            if thing.contents or not isinstance(thing, Stack):  # the engine leaves empty stacks behind
                yield from self._thing(thing, name)

    def _thing(self, thing: Thing, map: str) -> Iterator[tuple[str, Spot]]:
        number = self.cast.map(map)
        step = self._steps.get(map, StackStep())
        habits = self.replay.table.layout.habits.get(map, USUAL_HABITS)
        sight = self.replay.sight
        if isinstance(thing, Deck):
            look = looks.of_deck(thing, sight, self.sizes, step.blank)
            if look is not None:
                order = _order(len(habits.layers or ()), thing)
                yield f"deck {thing.id}", (number, thing.x, thing.y, order, 0, self.cast.look(look))
            return
        pieces = thing.contents if isinstance(thing, Stack) else [thing]
        looked = [(piece, self._look(piece)) for piece in pieces if isinstance(piece, Piece)]
        seen = [(piece, look) for piece, look in looked if look is not None]
        place: tuple[float, float] = (thing.x, thing.y)
        for index, (piece, look) in enumerate(seen):  # without a gap for one that nobody sees
            if index:
                place = step.next(place, seen[index - 1][1].box, look.box)
            order = _order(habits.layer_of(piece), thing)
            shown = look if piece is seen[-1][0] else look.blank(step.blank)
            yield piece.id, (number, *_whole(place), order, index, self.cast.look(shown))

    def _look(self, piece: Piece) -> Look | None:
        """Worked out anew only where the piece has changed: most of what is drawn again has not."""
        seen = self.replay.sight.seal(piece)
        now = piece.states, (seen.in_sight, seen.cover, seen.is_half_seen)
        known = self._looks.get(piece)
        if known is None or known[0] != now:
            known = (list(now[0]), now[1]), looks.of_piece(seen, self.replay.sight, self.sizes)
            self._looks[piece] = known
            if label := _variable_labels(seen):
                self._labels[piece] = label
        return known[1]


_LAYER = 10_000_000


def _order(layer: int, thing: Thing) -> int:
    return layer * _LAYER + max(thing.order, 0)


def _whole(place: tuple[float, float]) -> tuple[float, float]:
    x, y = (round(value, 1) for value in place)
    return _plain(x), _plain(y)


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value


def _variable_labels(piece: Sealed) -> str:
    return " ".join(
        state
        for _, trait, state in piece.traits()
        if trait.prefix == "label;" and ("$" in state or state.startswith("{"))
    )


def _point(place: Place) -> Point:
    return place.map, place.x, place.y


def stack_steps(module: Module | None) -> dict[str, StackStep]:
    """For each map of the module how its stacks lie."""
    found: dict[str, StackStep] = {}
    for game_map, part in zip(module.maps, module.map_parts, strict=True) if module else ():
        metrics = part.first(".StackMetrics")
        found[game_map.name] = looks.stack_step(metrics.attributes if metrics else None)
    return found
