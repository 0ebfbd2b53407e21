"""YAML text to a tree of nodes that know their line and column.

Built from the events of libyaml, without recursion and with limits, so that no input can exhaust
memory or the stack. Anchors, aliases and tags are not part of the format.
"""

from __future__ import annotations

from sys import intern

import yaml

from fieldpost.definition.problems import Problem
from fieldpost.definition.tree import Map, Node, Scalar, Seq, Source, printable

MAX_DEPTH = 24
MAX_NODES = 1_000_000


class _Refused(Exception):
    """The text cannot be taken further; the fault is noted."""


def parse(source: Source) -> Node | None:
    """The tree of a file, or None when a fault of it was noted."""
    if source.problems:
        return None
    try:
        return _Tree(source).build()
    except _Refused:
        return None
    except yaml.YAMLError as error:
        _note_syntax(source, error)
        return None


def _note_syntax(source: Source, error: yaml.YAMLError) -> None:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        text = str(getattr(error, "problem", None) or getattr(error, "context", None))
        source.at((mark.line, mark.column), f"this is not YAML: {printable(text)}")
        return
    place = getattr(error, "position", None)
    message = "this is not YAML: a character that YAML does not allow"
    if not isinstance(place, int) or place < 0:
        source.problems.append(Problem(source.name, 0, 0, message))
        return
    before = source.text.encode("utf-8", "replace")[:place].decode("utf-8", "ignore")
    source.at((before.count("\n"), len(before) - before.rfind("\n") - 1), message)


class _Tree:
    """Builds the tree: a stack of open sequences and mappings."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.root: Node | None = None
        self.stack: list[Seq | Map] = []
        self.count = 0

    def build(self) -> Node | None:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(self.source.text)
        documents = 0
        try:
            while (event := loader.get_event()) is not None:
                kind = type(event)
                if kind is yaml.ScalarEvent:
                    self._scalar(event)
                elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                    self._open(event)
                elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                    self.stack.pop()
                elif kind is yaml.AliasEvent:
                    self._refuse(event, "aliases (*name) are not allowed", "the value written out")
                elif kind is yaml.DocumentStartEvent:
                    documents += 1
                    if documents > 1:
                        self._refuse(event, "a second document begins here", "one document in a file")
                elif kind is yaml.StreamEndEvent:
                    break
        finally:
            loader.dispose()
        if self.root is None or _is_null(self.root):
            self.source.problems.append(Problem(self.source.name, 0, 0, "the file is empty"))
            return None
        return self.root

    def _refuse(self, event: yaml.Event, message: str, expected: str | None = None) -> None:
        self.source.at(_start(event), message, expected)
        raise _Refused

    def _guard(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        self.count += 1
        if event.anchor is None and event.tag is None and self.count <= MAX_NODES:
            return
        if event.anchor is not None:
            self._refuse(event, "anchors (&name) are not allowed", "the value written out at each place")
        if event.tag is not None:
            self._refuse(event, "tags (!name) are not allowed", "a plain value")
        self._refuse(event, "there are too many values in this file", f"at most {MAX_NODES}")

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        self._guard(event)
        line, column = _start(event)
        text = intern(event.value)  # keys and ids come again and again
        self._add(Scalar(line, column, text, event.implicit[0], event.style))

    def _open(self, event: yaml.CollectionStartEvent) -> None:
        self._guard(event)
        line, column = _start(event)
        node: Seq | Map = (Map if type(event) is yaml.MappingStartEvent else Seq)(line, column)
        if self.stack and isinstance(self.stack[-1], Map) and self.stack[-1].pending is None:
            self._refuse(event, "a key must be a word", "key: value")
        self._add(node)
        self.stack.append(node)
        if len(self.stack) > MAX_DEPTH:
            self._refuse(event, "this is nested too deeply", f"at most {MAX_DEPTH} levels")

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        if type(parent) is Seq:
            parent.items.append(node)
            return
        assert isinstance(parent, Map)
        if parent.pending is None:
            assert isinstance(node, Scalar)
            parent.pending = node
        else:
            key, parent.pending = parent.pending, None
            if key.text in parent.items:
                first = parent.items[key.text][0].line + 1
                self.source.at(key, f"the key {key.text!r} is here a second time (first in line {first})")
            else:
                parent.items[key.text] = (key, node)


def _start(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    assert mark is not None
    return mark.line, mark.column


def _is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.plain and node.text in ("", "~", "null", "Null", "NULL")
