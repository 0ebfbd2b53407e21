"""Mailboxes and threads: where each mail of an mbox lies, what exchange a mail is of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from hashlib import sha256
from pathlib import Path

from validator.mail import tolerant

LONGEST_LINE = 1 << 16
THREAD_HEADERS = ("References", "In-Reply-To", "Message-ID")
_DATED = re.compile(rb"From \S+ .*\d\d:\d\d")


def spans(path: Path) -> Iterator[tuple[int, int]]:
    """From where to where each mail of an mbox lies. One begins after an empty line, or with a date."""
    start, at, empty, ended = None, 0, True, True
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE):
            if ended and line.startswith(b"From ") and (empty or _DATED.match(line)):
                if start is not None:
                    yield start, at
                start = at
            empty, ended = ended and not line.strip(b"\r\n"), line.endswith(b"\n")
            at += len(line)
    if start is not None:
        yield start, at


def thread(message: Message) -> str:
    """The mail that began the exchange, as far as this one tells; a digest, as it holds an address."""
    named = [id_ for header in THREAD_HEADERS for id_ in _ids(message, header)]
    return sha256(named[0].encode(errors="replace")).hexdigest()[:12] if named else ""


def _ids(message: Message, header: str) -> list[str]:
    return (tolerant(lambda: str(message[header] or "")) or "").split()
