"""Ids that must be there once, and words that must lead somewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

from fieldpost.definition.problems import listing, nearest
from fieldpost.definition.reader import Reader

T = TypeVar("T")


def unique(reader: Reader, values: Iterable[T], key: Callable[[T], str], what: str) -> None:
    """A fault at every value whose id came before."""
    seen: dict[str, T] = {}
    for value in values:
        name = key(value)
        if name and name in seen:
            source, first = reader.place(seen[name])
            reader.fault(
                value,
                ("id",),
                f"{what} {name!r} is here a second time (first in {source.name}:{first.line + 1})",
            )
        seen.setdefault(name, value)


def known(
    reader: Reader, owner: object, path: tuple[str | int, ...], word: str, names: Collection[str], what: str
) -> bool:
    """Whether a reference leads somewhere; a fault if not. An empty one was faulted when it was read."""
    if not word or word in names:
        return True
    names = [name for name in names if name]
    reader.fault(owner, path, f"there is no {what} {word!r}", listing(names) or None, nearest(word, names))
    return False
