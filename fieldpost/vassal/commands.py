"""Every command of a saved game: one class each, from which reader, writer and reference are made.

A command's text is a prefix and fields; its class says which. What no class claims stays
as it was written (`Unknown`), and so does a known command whose fields are not canonical:
`read(text).text` is always `text`.
"""

# ruff: noqa: RUF009  (the field helpers below return dataclasses.field)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from fieldpost.vassal import codec
from fieldpost.vassal.codec import TAB
from fieldpost.vassal.pieces import NONE
from fieldpost.vassal.secret import Secret

WHOLE = ""
"""Delimiter of a command whose only field is the rest of the text, not encoded."""


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """One row: `match` is prefix, exact or suffix (of the first token)."""

    cls: type[Command]
    prefix: str
    delimiter: str
    match: str

    @property
    def fields(self) -> tuple[Field[Any], ...]:
        return tuple(item for item in fields(self.cls) if "kind" in item.metadata)


@dataclass(frozen=True)
class Command:
    """Any command; subclasses carry the fields."""

    spec: ClassVar[CommandSpec]

    @property
    def text(self) -> str:
        """The command as the engine writes it."""
        return _write(self)


@dataclass(frozen=True)
class Unknown(Command):
    """A command of a module's own, or of an engine we do not know; kept as it stands."""

    raw: str = field(default="", repr=False)

    @property
    def text(self) -> str:
        return self.raw


SPECS: dict[str, CommandSpec] = {}
_C = TypeVar("_C", bound=type[Command])


def _command(prefix: str, delimiter: str = TAB, match: str = "prefix") -> Callable[[_C], _C]:
    def register(cls: _C) -> _C:
        cls.spec = SPECS[prefix] = CommandSpec(cls, prefix, delimiter, match)
        return cls

    return register


_NO_DEFAULT = object()


def _field(kind: str, default: object = _NO_DEFAULT, optional: bool = False, shown: bool = True) -> Any:
    metadata = {"kind": kind, "optional": optional}
    if default is _NO_DEFAULT:
        return field(metadata=metadata, repr=shown)
    return field(default=default, metadata=metadata, repr=shown)


def _state(kind: str = "text", default: object = _NO_DEFAULT) -> Any:
    """A state may name the owner of a mask by password, a line may hold anything: not in the repr."""
    return _field(kind, default, kind == "missing", shown=False)


def _text(default: str = "", optional: bool = True) -> Any:
    return _field("text", default, optional)


def _prose() -> Any:
    """What a player wrote stays out of the repr: it may hold anything."""
    return _field("text", "", True, shown=False)


def _secret() -> Any:
    return _field("secret", Secret(), True)


@_command("begin_save", WHOLE, "exact")
@dataclass(frozen=True)
class BeginSave(Command):
    """Closes the running game and forgets every piece."""


@_command("end_save", WHOLE, "exact")
@dataclass(frozen=True)
class EndSave(Command):
    """Starts the game: every component is set up."""


@_command("+/", "/")
@dataclass(frozen=True)
class AddPiece(Command):
    """Creates a piece, stack or deck and applies its state."""

    id: str | None = _field("none")
    type: str = _field("text")
    state: str = _state()


@_command("-/", WHOLE)
@dataclass(frozen=True)
class RemovePiece(Command):
    """Takes a piece from its stack, its map and the game."""

    id: str = _field("text")


@_command("D/", "/")
@dataclass(frozen=True)
class ChangePiece(Command):
    """Changes a state; with the old one given only what differs between old and new."""

    id: str = _field("text")
    new: str = _state()
    old: str | None = _state("missing", None)


@_command("M/", "/")
@dataclass(frozen=True)
class MovePiece(Command):
    """Moves a piece or stack; the old fields serve an undo only. `player` is a password."""

    id: str = _field("text")
    map: str | None = _field("none")
    x: int = _field("integer")
    y: int = _field("integer")
    under: str | None = _field("none", None)
    old_map: str | None = _field("none", None)
    old_x: int = _field("integer", 0)
    old_y: int = _field("integer", 0)
    old_under: str | None = _field("none", None)
    player: Secret = _secret()


@_command("LOG\t", WHOLE)
@dataclass(frozen=True)
class LogStep(Command):
    """Goes before every command of a step in a log."""

    command: str = _state()


@_command("CHAT", WHOLE)
@dataclass(frozen=True)
class Chat(Command):
    """A line in the chat window: typed, reported by the engine, or rolled."""

    line: str = _state()


@_command("PLAYER\t")
@dataclass(frozen=True)
class Player(Command):
    """Sits a player down. `id` is the password."""

    id: Secret = _field("secret")
    name: str = _text(optional=False)
    side: str = _text(optional=False)


