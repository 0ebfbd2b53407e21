"""Modules, extensions, saves and logs as files: read with limits, written with stable bytes.

The file ending decides nothing: an archive with a `savedGame` is a save or a log,
one with a build file a module or an extension, one with neither but logs inside
a container. A saved game without any zip around it is read as well.
"""

from __future__ import annotations

import io
import os
import stat
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from fieldpost.vassal import codec, unzipping
from fieldpost.vassal.archive_types import BUILD_FILES as BUILD_FILES
from fieldpost.vassal.archive_types import DEFAULT_LIMITS as DEFAULT_LIMITS
from fieldpost.vassal.archive_types import SAVED_GAME as SAVED_GAME
from fieldpost.vassal.archive_types import Archive as Archive
from fieldpost.vassal.archive_types import ArchiveError as ArchiveError
from fieldpost.vassal.archive_types import Entry as Entry
from fieldpost.vassal.archive_types import Limits as Limits
from fieldpost.vassal.archive_types import game_kind
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.unzipping import LOCAL_HEADER, ZIP_FAULTS, ZipReader

_FOR_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""A pipe that nobody writes into must not keep us waiting."""

_FIXED_TIME = (1980, 1, 1, 0, 0, 0)


def read(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Archive:
    """Read a file; raises `ArchiveError`, whose `partial` is what could be read."""
    with opened(path, limits) as stream:
        return parse_from(stream, Path(path).name, limits)


def read_bytes(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> bytes:
    """A whole file, which must be small enough for that."""
    with opened(path, replace(limits, file_bytes=min(limits.file_bytes, limits.in_memory_bytes))) as stream:
        return stream.read()


def opened(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> BinaryIO:
    """A file open for reading; folders, pipes, devices and what is too large are refused."""
    name = Path(path).name
    try:
        opened_as = os.open(path, _FOR_READING)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "cannot be read"
        raise ArchiveError(f"{name}: {why.lower()}") from None
    status = os.fstat(opened_as)
    if stat.S_ISREG(status.st_mode) and status.st_size <= limits.file_bytes:
        return os.fdopen(opened_as, "rb")
    os.close(opened_as)
    if stat.S_ISDIR(status.st_mode):
        raise ArchiveError(f"{path}: a folder", "Name a file in it; 'fieldpost audit' takes folders.")
    if stat.S_ISREG(status.st_mode):
        raise ArchiveError(f"{name}: larger than {limits.file_bytes:,} bytes")
    raise ArchiveError(f"{name}: a pipe or a device", "Only files are read: copy it into one.")


def parse(data: bytes, name: str, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """Read a file already in memory; `name` is for messages and for the kind."""
    return parse_from(io.BytesIO(data), name, limits)


def parse_from(stream: BinaryIO, name: str, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """The same of a file that is open."""
    if stream.read(len(LOCAL_HEADER)) != LOCAL_HEADER:
        stream.seek(0)
        return _bare(stream.read(limits.saved_game_bytes + 1), name, limits)
    try:
        return ZipReader(stream, name, limits).read()
    except ZIP_FAULTS:
        raise ArchiveError(
            f"{name}: the zip archive is cut short or damaged",
            "Ask for the file again; what could be saved is shown.",
            unzipping.salvage(stream, name, limits),
        ) from None


def entry_names(data: bytes, name: str, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """What a zip says it holds; nothing is unpacked."""
    try:
        return ZipReader(io.BytesIO(data), name, limits).names()
    except ZIP_FAULTS:
        raise unzipping.damaged(name) from None


def begins_like_game(stream: BinaryIO) -> bool:
    """Whether a file is a save or log by its first bytes, or by the entries of a zip."""
    start = stream.read(len(LOCAL_HEADER) + 1)
    if start.startswith(LOCAL_HEADER):
        return unzipping.first_local(stream, SAVED_GAME) is not None
    return start.startswith((codec.HEX_MARK, codec.DEFLATED_MARK, codec.RAW_MARK))


def is_wrapping(data: bytes, name: str, limits: Limits = DEFAULT_LIMITS) -> bool:
    """Whether it is a zip around other files: no module, and no save or log itself."""
    if not data.startswith(b"PK"):
        return False
    try:
        reader = ZipReader(io.BytesIO(data), name, limits)
        return not set(BUILD_FILES).intersection(reader.names()) and reader.played() is None
    except ZIP_FAULTS:
        raise unzipping.damaged(name) from None


def member(data: bytes, outer: str, inner: str, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """Read one log or save of a container; containers in containers are not opened."""
    return member_of(extract(data, outer, inner, limits), inner, limits)


def member_of(content: bytes, inner: str, limits: Limits = DEFAULT_LIMITS) -> Archive:
    """The same of what was taken out of a container."""
    archive = parse(content, PurePosixPath(inner).name, limits)
    if archive.kind == "container":
        raise ArchiveError(f"{inner}: an archive in an archive in an archive")
    return archive


def extract(data: bytes, outer: str, inner: str, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the bytes of one entry."""
    return extract_one(io.BytesIO(data), outer, inner, limits)


