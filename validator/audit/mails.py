"""Mailboxes: where each mail of an mbox lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from validator.mail import looks_like_mail

LONGEST_LINE = 1 << 16
HEADER_BYTES = 8192
_FIELD = re.compile(rb"[!-9;-~]{1,80}[ \t]*:")
_DATED = re.compile(rb"From \S+ .*\d\d:\d\d")


def spans(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """From where to where each mail of an mbox lies.

    One begins after an empty line, or with a date; the header of a mail follows, for a letter may hold a line
    that begins with From too.
    """
    start, at, empty, ended = None, 0, True, True
    while line := file.readline(LONGEST_LINE):
        if (
            ended
            and line.startswith(b"From ")
            and (start is None or (_may_begin(line, empty) and _header_at(file)))
        ):
            if start is not None:
                yield start, at
            start = at
        empty, ended = ended and not line.strip(b"\r\n"), line.endswith(b"\n")
        at += len(line)
    if start is not None:
        yield start, at


def _may_begin(line: bytes, empty: bool) -> bool:
    return empty or _DATED.match(line) is not None


def _header_at(file: BinaryIO) -> bool:
    """Whether fields of a header stand here."""
    here = file.tell()
    head = file.read(HEADER_BYTES)
    file.seek(here)
    return _FIELD.match(head.removeprefix(b">From ")) is not None and looks_like_mail(head)


def without_envelope(mail: bytes) -> bytes:
    """Without the line `From `, the sender, the date."""
    return mail.partition(b"\n")[2] if mail.startswith(b"From ") else mail
