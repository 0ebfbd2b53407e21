"""Pages that need nothing beside them: template, style, script, pictures and data in one file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from jinja2 import Environment, FileSystemLoader

from fieldpost import __version__, data
from fieldpost.phrases import count
from fieldpost.vassal.archive import write_bytes

MARK = f"picture-{token_hex(8)}:"
"""Before the name of a picture that is put into a page afterwards: no text of a game can hold it."""


@dataclass(frozen=True)
class Pages:
    """The pages of a folder of templates; `scripts` are the files of their script, in order."""

    folder: str
    scripts: tuple[str, ...]
    style: str

    @property
    def _path(self) -> Path:
        return data.path("templates", self.folder)

    def fill(self, template: str, **values: object) -> str:
        """What stands in the values is made harmless, and broken bytes of a damaged log are left out."""
        environment = Environment(
            loader=FileSystemLoader(self._path), autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        page = environment.get_template(template).render(
            count=count,
            version=__version__,
            style=self._text([self.style]),
            script=self.script(),
            script_hash=self.script_digest(),
            **values,
        )
        return page.encode(errors="replace").decode()

    def script(self) -> str:
        return f"(() => {{\n'use strict';\n{self._text(self.scripts)}\n}})();"

    def script_digest(self) -> str:
        """What a policy names the script by: the only one that the page may run."""
        return base64.b64encode(hashlib.sha256(self.script().encode()).digest()).decode()

    def _text(self, names: Iterable[str]) -> str:
        return "\n".join((self._path / name).read_text(encoding="utf-8") for name in names)


def write(path: Path, page: str) -> None:
    write_bytes(path, page.encode(errors="backslashreplace"))  # names of files may be no UTF-8


def embedded(value: object) -> str:
    """JSON that may stand in a page: nothing in it ends the element or begins another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def data_uri(kind: str, picture: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
