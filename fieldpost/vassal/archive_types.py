"""What a file is once it has been read, what it may ask of this machine, and how reading it fails."""

from __future__ import annotations

from dataclasses import dataclass, field

from fieldpost.errors import FieldpostError
from fieldpost.vassal.metadata import Metadata

SAVED_GAME = "savedGame"
BUILD_FILES = ("buildFile.xml", "buildFile")
METADATA = ("savedata", "extensiondata", "moduledata")
LOG_ENDINGS = (".vlog", ".log")
GAME_ENDINGS = (".vlog", ".vsav", ".log", ".sav")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a file may ask of this machine."""

    file_bytes: int = 4 << 30
    in_memory_bytes: int = 192 << 20
    saved_game_bytes: int = 96 << 20
    metadata_bytes: int = 1 << 20
    build_file_bytes: int = 64 << 20
    directory_bytes: int = 32 << 20
    entries: int = 100_000
    ratio: int = 150
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

    `kind` is module, extension, save, log, container or other. `remarks` say what was left aside,
    and what looks like a trick.
    """

    name: str
    kind: str
    metadata: Metadata = field(default_factory=Metadata)
    text: str | None = field(default=None, repr=False)
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    remarks: tuple[str, ...] = ()

    @property
    def games(self) -> tuple[str, ...]:
        """The logs and saves inside a container or module."""
        return tuple(entry.name for entry in self.entries if entry.name.lower().endswith(GAME_ENDINGS))


def game_kind(name: str, text: str) -> str:
    is_log = name.lower().endswith(LOG_ENDINGS) or "\x1bLOG\t" in text
    return "log" if is_log else "save"
