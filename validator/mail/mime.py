"""The parts of a mail as they lie in its bytes: read in one pass, without a copy."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.header import decode_header
from email.utils import parsedate_to_datetime
from functools import cached_property, partial
from pathlib import PurePosixPath
from urllib.parse import unquote_to_bytes

from fieldpost.errors import FieldpostError
from validator.mail.tolerance import tolerant

MOST_PARTS = 1_000
DEEPEST = 60
LONGEST_HEADER = 4_000  # letters of one field; real ones are folded lists of addresses, of which none is read
MOST_HEADERS = 1 << 18
MOST_NAME = 120
CALLED_LATIN_1 = ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii")  # by programs that write cp1252
_FIELD = re.compile(rb"([!-9;-~]{1,100})[ \t]*:(.*)")
_PARAMETER = re.compile(r';\s*([^\s=;"]{1,100})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"]*))')
_CONTINUED = re.compile(r"(.+?)\*(\d{1,3})(\*?)$")
_WORD = re.compile(r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?]*\?=")
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


@dataclass
class Part:
    """One part: what its header says, and from where to where its content lies in `data`."""

    data: bytes = field(repr=False)
    headers: dict[str, str]
    start: int
    end: int
    parts: list[Part] = field(default_factory=list)

    def header(self, name: str) -> str:
        return self.headers.get(name, "")

    @cached_property
    def kind(self) -> str:
        """The content type; text where none is said."""
        said = self.header("content-type").split(";")[0].strip().lower()
        return said if re.fullmatch(r"[\w.+-]+/[\w.+-]+", said) else "text/plain"

    @property
    def is_text(self) -> bool:
        return self.kind.startswith("text/")

    @property
    def is_attached(self) -> bool:
        return self.header("content-disposition").strip().lower().startswith("attachment")

    def parameter(self, name: str, header: str = "content-type") -> str:
        return _parameters(self.header(header)).get(name, "")

    @cached_property
    def name(self) -> str:
        """Of the attachment, without folders, control characters or what no terminal could show."""
        said = self.parameter("filename", "content-disposition") or self.parameter("name")
        base = PurePosixPath(_words(said).replace("\\", "/")).name
        return "".join(letter for letter in base if letter.isprintable()).strip()[-MOST_NAME:]

    @property
    def encoding(self) -> str:
        return self.header("content-transfer-encoding").strip().lower()

    def content(self) -> bytes:
        """What it holds, decoded."""
        raw = memoryview(self.data)[self.start : self.end]
        match self.encoding:
            case "base64":
                return of_base64(raw)
            case "quoted-printable":
                return binascii.a2b_qp(raw)
            case "x-uuencode" | "uuencode" | "x-uue":
                return of_uuencoded(bytes(raw))
        return bytes(raw)

    def text(self) -> str:
        """By the charset it names; by one that never fails where that is unknown or wrong."""
        return decoded(self.content(), self.parameter("charset"))

    def __iter__(self) -> Iterator[Part]:
        """The parts that hold no others, in order."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            waiting += reversed(part.parts)
            if not part.parts:
                yield part

    @property
    def sent(self) -> datetime | None:
        return tolerant(partial(parsedate_to_datetime, self.header("date")[:200]))


def parse(data: bytes) -> Part:
    """Raises `FieldpostError` for a mail of more parts than any person sends, or nested beyond reason."""
    return _Reader(data).read()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.count = data, 0

    def read(self) -> Part:
        whole = self._part(0, len(self.data))
        waiting = [(whole, 0)]
        while waiting:
            part, depth = waiting.pop()
            if depth > DEEPEST:
                raise _too_much("is nested deeper than can be taken apart")
            part.parts = self._inner(part)
            waiting += [(inner, depth + 1) for inner in reversed(part.parts)]
        return whole

    def _part(self, start: int, end: int, data: bytes | None = None) -> Part:
        self.count += 1
        if self.count > MOST_PARTS:
            raise _too_much(f"has more than {MOST_PARTS:,} parts and cannot be taken apart")
        data = self.data if data is None else data
        headers, body = _headers(data, start, end)
        return Part(data, headers, body, end)

    def _inner(self, part: Part) -> list[Part]:
        if part.kind == "message/rfc822":
            return [self._forwarded(part)]
        if not part.kind.startswith("multipart/"):
            return []
        boundary = part.parameter("boundary").encode("latin-1", "replace")
        spans = _spans(part.data, boundary, part.start, part.end) if boundary else []
        return [self._part(start, end, part.data) for start, end in spans]

    def _forwarded(self, part: Part) -> Part:
        """A mail in a mail; some programs encode it, against all standards."""
        if part.encoding in ("base64", "quoted-printable"):
            inner = part.content()
            return self._part(0, len(inner), inner)
        return self._part(part.start, part.end, part.data)


def _too_much(what: str) -> FieldpostError:
    return FieldpostError(f"this mail {what}", "Save the attachment by itself and name that.")


# --- where the parts lie --------------------------------------------------------------------------


