"""XML of VASSAL's own that a game hands on to its module."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"
MOST_BYTES = 2_000_000
_COMPONENT = re.compile(r"VASSAL(\.[a-z][A-Za-z0-9_]*)+\.[A-Z][A-Za-z0-9_]*")


class XmlFault(Exception):
    def __init__(self, message: str, line: int = 0, expected: str | None = None) -> None:
        super().__init__(message)
        self.line, self.expected = line, expected


@dataclass(frozen=True)
class PassedXml:
    """The elements of a file as text, and of prototypes what each is made of."""

    elements: tuple[str, ...]
    prototypes: Mapping[str, str]  # by name

    @classmethod
    def read(cls, data: bytes, part: str) -> PassedXml:
        from lxml import etree

        if len(data) > MOST_BYTES:
            raise XmlFault("too large", expected=f"at most {MOST_BYTES // 1_000_000} MB")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
        )
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            told = str(error.msg)
            hint = "one element around all the others, such as <module>" if "Extra content" in told else None
            raise XmlFault(f"this is no XML: {told}", error.lineno or 0, hint) from None
        if root.getroottree().docinfo.internalDTD is not None:
            raise XmlFault("it has a DOCTYPE", 1, "XML without one")
        elements = [root] if _COMPONENT.fullmatch(str(root.tag)) else list(root)
        if not elements:
            raise XmlFault("it holds no component", 1, f"elements such as <{PROTOTYPE}>")
        prototypes: dict[str, str] = {}
        for element in elements:
            tag, line = str(element.tag), int(str(element.sourceline or 0))
            if not _COMPONENT.fullmatch(tag):
                raise XmlFault(f"<{tag}> is no component of VASSAL", line, f"such as <{PROTOTYPE}>")
            if (tag == PROTOTYPE) != (part == "prototypes"):
                where = "under module: or map:" if part == "prototypes" else "under prototypes:"
                raise XmlFault(f"<{tag}> does not belong here", line, where)
            if part == "prototypes":
                name, text = element.get("name") or "", (element.text or "").strip()
                if not name or name in prototypes:
                    raise XmlFault(f"the name {name!r} is missing or taken", line, "another name")
                if not text.startswith("+/"):
                    raise XmlFault(f"{name!r} holds no traits", line, "text that begins with +/null/")
                prototypes[name] = text
            element.tail = None
        texts = (etree.tostring(element, encoding="unicode") for element in elements)
        return cls(tuple(texts), prototypes)