@_command("PYREMOVE\t")
@dataclass(frozen=True)
class PlayerLeaves(Command):
    """A player leaves his side. `id` is the password."""

    id: Secret = _field("secret")


@_command("UNDO\t")
@dataclass(frozen=True)
class Undo(Command):
    """Brackets an undo: true opens it, false closes it."""

    opens: bool = _field("flag")


@_command("MutableProperty\t")
@dataclass(frozen=True)
class PropertyChange(Command):
    """A global property changes during play; dice leave their result this way too."""

    name: str = _field("text")
    old: str = _text(optional=False)
    new: str = _text(optional=False)
    container: str = _text()


@_command("GlobalProperty\t", ";")
@dataclass(frozen=True)
class PropertyValue(Command):
    """The value of a global property in a save; of a zone: name TAB zone TAB board TAB map."""

    name: str = _field("text")
    value: str = _text(optional=False)
    container: str = _text(optional=False)


@_command("TURN")
@dataclass(frozen=True)
class Turn(Command):
    """The state of a turn tracker."""

    tracker: str = _field("text")
    state: str = _text(optional=False)


@_command("BoardPicker", TAB, "suffix")
@dataclass(frozen=True)
class Boards(Command):
    """The boards of a map: name (and `rev`), column, row, repeated."""

    map: str = _field("text")
    boards: tuple[str, ...] = _field("rest", ())


@_command("SETUP_STACK\t", WHOLE)
@dataclass(frozen=True)
class SetupStack(Command):
    """Says that the at-start stacks and decks are in the file."""

    rest: str = _text()


@_command("NOTES\t", WHOLE)
@dataclass(frozen=True)
class Notes(Command):
    """The scenario notes; newlines are written as |."""

    note: str = _prose()


@_command("PNOTES\t", WHOLE)
@dataclass(frozen=True)
class PublicNotes(Command):
    """The public notes."""

    note: str = _prose()


@_command("PNOTE\t")
@dataclass(frozen=True)
class PrivateNote(Command):
    """A note of one player's own; `owner` is the password."""

    owner: Secret = _field("secret")
    note: str = _prose()


@_command("SNOTE\t")
@dataclass(frozen=True)
class SecretNote(Command):
    """A sealed note; `owner` is the password."""

    name: str = _field("text")
    owner: Secret = _secret()
    hidden: str = _text()
    note: str = _prose()
    date: str = _text()
    handle: str = _text()


@_command("UNMASK\t")
@dataclass(frozen=True)
class Unmaskable(Command):
    """The players who let others lift their masks, by password."""

    ids: tuple[Secret, ...] = _field("secrets", ())


@_command("LOS\t")
@dataclass(frozen=True)
class LineOfSight(Command):
    """A line-of-sight thread, drawn for all."""

    thread: str = _field("text")
    rest: tuple[str, ...] = _field("rest", ())


@_command("SHOW_RESULTS\t")
@dataclass(frozen=True)
class SymbolDice(Command):
    """The faces of symbol dice."""

    dice: str = _field("text")
    faces: tuple[str, ...] = _field("rest", ())


@_command("AUDIO\t")
@dataclass(frozen=True)
class Sound(Command):
    """Plays a sound."""

    name: str = _text()


@_command("EXT\t")
@dataclass(frozen=True)
class Extension(Command):
    """An extension the game was saved with."""

    name: str = _text()
    version: str = _text()


@_command("SGKC\t")
@dataclass(frozen=True)
class StartupKey(Command):
    """A key command applied at the start."""

    id: str = _text()
    applied: str = _text()


@_command("FLARE\t")
@dataclass(frozen=True)
class Flare(Command):
    """A flare on the map, to draw the others' eyes."""

    id: str = _text()
    x: str = _text()
    y: str = _text()


@_command("DECK\t", WHOLE)
@dataclass(frozen=True)
class LoadDeck(Command):
    """Deck contents loaded from a file."""

    rest: str = _text()


@_command("GlobalTranslatable\t")
@dataclass(frozen=True)
class Translatable(Command):
    """A translatable message's value."""

    rest: tuple[str, ...] = _field("rest", ())


@_command("LOCKSPOTAB\t", WHOLE)
@dataclass(frozen=True)
class LockOptions(Command):
    """Locks the scenario options."""

    rest: str = _text()


@_command("CLOCKCONTROL\t", WHOLE)
@dataclass(frozen=True)
class ClockControl(Command):
    """Starts or stops the chess clocks."""

    rest: str = _text()


@_command("CLOCK\t", WHOLE)
@dataclass(frozen=True)
class Clock(Command):
    """The state of one chess clock."""

    rest: str = _text()


