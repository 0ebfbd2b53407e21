"""Archives that hold two saved games, as somebody would make them who wants to fool a referee."""

from __future__ import annotations

import io
import warnings
import zipfile

from fieldpost.vassal import archive, codec
from fieldpost.vassal.archive import SAVED_GAME
from tests import oracle_files

SHOWN, HIDDEN = "oracle", "random1"
"""The logs whose games stand first and second in the stream."""

NAME = SAVED_GAME.encode()
OTHER = b"xavedGame"


def both() -> bytes:
    """One after the other; the directory lists both."""
    with zipfile.ZipFile(oracle_files.log(SHOWN)) as log:
        entries = [(name, log.read(name)) for name in ("moduledata", "savedata")]
    for name in (SHOWN, HIDDEN):
        text = archive.read(oracle_files.log(name)).text or ""
        entries.append((SAVED_GAME, codec.obfuscate(text)))
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        warnings.simplefilter("ignore")
        for entry, data in entries:
            made.writestr(entry, data)
    return buffer.getvalue()


def unlisted() -> bytes:
    """The directory calls the first by another name."""
    return _renamed(both(), after=b"PK\x01\x02")


def misplaced() -> bytes:
    """The first is called by another name where it stands; the directory still lists it as a saved game."""
    return _renamed(both(), after=b"PK\x03\x04")


def _renamed(data: bytes, after: bytes) -> bytes:
    at = data.index(NAME, data.index(after))
    return data[:at] + OTHER + data[at + len(NAME) :]
