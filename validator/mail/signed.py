"""Signed mails whose text lies within the signature (S/MIME): the text; encrypted ones stay closed."""

from __future__ import annotations

_SIGNED = bytes.fromhex("06092a864886f70d010702")
_DATA = bytes.fromhex("06092a864886f70d010701")
_OCTETS, _OCTETS_IN_PIECES, _END = 0x04, 0x24, 0x00
_HEAD_BYTES = 200


def content_of(data: bytes) -> bytes | None:
    """What was signed; None for what is encrypted or is no such thing."""
    if _SIGNED not in data[:_HEAD_BYTES]:
        return None
    at = data.find(_DATA)
    if at < 0:
        return None
    at = _into(data, at + len(_DATA))  # the tag [0] around the content
    if at < 0 or at >= len(data):
        return None
    return _octets(data, at)


def _octets(data: bytes, at: int) -> bytes | None:
    tag = data[at]
    length, start = _length(data, at + 1)
    if tag == _OCTETS:
        return data[start : start + length] if length >= 0 else None
    if tag != _OCTETS_IN_PIECES:
        return None
    pieces: list[bytes] = []
    end = start + length if length >= 0 else len(data)
    at = start
    while at < end and data[at] == _OCTETS:
        length, start = _length(data, at + 1)
        if length < 0:
            break
        pieces.append(data[start : start + length])
        at = start + length
    return b"".join(pieces)


def _into(data: bytes, at: int) -> int:
    """Where the content of what begins here begins; -1 if nothing does."""
    return _length(data, at + 1)[1] if at + 1 < len(data) and data[at] == 0xA0 else -1


def _length(data: bytes, at: int) -> tuple[int, int]:
    """A length of DER and where it ends; -1 for one that is not said."""
    first = data[at] if at < len(data) else 0
    if first < 0x80:
        return first, at + 1
    count = first & 0x7F
    if count == 0 or count > 5:
        return -1, at + 1
    return int.from_bytes(data[at + 1 : at + 1 + count], "big"), at + 1 + count
