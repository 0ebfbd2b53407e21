"""Pieces, stacks and decks as text: taken apart, put together.

A piece is traits around one basic piece, outermost first. Its type and its state are
nested alike: as many states as traits, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from fieldpost.errors import FieldpostError
from fieldpost.vassal import codec, traits
from fieldpost.vassal.traits import Trait

NONE = "null"
NO_USER = "nobody"
"""Who masks a card that lies face down in a deck: no player, in the engine's word."""
ORDINARY_LAYER = "@@1"


class PieceError(FieldpostError):
    """A piece whose type or state cannot be made sense of."""


class TraitText(NamedTuple):
    """One trait of one piece: its type and its present state."""

    type: str
    state: str = ""


@dataclass(frozen=True, eq=False)
class PieceType:
    """A type taken apart; shared by all pieces that have it."""

    text: str = field(repr=False)
    traits: tuple[Trait, ...]

    @cached_property
    def exact(self) -> bool:
        """True if writing the traits gives back the text (false for surplus tokens only)."""
        return codec.nest([trait.text for trait in self.traits]) == self.text

    @property
    def basic(self) -> Trait:
        return self.traits[-1]

    @cached_property
    def hide_at(self) -> int | None:
        """The place of the trait that makes the piece invisible."""
        return self.find("hide;")

    @cached_property
    def stacks(self) -> bool:
        """False if a trait keeps the piece out of stacks."""
        return all(trait.prefix != "immob;" or trait.values["stacking"] == "L" for trait in self.traits)

    @cached_property
    def owned(self) -> tuple[int, ...]:
        """The places of traits whose state names a player by password."""
        return tuple(at for at, trait in enumerate(self.traits) if names_player(trait))

    def states(self, text: str) -> list[str]:
        """Take a state apart: one text a trait; missing ones are empty."""
        states = list(_unnested(text, len(self.traits)))
        if len(states) < len(self.traits):
            states += [""] * (len(self.traits) - len(states))
        return states

    def state(self, text: str) -> PieceState:
        """Take a state apart so that its text can be given back byte for byte."""
        texts = self.states(text)
        return PieceState(texts, None if codec.nest(texts) == text else text)

    def find(self, prefix: str) -> int | None:
        """The place of the outermost trait of a kind."""
        return next((at for at, trait in enumerate(self.traits) if trait.prefix == prefix), None)


def names_player(trait: Trait) -> bool:
    """True if the state of a trait names a player by password."""
    if trait.prefix in ("obs;", "hide;"):
        return not str(trait.values["access"]).startswith("side")
    return trait.prefix == _CONCEALED or (trait.prefix == "restrict;" and bool(trait.values["by_player"]))


_CONCEALED = "conceal;"
_WITH_OPTIONS = ("obs;", _CONCEALED)
"""Traits whose state is a list that begins with the owner; elsewhere the state is the owner."""


def owner_of(trait: Trait, state: str) -> str | None:
    """Who masked, hid or took the piece, by the state of a trait that names him."""
    owner = codec.head(state, ";") if trait.prefix in _WITH_OPTIONS else state
    return None if owner in (NONE, NO_USER, "") else owner


def with_owner(trait: Trait, state: str, owner: str) -> str:
    """The same state in another's name."""
    if trait.prefix not in _WITH_OPTIONS:
        return owner
    return codec.encode([owner, *codec.decode(state, ";")[1:]], ";")


@dataclass(frozen=True, slots=True)
class PieceState:
    """A state taken apart; `raw` is set where the parts do not give back what was read."""

    texts: list[str] = field(repr=False)
    raw: str | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        return codec.nest(self.texts) if self.raw is None else self.raw


_LONG = 16_384  # of longer ones few are kept: one stranger's file could fill the memory for all after it
_VERY_LONG = 131_072


def _unnested(text: str, depth: int) -> tuple[str, ...]:
    return _kept_states(text, depth) if len(text) < _LONG else tuple(codec.unnest(text, depth))


