"""What a YAML file is read into: a tree of nodes that know their line and column, and its source."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from fieldpost.definition.problems import Problem

MAX_BYTES = 8_000_000


class Node:
    """A place in a file. Lines and columns count from 0, as YAML does."""

    __slots__ = ("column", "line")

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column


class Scalar(Node):
    __slots__ = ("plain", "style", "text")

    def __init__(self, line: int, column: int, text: str, plain: bool, style: str | None) -> None:
        self.line = line
        self.column = column
        self.text = text
        self.plain = plain
        self.style = style


class Seq(Node):
    __slots__ = ("items",)

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        self.items: list[Node] = []


class Map(Node):
    __slots__ = ("items", "pending")

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        self.items: dict[str, tuple[Scalar, Node]] = {}
        self.pending: Scalar | None = None


@dataclass
class Source:
    """A file being read: its name as shown, its lines, and the faults found in it."""

    name: str
    text: str
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = self.text.splitlines()

    def at(
        self,
        node: Node | tuple[int, int],
        message: str,
        expected: str | None = None,
        nearest: str | None = None,
    ) -> None:
        """Note a fault at a node or at a (line, column), both counted from 0."""
        line, column = node if isinstance(node, tuple) else (node.line, node.column)
        line = max(0, min(line, len(self.lines) - 1))
        shown = self.lines[line] if self.lines else ""
        self.problems.append(
            Problem(self.name, line + 1, column + 1, message, expected, nearest, printable(shown))
        )

    def find(self, node: Node, token: str) -> tuple[int, int]:
        """Where a word of a longer text stands: its first place at or after the node."""
        pattern = re.compile(rf"(?<![\w/]){re.escape(token)}(?![\w/])")
        start = node.column
        for line in range(node.line, len(self.lines)):
            found = pattern.search(self.lines[line], start)
            if found:
                return line, found.start()
            start = 0
        return node.line, node.column

    def block_line(self, node: Node, index: int) -> tuple[int, int]:
        """Where line `index` of a text written as a block (with |) begins."""
        line = node.line + 1 + index
        if line >= len(self.lines):
            return node.line, node.column
        text = self.lines[line]
        return line, len(text) - len(text.lstrip(" "))


def printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\t" else "?" for c in text)


def read_source(path: Path, name: str) -> Source:
    """The text of a file; what stands in the way is a fault of the source, never an exception."""
    source = Source(name, "")
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        source.problems.append(Problem(name, 0, 0, f"cannot be read: {error.strerror or 'unreadable'}"))
        return source
    if len(data) > MAX_BYTES:
        source.problems.append(
            Problem(name, 0, 0, "is too large", f"at most {MAX_BYTES // 1_000_000} million bytes")
        )
        return source
    try:
        return Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n"), error.start - (before.rfind(b"\n") + 1)
        source.problems.append(
            Problem(name, line + 1, column + 1, "this is not UTF-8 text", "a file saved as UTF-8")
        )
        return source
