"""Where turns come from: files, folders, zips, mails, mailboxes. Input is hostile until read.

`point` says what lies where without reading it; `load` reads one of these; `unfold` opens what holds others.
`gather` does all of it, one file after the other.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, groupby, repeat
from pathlib import Path, PurePosixPath
from typing import TypeVar

from fieldpost.errors import FieldpostError
from fieldpost.terminal import printable
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError, Limits
from validator import mail
from validator.audit import mails
from validator.mail.body import OWN
from validator.services import missing_files

TURN_ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt")
MAIL_ENDINGS = (".eml", ".emlx")
MAILBOX_ENDINGS = (".mbox", ".mbx")
INNER_ENDINGS = (*TURN_ENDINGS, *MAIL_ENDINGS, ".zip")
FOUND_IN_FOLDERS = (*INNER_ENDINGS, *MAILBOX_ENDINGS)
MAX_ITEMS = 100_000
MAX_DEPTH = 4
FILE_LIMITS = Limits(file_bytes=256 << 20, saved_game_bytes=64 << 20)
UNPACKED_AT_LEAST = 32 << 20
UNPACKED_TIMES = 30  # of the size of a file: zips of logs, which are zips themselves, hardly shrink
MAILDIR_PARTS = ("cur", "new")
ARCHIVE = "the archive"
UNDECODED = "the attachment cannot be decoded"
TOO_MUCH = f"unpacks to more than {UNPACKED_TIMES} times its size"


@dataclass(frozen=True)
class Pointer:
    """Where something lies that may be a turn: `name` as people know it, `via` the mail or zip it came in.

    `span` are the bytes of a mail in a mailbox; `inner` leads further: the name of an entry of a zip, the
    number of a file in a mail. `home` is the folder, mailbox or zip it shares with others, `thread` the
    exchange of mails. A turn in the text of a mail has a `standing`, that of an older mail below is not the
    mail's own, and a `key` which it shares with what others quote of it.
    """

    name: str
    path: str = ""
    span: tuple[int, int] | None = None
    inner: tuple[str | int, ...] = ()
    is_mail: bool = False
    via: str = ""
    sent: datetime | None = None
    home: str = ""
    thread: str = ""
    standing: str = OWN
    key: str = ""
    apart_from: str = (
        ""  # the turn it may follow, with others missing between, if its thread did not part them
    )


@dataclass(frozen=True)
class Item:
    """One file that may be a turn, with what it holds."""

    pointer: Pointer
    data: bytes

    @property
    def name(self) -> str:
        return self.pointer.name


@dataclass(frozen=True)
class Unusable:
    """What could not be opened, and why. A log of a game we do not know comes along as `foreign`."""

    name: str
    why: str
    foreign: Item | None = None
    pointer: Pointer | None = None


Found = Item | Unusable
Usable = TypeVar("Usable")


def apart(items: Iterable[Usable | Unusable]) -> tuple[list[Usable], list[Unusable]]:
    """What can be used, and what cannot."""
    usable: list[Usable] = []
    unusable: list[Unusable] = []
    for item in items:
        if isinstance(item, Unusable):
            unusable.append(item)
        else:
            usable.append(item)
    return usable, unusable


def gather(paths: list[Path]) -> Iterator[Found]:
    """Everything in the paths that may be a turn, one after the other."""
    pointers = chain.from_iterable(map(point, paths))
    for number, item in enumerate(chain.from_iterable(_leaves(load(pointer)) for pointer in pointers)):
        if number >= MAX_ITEMS:
            raise FieldpostError(f"more than {MAX_ITEMS:,} files", "Audit one game at a time.")
        yield item


def _leaves(item: Found, budget: Budget | None = None) -> Iterator[Found]:
    """The item itself, or all that is in it."""
    if isinstance(item, Unusable):
        yield item
        return
    budget = budget or Budget.of(item)
    inner = unfold(item, budget)
    if inner is not None:
        yield from chain.from_iterable(_leaves(part, budget) for part in inner)
    elif may_be_turn(item):
        yield item


# --- what lies where -----------------------------------------------------------------------------


def point(path: Path) -> Iterator[Pointer | Unusable]:
    """The files of a path and the mails of mailboxes, unread."""
    if not path.exists():
        raise FieldpostError(f"{path}: there is no such file or folder", missing_files.hint(path))
    if path.is_dir():
        yield from _folders(path)
    else:
        yield from _file(path)


def _folders(top: Path) -> Iterator[Pointer | Unusable]:
    """A folder and those in it; links are not followed."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            inner = sorted(folder.iterdir())
        except OSError as error:
            yield Unusable(printable(folder.name), _reason(error))
            continue
        if all((folder / part).is_dir() for part in MAILDIR_PARTS):
            yield from _maildir(folder)
            continue
        shown = [path for path in inner if not path.name.startswith(".") and not path.is_symlink()]
        folders = [path for path in shown if path.is_dir()]
        waiting += reversed(folders)
        for path in shown:
            if path not in folders and (path.suffix.lower() in FOUND_IN_FOLDERS or _lost_its_ending(path)):
                yield from _file(path)