def _spans(data: bytes, boundary: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """From where to where each part lies between the lines that begin with the boundary."""
    mark = b"--" + boundary
    spans: list[tuple[int, int]] = []
    begun = None
    at = data.find(mark, start, end)
    while at >= 0:
        line_ends = data.find(b"\n", at, end)
        line_ends = end if line_ends < 0 else line_ends + 1
        rest = data[at + len(mark) : min(line_ends, at + len(mark) + 80)].strip()
        if (at == start or data[at - 1] == 10) and rest in (b"", b"--"):
            if begun is not None:
                spans.append((begun, max(begun, _before_break(data, at))))
            begun = line_ends if rest == b"" else None
            if rest == b"--":
                return spans
        at = data.find(mark, line_ends, end)
        if len(spans) > MOST_PARTS:
            break
    return spans if begun is None else [*spans, (begun, end)]


def _before_break(data: bytes, at: int) -> int:
    """A line break before a boundary belongs to the boundary."""
    if data[at - 2 : at] == b"\r\n":
        return at - 2
    return at - 1 if data[at - 1 : at] == b"\n" else at


def _headers(data: bytes, start: int, end: int) -> tuple[dict[str, str], int]:
    """The fields up to the first empty line, the first of each name, and where the content begins."""
    fields: dict[str, list[bytes]] = {}
    last: list[bytes] | None = None
    at = start
    while at < end and at - start < MOST_HEADERS:
        line_ends = data.find(b"\n", at, end)
        line_ends = end if line_ends < 0 else line_ends + 1
        line = data[at : min(line_ends, at + LONGEST_HEADER)].rstrip(b"\r\n")
        if not line.strip():
            return _read(fields), line_ends
        if line[:1] in (b" ", b"\t"):
            if last is not None and sum(map(len, last)) < LONGEST_HEADER:
                last.append(line)
        elif (match := _FIELD.match(line)) is not None:
            last = [match[2]]
            fields.setdefault(match[1].decode("ascii").lower(), last)
        elif not line.startswith((b"From ", b">From ")):
            return _read(fields), at
        at = line_ends
    return _read(fields), at


def _read(fields: dict[str, list[bytes]]) -> dict[str, str]:
    return {
        name: decoded(b" ".join(map(bytes.strip, lines))[:LONGEST_HEADER]) for name, lines in fields.items()
    }


# --- what it says ---------------------------------------------------------------------------------


def decoded(data: bytes, charset: str = "") -> str:
    charset = charset.lower() or "utf-8"
    if charset in CALLED_LATIN_1:
        charset = "utf-8" if charset.endswith("ascii") else "cp1252"
    texts = (tolerant(partial(data.decode, tried)) for tried in (charset, "utf-8", "cp1252", "latin-1"))
    return next(text for text in texts if text is not None)


def _parameters(value: str) -> dict[str, str]:
    """What stands behind the semicolons; values in pieces put together (RFC 2231)."""
    plain: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, bool, str]]] = {}
    for match in _PARAMETER.finditer(value):
        name, quoted, bare = match[1].lower(), match[2], match[3]
        said = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else bare.strip()
        continued = _CONTINUED.fullmatch(name)
        if continued is not None:
            pieces.setdefault(continued[1], []).append((int(continued[2]), bool(continued[3]), said))
        elif name.endswith("*"):
            pieces.setdefault(name[:-1], []).append((0, True, said))
        else:
            plain.setdefault(name, said)
    return plain | {name: _joined(sorted(parts)) for name, parts in pieces.items()}


def _joined(parts: list[tuple[int, bool, str]]) -> str:
    """`utf-8''f%C3%BCr`: the charset stands before the first piece alone."""
    charset = ""
    data = b""
    for number, (_, is_coded, said) in enumerate(parts):
        if is_coded and number == 0 and said.count("'") >= 2:
            charset, _, said = said.split("'", 2)
        data += unquote_to_bytes(said) if is_coded else said.encode("utf-8", "surrogateescape")
    return decoded(data, charset)


def _words(said: str) -> str:
    """A name with words coded as in RFC 2047, which no standard allows in it and most programs write."""
    if not _WORD.search(said):
        return said
    parts = tolerant(partial(decode_header, re.sub(r"\?=\s+=\?", "?==?", said))) or [(said, None)]
    return "".join(part if isinstance(part, str) else decoded(part, charset or "") for part, charset in parts)


def of_base64(raw: bytes | memoryview) -> bytes:
    """As much of it as can be decoded: padding may be missing, and a scanner's words may stand below."""
    for padding in (b"", b"=", b"=="):
        try:
            return binascii.a2b_base64(raw if not padding else bytes(raw) + padding)
        except binascii.Error:
            continue
    letters = _NO_BASE64.sub(b"", bytes(raw))
    return binascii.a2b_base64(letters[: len(letters) // 4 * 4])


def of_uuencoded(data: bytes) -> bytes:
    """The lines between `begin 644 name` and `end`."""
    lines = data.splitlines()
    starts = next((at for at, line in enumerate(lines) if line.startswith(b"begin ")), -1)
    found: list[bytes] = []
    for line in lines[starts + 1 :]:
        if line.strip() in (b"end", b"", b"`"):
            break
        found.append(tolerant(partial(binascii.a2b_uu, line)) or b"")
    return b"".join(found)
