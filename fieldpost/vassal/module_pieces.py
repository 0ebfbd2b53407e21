"""What pieces a module has: palettes, decks, stacks at start, and the prototypes they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fieldpost.vassal import codec
from fieldpost.vassal.module_tree import Component

_SLOTS = (".PieceSlot", ".CardSlot")
_USES = "prototype;"
_COMMENT = "cmt;"
_DEEPEST = 100
_MOST_TRAITS = codec.MAX_NESTING


@dataclass(frozen=True)
class Definition:
    """A piece as written: its traits from the outermost to the basic piece, and the state of each."""

    types: tuple[str, ...]
    states: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Definition | None:
        """From the text of a slot or prototype, `+/null/TYPE/STATE`; None if it is something else."""
        fields = codec.decode(text, "/")
        if len(fields) < 4 or fields[0] != "+":
            return None
        types = codec.unnest(fields[2])
        states = codec.unnest(fields[3], len(types))
        return cls(tuple(types), (*states, *[""] * (len(types) - len(states))))

    @property
    def type(self) -> str:
        return codec.nest(self.types)

    @property
    def state(self) -> str:
        return codec.nest(self.states)

    @property
    def basic(self) -> list[str]:
        """The fields of the basic piece: its prefix, two old keys, picture, name."""
        return [*codec.decode(self.types[-1], ";"), "", "", "", "", ""][:5]

    def expanded(self, prototypes: Mapping[str, Definition]) -> Definition:
        """Every use of a prototype replaced by its traits, and comments left out, as pieces in play are."""
        pairs = list(_expanded(self, prototypes, ()))[:_MOST_TRAITS]
        pairs.append((self.types[-1], self.states[-1]))
        return Definition(tuple(kind for kind, _ in pairs), tuple(state for _, state in pairs))


def _expanded(
    piece: Definition, prototypes: Mapping[str, Definition], within: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    for kind, state in list(zip(piece.types, piece.states, strict=True))[:-1]:
        if kind.startswith(_COMMENT):
            continue
        name = codec.decode(kind.removeprefix(_USES), ";")[0] if kind.startswith(_USES) else None
        if name is None or name not in prototypes or name in within or len(within) > _DEEPEST:
            yield kind, state
        else:
            yield from _expanded(prototypes[name], prototypes, (*within, name))


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
        name = component.get("entryName") or (definition.basic[4] if definition else "")
        yield Slot(component.get("gpid"), name, path, definition)
        return
    title = component.get("entryName") or component.get("name") or component.get("mapName")
    for child in component.children:
        yield from slots(child, (*path, title) if title else path)


def prototypes(root: Component) -> dict[str, Definition]:
    """By name; of two of one name the engine keeps the later."""
    pairs = ((part.get("name"), Definition.read(part.text)) for part in root.all(".PrototypeDefinition"))
    return {name: definition for name, definition in pairs if definition is not None}


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
