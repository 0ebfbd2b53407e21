"""Pieces of sentences: how many, which, and what is said only where there is something to say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
K = TypeVar("K")


def count(number: int, noun: str) -> str:
    """1 step; 2,000 steps."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str], most: int | None = None) -> str:
    """a; a and b; a, b and c. Of more than `most` the first, and how many more."""
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most} more"]
    return joined([joined(names[:-1]), *names[-1:]], " and ")


def joined(parts: Iterable[str], by: str = ", ") -> str:
    """Those that say something."""
    return by.join(filter(None, parts))


def phrase(form: str, value: object) -> str:
    """The form with the value where it has its braces; nothing where there is no value."""
    return form.format(value) if value else ""


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text.strip()
    return full_stop(text[:1].upper() + text[1:])


def full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """In the order in which the first of each group came."""
    groups: dict[K, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def points_text(low: int | None, high: int | None) -> str:
    """A span of points; an end that is None is open: 58 or more, 51 to 57, 50 or less."""
    if low is None:
        return "any number" if high is None else f"{high} or less"
    if high is None:
        return f"{low} or more"
    return str(low) if low == high else f"{low} to {high}"
