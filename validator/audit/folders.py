"""Files on the disk: which may hold turns, the mails of mailboxes, and what each other file is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from fieldpost.terminal import printable
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError, Limits
from validator.audit import mails
from validator.audit.pointers import Pointer, Unusable
from validator.mail import kinds, looks_like_mail

MAIL_ENDINGS = (".eml", ".emlx")
MAILBOX_ENDINGS = (".mbox", ".mbx")
FOUND_BY_ENDING = (
    ".vlog", ".vsav", ".log", ".sav", ".turn", ".txt", ".zip", ".msg", ".oft", ".mht", ".mhtml", ".html",
    ".htm", ".md", ".text", ".gz", ".tgz", ".bz2", ".xz", ".tar", ".dat", *MAIL_ENDINGS, *MAILBOX_ENDINGS,
)  # fmt: skip
MAILDIR_PARTS = ("cur", "new")
LINK = "a link, which is not followed"
HIDDEN = "hidden, and not looked into"
NO_TURN = "no file of a kind that holds turns"
HEAD_BYTES = 8192
FILE_LIMITS = Limits(file_bytes=256 << 20)


def walk(top: Path) -> Iterator[Pointer | Unusable]:
    """A folder and those in it; links are not followed."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            inner = sorted(folder.iterdir())
        except OSError as error:
            yield Unusable(printable(folder.name), _reason(error))
            continue
        is_maildir = _is_maildir(folder)
        if is_maildir:
            yield from _maildir(folder)
            inner = [path for path in inner if path.name not in (*MAILDIR_PARTS, "tmp")]
        folders = []
        for path in inner:
            if path.is_symlink():
                yield Unusable(printable(path.name), LINK, harmless=True)
            elif path.name.startswith(".") and not (is_maildir and _is_maildir(path)):
                yield Unusable(printable(path.name), HIDDEN, harmless=True)
            elif path.is_dir():
                folders.append(path)
            elif is_maildir:
                yield Unusable(printable(path.name), NO_TURN, harmless=True)
            else:
                yield from _found(path)
        waiting += reversed(folders)


def file(path: Path) -> Iterator[Pointer | Unusable]:
    """A file that was named."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            yield Unusable(printable(path.name), "neither a file nor a folder")
        elif path.suffix.lower() in MAILBOX_ENDINGS or _head(path).startswith(b"From "):
            yield from _mailbox(path)
        else:
            yield _pointer(path)
    except OSError as error:
        yield Unusable(printable(path.name), _reason(error))


def _found(path: Path) -> Iterator[Pointer | Unusable]:
    """A file that lies in a folder: by its ending, or by how it begins."""
    if path.suffix.lower() in FOUND_BY_ENDING:
        yield from file(path)
        return
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
        head = _head(path) if regular else b""
    except OSError as error:
        yield Unusable(printable(path.name), _reason(error))
        return
    kind = kinds.of(head, path.name)
    if not regular:
        yield Unusable(printable(path.name), "neither a file nor a folder", harmless=True)
    elif kind.name == kinds.CLOSED:
        yield Unusable(printable(path.name), kind.words)
    elif head.startswith(b"From "):
        yield from _mailbox(path)
    elif kind.name in _MAY_HOLD or looks_like_mail(head) or _lost_its_ending(path):
        yield _pointer(path)
    else:
        yield Unusable(printable(path.name), kind.words or NO_TURN, harmless=True)


_MAY_HOLD = (kinds.OUTLOOK, kinds.WINMAIL, kinds.PACKED)


def _lost_its_ending(path: Path) -> bool:
    """A log, a save or a text called `turn 5` or `turn 5.2`; copies that editors leave (`.bak`) are none."""
    if path.suffix and not path.suffix[1:].isdigit():
        return False
    try:
        with archive.opened(path, FILE_LIMITS) as stream:
            return archive.begins_like_game(stream) or kinds.of(_head(path), path.name).name == kinds.TEXT
    except ArchiveError:
        return False


def _pointer(path: Path) -> Pointer:
    is_mail = path.suffix.lower() in MAIL_ENDINGS
    return Pointer(printable(path.name), str(path), is_mail=is_mail, home=str(path.parent))


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(HEAD_BYTES)


def _is_maildir(folder: Path) -> bool:
    """An empty part may have been lost where the folder was copied."""
    return (folder / MAILDIR_PARTS[0]).is_dir()


def _mailbox(path: Path) -> Iterator[Pointer | Unusable]:
    """The mails of an mbox. Apple Mail exports a folder `Games.mbox` with a file `mbox` in it."""
    shown = path.parent if path.name == "mbox" and path.parent.suffix else path
    empty = True
    with path.open("rb") as stream:
        for number, span in enumerate(mails.spans(stream), 1):
            empty = False
            name = f"{printable(shown.name)}, message {number}"
            yield Pointer(name, str(path), span, is_mail=True, home=str(shown))
    if empty:
        yield Unusable(printable(path.name), "a mailbox without a mail in it")


def _maildir(folder: Path) -> Iterator[Pointer]:
    """Named by its number: what a mail server calls a message says nothing to people."""
    parts = [folder / part for part in MAILDIR_PARTS]
    files = [entry for part in parts if part.is_dir() for entry in os.scandir(part)]
    files = [entry for entry in files if entry.is_file(follow_symlinks=False) and entry.name[0] != "."]
    for number, entry in enumerate(sorted(files, key=lambda entry: entry.name), 1):
        yield Pointer(
            f"{printable(folder.name)}, message {number}", entry.path, is_mail=True, home=str(folder)
        )


def _reason(error: OSError) -> str:
    return (error.strerror or "cannot be read").lower()
