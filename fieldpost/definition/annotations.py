"""Marks on the types of a definition that say more than the type: ids, labels, text as written.

The reader, the JSON Schema and the messages all read them.
"""

from __future__ import annotations

import re
import types
from dataclasses import dataclass, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, Union, get_args, get_origin


@dataclass(frozen=True)
class Ident:
    """An id of this form."""

    pattern: str
    wanted: str

    def fits(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text) is not None


class AsWritten:
    """Text as it stands, were it a number: what is printed in a cell of a chart."""


class Labels:
    """Several labels: a list, or one text with spaces between."""


Id = Annotated[str, Ident(r"[a-z0-9]+([.-][a-z0-9]+)*", "lower case letters, digits and hyphens")]
Rights = Annotated[
    str, Ident(r"own|private|permission: \S.*", "own, private, or 'permission: who gave it, and when'")
]
PieceId = Annotated[
    str, Ident(r"[A-Za-z0-9][^\s,;:/\\|+@#*\"'<>&]*", "letters and digits without spaces, such as 57PzK")
]
Written = Annotated[str, AsWritten]
LabelList = Annotated[tuple[str, ...], Labels]


def shorthand(kind: type) -> str | None:
    """The field that a bare word stands for, in classes that may be written as one."""
    name = getattr(kind, "SHORTHAND", None)
    return name if isinstance(name, str) else None


def article(kind: type) -> str:
    """The class in words: a turn track, an option."""
    name = getattr(kind, "CALLED", None) or re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def members_in_words(members: tuple[Any, ...]) -> str:
    """The types a value may have, as a sentence lists them."""
    narrow = {Fraction: "a fraction like 1/3"} if int in members else {}
    words = [narrow.get(member) or words_of(member) for member in members if member is not type(None)]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def words_of(hint: Any) -> str:
    """A type in words."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in _WORDS:
        return _WORDS[hint]
    if hint is Fraction:
        return "a whole number or a fraction like 1/3"
    if origin is Annotated:
        return args[1].wanted if isinstance(args[1], Ident) else words_of(args[0])
    if origin is Literal:
        return " or ".join(map(str, args))
    if origin is tuple:
        return f"a list of {words_of(args[0])}"
    if origin in (Union, types.UnionType):
        return members_in_words(args)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return " or ".join(m.value for m in hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return article(hint)
    return "a mapping (key: value)"
