"""Turn sheets as editors save them: UTF-8 with or without a mark, UTF-16, or as older Windows did."""

from __future__ import annotations

import re
from collections.abc import Iterator

HEAD_BYTES = 64_000
_GAME = re.compile(r"game\s", re.IGNORECASE)
FILLED = re.compile(r"\s*[^\s#]")  # a line that is neither empty nor a comment
_PHASE = re.compile(r"turn\s+\d+\s+[a-z0-9-]+\s*(#.*)?", re.IGNORECASE)


_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_WIDE = (
    (re.compile(rb"\xff\xfe\0\0|\0\0\xfe\xff"), "utf-32"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), "utf-16"),
    (re.compile(rb"([^\0]\0){4}"), "utf-16-le"),
    (re.compile(rb"(\0[^\0]){4}"), "utf-16-be"),
)
"""How files begin that have two or four bytes for each letter: by a mark, or without one."""


def is_sheet(data: bytes) -> bool:
    """Whether a file begins with the line that names the game; comments may go before it.

    One that begins with a turn and a phase is a sheet too, whose first line was forgotten.
    """
    text = text_of(data[:HEAD_BYTES]) or ""
    first = next((visible(line).strip() for _, line in filled_lines(text)), "")
    return bool(_GAME.match(first) or _PHASE.fullmatch(first))


def visible(text: str) -> str:
    """Without what mail programs and web pages put between letters, and nobody sees."""
    return text.translate(_UNSEEN)


def filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are neither empty nor a comment, with their numbers."""
    for number, line in enumerate(text.splitlines(), 1):
        if FILLED.match(line):
            yield number, line.rstrip()


def text_of(data: bytes) -> str | None:
    """None for what is no text."""
    for start, encoding in _WIDE:
        if start.match(data):
            return _decoded(data, encoding)
    if b"\0" in data[:HEAD_BYTES]:
        return None
    plain = _decoded(data, "utf-8-sig")
    return _decoded(data, "cp1252") if plain is None else plain


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
