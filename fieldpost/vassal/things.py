"""What lies on the table: pieces, stacks, decks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from fieldpost.vassal import codec
from fieldpost.vassal.pieces import BasicState, PieceType, integer
from fieldpost.vassal.traits import Trait


class Place(NamedTuple):
    """A point of a map; off every map `map` is None."""

    map: str | None
    x: int
    y: int


class Thing:
    """`contents` stand bottom to top; `order` tells which came to its map first."""

    __slots__ = ("contents", "id", "map", "order", "parent", "x", "y")

    def __init__(self, id: str) -> None:
        self.id = id
        self.map: str | None = None
        self.x = 0
        self.y = 0
        self.parent: Container | None = None
        self.contents: list[Piece] = []
        self.order = -1

    @property
    def place(self) -> Place:
        """Where it is; a member is where its stack or deck is."""
        thing = self.parent or self
        return Place(thing.map, thing.x, thing.y)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


class Container(Thing):
    """A stack or a deck."""

    __slots__ = ()

    @property
    def members(self) -> tuple[str, ...]:
        """Ids bottom to top."""
        return tuple([piece.id for piece in self.contents])


class Stack(Container):
    __slots__ = ("layer",)

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.layer = ""


class Deck(Container):
    __slots__ = ("face_down", "name", "type")

    def __init__(self, id: str, type: str) -> None:
        super().__init__(id)
        self.type = type
        self.face_down = False
        tokens = codec.decode(type, ";")
        self.name = tokens[13] if len(tokens) > 13 else ""


class Piece(Thing):
    """`states` runs beside `type.traits`; owners of masks are aliases, never passwords."""

    __slots__ = ("states", "type")

    def __init__(self, id: str, type: PieceType) -> None:
        super().__init__(id)
        self.type = type
        self.states: list[str] = []

    @property
    def basic_name(self) -> str:
        return basic_name(self.type.basic.text)

    @property
    def image(self) -> str:
        """The picture of the piece without its layers."""
        tokens = codec.decode(self.type.basic.text, ";")
        return tokens[3] if len(tokens) > 3 else ""

    @property
    def gpid(self) -> str:
        """The number of the slot the piece came from."""
        return self.basic.gpid

    @property
    def basic(self) -> BasicState:
        return BasicState.read(self.states[-1]) if self.states else BasicState()

    @property
    def name(self) -> str:
        """The name with what the layers put to it, masks lifted."""
        name = self.basic_name
        for trait, state in zip(self.type.traits[-2::-1], self.states[-2::-1], strict=False):
            if trait.prefix == "emb2;":
                name = _layer_name(trait, integer(state), name)
        return name

    @property
    def layers(self) -> dict[str, int]:
        """The level of each named layer; below 0 it is switched off."""
        return {
            name: integer(state)
            for trait, state in zip(self.type.traits, self.states, strict=False)
            if trait.prefix == "emb2;" and (name := trait.text_of("name"))
        }

    @property
    def markers(self) -> dict[str, str]:
        """The fixed properties; the outermost of a name counts."""
        found: dict[str, str] = {}
        for trait, state in zip(self.type.traits, self.states, strict=False):
            if trait.prefix == "mark;":
                for name, value in zip(trait.list_of("names"), codec.decode(state, ","), strict=False):
                    found.setdefault(name, value)
        return found

    def value(self, name: str) -> str | None:
        """A property: marker, dynamic property, label, facing, `Layer_Level`, or one of the basic piece's."""
        found = lookups(self.type).get(name)
        if found is None:
            return dict(self.basic.properties).get(name)
        at, part = found
        if part < 0:
            return self.states[at]
        values = codec.decode(self.states[at], ",")
        return values[part] if part < len(values) else ""

    def state_of(self, prefix: str) -> str | None:
        """The state of the outermost trait of a kind."""
        at = self.type.find(prefix)
        return None if at is None else self.states[at]

    @property
    def hidden_by(self) -> str | None:
        """The side, or the alias of the player, who made it invisible to the others."""
        at = self.type.hide_at
        return None if at is None or self.states[at] in ("null", "") else self.states[at]

    @property
    def masked_by(self) -> str | None:
        """The side, or the alias of the player, who turned it face down for the others."""
        state = self.state_of("obs;")
        owner = codec.head(state, ";") if state else "null"
        return None if owner == "null" else owner


def basic_name(type: str) -> str:
    return _kept_name(type) if len(type) < _LONG else _name(type)


def _name(type: str) -> str:
    tokens = codec.decode(type, ";")
    return tokens[4] if len(tokens) > 4 else ""


_LONG = 16_384  # what is longer is not kept
_kept_name = lru_cache(maxsize=4096)(_name)


@lru_cache(maxsize=4096)
def lookups(type: PieceType) -> dict[str, tuple[int, int]]:
    """Where each property of a type stands: place of the trait, place in its list or -1."""
    found: dict[str, tuple[int, int]] = {}
    for at, trait in enumerate(type.traits):
        for name, part in _named(trait):
            found.setdefault(name, (at, part))
    return found


def _named(trait: Trait) -> list[tuple[str, int]]:
    match trait.prefix:
        case "mark;":
            return [(name, part) for part, name in enumerate(trait.list_of("names"))]
        case "PROP;":
            return [(trait.text_of("name"), -1)]
        case "emb2;":
            return [(trait.text_of("name") + "_Level", -1)]
        case "label;":
            return [(trait.text_of("property"), -1)]
        case "rotate;":
            return [(trait.text_of("name") + "_Facing", -1)]
        case "markmoved;":
            return [("Moved", -1)]
    return []


def _layer_name(trait: Trait, level: int, name: str) -> str:
    names = trait.list_of("names")
    if not 0 < level <= len(names):
        return name
    text = names[level - 1]
    if text.startswith("+"):
        return name + text[1:]
    if text.endswith("+"):
        return text[:-1] + name
    return text or name


def in_order(pieces: Iterable[Piece]) -> list[Piece]:
    """As they came into the game, by the numbers the engine gave them: the same in every log of a game."""
    return sorted(pieces, key=lambda piece: (len(piece.id), piece.id))
