"""The parts of a mail: attachments, forwarded mails, turn sheets in the text, and what is left aside."""

from __future__ import annotations

import base64
import email
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.policy import default
from email.utils import parsedate_to_datetime
from functools import partial
from itertools import takewhile
from pathlib import PurePosixPath
from typing import TypeVar

from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError, Limits
from validator.mail import body, page
from validator.sheet.written import acts

ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt", ".eml", ".zip")
VAGUE = ("application/octet-stream", "application/zip", "application/x-zip-compressed", "application/x-zip")
GAME_MARKS = (b"!VCSK", b"VOBS\1", b"begin_save")
CALLED_LATIN_1 = ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii")  # by programs that write cp1252
TEXTS = ("text/plain", "text/html")
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
    standing: str = body.OWN  # of a turn in a text: the mail's own, that of an older mail, or quoted
    key: str = ""  # alike for a turn in a text and what others quote of it


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
        inner = _children(part)
        if inner or isinstance(part.get_payload(), list):
            waiting += reversed(inner)
        else:
            yield part


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    if part.get_content_type() == "message/rfc822" and _is_base64(part):
        payload = _inner(payload)
    return [inner for inner in payload if isinstance(inner, Message)] if isinstance(payload, list) else []


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
    """Turn sheets in the texts of a mail and of those forwarded in it."""
    found = [one for text in _texts(message) for one in body.found_in(text)]
    times: Counter[str] = Counter()
    for one in {one.text: one for one in found}.values():
        kind = "text" if one.standing == body.OWN else f"{one.standing} text"
        times[kind] += 1
        number = f" {times[kind]}" if times[kind] > 1 else ""
        yield File(f"{name}, {kind}{number}", one.text.encode("utf-8", "replace"), one.standing, one.key)


def _texts(message: Message) -> Iterator[str]:
    """The text of each mail in a mail, as it is seen: its parts one below the other."""
    waiting = [message]
    while waiting:
        mail = waiting.pop()
        parts: list[str] = []
        for part in _seen(mail, waiting):
            parts.append(_lines(part))
        yield f"{body.PARAGRAPH}\n".join(parts)


def _seen(part: Message, forwarded: list[Message]) -> Iterator[Message]:
    """The texts of one mail in order; of alternatives the one that holds most of a turn."""
    inner = _children(part)
    if part.get_content_type() == "message/rfc822":
        forwarded += inner
    elif part.get_content_type() == "multipart/alternative":
        each = [list(_seen(one, forwarded)) for one in inner]
        yield from max(each, key=_fullness, default=[])
    elif inner:
        for one in inner:
            yield from _seen(one, forwarded)
    elif part.get_content_type() in TEXTS and file_name(part) is None:
        yield part


def _fullness(parts: Sequence[Message]) -> tuple[int, bool]:
    """How many lines of a turn they hold. A page shows what was written; plain text is made from it."""
    text = "\n".join(map(_lines, parts))
    turn = body.turn(text)
    acting = sum(acts(line.text) for line in turn.lines) if turn is not None else 0
    return acting, any(part.get_content_type() == "text/html" for part in parts)


def _lines(part: Message) -> str:
    text = _text(part, _decoded(part) or b"")
    return page.text_of(text) if part.get_content_type() == "text/html" else _unflowed(part, text)


def _unflowed(part: Message, text: str) -> str:
    """Lines that `format=flowed` broke, whole again."""
    if (tolerant(lambda: str(part.get_param("format"))) or "").lower() != "flowed":
        return text
    without_blank = (tolerant(lambda: str(part.get_param("delsp"))) or "").lower() == "yes"
    whole: list[str] = []
    goes_on = False
    for line in text.splitlines():
        stuffed = line[1:] if line.startswith(" ") else line
        if goes_on and not line.startswith(">"):
            whole[-1] += stuffed
        else:
            whole.append(stuffed)
        goes_on = line.endswith(" ") and line != "-- " and not line.startswith(">")
        if goes_on and without_blank:
            whole[-1] = whole[-1][:-1]
    return "\n".join(whole)


def _decoded(part: Message) -> bytes | None:
    data = tolerant(lambda: part.get_payload(decode=True))
    return data if isinstance(data, bytes) else None


def _text(part: Message, data: bytes) -> str:
    """By the charset the part names; by one that never fails where that is unknown or wrong."""
    charset = (tolerant(part.get_content_charset) or "utf-8").lower()
    if charset in CALLED_LATIN_1:
        charset = "cp1252"
    texts = (tolerant(partial(data.decode, tried)) for tried in (charset, "utf-8", "cp1252", "latin-1"))
    return next(text for text in texts if text is not None)


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
