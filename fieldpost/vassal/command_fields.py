"""What a row of the table of commands is made of: its fields, how they are read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, TypeVar

from fieldpost.vassal import codec
from fieldpost.vassal.codec import TAB
from fieldpost.vassal.pieces import NONE, integer
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
    fields: tuple[Field[Any], ...]
    single: tuple[tuple[str, Callable[[str], object]], ...]
    """Fields of one token, with how it is read."""
    rest: tuple[tuple[str, Callable[[str], object]], ...]
    """The field that takes all further tokens, if there is one."""


@dataclass(frozen=True)
class Command:
    """Any command; subclasses carry the fields. `source` is what it was read from, none of one made here."""

    spec: ClassVar[CommandSpec]
    source: str | None = field(default=None, repr=False, compare=False, kw_only=True)

    @property
    def text(self) -> str:
        """The command as it was read; else as the engine writes it."""
        return write_fields(self) if self.source is None else self.source


@dataclass(frozen=True)
class Unknown(Command):
    """A command of a module's own, or of an engine we do not know; kept as it stands."""

    raw: str = field(default="", repr=False)

    @property
    def text(self) -> str:
        return self.raw


SPECS: dict[str, CommandSpec] = {}
_C = TypeVar("_C", bound=type[Command])


def command_row(prefix: str, delimiter: str = TAB, match: str = "prefix") -> Callable[[_C], _C]:
    """Enter a class into the table."""

    def register(cls: _C) -> _C:
        rows = tuple(item for item in fields(cls) if "kind" in item.metadata)
        single = tuple(
            (r.name, _READERS[r.metadata["kind"]]) for r in rows if r.metadata["kind"] not in _REST
        )
        rest = tuple((r.name, _REST[r.metadata["kind"]]) for r in rows if r.metadata["kind"] in _REST)
        cls.spec = SPECS[prefix] = CommandSpec(cls, prefix, delimiter, match, rows, single, rest)
        return cls

    return register


_NO_DEFAULT = object()


def of_kind(kind: str, default: object = _NO_DEFAULT, optional: bool = False, shown: bool = True) -> Any:
    """A field; an optional one is left out of the text while it has its default."""
    metadata = {"kind": kind, "optional": optional}
    if default is _NO_DEFAULT:
        return field(metadata=metadata, repr=shown)
    return field(default=default, metadata=metadata, repr=shown)


def a_state(kind: str = "text", default: object = _NO_DEFAULT) -> Any:
    """A state may name the owner of a mask by password, a line may hold anything: not in the repr."""
    return of_kind(kind, default, kind == "missing", shown=False)


def a_text(default: str = "", optional: bool = True) -> Any:
    return of_kind("text", default, optional)


def prose() -> Any:
    """What a player wrote stays out of the repr: it may hold anything."""
    return of_kind("text", "", True, shown=False)


def a_secret() -> Any:
    return of_kind("secret", Secret(), True)


def read_fields(spec: CommandSpec, text: str) -> Command:
    """Read a command of a row; raises TypeError or ValueError where its fields do not fit."""
    if spec.match == "suffix":
        tokens = codec.decode(text, spec.delimiter)
        tokens[0] = tokens[0][: -len(spec.prefix)]
    elif spec.delimiter == WHOLE:
        tokens = [text[len(spec.prefix) :]]
    elif spec.prefix == "GlobalProperty\t":
        tokens = codec.decode(text, ";")[1:]
    else:
        tokens = codec.decode(text[len(spec.prefix) :], spec.delimiter)
    values = {name: convert(token) for (name, convert), token in zip(spec.single, tokens, strict=False)}
    for name, convert in spec.rest:
        values[name] = tuple(convert(token) for token in tokens[len(spec.single) :])
    return spec.cls(**values, source=text)


def write_fields(command: Command) -> str:
    """Write a command as the engine does."""
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


_READERS: dict[str, Callable[[str], object]] = {
    "text": str,
    "none": lambda token: None if token == NONE else token,
    "missing": str,
    "integer": integer,
    "flag": lambda token: token == "true",
    "secret": Secret,
}
_REST: dict[str, Callable[[str], object]] = {"rest": str, "secrets": Secret}
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
