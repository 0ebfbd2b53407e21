"""What pieces a module has: palettes, decks, stacks at start, and the prototypes they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from fieldpost.vassal import codec
from fieldpost.vassal.module_tree import Component
from fieldpost.vassal.pieces import TraitText, expand

_SLOTS = (".PieceSlot", ".CardSlot")
_MOST_TRAITS = 10_000


@dataclass(frozen=True)
class Definition:
    """A piece as written: its traits from the outermost in, and the basic piece."""

    traits: tuple[TraitText, ...]
    basic: TraitText

    @classmethod
    def read(cls, text: str) -> Definition | None:
        """From the text of a slot or prototype, `+/null/TYPE/STATE`; None if it is something else."""
        fields = codec.decode(text, "/")
        if len(fields) < 4 or fields[0] != "+":
            return None
        types = codec.unnest(fields[2])
        states = codec.unnest(fields[3], len(types))
        states += [""] * (len(types) - len(states))
        *traits, basic = map(TraitText, types, states)
        return cls(tuple(traits), basic)

    @property
    def type(self) -> str:
        return codec.nest([trait.type for trait in (*self.traits, self.basic)])

    @property
    def state(self) -> str:
        return codec.nest([trait.state for trait in (*self.traits, self.basic)])

    @property
    def image(self) -> str:
        return self._basic_field(3)

    @property
    def name(self) -> str:
        return self._basic_field(4)

    def _basic_field(self, at: int) -> str:
        fields = codec.decode(self.basic.type, ";")
        return fields[at] if at < len(fields) else ""

    def expanded(self, prototypes: Mapping[str, Sequence[TraitText]]) -> Definition:
        """The piece as it is put into play; absurdly many traits are cut off."""
        return Definition(tuple(islice(expand(self.traits, prototypes), _MOST_TRAITS)), self.basic)


@dataclass(frozen=True)
class Slot:
    """A piece a player can take, or that stands on the map at start. `path` is the way to it."""

    gpid: str
    name: str
    path: tuple[str, ...]
    definition: Definition | None


def slots(component: Component, path: tuple[str, ...] = ()) -> Iterator[Slot]:
    """Every slot of a component and all below it, in document order."""
    if component.kind.endswith(_SLOTS):
        definition = Definition.read(component.text)
        name = component.get("entryName") or (definition.name if definition else "")
        yield Slot(component.get("gpid"), name, path, definition)
        return
    title = component.get("entryName") or component.get("name") or component.get("mapName")
    for child in component.children:
        yield from slots(child, (*path, title) if title else path)


def prototypes(root: Component) -> dict[str, tuple[TraitText, ...]]:
    """Traits by name; of two prototypes of one name the engine keeps the later."""
    pairs = ((part.get("name"), Definition.read(part.text)) for part in root.all(".PrototypeDefinition"))
    return {name: definition.traits for name, definition in pairs if definition is not None}


@dataclass(frozen=True)
class Deck:
    """A draw pile; `board` is the board whose corner x and y count from, empty for the map's own."""

    name: str
    board: str
    x: int
    y: int
    width: int
    height: int
    slots: tuple[Slot, ...]

    @classmethod
    def read(cls, part: Component) -> Deck:
        return cls(
            part.get("name"),
            part.get("owningBoard"),
            part.integer("x"),
            part.integer("y"),
            part.integer("width", 40),
            part.integer("height", 40),
            tuple(slots(part)),
        )


@dataclass(frozen=True)
class SetupStack:
    """Pieces that stand on the map when a game starts: at a location of the grid, or at x and y."""

    name: str
    board: str
    location: str | None
    x: int
    y: int
    slots: tuple[Slot, ...]

    @classmethod
    def read(cls, part: Component) -> SetupStack:
        return cls(
            part.get("name"),
            part.get("owningBoard"),
            part.get("location") if part.flag("useGridLocation") else None,
            part.integer("x"),
            part.integer("y"),
            tuple(slots(part)),
        )
