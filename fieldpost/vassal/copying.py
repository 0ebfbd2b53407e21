"""A copy of a save or log with another text in it, in the same container with the same entries."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from fieldpost.vassal import codec, unzipping
from fieldpost.vassal.archive_types import DEFAULT_LIMITS, METADATA, SAVED_GAME, ArchiveError, Limits
from fieldpost.vassal.unzipping import LOCAL_HEADER, ZIP_FAULTS, ZipReader

Clean = Callable[[str], str]


def rewritten(data: bytes, name: str, text: str, clean: Clean, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The file with `text` as its saved game; whatever else in it is text goes through `clean`."""
    if not data.startswith(LOCAL_HEADER):
        return codec.written_as(data, text)
    try:
        reader = ZipReader(io.BytesIO(data), name, limits)
        return _zip(reader, text, clean)
    except ZIP_FAULTS:
        raise unzipping.damaged(name) from None


def _zip(reader: ZipReader, text: str, clean: Clean) -> bytes:
    _refuse_oddities(reader)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.comment = _text_cleaned(reader.archive.comment, clean)
        for info in reader.listed:
            content = b"" if info.is_dir() else reader.entry(info.filename, reader.limits.saved_game_bytes)
            if info.filename == SAVED_GAME:
                content = codec.written_as(content, text)
            elif info.filename in METADATA or _is_text(content):
                content = _text_cleaned(content, clean)
            made.writestr(_like(info, clean), content, compresslevel=9)
    return buffer.getvalue()


def _refuse_oddities(reader: ZipReader) -> None:
    """What a reader passes over may hold a secret."""
    reader.names()
    reader.played()
    if len(reader.infos) < len(reader.listed):
        reader.remarks.append("holds two entries of one name")
    if reader.remarks:
        raise ArchiveError(
            f"{reader.name}: {reader.remarks[0]}", "It is no archive that VASSAL wrote; ask for the log anew."
        )


def _like(info: zipfile.ZipInfo, clean: Clean) -> zipfile.ZipInfo:
    """An entry of the same name, date, rights and packing."""
    made = zipfile.ZipInfo(info.filename, info.date_time)
    made.compress_type = info.compress_type
    made.create_system, made.external_attr = info.create_system, info.external_attr
    made.comment = _text_cleaned(info.comment, clean)
    return made


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _text_cleaned(content: bytes, clean: Clean) -> bytes:
    return clean(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
