"""Fields of traits and decks: rows of a table, from text to values and back.

A row is written `name`, `name:kind` or `name:kind=default`, fields separated by blanks.
What stands behind a single `|` is younger than VASSAL 3.6 and written only when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fieldpost.vassal import codec
from fieldpost.vassal.keys import KeyStroke, colour, number

Value = object


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: str = "text"
    default: str = ""

    def read(self, text: str) -> Value:
        return READERS[self.kind](text if text or self.kind in _KEEP_EMPTY else self.default)

    def write(self, value: Value) -> str:
        return WRITERS[self.kind](value) if value is not None else ""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one list; `common` counts those VASSAL 3.6 knows."""

    rows: tuple[Field, ...]
    common: int
    delimiter: str = ";"

    @classmethod
    def parse(cls, text: str, delimiter: str = ";") -> Fields:
        old, _, young = text.partition("|")
        rows = tuple(_field(word) for word in (old + young).split())
        return cls(rows, len(old.split()), delimiter)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows)

    def read(self, text: str) -> dict[str, Value]:
        """Return every field by name; missing ones take their default, surplus ones are left out."""
        tokens = codec.decode(text, self.delimiter)
        return {
            row.name: row.read(tokens[at]) if at < len(tokens) else READERS[row.kind](row.default)
            for at, row in enumerate(self.rows)
        }

    def write(self, values: Mapping[str, Value]) -> str:
        """Write the fields; those not given take their default."""
        unknown = values.keys() - set(self.names)
        if unknown:
            raise TypeError(f"no such field: {', '.join(sorted(unknown))}; there are {', '.join(self.names)}")
        last = max((at for at, row in enumerate(self.rows) if row.name in values), default=0)
        rows = self.rows[: max(self.common, last + 1)]
        return codec.encode(
            [row.write(values[row.name]) if row.name in values else row.default for row in rows],
            self.delimiter,
        )


def _field(word: str) -> Field:
    declared, _, default = word.partition("=")
    name, _, kind = declared.partition(":")
    return Field(name, _KINDS[kind], default.replace("_", " ") if kind == "" else default)


_KINDS = {
    "": "text",
    "i": "integer",
    "n": "number",
    "b": "flag",
    "k": "key",
    "c": "colour",
    "l": "list",
    "K": "keys",
}
_KEEP_EMPTY = frozenset({"text", "key", "colour", "list", "keys"})


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _list(text: str) -> tuple[str, ...]:
    return tuple(codec.decode(text, ",")) if text else ()


def _keys(text: str) -> tuple[KeyStroke | None, ...]:
    return tuple(KeyStroke.parse(token) for token in _list(text))


def _write_list(value: Value) -> str:
    if isinstance(value, str):
        return value
    assert isinstance(value, Sequence)
    return codec.encode([str(item) for item in value], ",")


def _write_number(value: Value) -> str:
    return value if isinstance(value, str) else number(float(str(value)))


def _write_flag(value: Value) -> str:
    return value if isinstance(value, str) else "true" if value else "false"


def _write_colour(value: Value) -> str:
    if isinstance(value, str):
        return value
    assert isinstance(value, Sequence)
    return ",".join(str(part) for part in value)


READERS: dict[str, Callable[[str], Value]] = {
    "text": str,
    "integer": _integer,
    "number": _number,
    "flag": lambda text: text == "true",
    "key": KeyStroke.parse,
    "colour": colour,
    "list": _list,
    "keys": _keys,
}
WRITERS: dict[str, Callable[[Value], str]] = {
    "text": str,
    "integer": str,
    "number": _write_number,
    "flag": _write_flag,
    "key": str,
    "colour": _write_colour,
    "list": _write_list,
    "keys": _write_list,
}
