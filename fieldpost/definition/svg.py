"""What is asked of an SVG file: well formed, of a known size, and drawn from nothing but itself."""

from __future__ import annotations

import re

MOST_BYTES = 4_000_000
MOST_ELEMENTS = 50_000
_NUMBER = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*(px|pt|mm|cm|in|)\s*")
_UNITS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}
_OUTSIDE_STYLE = re.compile(r"@import|url\(\s*['\"]?\s*(?!#|['\"]?data:image/)", re.IGNORECASE)
_FORBIDDEN = ("script", "foreignObject", "iframe", "audio", "video")


class SvgFault(Exception):
    def __init__(self, message: str, expected: str | None = None) -> None:
        super().__init__(message)
        self.expected = expected


def svg_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels; raises SvgFault for what is no drawing or draws on something outside."""
    from lxml import etree

    if len(data) > MOST_BYTES:
        raise SvgFault("this drawing is too large", f"at most {MOST_BYTES // 1_000_000} MB")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SvgFault(f"this is no SVG: {error}") from None
    if root.getroottree().docinfo.internalDTD is not None and b"<!ENTITY" in data:
        raise SvgFault("it defines entities", "an SVG without a DOCTYPE that does")
    if _local(root.tag) != "svg":
        raise SvgFault(f"its outermost element is <{_local(root.tag)}>", "<svg>")
    for number, element in enumerate(root.iter()):
        if number > MOST_ELEMENTS:
            raise SvgFault("it has too many elements", f"at most {MOST_ELEMENTS}")
        if isinstance(element.tag, str):
            _check(element)
        elif isinstance(element, etree._ProcessingInstruction):
            raise SvgFault(f"line {element.sourceline}: it asks for a style sheet", "styles in the file")
    return _size(root)


def _check(element: object) -> None:
    tag, line = _local(element.tag), element.sourceline  # type: ignore[attr-defined]
    if tag in _FORBIDDEN:
        raise SvgFault(f"line {line}: <{tag}> is no part of a picture", "a drawing without it")
    if tag == "style" and _OUTSIDE_STYLE.search("".join(element.itertext())):  # type: ignore[attr-defined]
        raise SvgFault(f"line {line}: its style refers to something outside", "everything in the file itself")
    for name, value in element.attrib.items():  # type: ignore[attr-defined]
        name = _local(name)
        if name.lower().startswith("on"):
            raise SvgFault(f"line {line}: {name} is a script", "a drawing without scripts")
        inner = value.strip().startswith(("#", "data:image/"))
        if (name in ("href", "src") and not inner and tag != "a") or _OUTSIDE_STYLE.search(value):
            told = value if len(value) < 60 else value[:60] + "..."
            raise SvgFault(f"line {line}: it refers to {told!r}", "everything in the file itself")


def _size(root: object) -> tuple[int, int]:
    width, height = (_length(root.get(name, "")) for name in ("width", "height"))  # type: ignore[attr-defined]
    if width and height:
        return max(1, round(width)), max(1, round(height))
    box = re.split(r"[\s,]+", root.get("viewBox", "").strip())  # type: ignore[attr-defined]
    try:
        across, down = float(box[2]), float(box[3])
    except (IndexError, ValueError):
        across = down = 0.0
    if not (0 < across < 1e6 and 0 < down < 1e6):
        raise SvgFault("it does not say how large it is", 'viewBox="0 0 WIDTH HEIGHT" at its <svg>')
    return max(1, round(across)), max(1, round(down))


def _length(text: str) -> float | None:
    found = _NUMBER.fullmatch(text)
    return float(found[1]) * _UNITS[found[2]] if found else None


def _local(name: object) -> str:
    return str(name).rpartition("}")[2]
