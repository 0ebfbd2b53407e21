"""A turn sheet in the text of a mail, between greeting and signature."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from itertools import dropwhile, takewhile

from validator.sheet.encoding import is_sheet, text_of, visible
from validator.sheet.reader import HEADS
from validator.sheet.verbs import VERBS

FIRST = re.compile(r"game [a-z0-9-]+ [a-z0-9-]+\s*(#.*)?")
WORDS = frozenset({*HEADS, *(verb.name for verb in VERBS)})
QUOTED = re.compile(r"[\s>|]*[>|]\s*game\s+[a-z0-9-]+\s+[a-z0-9-]+\s*$", re.IGNORECASE)
SIGNATURE = "--"
WRAPPED_FROM = 55  # a mail program breaks no line shorter than this
BLOCKS = frozenset({"p", "div", "li", "tr", "pre", "h1", "h2", "h3", "h4", "blockquote", "table", "ul", "ol"})
UNSEEN = frozenset({"script", "style", "head", "title"})
MAX_TEXT = 4_000_000
_TYPED = str.maketrans({"\u00a0": " ", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-"})


def sheet(text: str) -> str | None:
    """The turn sheet in a text, its first line the first; None if there is none.

    Quoted lines and what follows the signature are not part of it, nor are last paragraphs in which no line
    begins as a line of a sheet does. All else stays, so that a slip is an error and not overlooked.
    """
    typed = [_typed(line) for line in text[:MAX_TEXT].splitlines()]
    from_first = dropwhile(lambda line: not FIRST.fullmatch(line), typed)
    lines = _joined(takewhile(lambda line: line != SIGNATURE, from_first))
    while lines and not _is_sheet_paragraph(lines):
        del lines[_last_paragraph(lines) :]
    return "\n".join(lines) + "\n" if len(lines) > 1 else None


def sheet_of(data: bytes) -> str | None:
    """The turn sheet that a file of text is, or that lies in it as in the text of a mail.

    Its lines have the numbers they have in the file.
    """
    text = text_of(data) or ""
    if is_sheet(data):
        return text
    inner = sheet(text)
    if inner is None:
        return None
    first = next(n for n, line in enumerate(text.splitlines()) if FIRST.fullmatch(_typed(line)))
    return "\n" * first + inner


def quoted_at(data: bytes) -> int | None:
    """The number of the line with which a sheet begins that was quoted in an answer."""
    lines = enumerate((text_of(data) or "").splitlines(), 1)
    return next((n for n, line in lines if QUOTED.match(line)), None)


def _typed(line: str) -> str:
    """As it was typed, before a mail program made it prettier; a quoted line is no line."""
    line = visible(line).translate(_TYPED).strip()
    return "" if line.startswith((">", "|")) else line


def _joined(lines: Iterable[str]) -> list[str]:
    """Lines that a mail program broke are whole again; the numbers of the others stay."""
    whole: list[str] = []
    open_ = -1  # the line of the sheet that may go on in the next, or none
    for line in lines:
        whole.append(line)
        if _begins(line):
            open_ = len(whole) - 1
        elif line and open_ >= 0 and len(whole[open_]) >= WRAPPED_FROM:
            whole[open_] += f" {line}"
            whole[-1] = ""
        else:
            open_ = -1
    return whole


def _begins(line: str) -> bool:
    return line.split(" ", 1)[0] in WORDS


def _last_paragraph(lines: list[str]) -> int:
    at = len(lines)
    while at and not lines[at - 1]:
        at -= 1
    while at and lines[at - 1]:
        at -= 1
    return at


def _is_sheet_paragraph(lines: list[str]) -> bool:
    return any(_begins(line) or line.startswith("#") for line in lines[_last_paragraph(lines) :])


class _Text(HTMLParser):
    """The words of a page, a line for each of its blocks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._unseen = 0
        self._kept = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._unseen += tag in UNSEEN
        self._kept += tag == "pre"
        if tag == "br" or tag in BLOCKS:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in UNSEEN))
        self._kept = max(0, self._kept - (tag == "pre"))
        if tag in BLOCKS:
            self.words.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.words.append(data if self._kept else re.sub(r"\s+", " ", data))


def of_html(page: str) -> str:
    reader = _Text()
    try:
        reader.feed(page[:MAX_TEXT])
        reader.close()
    except (AssertionError, ValueError):  # what Python's reader says to some broken declarations
        return ""
    return "".join(reader.words)
