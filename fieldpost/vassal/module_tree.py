"""A module's build file as a plain tree: every component with its settings, known or not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fieldpost.errors import FieldpostError

ENGINE = "VASSAL.build."
_OLD_DEFINITIONS = b"<!DOCTYPE"
NUMBER_LIMIT = 1 << 31
MOST_TAGS = 400_000  # the largest module we know has 15,000
MAX_DEPTH = 256  # of lxml, too


class ModuleError(FieldpostError):
    """A module that cannot be read."""


@dataclass(frozen=True)
class Component:
    """One element of the build file. `kind` is its Java class, without `VASSAL.build.` where it has that."""

    kind: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Component, ...] = ()
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.attributes.get(name)
        return default if value is None else value.strip().lower() == "true"

    def integer(self, name: str, default: int = 0) -> int:
        return int(self.number(name, default))

    def number(self, name: str, default: float = 0.0) -> float:
        """A setting as a number; the default for what is none or is beyond the engine's own range."""
        try:
            value = float(self.attributes[name])
        except (KeyError, ValueError):
            return default
        return value if math.isfinite(value) and abs(value) < NUMBER_LIMIT else default

    @property
    def is_folder(self) -> bool:
        """Folders only order the editor's tree: what is in one belongs to the component around it."""
        return ".folder." in self.kind

    def parts(self) -> Iterator[Component]:
        """The children, those in folders among them."""
        for child in self.children:
            if child.is_folder:
                yield from child.parts()
            else:
                yield child

    def each(self) -> Iterator[Component]:
        """This component and all below it, in no certain order."""
        todo = [self]
        while todo:
            part = todo.pop()
            yield part
            todo.extend(part.children)

    def all(self, *endings: str) -> Iterator[Component]:
        """This component and all below it, in document order, whose class ends so."""
        if self.kind.endswith(endings):
            yield self
        for child in self.children:
            yield from child.all(*endings)

    def first(self, *endings: str) -> Component | None:
        return next((part for part in self.parts() if part.kind.endswith(endings)), None)


def parse(build_file: bytes, name: str) -> Component:
    """Read a build file; entities, other files, absurd depth and length are refused."""
    if build_file.count(b"<") > MOST_TAGS:
        raise ModuleError(f"{name}: the build file has more than {MOST_TAGS:,} tags")
    if _OLD_DEFINITIONS in build_file[:65536]:
        raise _refused(name)
    try:
        from lxml import etree
    except ImportError:  # in a browser
        return _component(_read_with_expat(build_file, name))
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(build_file, parser)
    except etree.XMLSyntaxError as error:
        raise _unsound(name, _fault(build_file, *error.position)) from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise _refused(name)
    return _component(root)


def _fault(build_file: bytes, line: int, column: int) -> str:
    if not build_file.strip():
        return "the build file is empty"
    if not build_file.lstrip(b"\xef\xbb\xbf").startswith(b"<"):
        before = build_file.partition(b"<")[0][:20].decode("latin-1")
        return f"the build file is no sound XML: it begins with {before!a} instead of a tag"
    return f"the build file is no sound XML at line {line}, column {column}"


def _read_with_expat(build_file: bytes, name: str) -> Any:
    """The same with what every Python has: no definitions at all, and no more depth than lxml takes."""
    from xml.etree import ElementTree
    from xml.parsers import expat

    parser, builder, depth = expat.ParserCreate(), ElementTree.TreeBuilder(), 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise _unsound(name, f"the build file is nested more than {MAX_DEPTH} deep")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def refuse(*_: Any) -> None:
        raise _refused(name)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = builder.data, refuse
    try:
        parser.Parse(build_file, True)
    except expat.ExpatError as error:
        raise _unsound(name, _fault(build_file, error.lineno, error.offset)) from None
    return builder.close()


def _unsound(name: str, fault: str) -> ModuleError:
    return ModuleError(
        f"{name}: {fault}", "VASSAL would not open this module either; ask for the file again."
    )


def _refused(name: str) -> ModuleError:
    return ModuleError(
        f"{name}: the build file defines its own entities",
        "No module needs that: do not open it elsewhere either.",
    )


def _component(element: Any) -> Component:
    tag = str(element.tag)
    return Component(
        tag.removeprefix(ENGINE),
        {str(name): str(value) for name, value in element.attrib.items()},
        tuple(_component(child) for child in element if isinstance(child.tag, str)),
        (element.text or "").strip(),
    )
