"""What a module, save or log says of itself: `moduledata`, `savedata`, `extensiondata`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from fieldpost.errors import FieldpostError

TRANSLATED = ""
"""In place of the tag of an element that repeats another in a language: `<name lang="es">`."""


class MetadataError(FieldpostError):
    """A metadata entry that is not the XML it should be."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """`engine` is the version that wrote the file; `date` when; `description` the writer's comment."""

    module: str | None = None
    version: str | None = None
    engine: str | None = None
    description: str | None = None
    date: datetime | None = None
    extra1: str = ""
    extra2: str = ""
    module_engine: str | None = None
    module_description: str | None = None

    @classmethod
    def read(cls, parts: Mapping[str, bytes]) -> Metadata:
        """Join the entries of one file: the save's own data come before the module's."""
        data = {name: _values(name, content) for name, content in parts.items()}
        module = data.get("moduledata", {})
        own = data.get("savedata") or data.get("extensiondata") or module
        return cls(
            module=module.get("name") or None,
            version=own.get("version") or module.get("version") or None,
            engine=own.get("VassalVersion") or None,
            description=own.get("description") or None,
            date=_date(own.get("dateSaved")),
            extra1=module.get("extra1", ""),
            extra2=module.get("extra2", ""),
            module_engine=module.get("VassalVersion") or None,
            module_description=module.get("description") or None,
        )

    def moduledata(self) -> bytes:
        return self._xml(self.module_engine or self.engine, self.module_description, self.module)

    def savedata(self) -> bytes:
        return self._xml(self.engine, self.description, None)

    def _xml(self, engine: str | None, description: str | None, name: str | None) -> bytes:
        rows = [
            ("version", self.version or ""),
            ("extra1", self.extra1),
            ("extra2", self.extra2),
            ("VassalVersion", engine or ""),
            ("dateSaved", str(_milliseconds(self.date))),
            ("description", description or ""),
        ]
        if name is not None:
            rows.append(("name", name))
        body = "".join(
            f"  <{tag}>{escape(text)}</{tag}>\n" if text else f"  <{tag}/>\n" for tag, text in rows
        )
        return (
            f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1">\n{body}</data>\n'
        ).encode()


def _values(entry: str, content: bytes) -> dict[str, str]:
    from xml.parsers import expat

    values: dict[str, str] = {}
    path: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        path.append(TRANSLATED if "lang" in attributes else tag)

    def end(_tag: str) -> None:
        path.pop()

    def text(data: str) -> None:
        if len(path) == 2 and path[1] != TRANSLATED:
            values[path[1]] = values.get(path[1], "") + data

    def refuse(*_ignored: object) -> None:
        raise MetadataError(f"{entry}: declares entities, which no VASSAL file does")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise MetadataError(
            f"{entry}: not XML at line {error.lineno}, column {error.offset + 1}", "The file is damaged."
        ) from None
    return {tag: value.strip() for tag, value in values.items()}


def _date(milliseconds: str | None) -> datetime | None:
    try:
        value = int(milliseconds or "")
        return datetime.fromtimestamp(value / 1000, UTC) if value > 0 else None
    except (ValueError, OverflowError, OSError):
        return None


def _milliseconds(date: datetime | None) -> int:
    return 0 if date is None else int(date.timestamp() * 1000)
