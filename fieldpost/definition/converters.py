"""Nodes of YAML to typed values, by the annotations of the classes themselves.

A value that does not fit is noted as a fault and replaced by an empty one of its type, so that
reading goes on and every fault of a file is found in one run.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from fieldpost.definition.annotations import (
    AsWritten,
    Ident,
    Labels,
    article,
    members_in_words,
    shorthand,
    words_of,
)
from fieldpost.definition.problems import listing, nearest
from fieldpost.definition.reader import Reader
from fieldpost.definition.tree import Map, Node, Scalar, Seq, Source
from fieldpost.errors import FieldpostError

T = TypeVar("T")
Convert = Callable[[Reader, Node], Any]

_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]*|[-+]?(0|[1-9][0-9]*)")
_FRACTION = re.compile(r"-?[0-9]+/[1-9][0-9]*")
_NULLS = ("", "~", "null", "Null", "NULL")
_TRUE = ("true", "True", "TRUE")
_FALSE = ("false", "False", "FALSE")
_SWITCHES = frozenset(
    word for base in ("yes", "no", "on", "off") for word in (base, base.title(), base.upper())
)
_OTHER_THAN_TEXT = re.compile(
    r"""[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?  # numbers, those with a leading zero too
      | [-+]?\.([0-9][0-9_]*([eE][-+]?[0-9]+)?|inf|Inf|INF) | \.(nan|NaN|NAN)
      | 0[xob][0-9a-fA-F_]+
      | [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?     # 1:30, which YAML counts in sixties
      | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\s].*)?         # dates
      | = | <<""",
    re.VERBOSE,
)


def read_as(kind: type[T], reader: Reader, source: Source, node: Node) -> T | None:
    """A whole file; None if it is not even of the right form."""
    reader.source = source
    try:
        return cast(T, _converter(cast(Any, kind))(reader, node))
    except _Bad:
        return None


class _Bad(Exception):
    """A value that does not fit: it has been noted."""


def _refuse(reader: Reader, node: Node, message: str, expected: str | None, near: str | None = None) -> _Bad:
    if is_null(node):
        message = "a value is missing here"
    reader.source.at(node, message, expected, near)
    return _Bad()


def _shown(node: Node) -> str:
    if isinstance(node, Seq):
        return "a list"
    if isinstance(node, Map):
        return "a mapping (key: value)"
    assert isinstance(node, Scalar)
    if node.plain and node.text in _NULLS:
        return "nothing"
    text = node.text if len(node.text) <= 40 else node.text[:40] + "..."
    return repr(text)


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and node.text in _NULLS


@lru_cache(maxsize=65536)
def _reads_as_text(text: str) -> bool:
    """Whether every YAML reader takes these bare words for text."""
    if not text or text in _NULLS or text in _TRUE or text in _FALSE or text in _SWITCHES:
        return False
    return not (text[0] in "0123456789+-.=<" and _OTHER_THAN_TEXT.fullmatch(text))


def _text(reader: Reader, node: Node) -> str:
    if type(node) is Scalar:
        if not node.plain or _reads_as_text(node.text):
            return node.text
        if node.text not in _NULLS:
            raise _refuse(reader, node, f"{node.text} is no text", f'text; put it in quotes: "{node.text}"')
    raise _refuse(reader, node, f"{_shown(node)} does not fit here", "text")


def _as_written(reader: Reader, node: Node) -> str:
    if type(node) is Scalar and not is_null(node):
        return node.text
    raise _refuse(reader, node, f"{_shown(node)} does not fit here", "text or a number")


def _ident(pattern: Ident) -> Convert:
    def convert(reader: Reader, node: Node) -> str:
        text = _text(reader, node)
        if not pattern.fits(text):
            raise _refuse(reader, node, f"{text!r} cannot be an id", pattern.wanted)
        return text

    return convert


def _integer(reader: Reader, node: Node) -> int:
    if type(node) is Scalar and node.plain and len(node.text) < 19 and _INT.fullmatch(node.text):
        return int(node.text)
    raise _refuse(reader, node, f"{_shown(node)} does not fit here", "a whole number")


def _number(reader: Reader, node: Node) -> float:
    if type(node) is Scalar and node.plain and len(node.text) < 30 and _FLOAT.fullmatch(node.text):
        return float(node.text)
    raise _refuse(reader, node, f"{_shown(node)} does not fit here", "a number")


def _fraction(reader: Reader, node: Node) -> Fraction:
    if (
        isinstance(node, Scalar)
        and len(node.text) < 30
        and (_FRACTION.fullmatch(node.text) or _INT.fullmatch(node.text))
    ):
        return Fraction(node.text)
    raise _refuse(reader, node, f"{_shown(node)} does not fit here", "a whole number or a fraction like 1/3")


def _truth(reader: Reader, node: Node) -> bool:
    if type(node) is Scalar and node.plain:
        if node.text in _TRUE:
            return True
        if node.text in _FALSE:
            return False
    raise _refuse(reader, node, f"{_shown(node)} does not fit here", "true or false")


def _labels(reader: Reader, node: Node) -> tuple[str, ...]:
    """Several words: a list of them, or one text with spaces or commas between."""
    if isinstance(node, Seq):
        return cast(tuple[str, ...], _tuple(str)(reader, node))
    if type(node) is Scalar and not is_null(node):
        text = node.text if not node.plain or " " in node.text else _text(reader, node)
        return tuple(text.replace(",", " ").split())
    raise _refuse(reader, node, f"{_shown(node)} does not fit here", "a list, or words with spaces between")


def _choice(values: tuple[str, ...], make: Callable[[str], Any]) -> Convert:
    def convert(reader: Reader, node: Node) -> Any:
        text = _text(reader, node)
        if text not in values:
            raise _refuse(
                reader, node, f"{text!r} is none of the choices", listing(values), nearest(text, values)
            )
        return make(text)

    return convert


def _tuple(item: Any) -> Convert:
    convert = _converter(item)
    whole = is_dataclass(item)

    def read(reader: Reader, node: Node) -> tuple[Any, ...]:
        if not isinstance(node, Seq):
            raise _refuse(reader, node, f"{_shown(node)} does not fit here", f"a list of {words_of(item)}")
        values, bad = [], 0
        for entry in node.items:
            try:
                values.append(convert(reader, entry))
            except _Bad:
                bad += 1
        if bad and not whole:  # of records the sound ones are kept: others may speak of them
            raise _Bad
        reader.dropped += bad
        return tuple(values)

    return read


def _mapping(item: Any) -> Convert:
    convert = _converter(item)

    def read(reader: Reader, node: Node) -> Mapping[str, Any]:
        if not isinstance(node, Map):
            raise _refuse(reader, node, f"{_shown(node)} does not fit here", "a mapping (key: value)")
        values, bad = {}, False
        for name, (_, entry) in node.items.items():
            try:
                values[name] = convert(reader, entry)
            except _Bad:
                bad = True
        if bad:
            raise _Bad
        return types.MappingProxyType(values)

    return read


def _optional(item: Any) -> Convert:
    convert = _converter(item)

    def read(reader: Reader, node: Node) -> Any:
        return None if is_null(node) else convert(reader, node)

    return read


def _union(members: tuple[Any, ...]) -> Convert:
    """A free value: the first of truth, whole number, fraction, list and text that it is and may be."""
    names = members_in_words(members)

    def read(reader: Reader, node: Node) -> Any:
        if isinstance(node, Seq) and any(get_origin(m) is tuple for m in members):
            return _tuple(str)(reader, node)
        if isinstance(node, Scalar) and not is_null(node):
            text = node.text
            if bool in members and node.plain and text in _TRUE + _FALSE:
                return text in _TRUE
            if int in members and node.plain and _INT.fullmatch(text) and len(text) < 19:
                return int(text)
            if Fraction in members and _FRACTION.fullmatch(text):
                return Fraction(text)
            if str in members:
                return _text(reader, node)
        raise _refuse(reader, node, f"{_shown(node)} does not fit here", names)

    return read


@cache
def _converter(hint: Any) -> Convert:
    simple: dict[Any, Convert] = {
        str: _text,
        int: _integer,
        float: _number,
        bool: _truth,
        Fraction: _fraction,
    }
    if hint in simple:
        return simple[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(hint, args)
    if origin is Literal:
        return _choice(args, lambda text: text)
    if origin is tuple:
        return _tuple(args[0])
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(args[1])
    if origin in (Union, types.UnionType):
        return _union_or_optional(args)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _choice(tuple(m.value for m in hint), hint)
    if is_dataclass(hint):
        return _Record(cast(type, hint)).read
    raise TypeError(f"no way to read {hint!r}")


def _annotated(hint: Any, args: tuple[Any, ...]) -> Convert:
    for mark in args[1:]:
        if isinstance(mark, Ident):
            return _ident(mark)
        if mark is AsWritten:
            return _as_written
        if mark is Labels:
            return _labels
    return _converter(args[0])


def _union_or_optional(args: tuple[Any, ...]) -> Convert:
    rest = tuple(a for a in args if a is not type(None))
    if len(rest) == len(args):
        return _union(args)
    return _optional(rest[0] if len(rest) == 1 else Union[rest])  # noqa: UP007


class _Record:
    """Reads a mapping into an object of one class."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.short = shorthand(kind)
        hints = get_type_hints(kind, include_extras=True)
        self.fields: dict[str, Field[Any]] = {f.name: f for f in fields(kind) if f.init and f.name[0] != "_"}
        self.hints = {name: hints[name] for name in self.fields}
        self.converters: dict[str, Convert] | None = None
        self.required = [
            name for name, f in self.fields.items() if f.default is MISSING and f.default_factory is MISSING
        ]

    def read(self, reader: Reader, node: Node) -> Any:
        if self.converters is None:  # late, since classes may hold each other
            self.converters = {name: _converter(hint) for name, hint in self.hints.items()}
        if isinstance(node, Scalar) and self.short and not is_null(node):
            short = Map(node.line, node.column)
            short.items[self.short] = (node, node)
            node = short
        if not isinstance(node, Map):
            wanted = f"{article(self.kind)} as a mapping (key: value)"
            raise _refuse(reader, node, f"{_shown(node)} does not fit here", wanted)
        return self._build(reader, node)

    def _build(self, reader: Reader, node: Map) -> Any:
        assert self.converters is not None
        values: dict[str, Any] = {}
        broken: list[str] = []
        partial: list[str] = []  # lists that lack a record
        for name, (key, entry) in node.items.items():
            convert = self.converters.get(name)
            if convert is None:
                self._unknown(reader, key)
                continue
            dropped = reader.dropped
            try:
                values[name] = convert(reader, entry)
            except _Bad:
                broken.append(name)
            if reader.dropped > dropped:
                partial.append(name)
        for name in self.required:
            if name not in node.items and type(None) not in get_args(self.hints[name]):
                reader.source.at(
                    node, f"{article(self.kind)} needs {name!r}", f"{name}: {self._wanted(name)}"
                )
                broken.append(name)
        for name in {*broken, *self.required} - values.keys():
            values[name] = empty(self.hints[name])
            reader.stand_in(values[name], node)
        try:
            made = self.kind(**values)
        except FieldpostError as error:
            reader.source.at(node, error.message, error.hint)
            raise _Bad from None
        reader.record(made, node, broken + partial)
        return made

    def _unknown(self, reader: Reader, key: Scalar) -> None:
        names = sorted(self.fields)
        message = f"{article(self.kind)} has no key {key.text!r}"
        reader.source.at(key, message, listing(names, most=40), nearest(key.text, names))

    def _wanted(self, name: str) -> str:
        return words_of(self.hints[name])


def empty(hint: Any) -> Any:
    """A value of the type that stands in for one that could not be read."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return empty(args[0])
    if origin is Literal:
        return args[0]
    if origin is tuple:
        return ()
    if origin in (Union, types.UnionType):
        return None if type(None) in args else empty(args[0])
    if origin is not None:
        return types.MappingProxyType({})
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    if is_dataclass(hint):
        return _empty_record(cast(type, hint))
    return cast(type, hint)()


def _empty_record(kind: type) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    values = {
        f.name: empty(hints[f.name])
        for f in fields(kind)
        if f.init and f.default is MISSING and f.default_factory is MISSING
    }
    return kind(**values)
