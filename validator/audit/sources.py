"""Where turns come from: files, folders, zips, mails, mailboxes. Input is hostile until read."""

from __future__ import annotations

import email
import mailbox
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage, Message
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path, PurePosixPath
from typing import Any

from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError, Limits

TURN_ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt")
MAIL_ENDINGS = (".eml",)
MAILBOX_ENDINGS = (".mbox", ".mbx")
MAX_ITEMS = 100_000
MAX_DEPTH = 4
FILE_LIMITS = Limits(file_bytes=256 << 20, saved_game_bytes=64 << 20)
MAILBOX_PARTS = ("cur", "new")


@dataclass(frozen=True)
class Item:
    """One file that may be a turn: `name` as people know it, `via` the mail or zip it came in."""

    name: str
    data: bytes
    via: str = ""
    sent: datetime | None = None


@dataclass(frozen=True)
class Unusable:
    """What could not be opened, and why."""

    name: str
    why: str


Found = Item | Unusable


def gather(paths: list[Path]) -> Iterator[Found]:
    """Everything in the paths that may be a turn, one after the other."""
    for number, found in enumerate(item for path in paths for item in _of_path(path)):
        if number >= MAX_ITEMS:
            raise FieldpostError(f"more than {MAX_ITEMS:,} files", "Audit one game at a time.")
        yield found


def _of_path(path: Path) -> Iterator[Found]:
    if not path.exists():
        raise FieldpostError(f"{path}: there is no such file or folder")
    if path.is_dir():
        yield from _folder(path)
    elif path.suffix.lower() in MAILBOX_ENDINGS or _is_mbox(path):
        yield from _mailbox(mailbox.mbox(path, create=False), path.name)
    else:
        yield from _file(path)


def _folder(path: Path) -> Iterator[Found]:
    if all((path / part).is_dir() for part in MAILBOX_PARTS):
        yield from _mailbox(mailbox.Maildir(path, create=False), path.name)
        return
    endings = (*TURN_ENDINGS, *MAIL_ENDINGS, *MAILBOX_ENDINGS, ".zip")
    for inner in sorted(path.iterdir()):
        if inner.name.startswith(".") or inner.is_symlink():
            continue
        if inner.is_dir() or inner.suffix.lower() in endings:
            yield from _of_path(inner)


def _is_mbox(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(5) == b"From "


def _file(path: Path) -> Iterator[Found]:
    try:
        data = archive.read_bytes(path, FILE_LIMITS)
    except ArchiveError as error:
        yield Unusable(path.name, error.message)
        return
    yield from _content(Item(path.name, data), 0)


def _content(item: Item, depth: int) -> Iterator[Found]:
    """The item itself, or what is in it."""
    if depth > MAX_DEPTH:
        yield Unusable(item.name, "archives in archives too deep")
    elif item.name.lower().endswith(MAIL_ENDINGS):
        yield from _mail(email.message_from_bytes(item.data, policy=default), item.name, depth)
    elif _is_container(item):
        yield from _zip(item, depth)
    elif _may_be_turn(item):
        yield item


def _may_be_turn(item: Item) -> bool:
    """Most texts are letters; a turn sheet begins with the game."""
    if not item.name.lower().endswith(".txt"):
        return True
    lines = (line.strip() for line in item.data[:4000].splitlines())
    return next((line for line in lines if line and line[:1] != b"#"), b"").startswith(b"game ")


def _is_container(item: Item) -> bool:
    if not item.data.startswith(b"PK"):
        return False
    try:
        return archive.parse(item.data, item.name, FILE_LIMITS).kind in ("container", "other")
    except ArchiveError:
        return item.name.lower().endswith(".zip")


def _zip(item: Item, depth: int) -> Iterator[Found]:
    try:
        inner = [e.name for e in archive.parse(item.data, item.name, FILE_LIMITS).entries]
    except ArchiveError as error:
        yield Unusable(item.name, error.message)
        return
    for name in sorted(inner):
        if not name.lower().endswith((*TURN_ENDINGS, *MAIL_ENDINGS, ".zip")):
            continue
        try:
            data = archive.extract(item.data, item.name, name, FILE_LIMITS)
        except (ArchiveError, zipfile.BadZipFile) as error:
            yield Unusable(name, getattr(error, "message", "cannot be read"))
            continue
        yield from _content(Item(PurePosixPath(name).name, data, item.via or item.name, item.sent), depth + 1)


# --- mail ----------------------------------------------------------------------------------------


def _mailbox(box: mailbox.Mailbox[Any], name: str) -> Iterator[Found]:
    for number, key in enumerate(box.keys(), 1):
        try:
            message = email.message_from_bytes(box.get_bytes(key), policy=default)
        except (OSError, KeyError) as error:
            yield Unusable(f"{name}, message {number}", str(error))
            continue
        yield from _mail(message, f"{name}, message {number}", 0)


def _mail(message: Message, name: str, depth: int) -> Iterator[Found]:
    """The attachments; who wrote to whom is nobody's business here."""
    sent = _date(message)
    for part in message.walk():
        file = _file_name(part)
        if file is None or not file.lower().endswith((*TURN_ENDINGS, *MAIL_ENDINGS, ".zip")):
            continue
        try:
            data = part.get_payload(decode=True)
        except (ValueError, LookupError, AssertionError):
            data = None
        if isinstance(data, bytes):
            yield from _content(Item(file, data, name, sent), depth + 1)
        else:
            yield Unusable(f"{file} in {name}", "the attachment cannot be decoded")


def _file_name(part: Message) -> str | None:
    try:
        name = part.get_filename() if isinstance(part, (EmailMessage, Message)) else None
    except (ValueError, LookupError):
        return None
    return PurePosixPath(name.replace("\\", "/")).name if name else None


def _date(message: Message) -> datetime | None:
    try:
        return parsedate_to_datetime(str(message["Date"]))
    except (TypeError, ValueError, IndexError):
        return None
