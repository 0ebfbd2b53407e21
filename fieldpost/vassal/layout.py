"""Who lies where: maps, stacks and decks, and VASSAL's rules for putting things together.

The rules are the engine's, oddities included: a thing keeps its place in the order of its
map when it moves, and a member let go by a new stack state still points to its old stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fieldpost.vassal.things import Container, Deck, Piece, Stack, Thing

INVENTED = "invented-"


class MapHabits(NamedTuple):
    """How a map of the module treats its pieces. `layers` are the values of a property, lowest first."""

    stacks: bool = True
    raises: bool = True
    """What was moved last lies above all else of its layer, as long as the map marks what was moved last."""
    layer_property: str = ""
    layers: tuple[str, ...] | None = None

    def layer_of(self, piece: Piece) -> int:
        """The number of its layer; what names none lies uppermost. Without layers what stacks does."""
        if self.layers is None:
            return int(piece.type.stacks)
        value = self.layer_property and piece.value(self.layer_property)
        return self.layers.index(value) if value in self.layers else len(self.layers)


USUAL_HABITS = MapHabits()


class Layout:
    """The things on the maps, found by point, in the order they came."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self._at: dict[tuple[str | None, int, int], dict[Thing, None]] = {}
        self._serial = 0
        self._invented = 0
        self.habits: Mapping[str, MapHabits] = {}
        """Of the maps that are not as usual; the module knows them."""

    def clear(self) -> None:
        self.things.clear()
        self._at.clear()

    def at(self, map: str | None, x: int, y: int) -> list[Thing]:
        """Stacks, decks and loose pieces on a point, first come first."""
        found = self._at.get((map, x, y))
        if not found:
            return []
        return list(found) if len(found) == 1 else sorted(found, key=lambda thing: thing.order)

    def spots(self) -> Iterator[tuple[tuple[str | None, int, int], list[Thing]]]:
        for spot in list(self._at):
            yield spot, self.at(*spot)

    def on_map(self, thing: Thing) -> bool:
        return thing.order >= 0

    def _enter(self, thing: Thing, map: str) -> None:
        thing.map = map
        thing.order = self._serial
        self._serial += 1
        self._at.setdefault((map, thing.x, thing.y), {})[thing] = None

    def leave(self, thing: Thing) -> None:
        """Take a thing off its map; it keeps the map's name, as in the engine."""
        if thing.order < 0:
            return
        spot = (thing.map, thing.x, thing.y)
        found = self._at[spot]
        del found[thing]
        if not found:
            del self._at[spot]
        thing.order = -1

    def set_position(self, thing: Thing, x: int, y: int) -> None:
        if thing.x == x and thing.y == y:
            return
        order = thing.order
        if order < 0:
            thing.x, thing.y = x, y
            return
        self.leave(thing)
        thing.x, thing.y, thing.order = x, y, order
        self._at.setdefault((thing.map, x, y), {})[thing] = None

    def detach(self, thing: Thing) -> None:
        if thing.parent is not None:
            if thing in thing.parent.contents:
                thing.parent.contents.remove(thing)
            thing.parent = None

    def put_on_map(self, thing: Thing, map: str) -> None:
        if thing.order >= 0 and thing.map == map:
            return
        self.detach(thing)
        self.leave(thing)
        self._enter(thing, map)

    def put_at(self, thing: Thing, map: str, x: int, y: int) -> None:
        self.set_position(thing, x, y)
        self.put_on_map(thing, map)
        for member in thing.contents:
            member.map = map

    def to_map(self, thing: Thing, map: str | None) -> None:
        """Follow a state that names another map."""
        if map == thing.map:
            return
        if map is None:
            self.leave(thing)
            thing.map = None
        else:
            self.put_on_map(thing, map)
        for member in thing.contents:
            member.map = map

    def adopt(self, container: Container, piece: Piece, at: int) -> None:
        """Make a piece a member, from wherever it was."""
        if piece.parent is not None:
            self.detach(piece)
        else:
            self.leave(piece)
        piece.parent = container
        piece.map = container.map
        container.contents.insert(at, piece)

    def insert(self, container: Container, piece: Piece, at: int) -> None:
        """Make a piece a member, or give a member another place."""
        at = max(0, min(at, len(container.contents)))
        if piece not in container.contents:
            self.adopt(container, piece, at)
            return
        present = container.contents.index(piece)
        if at > present:
            container.contents.insert(at + 1, piece)
            container.contents.pop(present)
        else:
            container.contents.pop(present)
            container.contents.insert(at, piece)

    def drop(self, thing: Thing) -> None:
        """Take a thing out of the game."""
        if thing.parent is not None:
            self.detach(thing)
        else:
            self.leave(thing)
        thing.map = None
        self.things.pop(thing.id, None)

    def new_stack(self, piece: Piece, map: str | None, x: int, y: int) -> Stack:
        """A stack the engine makes without being told, under an invented id."""
        self._invented += 1
        stack = Stack(f"{INVENTED}{self._invented}")
        self.things[stack.id] = stack
        self.adopt(stack, piece, 0)
        if map is not None:
            self.put_at(stack, map, x, y)
        return stack

    def merge(self, fixed: Thing, moving: Thing) -> None:
        """Put `moving` directly above `fixed`."""
        if not isinstance(fixed, Piece) and fixed.contents:
            fixed = fixed.contents[-1]
        container = fixed.parent
        if moving is fixed or moving is container:
            return
        if container is None:
            if isinstance(fixed, Container):
                container, at = fixed, len(fixed.contents)
            else:
                assert isinstance(fixed, Piece)
                container, at = self.new_stack(fixed, fixed.map, fixed.x, fixed.y), 1
        else:
            at = container.contents.index(fixed) + 1 if fixed in container.contents else 0
        if isinstance(moving, Piece):
            self._merge_piece(container, moving, at)
            return
        for member in list(moving.contents):
            self.adopt(container, member, at)
            at += 1

    def _merge_piece(self, container: Container, piece: Piece, at: int) -> None:
        if piece.parent is container and piece in container.contents and container.contents.index(piece) < at:
            at -= 1
        if piece.parent is None and piece.map != container.map:
            self.leave(piece)
        self.insert(container, piece, at)

    def raise_(self, thing: Thing) -> None:
        """Lay what was moved, with its stack, above the rest of its map."""
        thing = thing.parent or thing
        if thing.order >= 0 and thing.map is not None and self._habits(thing.map).raises:
            thing.order = self._serial
            self._serial += 1

    def _habits(self, map: str) -> MapHabits:
        return self.habits.get(map, USUAL_HABITS)

    def partner(self, thing: Thing, map: str, x: int, y: int, player: str | None) -> Thing | None:
        """What a thing put down on a point joins: the first deck, stack or piece that takes it."""
        habits = self._habits(map)
        stacks = self._stacks(thing, map) if isinstance(thing, Piece) else habits.stacks
        for other in self.at(map, x, y):
            if other is thing:
                if isinstance(thing, Stack):
                    return thing
            elif isinstance(other, Deck) or (stacks and _joins(thing, other, player, habits)):
                return other
        return None

    def _stacks(self, piece: Piece, map: str) -> bool:
        return piece.type.stacks and self._habits(map).stacks

    def move(self, thing: Thing, map: str, x: int, y: int, under: str | None, player: str | None) -> None:
        """The engine's move: above `under` if that lies there, else onto what lies there."""
        below = self.things.get(under) if under is not None else None
        if below is not None and below.place == (map, x, y):
            self.merge(below, thing)
            return
        self._move_freely(thing, map, x, y, player)
        if under is None and isinstance(thing, Piece) and thing.parent is not None:
            self.insert(thing.parent, thing, 0)

    def _move_freely(self, thing: Thing, map: str, x: int, y: int, player: str | None) -> None:
        partner = self.partner(thing, map, x, y, player)
        if partner is not None:
            self.merge(partner, thing)
        elif isinstance(thing, Piece) and thing.parent is None and self._stacks(thing, map):
            self.new_stack(thing, map, x, y)
        else:
            self.put_at(thing, map, x, y)


def _takes(other: Thing, player: str | None) -> bool:
    if isinstance(other, Piece):
        return other.type.stacks and _seen(other, player)
    return any(_seen(piece, player) for piece in other.contents)


def _joins(thing: Thing, other: Thing, player: str | None, habits: MapHabits) -> bool:
    return _takes(other, player) and (habits.layers is None or _same_layer(thing, other, habits))


def _same_layer(one: Thing, other: Thing, habits: MapHabits) -> bool:
    return habits.layer_of(_top(one)) == habits.layer_of(_top(other))


def _top(thing: Thing) -> Piece:
    return thing if isinstance(thing, Piece) else thing.contents[-1]


def _seen(piece: Piece, player: str | None) -> bool:
    owner = piece.hidden_by
    return owner is None or owner == player
