"""`winmail.dat`: the wrapping in which Outlook sends attachments, and sometimes the text (TNEF)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from validator.mail import mapi, mime
from validator.mail.opened import Opened
from validator.mail.tolerance import tolerant

SIGNATURE = b"\x78\x9f\x3e\x22"
DEEPEST = 8
MOST_PROPERTIES = 20_000
_BODY, _PROPERTIES, _OEM_CODEPAGE = 0x800C, 0x9003, 0x9007
_BEGINS, _CONTENT, _TITLE, _ATTACHMENT = 0x9002, 0x800F, 0x8010, 0x9005
_FIXED = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16}
_COUNTED = (mapi.TEXT_8, mapi.TEXT_16, mapi.BINARY, mapi.OBJECT)
_GUID = 16


@dataclass
class _Attachment:
    title: str = ""
    data: bytes = b""
    values: dict[int, tuple[int, bytes]] = field(default_factory=dict)


def opened(data: bytes, depth: int = 0) -> Opened | None:
    """What is in it; None for what is damaged from its beginning on."""
    if not data.startswith(SIGNATURE) or depth > DEEPEST:
        return None
    values: dict[int, tuple[int, bytes]] = {}
    attached: list[_Attachment] = []
    for number, content in _attributes(data):
        if number == _BODY:
            values.setdefault(mapi.BODY, (mapi.TEXT_8, content))
        elif number == _OEM_CODEPAGE:
            values.setdefault(mapi.CODEPAGE, (3, content))
        elif number == _PROPERTIES:
            values |= _values(content)
        elif number == _BEGINS:
            attached.append(_Attachment())
        elif attached:
            _add(attached[-1], number, content)
    files: list[tuple[str, bytes]] = []
    mails: list[Opened] = []
    for one in attached:
        kind, content = one.values.get(mapi.ATTACHED, (0, b""))
        inner = opened(content[_GUID:], depth + 1) if kind == mapi.OBJECT else None
        if inner is not None:
            mails.append(inner)
        else:
            content = content if kind == mapi.BINARY and not one.data else one.data
            files.append((mapi.file_name(one.values) or one.title, content))
    return Opened(mapi.text(values), tuple(files), tuple(mails), mapi.sent(values))


def _add(attachment: _Attachment, number: int, content: bytes) -> None:
    if number == _TITLE:
        attachment.title = mime.decoded(content).rstrip("\0")
    elif number == _CONTENT:
        attachment.data = content
    elif number == _ATTACHMENT:
        attachment.values |= _values(content)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 6
    while at + 9 <= len(data):
        _, number, _, length = struct.unpack_from("<BHHI", data, at)
        yield number, data[at + 9 : at + 9 + length]
        at += 9 + length + 2


def _values(data: bytes) -> dict[int, tuple[int, bytes]]:
    """As far as they can be read."""
    values: dict[int, tuple[int, bytes]] = {}
    tolerant(lambda: _fill(values, data))
    return values


def _fill(values: dict[int, tuple[int, bytes]], data: bytes) -> None:
    try:
        (count,) = struct.unpack_from("<I", data, 0)
        at = 4
        for _ in range(min(count, MOST_PROPERTIES)):
            kind, number = struct.unpack_from("<HH", data, at)
            at = _after_name(data, at + 4) if number >= 0x8000 else at + 4
            at, value = _value(data, at, kind)
            values.setdefault(number, (kind & 0xFFF, value))
    except struct.error:
        return


def _after_name(data: bytes, at: int) -> int:
    """A property with a name of its own: it is passed over."""
    (kind,) = struct.unpack_from("<I", data, at + _GUID)
    if kind == 0:
        return at + _GUID + 8
    (length,) = struct.unpack_from("<I", data, at + _GUID + 4)
    return at + _GUID + 8 + _padded(length)


def _value(data: bytes, at: int, kind: int) -> tuple[int, bytes]:
    """Where it ends, and the first of what it holds."""
    is_list, kind = bool(kind & 0x1000), kind & 0xFFF
    count = 1
    if is_list or kind in _COUNTED:
        (count,) = struct.unpack_from("<I", data, at)
        at += 4
    if count > MOST_PROPERTIES:
        raise struct.error
    first = b""
    for number in range(count):
        length = _FIXED.get(kind, 0)
        if kind in _COUNTED:
            (length,) = struct.unpack_from("<I", data, at)
            at += 4
        elif not length:
            raise struct.error
        first = data[at : at + length] if number == 0 else first
        at += _padded(length)
    return at, first


def _padded(length: int) -> int:
    return length + -length % 4
