"""Where everything that was read stands, so that a fault can be shown at its place."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any, TypeVar

from fieldpost.definition.tree import Map, Node, Scalar, Seq, Source

T = TypeVar("T")


class Key(str):
    """In a path: the key itself, not what stands behind it."""


class Reader:
    """Remembers where each object stands that was read from a file, and which fields of it were faulty."""

    def __init__(self) -> None:
        self.source = Source("", "")
        self.objects: dict[type, list[Any]] = {}
        self._at: dict[int, tuple[Source, Map]] = {}
        self._broken: dict[int, set[str]] = {}
        self.dropped = 0  # records of lists that could not be read at all
        self._kept: list[object] = []  # whose places are known by their identity

    # --- where things stand

    def record(self, value: object, node: Map, broken: list[str]) -> None:
        self._at[id(value)] = (self.source, node)
        self.objects.setdefault(type(value), []).append(value)
        if broken:
            self._broken[id(value)] = set(broken)

    def stand_in(self, value: object, node: Map) -> None:
        """An empty record that stands in for a missing one has the place of what should hold it."""
        if is_dataclass(value):
            self._at[id(value)] = (self.source, node)

    def follow(self, value: object, origin: object) -> None:
        """A value made from another stands where the other does."""
        self._at[id(value)] = self._at[id(origin)]
        if id(origin) in self._broken:
            self._broken[id(value)] = self._broken[id(origin)]
        self._kept.append(value)

    def all(self, kind: type[T]) -> list[T]:
        return self.objects.get(kind, [])

    def intact(self, value: object, *names: str) -> bool:
        """Whether these fields were read without a fault."""
        return self._broken.get(id(value), set()).isdisjoint(names)

    def place(self, value: object, *path: str | int) -> tuple[Source, Node]:
        """The file and node of a field of an object, or of an item within it."""
        source, at = self._at[id(value)]
        node: Node = at
        for step in path:
            if isinstance(node, Map) and isinstance(step, Key) and step in node.items:
                return source, node.items[step][0]
            if isinstance(node, Map) and step in node.items:
                node = node.items[str(step)][1]
            elif isinstance(node, Seq) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
            else:
                break
        return source, node

    def fault(
        self,
        value: object,
        path: tuple[str | int, ...],
        message: str,
        expected: str | None = None,
        near: str | None = None,
    ) -> None:
        source, node = self.place(value, *path)
        source.at(node, message, expected, near)

    def fault_at_word(
        self,
        value: object,
        path: tuple[str | int, ...],
        word: str,
        message: str,
        expected: str | None = None,
        near: str | None = None,
    ) -> None:
        """A fault at one word of a text that holds several."""
        source, node = self.place(value, *path)
        if isinstance(node, Seq):
            node = next((n for n in node.items if isinstance(n, Scalar) and n.text == word), node)
            source.at(node, message, expected, near)
        else:
            source.at(source.find(node, word), message, expected, near)
