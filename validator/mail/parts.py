"""The parts of a mail: attachments, forwarded mails, turn sheets in the text, and what is left aside."""

from __future__ import annotations

import base64
import email
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.policy import default
from email.utils import parsedate_to_datetime
from itertools import takewhile
from pathlib import PurePosixPath
from typing import TypeVar

from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError, Limits
from validator.mail import body

ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt", ".eml", ".zip")
VAGUE = ("application/octet-stream", "application/zip", "application/x-zip-compressed", "application/x-zip")
GAME_MARKS = (b"!VCSK", b"VOBS\1", b"begin_save")
MAX_PARTS = 2_000
MAX_NAME = 120
SWALLOWED = {
    "winmail.dat": "Outlook's own wrapping, which hides what was attached: ask for the log in a zip, "
    "or for a mail in plain text",
    "smime.p7m": "an encrypted mail; decrypt it and save the log",
    "encrypted.asc": "an encrypted mail; decrypt it and save the log",
}
_SWALLOWING = {
    "application/ms-tnef": "winmail.dat",
    "application/vnd.ms-tnef": "winmail.dat",
    "application/pkcs7-mime": "smime.p7m",
    "application/x-pkcs7-mime": "smime.p7m",
    "application/pgp-encrypted": "encrypted.asc",
}
Value = TypeVar("Value")
_HEADER = re.compile(rb"[!-9;-~]+:")
_USUAL = {
    b"from", b"to", b"subject", b"date", b"received", b"mime-version", b"message-id",
    b"return-path", b"delivered-to", b"content-type", b"reply-to",
}  # fmt: skip
_SIZE_LINE = re.compile(rb"\d+ *\n")  # the first line of Apple Mail's .emlx


@dataclass(frozen=True)
class File:
    """What may be a turn: `data` is None where it cannot be decoded."""

    name: str
    data: bytes | None


@dataclass(frozen=True)
class Passed:
    """A part that was left aside, and why if that is worth a word."""

    name: str
    why: str = ""


@dataclass(frozen=True)
class Contents:
    sent: datetime | None
    files: tuple[File, ...]
    passed: tuple[Passed, ...]

    @property
    def hidden(self) -> list[Passed]:
        """What may hold a turn that cannot be got at."""
        return [item for item in self.passed if item.why]

    @property
    def others(self) -> list[str]:
        return [item.name for item in self.passed if not item.why]


def looks_like_mail(data: bytes) -> bool:
    """Header lines, two of them usual, before the first empty line."""
    head = _SIZE_LINE.sub(b"", data[:8192], count=1)
    lines = [line for line in head.splitlines() if not line.startswith((b" ", b"\t"))]
    names = {line.partition(b":")[0].lower() for line in takewhile(_HEADER.match, lines)}
    return len(names & _USUAL) >= 2


def parse(data: bytes) -> Message:
    """Raises `FieldpostError` for a mail nested beyond reason."""
    match = _SIZE_LINE.match(data)
    if match:
        data = data[match.end() :][: int(match.group()[:18])]
    message = _message(data)
    if message is None:
        raise FieldpostError(
            "this mail cannot be taken apart", "Save the attachment by itself and name that."
        )
    return message


def _message(data: bytes) -> Message | None:
    return tolerant(lambda: email.message_from_bytes(data, policy=default))


def tolerant(read: Callable[[], Value]) -> Value | None:
    """What Python's reader of mails makes of a part; None where it is broken beyond it."""
    try:
        return read()
    except (
        RecursionError,
        ValueError,
        LookupError,
        AttributeError,
        TypeError,
        AssertionError,
        OverflowError,
    ):
        return None


def read(message: Message, name: str) -> Contents:
    """Who wrote to whom is nobody's business here."""
    files: list[File] = []
    passed: list[Passed] = []
    for number, part in enumerate(_leaves(message), 1):
        match _part(part, name, number):
            case File() as file:
                files.append(file)
            case Passed() as item:
                passed.append(item)
    files += _sheets(message, name)
    return Contents(_date(message), tuple(files), tuple(passed))