def extract_one(stream: BinaryIO, outer: str, inner: str, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The same of a file that is open."""
    [found] = extract_from(stream, outer, [inner], limits)
    if isinstance(found, ArchiveError):
        raise found
    return found


def extract_each(
    data: bytes, outer: str, inner: Sequence[str], limits: Limits = DEFAULT_LIMITS
) -> Iterator[bytes | ArchiveError]:
    """The bytes of each of these entries, or why there are none; the archive is opened once."""
    yield from extract_from(io.BytesIO(data), outer, inner, limits)


def extract_from(
    stream: BinaryIO, outer: str, inner: Sequence[str], limits: Limits = DEFAULT_LIMITS
) -> Iterator[bytes | ArchiveError]:
    """The same of a file that is open."""
    try:
        reader = ZipReader(stream, outer, limits)
    except ZIP_FAULTS:
        yield from (unzipping.damaged(outer) for _ in inner)
    except ArchiveError as error:
        yield from (error for _ in inner)
    else:
        yield from map(reader.entry_or_fault, inner)


def _bare(data: bytes, name: str, limits: Limits) -> Archive:
    if not data:
        raise ArchiveError(f"{name}: the file is empty", "Ask for it again, or write the log anew.")
    if not (data.startswith(codec.MARKS) or b"\x1bend_save" in data):
        raise ArchiveError(
            f"{name}: not a VASSAL file",
            "A module, save or log is a zip archive. A turn sheet is text and begins: game GAME SCENARIO",
        )
    if len(data) > limits.saved_game_bytes:
        raise ArchiveError(f"{name}: a saved game of more than {limits.saved_game_bytes:,} bytes")
    try:
        text = codec.deobfuscate(data)
    except codec.CodecError as error:
        partial = Archive(name, game_kind(name, error.prefix), text=error.prefix)
        raise ArchiveError(f"{name}: {error.message}", error.hint, partial) from None
    return Archive(name, game_kind(name, text), text=text)


_PACKED = (".png", ".jpg", ".vsav")  # packed in themselves


SMALLEST, QUICK = 9, 6
"""How hard to pack; a save takes 7 % more room for a third of the time."""


def pack(entries: Mapping[str, bytes] | Iterable[tuple[str, bytes]], level: int = SMALLEST) -> bytes:
    """Return a zip whose bytes depend on the entries alone: fixed time, fixed rights, given order."""
    pairs = entries.items() if isinstance(entries, Mapping) else entries
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
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
    except BaseException as error:  # Ctrl-C too leaves nothing behind
        Path(beside).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(target, error) from None
        raise


def _unwritable(path: Path, error: OSError) -> ArchiveError:
    why = (error.strerror or "it cannot be written").lower()
    return ArchiveError(f"cannot write {path}: {why}", "Choose another file or folder, or make room.")


def game_bytes(text: str, metadata: Metadata, key: int = codec.DEFAULT_KEY, level: int = SMALLEST) -> bytes:
    """Return a save or log as a file."""
    return pack(
        {
            SAVED_GAME: codec.obfuscate(text, key),
            "savedata": metadata.savedata(),
            "moduledata": metadata.moduledata(),
        },
        level,
    )


def write_game(path: str | os.PathLike[str], text: str, metadata: Metadata) -> None:
    write_bytes(path, game_bytes(text, metadata))
