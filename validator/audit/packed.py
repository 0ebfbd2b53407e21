"""Archives besides zips that Python opens: tar, and single files in gz, bz2 or xz."""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from fieldpost.vassal.archive import ArchiveError, Limits
from validator.mail.kinds import packing_of

MOST_ENTRIES = 100_000
_PIECE = 1 << 16
DAMAGED = "the archive is cut short or damaged"


def names(data: bytes, name: str, limits: Limits) -> tuple[str, ...]:
    """What is in it; nothing is unpacked of what has one file alone."""
    packing = packing_of(data)
    if packing != ".tar":
        shown = PurePosixPath(name).name
        ending = PurePosixPath(shown.lower()).suffix
        if ending in (".tgz", ".tbz", ".tbz2", ".txz"):
            return (shown[: -len(ending)] + ".tar",)
        return ((shown[: -len(ending)] if ending == packing else shown) or "file",)
    return tuple(member.name for member in _members(data))


def extract(data: bytes, name: str, limits: Limits) -> bytes:
    [found] = extract_each(data, [name], limits)
    if isinstance(found, ArchiveError):
        raise found
    return found


def extract_each(data: bytes, wanted: Sequence[str], limits: Limits) -> Iterator[bytes | ArchiveError]:
    """The bytes of each of these, or why there are none."""
    if packing_of(data) != ".tar":
        for _ in wanted:
            yield _inflated(data, limits)
        return
    try:
        members = {member.name: member for member in _members(data)}
    except ArchiveError as error:
        yield from (error for _ in wanted)
        return
    for name in wanted:
        yield _member(data, members.get(name), limits)


def _members(data: bytes) -> list[tarfile.TarInfo]:
    """The files of a tar; links, devices and folders are not followed."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
            found: list[tarfile.TarInfo] = []
            for member in tar:
                found += [member] if member.isreg() else []
                if len(found) > MOST_ENTRIES:
                    raise ArchiveError(f"more than {MOST_ENTRIES:,} files are too many")
            return found
    except (tarfile.TarError, OSError, ValueError, EOFError):
        raise ArchiveError(DAMAGED) from None


def _member(data: bytes, member: tarfile.TarInfo | None, limits: Limits) -> bytes | ArchiveError:
    if member is None:
        return ArchiveError("the archive has no entry of that name")
    if member.size > limits.file_bytes:
        return ArchiveError(f"unpacks to more than {limits.file_bytes:,} bytes")
    found = data[member.offset_data : member.offset_data + member.size]
    return found if len(found) == member.size else ArchiveError(DAMAGED)


def _inflated(data: bytes, limits: Limits) -> bytes | ArchiveError:
    """One file, within the limits of what is unpacked."""
    most = min(limits.file_bytes, max(limits.ratio_from_bytes, limits.ratio * len(data)))
    try:
        found = _UNPACKERS[packing_of(data)](data, most + 1)
    except ImportError:  # a browser's Python may lack the module
        return ArchiveError(
            "an archive that cannot be opened here: unpack it, and name the log that is in it"
        )
    except (zlib.error, OSError, EOFError, ValueError):
        return ArchiveError(DAMAGED)
    return ArchiveError(f"unpacks to more than {most:,} bytes") if len(found) > most else found


def _gz(data: bytes, most: int) -> bytes:
    reader = zlib.decompressobj(31)
    found = reader.decompress(data, most)
    if not reader.eof and len(found) < most:
        raise EOFError
    return found


def _bz2(data: bytes, most: int) -> bytes:
    import bz2

    reader = bz2.BZ2Decompressor()
    found = reader.decompress(data, most)
    if not reader.eof and len(found) < most:
        raise EOFError
    return found


def _xz(data: bytes, most: int) -> bytes:
    import lzma

    reader = lzma.LZMADecompressor(memlimit=128 << 20)
    try:
        found = reader.decompress(data, most)
    except lzma.LZMAError:
        raise EOFError from None
    if not reader.eof and len(found) < most:
        raise EOFError
    return found


_UNPACKERS = {".gz": _gz, ".bz2": _bz2, ".xz": _xz}
