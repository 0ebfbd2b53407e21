"""Mails as Outlook saves them (`.msg`, `.oft`): a small file system with a stream for each property."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from validator.mail import mapi
from validator.mail.opened import Opened

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
DEEPEST = 8
MOST_ENTRIES = 20_000
_LAST, _NONE = 0xFFFFFFFA, 0xFFFFFFFF  # from the first on, no sector
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_PROPERTY = re.compile(r"__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})")
_FIXED_PROPERTIES = "__properties_version1.0"
_OF_ROOT, _OF_INNER, _OF_ATTACHMENT = 32, 24, 8  # bytes before the properties of a fixed length


@dataclass
class _Entry:
    name: str
    kind: int
    left: int
    right: int
    child: int
    start: int
    size: int


def opened(data: bytes) -> Opened | None:
    """What is in it; None for what is damaged."""
    try:
        files = _Files(data)
        return _mail(files, 0, 0)
    except (struct.error, IndexError, ValueError):
        return None


def _mail(files: _Files, storage: int, depth: int) -> Opened:
    values = _values(files, storage, _OF_INNER if depth else _OF_ROOT)
    attached: list[tuple[str, bytes]] = []
    mails: list[Opened] = []
    for number in files.within(storage):
        if not files.entries[number].name.lower().startswith("__attach") or depth > DEEPEST:
            continue
        said = _values(files, number, _OF_ATTACHMENT)
        inner = [n for n in files.within(number) if files.entries[n].name.upper().endswith("3701000D")]
        if inner and files.entries[inner[0]].kind == _STORAGE:
            mails.append(_mail(files, inner[0], depth + 1))
        else:
            attached.append((mapi.file_name(said), said.get(mapi.ATTACHED, (0, b""))[1]))
    return Opened(mapi.text(values), tuple(attached), tuple(mails), mapi.sent(values))


def _values(files: _Files, storage: int, head: int) -> dict[int, tuple[int, bytes]]:
    values: dict[int, tuple[int, bytes]] = {}
    for number in files.within(storage):
        entry = files.entries[number]
        match = _PROPERTY.fullmatch(entry.name)
        if match and entry.kind == _STREAM:
            values[int(match[1], 16)] = int(match[2], 16), files.content(entry)
        elif entry.name == _FIXED_PROPERTIES:
            fixed = files.content(entry)
            for at in range(head, len(fixed) - 15, 16):
                kind, id_ = struct.unpack_from("<HH", fixed, at)
                if kind not in (mapi.TEXT_8, mapi.TEXT_16, mapi.BINARY, mapi.OBJECT):
                    values.setdefault(id_, (kind, fixed[at + 8 : at + 16]))
    return values


class _Files:
    """The file system: sectors in chains, small files in sectors of their own within one large file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (shift, small_shift) = struct.unpack_from("<HH", data, 30)
        if shift not in (9, 12) or small_shift != 6:
            raise ValueError("no sectors of a size that is used")
        self.size, self.small_size = 1 << shift, 1 << small_shift
        (_, first_directory, _, self.small_limit, first_small, _, first_more, more) = struct.unpack_from(
            "<IIIIIIII", data, 44
        )
        self.next = self._table(self._table_sectors(first_more, more))
        self.entries = [*self._entries(self._chain(first_directory, self.next, self.size))]
        if not self.entries or self.entries[0].kind != _ROOT:
            raise ValueError("no root")
        self.small_next = self._table(self._numbers(first_small, self.next))
        self.small = self._chain(self.entries[0].start, self.next, self.size)

    def _table_sectors(self, first_more: int, more: int) -> list[int]:
        """The sectors of the table that says which sector follows which."""
        numbers = list(struct.unpack_from("<109I", self.data, 76))
        a_sector = self.size // 4
        at = first_more
        for _ in range(min(more, len(self.data) // self.size)):
            if at >= _LAST:
                break
            *listed, at = struct.unpack_from(f"<{a_sector}I", self._sector(at).ljust(self.size, b"\xff"))
            numbers += listed
        return [number for number in numbers if number < _LAST]

    def _table(self, sectors: list[int]) -> list[int]:
        whole = b"".join(map(self._sector, sectors[: len(self.data) // self.size + 1]))
        return list(struct.unpack_from(f"<{len(whole) // 4}I", whole))

    def _sector(self, number: int) -> bytes:
        start = (number + 1) * self.size
        return self.data[start : start + self.size]

    def _numbers(self, first: int, following: list[int]) -> list[int]:
        """A chain of sectors; one that goes in a circle ends."""
        numbers: list[int] = []
        while first < _LAST and first < len(following) and len(numbers) <= len(following):
            numbers.append(first)
            first = following[first]
        return numbers

    def _chain(self, first: int, following: list[int], size: int) -> bytes:
        return b"".join(map(self._sector, self._numbers(first, following)))

    def _entries(self, directory: bytes) -> Iterator[_Entry]:
        for at in range(0, min(len(directory), MOST_ENTRIES * 128) - 127, 128):
            length, kind = struct.unpack_from("<HB", directory, at + 64)
            left, right, child = struct.unpack_from("<III", directory, at + 68)
            start, size = struct.unpack_from("<II", directory, at + 116)
            name = directory[at : at + max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")
            yield _Entry(name, kind, left, right, child, start, size)

    def within(self, storage: int) -> list[int]:
        """The entries of a storage, each once however they are linked."""
        found: list[int] = []
        seen: set[int] = set()
        waiting = [self.entries[storage].child]
        while waiting:
            number = waiting.pop()
            if number in seen or number >= len(self.entries):
                continue
            seen.add(number)
            found.append(number)
            waiting += [self.entries[number].right, self.entries[number].left]
        return sorted(found, key=lambda number: self.entries[number].name)

    def content(self, entry: _Entry) -> bytes:
        if entry.size >= self.small_limit:
            return self._chain(entry.start, self.next, self.size)[: entry.size]
        numbers = self._numbers(entry.start, self.small_next)
        size = self.small_size
        return b"".join(self.small[number * size : (number + 1) * size] for number in numbers)[: entry.size]
