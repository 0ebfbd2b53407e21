"""The parts of a mail: attachments, forwarded mails, turn sheets in the text, and what is left aside."""

from __future__ import annotations

import base64
import email
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import PurePosixPath

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
_HEADER = re.compile(rb"[!-9;-~]+:")
_KNOWN = (
    b"from:", b"to:", b"subject:", b"date:", b"received:", b"mime-version:", b"message-id:",
    b"return-path:", b"delivered-to:", b"content-type:", b"reply-to:",
)  # fmt: skip
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


def looks_like_mail(data: bytes) -> bool:
    """Header lines, two of them known, before the first empty line."""
    head = _SIZE_LINE.sub(b"", data[:8192], count=1)
    known = set()
    for line in head.splitlines():
        if line[:1] in (b" ", b"\t"):
            continue
        if not _HEADER.match(line):
            break
        known.add(line.split(b":", 1)[0].lower() + b":")
    return len(known.intersection(_KNOWN)) >= 2


def parse(data: bytes) -> Message:
    """Raises `FieldpostError` for a mail nested beyond reason."""
    match = _SIZE_LINE.match(data)
    if match:
        data = data[match.end() :][: int(match.group()[:18])]
    try:
        return email.message_from_bytes(data, policy=default)
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError, IndexError) as error:
        raise FieldpostError(
            "this mail cannot be taken apart", "Save the attachment by itself and name that."
        ) from error


def read(message: Message, name: str) -> Contents:
    """Who wrote to whom is nobody's business here."""
    files: list[File] = []
    passed: list[Passed] = []
    for number, part in enumerate(_leaves(message), 1):
        found = _part(part, name, number)
        if isinstance(found, File):
            files.append(found)
        elif found is not None:
            passed.append(found)
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
    try:
        text = payload[0].get_payload()  # type: ignore[index]
        return [parse(base64.b64decode(str(text)))]
    except (FieldpostError, ValueError, LookupError, AttributeError, TypeError):
        return payload


def _part(part: Message, mail: str, number: int) -> File | Passed | None:
    name = file_name(part)
    kind = part.get_content_type()
    hiding = _SWALLOWING.get(kind) or (name.lower() if name and name.lower() in SWALLOWED else None)
    if hiding is not None:
        return Passed(name or hiding, SWALLOWED[hiding])
    if name is None and kind.startswith("text/"):
        return None  # the mail's own text
    data = _decoded(part)
    if name is not None and name.lower().endswith(ENDINGS):
        return File(name, _as_utf8(part, data) if kind.startswith("text/") else data)
    if kind in VAGUE and data is not None and _is_game(data):
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
        found = [sheet for part in texts if part.get_content_type() == kind if (sheet := _sheet(part))]
        for number, sheet in enumerate(dict.fromkeys(found), 1):
            yield File(f"{name}, text" + (f" {number}" if number > 1 else ""), sheet.encode())
        if found:
            return


def _sheet(part: Message) -> str | None:
    text = _text(part, _decoded(part) or b"")
    return body.sheet(body.of_html(text) if part.get_content_type() == "text/html" else text)


def _decoded(part: Message) -> bytes | None:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, TypeError):
        return None
    return data if isinstance(data, bytes) else None


def _text(part: Message, data: bytes) -> str:
    """By the charset the part names; by one that never fails where that is unknown or wrong."""
    for charset in (_charset(part), "utf-8"):
        try:
            return data.decode(charset)
        except (LookupError, UnicodeError, ValueError):
            continue
    return data.decode("latin-1")


def _charset(part: Message) -> str:
    try:
        return str(part.get_content_charset() or "utf-8")
    except (LookupError, ValueError, TypeError, UnicodeError):
        return "utf-8"


def _as_utf8(part: Message, data: bytes | None) -> bytes | None:
    """A text in the charset its mail program chose, as turn sheets are read; anything else as it is."""
    if data is None or data.startswith((b"PK", *GAME_MARKS)):
        return data
    return _text(part, data).encode("utf-8", "replace")


# --- headers -------------------------------------------------------------------------------------


def file_name(part: Message) -> str | None:
    """Without folders, control characters or what no terminal could show."""
    try:
        name = part.get_filename()
    except (ValueError, LookupError, TypeError, AttributeError, IndexError):
        return None
    if not name:
        return None
    base = PurePosixPath(str(name).replace("\\", "/")).name
    shown = base.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    clean = "".join(letter for letter in shown if letter.isprintable())
    return clean[-MAX_NAME:] or None


def _date(message: Message) -> datetime | None:
    try:
        return parsedate_to_datetime(str(message["Date"]))
    except (TypeError, ValueError, IndexError, OverflowError, AttributeError):
        return None
