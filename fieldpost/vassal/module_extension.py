"""Extensions put into their module: each part of one tells by a path which component it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fieldpost.vassal import codec
from fieldpost.vassal.module_tree import ENGINE, Component

_ELEMENT = ".ExtensionElement"
Path = list[list[str]]
"""For each component on the way down: its class, and its name if it has one."""


def joined(root: Component, extensions: Sequence[Component]) -> Component:
    """The tree of a module with all that extensions add; what fits nowhere stands at the top."""
    for target, added in _added(extensions).items():
        path = _path(target)
        by_class = [step[:1] for step in path]  # for names that were changed since
        root = _with(root, path, added) or _with(root, by_class, added) or _with_parts(root, added)
    return root


def _added(extensions: Sequence[Component]) -> dict[str, list[Component]]:
    """What is added to each target."""
    added: defaultdict[str, list[Component]] = defaultdict(list)
    for part in (part for extension in extensions for part in extension.children):
        is_element = part.kind.endswith(_ELEMENT)
        added[part.get("target") if is_element else ""] += part.children if is_element else (part,)
    return added


def _path(target: str) -> Path:
    return [codec.decode(step, ":") for step in codec.decode(target, "/")] if target else []


def _with(component: Component, path: Path, added: Sequence[Component]) -> Component | None:
    """The component with parts added where a path leads; None where it leads nowhere."""
    if not path:
        return _with_parts(component, added)
    for at, rest in _next(component, path):
        child = _with(component.children[at], rest, added)
        if child is not None:
            before, after = component.children[:at], component.children[at + 1 :]
            return replace(component, children=(*before, child, *after))
    return None


def _next(component: Component, path: Path) -> Iterator[tuple[int, Path]]:
    """Children to look into, with the way on from there; older extensions know nothing of folders."""
    cls, *name = path[0]
    for at, child in enumerate(component.children):
        if child.kind == cls.removeprefix(ENGINE) and set(name) <= set(child.attributes.values()):
            yield at, path[1:]
        elif child.is_folder:
            yield at, path


def _with_parts(component: Component, added: Sequence[Component]) -> Component:
    return replace(component, children=(*component.children, *added))
