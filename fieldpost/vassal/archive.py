"""Modules, extensions, saves and logs as files: read with limits, written with stable bytes.

The file ending decides nothing: an archive with a `savedGame` is a save or a log,
one with a build file a module or an extension, one with neither but logs inside
a container. A saved game without any zip around it is read as well.
"""

from __future__ import annotations

import io
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fieldpost.errors import FieldpostError
from fieldpost.vassal import codec
from fieldpost.vassal.metadata import Metadata, MetadataError

SAVED_GAME = "savedGame"
BUILD_FILES = ("buildFile.xml", "buildFile")
LOG_ENDINGS = (".vlog", ".log")
GAME_ENDINGS = (".vlog", ".vsav", ".log", ".sav")
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)
_LOCAL_HEADER = b"PK\x03\x04"
_ZIP_FAULTS = (
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


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may ask of this machine."""

    file_bytes: int = 1 << 30
    saved_game_bytes: int = 192 << 20
    metadata_bytes: int = 1 << 20
    build_file_bytes: int = 64 << 20
    entries: int = 100_000
    ratio: int = 400
    ratio_from_bytes: int = 4 << 20


DEFAULT_LIMITS = Limits()


class ArchiveError(FieldpostError):
    """A file that cannot be read to its end; `partial` holds what could be read."""

    def __init__(self, message: str, hint: str | None = None, partial: Archive | None = None) -> None:
        super().__init__(message, hint)
        self.partial = partial


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Archive:
    """A file as read: its kind, what it says of itself, and its saved game if it has one.

    `kind` is module, extension, save, log, container or other.
    """

    name: str
    kind: str
    metadata: Metadata = field(default_factory=Metadata)
    text: str | None = field(default=None, repr=False)
    entries: tuple[Entry, ...] = field(default=(), repr=False)

    @property
    def games(self) -> tuple[str, ...]:
        """The logs and saves inside a container or module."""
        return tuple(entry.name for entry in self.entries if entry.name.lower().endswith(GAME_ENDINGS))


def read(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Archive:
    """Read a file; raises `ArchiveError`, whose `partial` is what could be read."""
    return parse(read_bytes(path, limits), Path(path).name, limits)


def read_bytes(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> bytes:
    name = Path(path).name
    try:
        with open(path, "rb") as stream:
            data = stream.read(limits.file_bytes + 1)
    except IsADirectoryError:
        raise ArchiveError(
            f"{path}: a folder", "Name a file in it; 'fieldpost audit' takes folders."
        ) from None
    except OSError as error:
        raise ArchiveError(f"{name}: {(error.strerror or 'cannot be read').lower()}") from None
    if len(data) > limits.file_bytes:
        raise ArchiveError(f"{name}: larger than {limits.file_bytes:,} bytes")
    return data


def parse(data: bytes, name: str, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """Read a file already in memory; `name` is for messages and for the kind."""
    if not data.startswith(_LOCAL_HEADER):
        return _bare(data, name)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _ZipReader(archive, name, limits).read()
    except _ZIP_FAULTS:
        raise ArchiveError(
            f"{name}: the zip archive is cut short or damaged",
            "Ask for the file again; what could be saved is shown.",
            _salvage(data, name, limits),
        ) from None


def entry_names(data: bytes, name: str, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """What a zip says it holds; nothing is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _ZipReader(archive, name, limits).names()
    except _ZIP_FAULTS:
        raise _damaged(name) from None


def member(data: bytes, outer: str, inner: str, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """Read one log or save of a container; containers in containers are not opened."""
    content = extract(data, outer, inner, limits)
    archive = parse(content, PurePosixPath(inner).name, limits)
    if archive.kind == "container":
        raise ArchiveError(f"{inner}: an archive in an archive in an archive")
    return archive


def extract(data: bytes, outer: str, inner: str, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the bytes of one entry."""
    [found] = extract_each(data, outer, [inner], limits)
    if isinstance(found, ArchiveError):
        raise found
    return found


def extract_each(
    data: bytes, outer: str, inner: Sequence[str], limits: Limits = DEFAULT_LIMITS
) -> Iterator[bytes | ArchiveError]:
    """The bytes of each of these entries, or why there are none; the archive is opened once."""
    try:
        reader = _ZipReader(zipfile.ZipFile(io.BytesIO(data)), outer, limits)
    except _ZIP_FAULTS:
        yield from (_damaged(outer) for _ in inner)
    else:
        yield from map(reader.entry_or_fault, inner)


def _damaged(name: str) -> ArchiveError:
    return ArchiveError(f"{name}: the zip archive is cut short or damaged")


class _ZipReader:
    def __init__(self, archive: zipfile.ZipFile, name: str, limits: Limits) -> None:
        self.archive = archive
        self.name = name
        self.limits = limits
        self.infos = {info.filename: info for info in archive.infolist()}

    def names(self) -> tuple[str, ...]:
        if len(self.infos) > self.limits.entries:
            raise ArchiveError(f"{self.name}: {len(self.infos):,} entries are too many")
        for name in self.infos:
            _refuse_traversal(self.name, name)
        return tuple(self.infos)

    def read(self) -> Archive:
        self.names()
        entries = tuple(Entry(info.filename, info.file_size) for info in self.infos.values())
        metadata = self._metadata()
        if SAVED_GAME in self.infos:
            return self._game(metadata, entries)
        return Archive(self.name, self._kind(entries), metadata, entries=entries)

    def _kind(self, entries: tuple[Entry, ...]) -> str:
        if any(name in self.infos for name in BUILD_FILES):
            return "extension" if "extensiondata" in self.infos else "module"
        return "container" if any(e.name.lower().endswith(GAME_ENDINGS) for e in entries) else "other"

    def _game(self, metadata: Metadata, entries: tuple[Entry, ...]) -> Archive:
        try:
            text = codec.deobfuscate(self.entry(SAVED_GAME, self.limits.saved_game_bytes))
        except codec.CodecError as error:
            partial = Archive(self.name, _game_kind(self.name, error.prefix), metadata, error.prefix, entries)
            raise ArchiveError(f"{self.name}: {SAVED_GAME}: {error.message}", error.hint, partial) from None
        return Archive(self.name, _game_kind(self.name, text), metadata, text, entries)

    def _metadata(self) -> Metadata:
        parts: dict[str, bytes] = {
            name: self.entry(name, self.limits.metadata_bytes)
            for name in ("savedata", "extensiondata", "moduledata")
            if name in self.infos
        }
        try:
            return Metadata.read(parts)
        except MetadataError as error:
            raise ArchiveError(f"{self.name}: {error.message}", error.hint) from None

    def entry(self, name: str, most: int) -> bytes:
        info = self.infos.get(name)
        if info is None:
            raise ArchiveError(f"{self.name}: has no entry of that name")
        try:
            return self._inflate(info, most)
        except _ZIP_FAULTS:
            raise zipfile.BadZipFile(name) from None

    def entry_or_fault(self, name: str) -> bytes | ArchiveError:
        try:
            return self.entry(name, self.limits.saved_game_bytes)
        except ArchiveError as error:
            return error
        except zipfile.BadZipFile:
            return _damaged(self.name)

    def _inflate(self, info: zipfile.ZipInfo, most: int) -> bytes:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ArchiveError(
                f"{self.name}: {_shown(info.filename)} is packed in a way VASSAL does not read"
            )
        if info.flag_bits & 1:
            raise ArchiveError(f"{self.name}: {_shown(info.filename)} is encrypted")
        with self.archive.open(info) as stream:
            data = stream.read(most + 1)
        _refuse_bomb(self.name, info.filename, len(data), info.compress_size, most, self.limits)
        return data


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


def _bare(data: bytes, name: str) -> Archive:
    if not data:
        raise ArchiveError(f"{name}: the file is empty", "Ask for it again, or write the log anew.")
    if not (
        data.startswith((codec.HEX_MARK, codec.RAW_MARK, codec.XZ_MARK, b"begin_save"))
        or b"\x1bend_save" in data
    ):
        raise ArchiveError(
            f"{name}: not a VASSAL file",
            "A module, save or log is a zip archive. A turn sheet is text and begins: game GAME SCENARIO",
        )
    try:
        text = codec.deobfuscate(data)
    except codec.CodecError as error:
        partial = Archive(name, _game_kind(name, error.prefix), text=error.prefix)
        raise ArchiveError(f"{name}: {error.message}", error.hint, partial) from None
    return Archive(name, _game_kind(name, text), text=text)


def _game_kind(name: str, text: str) -> str:
    is_log = name.lower().endswith(LOG_ENDINGS) or "\x1bLOG\t" in text
    return "log" if is_log else "save"


def _salvage(data: bytes, name: str, limits: Limits) -> Archive | None:
    """Read what a zip without its directory, or with a broken entry, still holds of the saved game."""
    start = data.find(SAVED_GAME.encode())
    while start >= 0:
        header = start - 30
        if header >= 0 and data[header : header + 4] == _LOCAL_HEADER:
            return _salvaged(data, header, name, limits)
        start = data.find(SAVED_GAME.encode(), start + 1)
    return None


def _salvaged(data: bytes, header: int, name: str, limits: Limits) -> Archive | None:
    method, name_length, extra_length = (
        struct.unpack_from("<H", data, header + 8)[0],
        *struct.unpack_from("<HH", data, header + 26),
    )
    content = _inflate_prefix(data[header + 30 + name_length + extra_length :], method, limits)
    try:
        text = codec.deobfuscate(content)
    except codec.CodecError as error:
        text = error.prefix
    return Archive(name, _game_kind(name, text), text=text) if text else None


def _inflate_prefix(packed: bytes, method: int, limits: Limits) -> bytes:
    if method == zipfile.ZIP_STORED:
        return packed[: limits.saved_game_bytes]
    most = min(limits.saved_game_bytes, limits.ratio_from_bytes + limits.ratio * len(packed))
    inflater = zlib.decompressobj(-15)
    parts: list[bytes] = []
    size = 0
    for at in range(0, len(packed), 1 << 12):
        try:
            part = inflater.decompress(packed[at : at + (1 << 12)], most - size)
        except zlib.error:
            break
        parts.append(part)
        size += len(part)
        if size >= most or inflater.eof:
            break
    return b"".join(parts)


_PACKED = (".png", ".jpg", ".vsav")  # packed in themselves


def pack(entries: Mapping[str, bytes] | Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip whose bytes depend on the entries alone: fixed time, fixed rights, given order."""
    pairs = entries.items() if isinstance(entries, Mapping) else entries
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in pairs:
            info = zipfile.ZipInfo(name, _FIXED_TIME)
            info.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file beside its place and rename it, so that no half file is ever seen; its folder is made."""
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise _unwritable(target, error) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(beside, 0o644)
        os.replace(beside, target)
    except OSError as error:
        Path(beside).unlink(missing_ok=True)
        raise _unwritable(target, error) from None


def _unwritable(path: Path, error: OSError) -> ArchiveError:
    why = (error.strerror or "it cannot be written").lower()
    return ArchiveError(f"cannot write {path}: {why}", "Choose another file or folder, or make room.")


def game_bytes(text: str, metadata: Metadata, key: int = codec.DEFAULT_KEY) -> bytes:
    """Return a save or log as a file."""
    return pack(
        {
            SAVED_GAME: codec.obfuscate(text, key),
            "savedata": metadata.savedata(),
            "moduledata": metadata.moduledata(),
        }
    )


def write_game(path: str | os.PathLike[str], text: str, metadata: Metadata) -> None:
    write_bytes(path, game_bytes(text, metadata))