def _leaves(message: Message) -> Iterator[Message]:
    """The parts that hold no others, in order; without recursion, since nesting is the sender's choice."""
    waiting, seen = [message], 0
    while waiting and seen < MAX_PARTS:
        part = waiting.pop()
        seen += 1
        payload = part.get_payload()
        if part.get_content_type() == "message/rfc822" and _is_base64(part):
            payload = _inner(payload)
        if isinstance(payload, list):
            waiting += [inner for inner in reversed(payload) if isinstance(inner, Message)]
        else:
            yield part


def _is_base64(part: Message) -> bool:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"


def _inner(payload: object) -> object:
    """A forwarded mail in base64, which no standard allows and some programs write."""
    inner = tolerant(lambda: _message(base64.b64decode(str(payload[0].get_payload()))))  # type: ignore[index]
    return payload if inner is None else [inner]


def _part(part: Message, mail: str, number: int) -> File | Passed | None:
    name = file_name(part) or ""
    kind = part.get_content_type()
    hiding = _SWALLOWING.get(kind, name.lower())
    if hiding in SWALLOWED:
        return Passed(name or hiding, SWALLOWED[hiding])
    if not name and kind.startswith("text/"):
        return None  # the mail's own text
    data = _decoded(part)
    if name.lower().endswith(ENDINGS):
        return File(name, _as_utf8(part, data) if kind.startswith("text/") else data)
    if kind in VAGUE and _is_game(data or b""):
        return File(name or f"{mail}, attachment {number}", data)
    return Passed(name) if name else None


def _is_game(data: bytes) -> bool:
    """A log whose name was lost or changed on the way."""
    if data.startswith(GAME_MARKS):
        return True
    if not data.startswith(b"PK"):
        return False
    try:
        return archive.parse(data, "attachment", Limits(file_bytes=256 << 20)).kind in ("log", "save")
    except ArchiveError as error:
        return error.partial is not None


# --- texts ---------------------------------------------------------------------------------------


def _sheets(message: Message, name: str) -> Iterator[File]:
    """Turn sheets in the text of a mail; the same in plain and in HTML is one."""
    texts = [part for part in _leaves(message) if file_name(part) is None]
    for kind in ("text/plain", "text/html"):
        sheets = filter(None, (_sheet(part) for part in texts if part.get_content_type() == kind))
        distinct = list(dict.fromkeys(sheets))
        for number, sheet in enumerate(distinct, 1):
            yield File(f"{name}, text {number}" if number > 1 else f"{name}, text", sheet.encode())
        if distinct:
            return


def _sheet(part: Message) -> str | None:
    text = _text(part, _decoded(part) or b"")
    return body.sheet(body.of_html(text) if part.get_content_type() == "text/html" else text)


def _decoded(part: Message) -> bytes | None:
    data = tolerant(lambda: part.get_payload(decode=True))
    return data if isinstance(data, bytes) else None


def _text(part: Message, data: bytes) -> str:
    """By the charset the part names; by one that never fails where that is unknown or wrong."""
    charset = tolerant(part.get_content_charset) or "utf-8"
    text = tolerant(lambda: data.decode(charset))
    if text is None:
        text = tolerant(lambda: data.decode("utf-8"))
    return data.decode("latin-1") if text is None else text


def _as_utf8(part: Message, data: bytes | None) -> bytes | None:
    """A text in the charset its mail program chose, as turn sheets are read; anything else as it is."""
    if data is None or data.startswith((b"PK", *GAME_MARKS)):
        return data
    return _text(part, data).encode("utf-8", "replace")


# --- headers -------------------------------------------------------------------------------------


def file_name(part: Message) -> str | None:
    """Without folders, control characters or what no terminal could show."""
    name = tolerant(part.get_filename) or ""
    base = PurePosixPath(str(name).replace("\\", "/")).name
    shown = base.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    clean = "".join(letter for letter in shown if letter.isprintable())
    return clean[-MAX_NAME:] or None


def _date(message: Message) -> datetime | None:
    return tolerant(lambda: parsedate_to_datetime(str(message["Date"])))
