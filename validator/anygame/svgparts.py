"""Drawings that use parts of other drawings of their module: the parts are put into them.

A picture in a page may load nothing, so that `<use href="symbols.svg#s">` would stay empty there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_SVG, _LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_HREFS = (f"{{{_LINK}}}href", "href")
_OUTSIDE = re.compile(r"([^#]*\.svg)#(.+)", re.IGNORECASE)
_WITHIN = re.compile(r"url\(\s*['\"]?#([^)'\"]+)['\"]?\s*\)")
_MOST_PARTS = 200
_LARGEST = 2_000_000
Read = Callable[[str], bytes | None]
"""Gives a drawing of the module by its name."""

ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", _LINK)


def with_parts(drawing: bytes, read: Read) -> bytes:
    """The drawing with what it uses of others; as it is, if it uses nothing or cannot be read."""
    if b".svg#" not in drawing:
        return drawing
    root = _parsed(drawing)
    if root is None:
        return drawing
    parts = _Parts(read)
    for element in list(root.iter()):
        parts.resolve(element, None)
    defs = Element(f"{{{_SVG}}}defs")
    defs.extend(parts.found)
    root.insert(0, defs)
    made: bytes = ElementTree.tostring(root, encoding="utf-8")
    return made


def _parsed(drawing: bytes | None) -> Element | None:
    """None for what is no drawing, or would grow while it is read."""
    if drawing is None or len(drawing) > _LARGEST or b"<!ENTITY" in drawing:
        return None
    try:
        return ElementTree.fromstring(drawing)
    except ElementTree.ParseError:
        return None


class _Parts:
    """Takes parts out of other drawings, each once, and all that they use in turn."""

    def __init__(self, read: Read) -> None:
        self.found: list[Element] = []
        self._read = read
        self._names: dict[tuple[str, str], str] = {}
        self._roots: dict[str, Element | None] = {}

    def resolve(self, element: Element, home: str | None) -> None:
        """Let an element refer to parts in this drawing; `home` is the other one that it comes from."""
        for key in _HREFS:
            reference = element.get(key)
            if reference is not None and (name := self._name_of(reference, home)) is not None:
                element.set(key, f"#{name}")
        if home is not None:
            for key, value in element.attrib.items():
                if "url(" in value:
                    element.set(key, _WITHIN.sub(lambda match: self._url(match[1], home), value))

    def _name_of(self, reference: str, home: str | None) -> str | None:
        outside = _OUTSIDE.fullmatch(reference)
        if outside is not None:
            return self._bring(outside[1].rpartition("/")[2], outside[2])
        return self._bring(home, reference[1:]) if home is not None and reference.startswith("#") else None

    def _url(self, id: str, home: str) -> str:
        return f"url(#{self._bring(home, id) or id})"

    def _bring(self, file: str, id: str) -> str | None:
        """The name here of a part of another drawing; None if there is none."""
        if (file, id) in self._names:
            return self._names[file, id]
        if len(self._names) >= _MOST_PARTS:
            return None
        root = self._root(file)
        part = next((one for one in root.iter() if one.get("id") == id), None) if root is not None else None
        if part is None:
            return None
        name = self._names[file, id] = f"part-{len(self._names) + 1}"
        copy = deepcopy(part)
        for element in list(copy.iter()):
            self.resolve(element, file)
        copy.set("id", name)
        self.found.append(copy)
        return name

    def _root(self, file: str) -> Element | None:
        if file not in self._roots:
            self._roots[file] = root = _parsed(self._read(file))
            self.found += _styles(root) if root is not None else ()
        return self._roots[file]


def _styles(root: Element) -> Iterator[Element]:
    """What classes of its parts look like."""
    return (deepcopy(one) for one in root.iter(f"{{{_SVG}}}style"))
