"""Turn sheets as editors save them: UTF-8 with or without a mark, UTF-16, or as older Windows did."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

HEAD_BYTES = 64_000
FIRST_WORD = "game "
_FILLED = re.compile(r"\s*[^\s#]")
_PHASE = re.compile(r"turn \d+ [a-z0-9-]+\s*(#.*)?", re.IGNORECASE)


def is_sheet(data: bytes) -> bool:
    """Whether a file begins with the line that names the game; comments may go before it.

    One that begins with a turn and a phase is a sheet too, whose first line was forgotten.
    """
    text = text_of(data[:HEAD_BYTES]) or ""
    first = next((line.strip() for _, line in filled_lines(text)), "")
    return first.lower().startswith(FIRST_WORD) or bool(_PHASE.fullmatch(first))


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are neither empty nor a comment, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if _FILLED.match(line):
            yield number, line.rstrip()


def text_of(data: bytes) -> str | None:
    """None for what is no text."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decoded(data, "utf-16")
    if b"\0" in data[:HEAD_BYTES]:
        return None
    plain = _decoded(data, "utf-8-sig")
    return _decoded(data, "cp1252") if plain is None else plain


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
