"""Where turns come from: files, folders, zips, mails, mailboxes. Input is hostile until read.

`point` says what lies where without reading it; `load` reads one of these; `unfold` opens what holds others.
`gather` does all of it, one file after the other.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, repeat
from pathlib import Path, PurePosixPath
from typing import TypeVar

from fieldpost import bounds
from fieldpost.errors import FieldpostError
from fieldpost.terminal import printable
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError, Limits
from validator import mail
from validator.audit import folders, mails, packed
from validator.audit.pointers import Item as Item
from validator.audit.pointers import Pointer as Pointer
from validator.audit.pointers import Unusable as Unusable
from validator.mail import Contents, kinds, outlook, tnef
from validator.services import missing_files

TURN_ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt")
MAIL_ENDINGS = (".eml", ".emlx")
MAX_ITEMS = 100_000
MAX_DEPTH = 5
FILE_LIMITS = Limits(file_bytes=256 << 20, saved_game_bytes=64 << 20)
UNPACKED_AT_LEAST = 32 << 20
UNPACKED_TIMES = 30  # of the size of a file: zips of logs, which are zips themselves, hardly shrink
ARCHIVE = "the archive"
UNDECODED = "the attachment cannot be decoded"
DAMAGED_OUTLOOK = (
    "a mail of Outlook that is damaged: open it there and save its attachment, or ask for it again"
)
NO_TURN = "no turn in it"
TOO_MUCH = f"unpacks to more than {UNPACKED_TIMES} times its size"


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


def spoiled(unusable: Iterable[Unusable]) -> list[Unusable]:
    """Those that may hold a turn."""
    return [item for item in unusable if not item.harmless]


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
    else:
        yield leaf(item)


# --- what lies where -----------------------------------------------------------------------------


def point(path: Path) -> Iterator[Pointer | Unusable]:
    """The files of a path and the mails of mailboxes, unread."""
    if not path.exists():
        raise FieldpostError(f"{path}: there is no such file or folder", missing_files.hint(path))
    yield from folders.walk(path) if path.is_dir() else folders.file(path)


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
            data = _inner(data, step)
    except (FieldpostError, OSError) as error:
        yield from (Unusable(pointer.name, _reason(error)) for pointer in pointers)
        return
    if not names:
        yield from map(_item, pointers, repeat(data))
    elif data.startswith(b"PK"):
        yield from map(_item, pointers, archive.extract_each(data, ARCHIVE, names, FILE_LIMITS))
    else:
        yield from map(_item, pointers, packed.extract_each(data, names, FILE_LIMITS))


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
        return mails.without_envelope(file.read(end - start))


def _inner(data: bytes, step: str | int) -> bytes:
    """An entry of an archive, a mail of a mailbox, a file of a mail."""
    kind = kinds.of(data, "").name
    if isinstance(step, str):
        return _entry(data, step)
    if kind == kinds.MAILBOX:
        spans = list(mails.spans(io.BytesIO(data)))
        start, end = spans[step] if step < len(spans) else (0, 0)
        return mails.without_envelope(data[start:end])
    files = _contents(data, ARCHIVE).files
    attached = files[step].data if step < len(files) else None
    if attached is None:
        raise FieldpostError(UNDECODED)
    return attached


def _entry(data: bytes, entry: str) -> bytes:
    if data.startswith(b"PK"):
        return archive.extract(data, ARCHIVE, entry, FILE_LIMITS)
    return packed.extract(data, entry, FILE_LIMITS)


def _contents(data: bytes, name: str) -> Contents:
    """What is in a mail, in whatever form a program keeps it."""
    if data.startswith((kinds.OLE, kinds.TNEF)):
        item = outlook.opened(data) if data.startswith(kinds.OLE) else tnef.opened(data)
        if item is None:
            raise FieldpostError(DAMAGED_OUTLOOK)
        return mail.opened(item, name)
    return mail.read(mail.parse(data), name)


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
    kind = kinds.of(item.data, item.name).name
    if pointer.is_mail or kind in (kinds.OUTLOOK, kinds.WINMAIL):
        return _mail(item)
    if kind == kinds.MAILBOX:
        return _mailbox(item)
    if kind == kinds.ZIP:
        return _zip(item, budget)
    if kind == kinds.PACKED:
        return _packed(item, budget)
    return _mail(item) if kind == kinds.TEXT and mail.looks_like_mail(item.data) else None


def leaf(item: Item) -> Found:
    """The item if it may be a turn; else what it is."""
    kind = kinds.of(item.data, item.name)
    ending = PurePosixPath(item.name.lower()).suffix
    if kind.name == kinds.LOG or item.pointer.key:
        return item
    if kind.words and not (kind.name == kinds.OTHER and ending in TURN_ENDINGS):
        return Unusable(item.name, kind.words, harmless=kind.name in (kinds.OTHER, kinds.MODULE))
    if ending in TURN_ENDINGS and ending != ".txt":
        return item
    if mail.may_hold_turn(item.data):
        return item
    return Unusable(item.name, NO_TURN, harmless=True)


def _zip(item: Item, budget: Budget) -> Iterator[Found]:
    try:
        names = archive.entry_names(item.data, item.name, FILE_LIMITS)
    except ArchiveError as error:
        yield Unusable(item.name, error.message)
        return
    each = partial(archive.extract_each, item.data, item.name, limits=FILE_LIMITS)
    yield from _entries(item, names, each, budget)


def _packed(item: Item, budget: Budget) -> Iterator[Found]:
    """A tar, or one file in a gz, bz2 or xz."""
    try:
        names = packed.names(item.data, item.name, FILE_LIMITS)
    except ArchiveError as error:
        yield Unusable(item.name, error.message)
        return
    yield from _entries(item, names, partial(packed.extract_each, item.data, limits=FILE_LIMITS), budget)


def _entries(
    item: Item,
    names: Iterable[str],
    each: Callable[[Sequence[str]], Iterator[bytes | ArchiveError]],
    budget: Budget,
) -> Iterator[Found]:
    """What may be a turn of an archive, the rest named."""
    files = sorted(name for name in names if not name.endswith("/"))
    wanted = [name for name in files if not kinds.is_other_by_name(name)]
    yield from (
        Unusable(printable(PurePosixPath(name).name), NO_TURN, harmless=True)
        for name in files
        if name not in set(wanted)
    )
    if not wanted and item.name.lower().endswith(TURN_ENDINGS):
        yield Unusable(item.name, "an archive without a saved game in it")
    pointers = [_inside(item.pointer, name, alone=len(wanted) == 1) for name in wanted]
    for inner in map(_item, pointers, each(wanted)):
        if isinstance(inner, Item) and not budget.spend(len(inner.data)):
            yield Unusable(item.name, TOO_MUCH)
            return
        yield inner


def _mailbox(item: Item) -> Iterator[Found]:
    """The mails of a mailbox that lies in an archive."""
    outer = item.pointer
    home = str(PurePosixPath(outer.path, *map(str, outer.inner)))
    for number, (start, end) in enumerate(mails.spans(io.BytesIO(item.data))):
        pointer = replace(
            outer,
            name=f"{item.name}, message {number + 1}",
            inner=(*outer.inner, number),
            is_mail=True,
            via=outer.via or outer.name,
            home=home,
        )
        yield Item(pointer, mails.without_envelope(item.data[start:end]))


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
    """What is attached, and turn sheets in the text; who wrote to whom is not read."""
    outer = item.pointer
    try:
        with bounds.time_held():
            contents = _contents(item.data, item.name)
    except FieldpostError as error:
        yield Unusable(item.name, error.message)
        return
    for passed in contents.passed:
        name = passed.name if passed.name.startswith(item.name) else f"{passed.name} in {item.name}"
        yield Unusable(printable(name), passed.why or NO_TURN, harmless=passed.harmless or not passed.why)
    if not contents.files and not contents.passed:
        yield Unusable(item.name, NO_TURN, harmless=True)
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
            thread=contents.thread or outer.thread,
            standing=file.standing,
            key=file.key,
        )
        yield Item(pointer, file.data)