@_command("Events", WHOLE)
@dataclass(frozen=True)
class Events(Command):
    """The old list of scheduled events."""

    rest: str = _text()


@dataclass(frozen=True)
class Empty(Command):
    """The empty command: a head that only holds others together."""

    @property
    def text(self) -> str:
        return ""


EMPTY = Empty()
_BY_LENGTH = sorted(
    (spec for spec in SPECS.values() if spec.match == "prefix"), key=lambda spec: -len(spec.prefix)
)
_BY_FIRST: dict[str, list[CommandSpec]] = {}
for _spec in _BY_LENGTH:
    _BY_FIRST.setdefault(_spec.prefix[0], []).append(_spec)
_EXACT = {spec.prefix: spec for spec in SPECS.values() if spec.match == "exact"}
_BOARDS = SPECS["BoardPicker"]


def find(text: str) -> CommandSpec | None:
    """Return the row of a command, None when no row claims it."""
    for spec in _BY_FIRST.get(text[:1], ()):
        if text.startswith(spec.prefix):
            return spec
    if text in _EXACT:
        return _EXACT[text]
    end = text.find(TAB)
    first = text if end < 0 else text[:end]
    return _BOARDS if first.endswith("BoardPicker") else None


def known(text: str) -> bool:
    """True if an engine would decode the command."""
    return not text or find(text) is not None


def read(text: str) -> Command:
    """Read a command. Whatever the input, the result's `text` is the input."""
    if not text:
        return EMPTY
    spec = find(text)
    if spec is None:
        return Unknown(text)
    try:
        command = _read(spec, text)
    except (TypeError, ValueError):
        return Unknown(text)
    return command if command.text == text else Unknown(text)


def parse(text: str) -> Command:
    """Read a command for what it means, even where its text is not the one we would write."""
    spec = find(text)
    if spec is None:
        return Unknown(text) if text else EMPTY
    try:
        return _read(spec, text)
    except (TypeError, ValueError):
        return Unknown(text)


def _read(spec: CommandSpec, text: str) -> Command:
    rows = spec.fields
    if spec.match == "suffix":
        tokens = codec.decode(text, spec.delimiter)
        tokens[0] = tokens[0][: -len(spec.prefix)]
    elif spec.delimiter == WHOLE:
        tokens = [text[len(spec.prefix) :]]
    elif spec.prefix == "GlobalProperty\t":
        tokens = codec.decode(text, ";")[1:]
    else:
        tokens = codec.decode(text[len(spec.prefix) :], spec.delimiter)
    values = {
        row.name: _READERS[row.metadata["kind"]](tokens, at)
        for at, row in enumerate(rows)
        if at < len(tokens)
    }
    return spec.cls(**values)


def _write(command: Command) -> str:
    spec = command.spec
    rows = list(spec.fields)
    while rows and rows[-1].metadata["optional"] and getattr(command, rows[-1].name) == rows[-1].default:
        rows.pop()
    tokens = [token for row in rows for token in _WRITERS[row.metadata["kind"]](getattr(command, row.name))]
    if spec.match == "suffix":
        return codec.encode([tokens[0] + spec.prefix, *tokens[1:]], spec.delimiter)
    if spec.delimiter == WHOLE:
        return spec.prefix + "".join(tokens)
    if spec.prefix == "GlobalProperty\t":
        return codec.encode([spec.prefix, *tokens], ";")
    return spec.prefix + codec.encode(tokens, spec.delimiter)


def _one(convert: Callable[[str], object]) -> Callable[[list[str], int], object]:
    return lambda tokens, at: convert(tokens[at])


_READERS: dict[str, Callable[[list[str], int], object]] = {
    "text": _one(str),
    "none": _one(lambda token: None if token == NONE else token),
    "missing": _one(str),
    "integer": _one(int),
    "flag": _one(lambda token: token == "true"),
    "secret": _one(Secret),
    "rest": lambda tokens, at: tuple(tokens[at:]),
    "secrets": lambda tokens, at: tuple(Secret(token) for token in tokens[at:]),
}
_WRITERS: dict[str, Callable[[Any], list[str]]] = {
    "text": lambda value: [value],
    "none": lambda value: [NONE if value is None else value],
    "missing": lambda value: [] if value is None else [value],
    "integer": lambda value: [str(value)],
    "flag": lambda value: ["true" if value else "false"],
    "secret": lambda value: [value.reveal()],
    "rest": list,
    "secrets": lambda value: [item.reveal() for item in value],
}


def short(text: str) -> str:
    """A command's name for messages; never its fields."""
    spec = find(text)
    return spec.cls.__name__ if spec else "unknown command"