def _lost_its_ending(path: Path) -> bool:
    """A log or save called `turn 5` or `turn 5.2`; copies that editors leave (`.bak`) are none."""
    if path.suffix and not path.suffix[1:].isdigit():
        return False
    try:
        with archive.opened(path, FILE_LIMITS) as stream:
            return archive.begins_like_game(stream)
    except FieldpostError:
        return False


def _file(path: Path) -> Iterator[Pointer | Unusable]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            yield Unusable(printable(path.name), "neither a file nor a folder")
        elif path.suffix.lower() in MAILBOX_ENDINGS or _is_mbox(path):
            yield from _mailbox(path)
        else:
            is_mail = path.suffix.lower() in MAIL_ENDINGS
            yield Pointer(printable(path.name), str(path), is_mail=is_mail, home=str(path.parent))
    except OSError as error:
        yield Unusable(printable(path.name), _reason(error))


def _is_mbox(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(5) == b"From "


def _mailbox(path: Path) -> Iterator[Pointer]:
    for number, span in enumerate(mails.spans(path), 1):
        yield Pointer(
            f"{printable(path.name)}, message {number}", str(path), span, is_mail=True, home=str(path)
        )


def _maildir(folder: Path) -> Iterator[Pointer]:
    """Named by its number: what a mail server calls a message tells nobody anything."""
    files = [entry for part in MAILDIR_PARTS for entry in os.scandir(folder / part)]
    files = [entry for entry in files if entry.is_file(follow_symlinks=False) and entry.name[0] != "."]
    for number, entry in enumerate(sorted(files, key=lambda entry: entry.name), 1):
        yield Pointer(
            f"{printable(folder.name)}, message {number}", entry.path, is_mail=True, home=str(folder)
        )


def _reason(error: OSError | FieldpostError) -> str:
    if isinstance(error, FieldpostError):
        return error.message
    return (error.strerror or "cannot be read").lower()


# --- what it holds -------------------------------------------------------------------------------


def load(pointer: Pointer | Unusable) -> Found:
    """What a pointer points to."""
    return pointer if isinstance(pointer, Unusable) else next(load_each([pointer]))


def load_each(pointers: Iterable[Pointer]) -> Iterator[Found]:
    """What pointers point to; of those that follow each other, what lies in one archive is read in one go."""
    for (_, _, outer), together in groupby(pointers, key=_archive_of):
        yield from _loaded(list(together), outer)


def _archive_of(pointer: Pointer) -> tuple[str, tuple[int, int] | None, tuple[str | int, ...]]:
    """The archive that holds it, else itself."""
    inner = pointer.inner
    return pointer.path, pointer.span, inner[:-1] if inner and isinstance(inner[-1], str) else inner


def _loaded(pointers: Sequence[Pointer], outer: tuple[str | int, ...]) -> Iterator[Found]:
    names = [str(pointer.inner[-1]) for pointer in pointers if pointer.inner != outer]
    try:
        data = _bytes(pointers[0])
        for step in outer:
            data = _entry(data, step) if isinstance(step, str) else _attachment(data, step)
    except (FieldpostError, OSError) as error:
        yield from (Unusable(pointer.name, _reason(error)) for pointer in pointers)
    else:
        each = archive.extract_each(data, ARCHIVE, names, FILE_LIMITS) if names else repeat(data)
        yield from map(_item, pointers, each)


def _item(pointer: Pointer, data: bytes | ArchiveError) -> Found:
    return Unusable(pointer.name, data.message) if isinstance(data, ArchiveError) else Item(pointer, data)


def _bytes(pointer: Pointer) -> bytes:
    if pointer.span is None:
        return archive.read_bytes(pointer.path, FILE_LIMITS)
    start, end = pointer.span
    if end - start > FILE_LIMITS.file_bytes:
        raise ArchiveError(f"{pointer.name}: larger than {FILE_LIMITS.file_bytes:,} bytes")
    with open(pointer.path, "rb") as file:
        file.seek(start)
        file.readline(end - start)  # "From ", the sender, the date
        return file.read(start + end - start - file.tell())


def _entry(data: bytes, entry: str) -> bytes:
    return archive.extract(data, ARCHIVE, entry, FILE_LIMITS)


def _attachment(data: bytes, number: int) -> bytes:
    files = mail.read(mail.parse(data), ARCHIVE).files
    attached = files[number].data if number < len(files) else None
    if attached is None:
        raise FieldpostError(UNDECODED)
    return attached


@dataclass
class Budget:
    """How much may still be unpacked of one file and what is in it."""

    left: int

    @classmethod
    def of(cls, item: Item) -> Budget:
        return cls(max(UNPACKED_AT_LEAST, UNPACKED_TIMES * len(item.data)))

    def spend(self, size: int) -> bool:
        self.left -= size
        return self.left >= 0


def unfold(item: Item, budget: Budget) -> Iterator[Found] | None:
    """What is in a mail or an archive, one level of it; None for anything else."""
    pointer = item.pointer
    if len(pointer.inner) > MAX_DEPTH:
        return iter([Unusable(item.name, "archives in archives too deep")])
    if pointer.is_mail or (item.data[:2] != b"PK" and mail.looks_like_mail(item.data)):
        return _mail(item)
    return _zip(item, budget) if _is_container(item) else None


def may_be_turn(item: Item) -> bool:
    """Most texts are letters without a turn sheet."""
    return not item.name.lower().endswith(".txt") or mail.turn_of(item.data) is not None


def _is_container(item: Item) -> bool:
    try:
        return archive.is_wrapping(item.data, item.name, FILE_LIMITS)
    except ArchiveError:
        return item.name.lower().endswith(".zip")


def _zip(item: Item, budget: Budget) -> Iterator[Found]:
    try:
        names = archive.entry_names(item.data, item.name, FILE_LIMITS)
    except ArchiveError as error:
        yield Unusable(item.name, error.message)
        return
    wanted = sorted(name for name in names if name.lower().endswith(INNER_ENDINGS))
    if not wanted and item.name.lower().endswith(TURN_ENDINGS):
        yield Unusable(item.name, "an archive without a saved game in it")
    pointers = [_inside(item.pointer, name, alone=len(wanted) == 1) for name in wanted]
    each = archive.extract_each(item.data, item.name, wanted, FILE_LIMITS)
    for inner in map(_item, pointers, each):
        if isinstance(inner, Item) and not budget.spend(len(inner.data)):
            yield Unusable(item.name, TOO_MUCH)
            return
        yield inner


def _inside(outer: Pointer, name: str, *, alone: bool) -> Pointer:
    """A zip of one file is only its wrapping; one of several keeps them together, by folder."""
    path = PurePosixPath(name)
    home = outer.home if alone else str(PurePosixPath(outer.path, *map(str, outer.inner), path.parent))
    return replace(
        outer,
        name=printable(path.name),
        inner=(*outer.inner, name),
        is_mail=path.suffix.lower() in MAIL_ENDINGS,
        via=outer.via or outer.name,
        home=home,
    )


def _mail(item: Item) -> Iterator[Found]:
    """What is attached, and turn sheets in the text; who wrote to whom is nobody's business here."""
    outer = item.pointer
    try:
        message = mail.parse(item.data)
        contents = mail.read(message, item.name)
    except FieldpostError as error:
        yield Unusable(item.name, error.message)
        return
    if not contents.files:
        yield from (Unusable(f"{hidden.name} in {item.name}", hidden.why) for hidden in contents.hidden)
    for number, file in enumerate(contents.files):
        if file.data is None:
            yield Unusable(f"{file.name} in {item.name}", UNDECODED)
            continue
        pointer = replace(
            outer,
            name=printable(file.name),
            inner=(*outer.inner, number),
            is_mail=file.name.lower().endswith(MAIL_ENDINGS),
            via=outer.via or outer.name,
            sent=contents.sent or outer.sent,
            thread=mails.thread(message) or outer.thread,
            standing=file.standing,
            key=file.key,
        )
        yield Item(pointer, file.data)