@lru_cache(maxsize=8192)
def _kept_states(text: str, depth: int) -> tuple[str, ...]:
    """Most pieces lie as they lay in the log before."""
    return tuple(codec.unnest(text, depth))


def read_type(text: str) -> PieceType:
    if len(text) < _LONG:
        return _kept_type(text)
    return _kept_long_type(text) if len(text) < _VERY_LONG else _read_type(text)


def _read_type(text: str) -> PieceType:
    return PieceType(text, tuple(traits.read(token) for token in codec.unnest(text)))


_kept_type = lru_cache(maxsize=4096)(_read_type)
_kept_long_type = lru_cache(maxsize=128)(_read_type)


@dataclass(frozen=True, slots=True)
class BasicState:
    """Where a piece stands by itself, its slot, and what it remembers.

    Old engines wrote neither properties nor slot: `fixed` counts the fields before the properties.
    """

    map: str | None = None
    x: int = 0
    y: int = 0
    gpid: str = ""
    properties: tuple[tuple[str, str], ...] = ()
    fixed: int = 5

    @classmethod
    def read(cls, text: str) -> BasicState:
        tokens = codec.decode(text, ";")
        fixed = min(len(tokens), 5)
        tokens += [""] * (5 - len(tokens))
        pairs = tokens[5 : 5 + 2 * integer(tokens[4])]
        return cls(
            map_name(tokens[0]),
            integer(tokens[1]),
            integer(tokens[2]),
            tokens[3],
            tuple(zip(pairs[::2], pairs[1::2], strict=False)),
            fixed,
        )

    def write(self) -> str:
        fixed = [self.map or NONE, str(self.x), str(self.y), self.gpid, str(len(self.properties))]
        flat = [text for pair in self.properties for text in pair]
        return codec.encode([*fixed[: self.fixed], *flat], ";")


def map_name(token: str) -> str | None:
    return None if token in (NONE, "") else token


def integer(token: str) -> int:
    """Read an integer as the engine would have written it; nonsense is 0."""
    try:
        return int(token)
    except ValueError:
        return 0


@dataclass(frozen=True, slots=True)
class PieceDesign:
    """A piece to be written: traits outermost first, picture, name.

    In a module's slots and prototypes it stands without id and map; in a save or log
    it has both, and every prototype must have been expanded (`expand`).
    """

    name: str = ""
    image: str = ""
    traits: tuple[TraitText, ...] = ()
    gpid: str = ""

    @property
    def type(self) -> str:
        basic = "piece;" + codec.encode(["", "", self.image, self.name], ";")
        return codec.nest([*(trait.type for trait in self.traits), basic])

    def state(
        self, map: str | None = None, x: int = 0, y: int = 0, properties: Mapping[str, str] | None = None
    ) -> str:
        basic = BasicState(map, x, y, self.gpid, tuple((properties or {}).items()))
        return codec.nest([*(trait.state for trait in self.traits), basic.write()])

    def slot(self) -> str:
        """The text of a PieceSlot, CardSlot or PrototypeDefinition."""
        return add(None, self.type, self.state())

    def add(self, id: str, map: str | None, x: int, y: int) -> str:
        """The command that puts the piece into play."""
        return add(id, self.type, self.state(map, x, y))

    def with_state(self, prefix: str, state: str, name: str | None = None) -> PieceDesign:
        """The same piece with one trait in another state: the outermost of that kind (and name)."""
        at = find_trait([trait.type for trait in self.traits], prefix, name)
        changed = self.traits[at]._replace(state=state)
        return replace(self, traits=(*self.traits[:at], changed, *self.traits[at + 1 :]))

    def expand(self, prototypes: Mapping[str, Sequence[TraitText]]) -> PieceDesign:
        """The piece as it stands in a running game: each prototype replaced by its traits."""
        traits = tuple(expand(self.traits, prototypes))
        for trait in traits:
            if trait.type.startswith(_USES):
                name = _used(trait)
                fault = "contains itself" if name in prototypes else "does not exist"
                raise PieceError(f"the prototype {name!r} {fault}")
        return replace(self, traits=traits)


