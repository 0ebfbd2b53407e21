"""What Outlook says of a mail or an attachment in properties, wherever they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from validator.mail import mime, page, rtf
from validator.mail.body import turn

BODY, RTF, HTML, CODEPAGE = 0x1000, 0x1009, 0x1013, 0x3FDE
ATTACHED, FILE_NAME, LONG_FILE_NAME, SENT = 0x3701, 0x3704, 0x3707, 0x0039
TEXT_8, TEXT_16, BINARY, OBJECT = 0x001E, 0x001F, 0x0102, 0x000D
Values = Mapping[int, tuple[int, bytes]]
"""The kind and the bytes of each property, by its number."""


def words(values: Values, number: int) -> str:
    kind, data = values.get(number, (0, b""))
    if kind == TEXT_16:
        return data.decode("utf-16-le", "replace").rstrip("\0")
    return mime.decoded(data, _charset(values)).rstrip("\0") if data else ""


def text(values: Values) -> str:
    """The text of the mail as it is seen: of its forms the one that holds a turn."""
    forms = [
        page.text_of(_page(values)) if HTML in values else "",
        words(values, BODY),
        _of_rtf(values.get(RTF, (0, b""))[1]),
    ]
    return next((form for form in forms if turn(form) is not None), None) or next(filter(None, forms), "")


def _page(values: Values) -> str:
    kind, data = values[HTML]
    return words(values, HTML) if kind == TEXT_16 else mime.decoded(data, _charset(values))


def _of_rtf(data: bytes) -> str:
    document = rtf.unpacked(data)
    seen = rtf.text_of(document)
    return page.text_of(seen) if rtf.is_page(document) else seen


def _charset(values: Values) -> str:
    number = int.from_bytes(values.get(CODEPAGE, (0, b""))[1][:4], "little")
    return {65001: "utf-8", 20127: "ascii"}.get(number, f"cp{number}" if number else "")


def file_name(values: Values) -> str:
    return words(values, LONG_FILE_NAME) or words(values, FILE_NAME)


def sent(values: Values) -> datetime | None:
    """In hundreds of nanoseconds since 1601."""
    ticks = int.from_bytes(values.get(SENT, (0, b""))[1][:8], "little")
    try:
        return datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10) if ticks else None
    except OverflowError:
        return None
