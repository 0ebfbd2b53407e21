"""Zip archives of strangers, read with limits.

VASSAL finds the saved game of a log in the stream of entries, not by the archive's directory: of two it
plays the first, even one that the directory does not list. Others in an archive are found by its directory.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import BinaryIO, NamedTuple

from fieldpost.vassal import codec
from fieldpost.vassal.archive_types import (
    BUILD_FILES,
    GAME_ENDINGS,
    METADATA,
    SAVED_GAME,
    Archive,
    ArchiveError,
    Entry,
    Limits,
    game_kind,
)
from fieldpost.vassal.metadata import Metadata, MetadataError

LOCAL_HEADER = b"PK\x03\x04"
ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
    OSError,
)
TWO_GAMES = "holds a second saved game; VASSAL plays the first, and so is it here"
UNLISTED = "holds a saved game that its directory hides; VASSAL plays it, and so is it here"
UNFOUND = "lists a saved game where VASSAL would not find it"
_HEADER = 30
_DESCRIBED = 8
_PIECE = 1 << 16
_END = b"PK\x05\x06"
_END_64 = b"PK\x06\x06"
_LONGEST_END = (1 << 16) + 22
_LISTED_BEFORE = 10_000  # entries passed over on the way to a saved game
_UNPACKED_BEFORE = 8 << 20


class Local(NamedTuple):
    """An entry as it stands in the stream: where its header and its data begin, how it is packed."""

    name: str
    header: int
    start: int
    method: int
    flags: int
    packed: int


class ZipReader:
    """One archive, open for reading."""

    def __init__(self, stream: BinaryIO, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self.stream = stream
        self.size = stream.seek(0, os.SEEK_END)
        self._refuse_long_directory()
        self.archive = zipfile.ZipFile(stream)
        self.listed = self.archive.infolist()
        self.infos = {info.filename: info for info in self.listed}
        self.remarks: list[str] = []

    def _refuse_long_directory(self) -> None:
        """Before Python reads all of it."""
        length = max(directory_bytes(self.stream, self.size), 0)
        if length > self.limits.directory_bytes:
            raise ArchiveError(
                f"{self.name}: its directory is longer than {self.limits.directory_bytes:,} bytes"
            )

    def names(self) -> tuple[str, ...]:
        if len(self.listed) > self.limits.entries:
            raise ArchiveError(f"{self.name}: {len(self.listed):,} entries are too many")
        for name in self.infos:
            _refuse_traversal(self.name, name)
        return tuple(self.infos)

    def read(self) -> Archive:
        self.names()
        entries = tuple(Entry(info.filename, info.file_size) for info in self.infos.values())
        metadata = self._metadata()
        played = self.played()
        if played is not None:
            return self._game(played, metadata, entries)
        return Archive(self.name, self._kind(entries), metadata, entries=entries, remarks=tuple(self.remarks))

    def _kind(self, entries: tuple[Entry, ...]) -> str:
        if any(name in self.infos for name in BUILD_FILES):
            return "extension" if "extensiondata" in self.infos else "module"
        return "container" if any(e.name.lower().endswith(GAME_ENDINGS) for e in entries) else "other"

    # -- the saved game

    def played(self) -> zipfile.ZipInfo | Local | None:
        """The saved game that VASSAL plays; remarks say what is odd about it."""
        listed = [info for info in self.listed if info.filename == SAVED_GAME]
        found = first_local(self.stream, SAVED_GAME)
        if found is None:
            self.remarks += [UNFOUND] if listed else []
            return listed[0] if listed else None
        _refuse_packing(self.name, SAVED_GAME, found.method, found.flags)
        here = [info for info in listed if info.header_offset == found.header]
        if len(listed) > len(here):
            self.remarks.append(TWO_GAMES)
        elif not here:
            self.remarks.append(UNLISTED)
        return here[0] if here else found

    def _game(
        self, played: zipfile.ZipInfo | Local, metadata: Metadata, entries: tuple[Entry, ...]
    ) -> Archive:
        most, remarks = self.limits.saved_game_bytes, tuple(self.remarks)
        data = self._local(played, most) if isinstance(played, Local) else self._checked(played, most)
        try:
            text = codec.deobfuscate(data)
        except codec.CodecError as error:
            kind = game_kind(self.name, error.prefix)
            partial = Archive(self.name, kind, metadata, error.prefix, entries, remarks)
            raise ArchiveError(f"{self.name}: {SAVED_GAME}: {error.message}", error.hint, partial) from None
        return Archive(self.name, game_kind(self.name, text), metadata, text, entries, remarks)

    def _local(self, local: Local, most: int) -> bytes:
        data, packed = unpacked(self.stream, local, most + 1)
        _refuse_bomb(self.name, local.name, len(data), packed, most, self.limits)
        return data

    # -- metadata

    def _metadata(self) -> Metadata:
        """What the file says of itself; what of it cannot be read is left aside."""
        parts: dict[str, bytes] = {}
        for name in METADATA:
            if name not in self.infos:
                continue
            try:
                data = self.entry(name, self.limits.metadata_bytes)
                Metadata.read({name: data})
            except MetadataError as error:
                self.remarks.append(error.message)
            except ArchiveError as error:
                self.remarks.append(error.message.removeprefix(f"{self.name}: "))
            except zipfile.BadZipFile:
                self.remarks.append(f"{name}: damaged")
            else:
                parts[name] = data
        return Metadata.read(parts)

    # -- entries by the directory

    def entry(self, name: str, most: int) -> bytes:
        info = self.infos.get(name)
        if info is None:
            raise ArchiveError(f"{self.name}: has no entry of that name")
        return self._checked(info, most)

    def entry_or_fault(self, name: str) -> bytes | ArchiveError:
        try:
            return self.entry(name, self.limits.saved_game_bytes)
        except ArchiveError as error:
            return error
        except zipfile.BadZipFile:
            return damaged(self.name)

    def _checked(self, info: zipfile.ZipInfo, most: int) -> bytes:
        try:
            return self._inflate(info, most)
        except ZIP_FAULTS:
            raise zipfile.BadZipFile(info.filename) from None

    def _inflate(self, info: zipfile.ZipInfo, most: int) -> bytes:
        _refuse_packing(self.name, info.filename, info.compress_type, info.flag_bits)
        packed = min(info.compress_size, self.size)  # a directory may lie
        bearable = max(self.limits.ratio_from_bytes, self.limits.ratio * packed)
        with self.archive.open(info) as stream:
            data = stream.read(min(most, bearable) + 1)
        _refuse_bomb(self.name, info.filename, len(data), packed, most, self.limits)
        return data


def damaged(name: str) -> ArchiveError:
    return ArchiveError(f"{name}: the zip archive is cut short or damaged")


# -- the stream of entries


def first_local(stream: BinaryIO, wanted: str) -> Local | None:
    """The first entry of a name in the stream, as VASSAL looks for it."""
    budget = _UNPACKED_BEFORE
    for number, local in enumerate(_locals(stream)):
        if local.name == wanted:
            return local
        if number > _LISTED_BEFORE or budget < 0:
            break
        budget -= local.packed if local.flags & _DESCRIBED else 0
    return None


def _locals(stream: BinaryIO) -> Iterator[Local]:
    at = 0
    while (local := _local_at(stream, at)) is not None:
        yield local
        if not local.flags & _DESCRIBED:
            at = local.start + local.packed
        elif local.method == zipfile.ZIP_DEFLATED:
            _, packed = unpacked(stream, local, _UNPACKED_BEFORE)
            at = local.start + packed + _descriptor(stream, local.start + packed)
        else:
            return


def _local_at(stream: BinaryIO, at: int) -> Local | None:
    stream.seek(at)
    head = stream.read(_HEADER)
    if len(head) < _HEADER or not head.startswith(LOCAL_HEADER):
        return None
    flags, method = struct.unpack_from("<HH", head, 6)
    (packed,) = struct.unpack_from("<I", head, 18)
    name_length, extra_length = struct.unpack_from("<HH", head, 26)
    name = stream.read(name_length).decode("utf-8", "replace")
    return Local(name, at, at + _HEADER + name_length + extra_length, method, flags, packed)


def _descriptor(stream: BinaryIO, at: int) -> int:
    """The length of what stands behind an entry whose size was not known when it was begun."""
    stream.seek(at)
    return 16 if stream.read(4) == b"PK\x07\x08" else 12


def unpacked(stream: BinaryIO, local: Local, most: int) -> tuple[bytes, int]:
    """At most so many bytes of an entry, as far as it is sound, and how many packed ones they took."""
    stream.seek(local.start)
    if local.method == zipfile.ZIP_STORED:
        data = stream.read(most if local.flags & _DESCRIBED else min(most, local.packed))
        return data, len(data)
    inflater = zlib.decompressobj(-15)
    parts: list[bytes] = []
    size = taken = 0
    while size < most and not inflater.eof:
        packed = inflater.unconsumed_tail or stream.read(_PIECE)
        if not packed:
            break
        try:
            part = inflater.decompress(packed, most - size)
        except zlib.error:
            break
        taken += len(packed) - len(inflater.unconsumed_tail) - len(inflater.unused_data)
        parts.append(part)
        size += len(part)
    return b"".join(parts), taken


def salvage(stream: BinaryIO, name: str, limits: Limits) -> Archive | None:
    """Read what a zip without its directory, or with a broken entry, still holds of the saved game."""
    stream.seek(0)
    data = stream.read(limits.in_memory_bytes)
    at = data.find(SAVED_GAME.encode())
    while at >= 0:
        local = _local_at(stream, at - _HEADER) if at >= _HEADER else None
        if local is not None and local.name == SAVED_GAME:
            return _salvaged(stream, local._replace(flags=local.flags | _DESCRIBED), name, limits)
        at = data.find(SAVED_GAME.encode(), at + 1)
    return None


def _salvaged(stream: BinaryIO, local: Local, name: str, limits: Limits) -> Archive | None:
    content, packed = unpacked(stream, local, limits.saved_game_bytes)
    if len(content) > limits.ratio_from_bytes and len(content) > limits.ratio * max(packed, 1):
        return None
    try:
        text = codec.deobfuscate(content)
    except codec.CodecError as error:
        text = error.prefix
    return Archive(name, game_kind(name, text), text=text) if text else None


# -- what is refused


def directory_bytes(stream: BinaryIO, size: int) -> int:
    """How long an archive says its directory is."""
    start = max(0, size - _LONGEST_END)
    stream.seek(start)
    tail = stream.read(_LONGEST_END)
    end = tail.rfind(_END)
    if end < 0 or len(tail) - end < 22:
        return 0
    (length,) = struct.unpack_from("<I", tail, end + 12)
    large = tail.rfind(_END_64, 0, end)
    if large >= 0 and len(tail) - large >= 56:
        length = max(length if length != 0xFFFFFFFF else 0, *struct.unpack_from("<Q", tail, large + 40))
    return int(length)


def _refuse_packing(name: str, entry: str, method: int, flags: int) -> None:
    if flags & 1:
        raise ArchiveError(f"{name}: {_shown(entry)} is encrypted: unpack it with its password, and name it")
    if method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveError(f"{name}: {_shown(entry)} is packed in a way VASSAL does not read")


def _refuse_bomb(name: str, entry: str, size: int, packed: int, most: int, limits: Limits) -> None:
    if size > most:
        raise ArchiveError(f"{name}: {_shown(entry)} unpacks to more than {most:,} bytes")
    if size > limits.ratio_from_bytes and size > limits.ratio * max(packed, 1):
        raise ArchiveError(f"{name}: {_shown(entry)} unpacks to more than {limits.ratio} times its size")


def _refuse_traversal(name: str, entry: str) -> None:
    path = PurePosixPath(entry.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or "\x00" in entry or entry[1:2] == ":":
        raise ArchiveError(
            f"{name}: the entry {_shown(entry)} points outside the archive",
            "No VASSAL file needs that: do not open it elsewhere either.",
        )


def _shown(entry: str) -> str:
    return ascii(entry[:60])