_USES = "prototype;"
_COMMENT = "cmt;"
_DEEPEST_USE = 100


def expand(
    written: Sequence[TraitText],
    prototypes: Mapping[str, Sequence[TraitText]],
    within: tuple[str, ...] = (),
) -> Iterator[TraitText]:
    """Traits as the engine puts them into play: each use of a prototype replaced, comments dropped.

    A use of an unknown prototype, of one within itself or of one nested beyond reason stays as it is.
    """
    for trait in written:
        if trait.type.startswith(_COMMENT):
            continue
        name = _used(trait) if trait.type.startswith(_USES) else None
        if name is None or name in within or name not in prototypes or len(within) > _DEEPEST_USE:
            yield trait
        else:
            yield from expand(prototypes[name], prototypes, (*within, name))


def _used(trait: TraitText) -> str:
    return codec.head(trait.type[len(_USES) :], ";")


def find_trait(types: Sequence[str], prefix: str, name: str | None = None) -> int:
    """The place of the outermost trait of a kind, or of that kind and name."""
    for at, text in enumerate(types):
        if text.startswith(prefix) and (name is None or trait_name(traits.read(text)) == name):
            return at
    raise PieceError(f"the piece has no trait {prefix!r}" + (f" named {name!r}" if name else ""))


def trait_name(trait: Trait) -> str | None:
    """The name a trait carries in its fields, if it carries one."""
    name = trait.values.get("name")
    return name if isinstance(name, str) else None


def add(id: str | None, type: str, state: str) -> str:
    return "+/" + codec.encode([id or NONE, type, state], "/")


@dataclass(frozen=True, slots=True)
class StackState:
    """Members stand bottom to top."""

    map: str | None
    x: int = 0
    y: int = 0
    members: tuple[str, ...] = ()
    layer: str = ""

    @classmethod
    def read(cls, text: str) -> StackState:
        tokens = codec.decode(text, ";")
        map = map_name(tokens[0])
        rest = tokens[3:] if map is not None else tokens[1:]
        x, y = (integer(tokens[1]), integer(tokens[2])) if map is not None and len(tokens) > 2 else (0, 0)
        members = [token for token in rest if not token.startswith("@@")]
        layer = next((token for token in reversed(rest) if token.startswith("@@")), "")
        return cls(map, x, y, tuple(members), layer)

    def write(self) -> str:
        place = [self.map, str(self.x), str(self.y)] if self.map is not None else [NONE]
        return codec.encode([*place, *self.members, *([self.layer] if self.layer else [])], ";")


@dataclass(frozen=True, slots=True)
class DeckState:
    """Cards stand bottom to top."""

    map: str | None
    x: int = 0
    y: int = 0
    face_down: bool = False
    members: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> DeckState:
        tokens = codec.decode(text, ";")
        tokens += [""] * (5 - len(tokens))
        members = tuple(codec.decode(tokens[4], ",")) if tokens[4] else ()
        return cls(map_name(tokens[0]), integer(tokens[1]), integer(tokens[2]), tokens[3] == "true", members)

    def write(self) -> str:
        fixed = [self.map or NONE, str(self.x), str(self.y), "true" if self.face_down else "false"]
        return codec.encode([*fixed, *([codec.encode(self.members, ",")] if self.members else [])], ";")


def stack(id: str, map: str | None, x: int, y: int, members: Sequence[str]) -> str:
    """The command that makes a stack; its members must have been added before."""
    return add(id, "stack", StackState(map, x, y, tuple(members), ORDINARY_LAYER).write())


def deck(id: str, type: str, map: str, x: int, y: int, members: Sequence[str], face_down: bool) -> str:
    """The command that makes a deck; its cards must have been added before."""
    return add(id, type, DeckState(map, x, y, face_down, tuple(members)).write())


def deck_type(**values: object) -> str:
    """The type of a deck from its DrawPile's settings (names as in `traits.DECK`)."""
    return "deck;" + traits.DECK.write(values)
