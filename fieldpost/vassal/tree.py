"""The tree of commands in a saved game.

A command with subcommands is a list with the delimiter ESC: its own text, then each
subcommand, which may be such a list again. The engine splits until nothing splits.
"""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.vassal import codec
from fieldpost.vassal.codec import ESC

MAX_DEPTH = 1000
_WORK = 100
_LEAST_WORK = 200_000_000


class Node:
    """A command's text and its subcommands.

    `raw` is set where writing text and subcommands would not give back what was read:
    surplus quotes, a list as head, nesting beyond all reason (then it was not taken apart).
    """

    __slots__ = ("raw", "subs", "text")

    def __init__(self, text: str = "", subs: list[Node] | None = None, raw: str | None = None) -> None:
        self.text = text
        self.subs: list[Node] = [] if subs is None else subs
        self.raw = raw

    def __repr__(self) -> str:
        return f"<Node with {len(self.subs)} subcommands>"

    def __iter__(self) -> Iterator[str]:
        """All texts in order of execution: a command before its subcommands, depth first."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node.text
            todo.extend(reversed(node.subs))

    def walk(self) -> Iterator[tuple[int, Node]]:
        """All nodes in order of execution with their depth."""
        todo = [(0, self)]
        while todo:
            depth, node = todo.pop()
            yield depth, node
            todo.extend((depth + 1, sub) for sub in reversed(node.subs))


def read(text: str) -> Node:
    """Take a command apart. Whatever the input, `write` gives it back."""
    root = Node(text)
    todo = [(root, 0)] if _compound(text) else []
    work = _WORK * len(text) + _LEAST_WORK
    while todo:
        node, depth = todo.pop()
        source = node.text
        if depth > MAX_DEPTH or work < 0:
            node.raw = source
            continue
        node.text, rest, exact, done = _split(source)
        work -= done
        node.raw = None if exact else source
        node.subs = [Node(part) for part in rest]
        todo.extend((sub, depth + 1) for sub in node.subs if _compound(sub.text))
    return root


def _compound(text: str) -> bool:
    return ESC in text or text[:1] == "'"


def _split(source: str) -> tuple[str, list[str], bool, int]:
    """Return the head, the subcommands' texts, whether writing them gives the source, the work done."""
    head, *rest = codec.decode(source, ESC)
    exact = not rest or codec.encode([head, *rest], ESC) == source
    work = 2 * len(source)
    while _compound(head):
        inner, *more = codec.decode(head, ESC)
        if inner == head or work > _WORK * len(source):
            break
        head, rest, exact = inner, [*more, *rest], False
        work += len(head)
    return head, rest, exact and (bool(rest) or head == source), work


def write(node: Node) -> str:
    """Put a command together again."""
    texts: dict[int, str] = {}
    for item in reversed(_compounds(node)):
        tokens = [item.text]
        for sub in item.subs:
            tokens.append(sub.raw if sub.raw is not None else texts[id(sub)] if sub.subs else sub.text)
        texts[id(item)] = codec.encode(tokens, ESC)
    return node.raw if node.raw is not None else texts.get(id(node), node.text)


def _compounds(node: Node) -> list[Node]:
    """The nodes whose text has to be put together, each before those inside it."""
    found: list[Node] = []
    todo = [node]
    while todo:
        item = todo.pop()
        if item.subs and item.raw is None:
            found.append(item)
            todo.extend(sub for sub in item.subs if sub.subs)
    return found
