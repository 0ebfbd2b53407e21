"""What a file holds, in numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive, chat, secrets, shown, steps
from fieldpost.vassal.archive import Archive, ArchiveError
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.sight import Sight
from fieldpost.vassal.steps import Log, Step
from fieldpost.vassal.table import Table

MOST_IN_FOLDER = 1000
UNPACKED_TOGETHER = 512 << 20  # of all that one file holds


@dataclass(frozen=True, slots=True)
class Summary:
    """`players` are (name, side); `error` says why not all of the file could be read."""

    file: str
    kind: str
    metadata: Metadata = field(default_factory=Metadata)
    steps: int = 0
    moves: int = 0
    dice: int = 0
    undos: int = 0
    pieces: int = 0
    players: tuple[tuple[str, str], ...] = ()
    maps: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    error: FieldpostError | None = None

    def as_data(self) -> dict[str, object]:
        meta = self.metadata
        return {
            "file": self.file,
            "kind": self.kind,
            "module": meta.module,
            "version": meta.version,
            "engine": meta.engine,
            "date": meta.date.isoformat(timespec="seconds") if meta.date else None,
            "description": meta.description,
            "steps": self.steps,
            "moves": self.moves,
            "dice": self.dice,
            "undos": self.undos,
            "pieces": self.pieces,
            "players": [{"name": name, "side": side} for name, side in self.players],
            "maps": list(self.maps),
            "games": list(self.games),
            "remarks": list(self.remarks),
            "error": self.error.message if self.error else None,
        }

    def __post_init__(self) -> None:
        """An error keeps what it came from, the whole file often: of fifty that fills the memory."""
        if self.error is not None:
            self.error.__traceback__ = self.error.__context__ = self.error.__cause__ = None
            if isinstance(self.error, ArchiveError):
                self.error.partial = None


def of_path(path: str | os.PathLike[str]) -> Iterator[Summary]:
    """One summary for a file; for a folder, one for each file in it."""
    if not os.path.isdir(path):
        yield from of_file(path)
        return
    try:
        names = sorted(name for name in os.listdir(path) if not name.startswith("."))
    except OSError as error:
        why = (error.strerror or "cannot be read").lower()
        yield Summary(os.fspath(path), "unreadable", error=ArchiveError(f"{os.fspath(path)}: {why}"))
        return
    if not names:
        empty = ArchiveError(f"{os.fspath(path)}: an empty folder", "Name one with logs in it.")
        yield Summary(os.fspath(path), "unreadable", error=empty)
        return
    yield Summary(os.fspath(path), "folder")
    for name in names[:MOST_IN_FOLDER]:
        inner = os.path.join(path, name)
        if os.path.isdir(inner):
            yield Summary(inner, "folder")
        else:
            yield from of_file(inner)
    if len(names) > MOST_IN_FOLDER:
        many = ArchiveError(f"{os.fspath(path)}: {len(names):,} files; the first {MOST_IN_FOLDER} are shown")
        yield Summary(os.fspath(path), "unreadable", error=many)


def of_file(path: str | os.PathLike[str]) -> Iterator[Summary]:
    """One summary for a file; for a container, one for each log or save inside as well."""
    name = os.fspath(path)
    try:
        content = archive.read(path)
    except ArchiveError as error:
        if error.partial is None:
            yield Summary(name, "unreadable", error=error)
            return
        content = error.partial
        yield _summary(content, name, error)
        return
    yield _summary(content, name)
    if content.kind == "container":
        yield from _inside(Path(path), content)


def _inside(path: Path, content: Archive) -> Iterator[Summary]:
    left = UNPACKED_TOGETHER
    with archive.opened(path) as stream:
        for inner, data in zip(
            content.games, archive.extract_from(stream, path.name, content.games), strict=True
        ):
            name = f"{path}/{inner}"
            try:
                if isinstance(data, ArchiveError):
                    raise data
                left -= len(data)
                if left < 0:
                    raise ArchiveError(f"{path.name}: unpacks to more than {UNPACKED_TOGETHER >> 20} MB")
                yield _summary(archive.member_of(data, inner), name)
            except ArchiveError as error:
                yield Summary(name, "unreadable", error=error)
                if left < 0:
                    return


def _summary(content: Archive, name: str, error: FieldpostError | None = None) -> Summary:
    try:
        return of_archive(content, name, error)
    except FieldpostError as fault:
        return Summary(name, "unreadable", content.metadata, error=error or fault)


def of_archive(content: Archive, name: str, error: FieldpostError | None = None) -> Summary:
    if content.text is None:
        return Summary(
            name, content.kind, content.metadata, games=content.games, remarks=content.remarks, error=error
        )
    log = steps.of(content)
    return of_log(log, name, content.kind, error)


def of_log(log: Log, name: str, kind: str, error: FieldpostError | None = None) -> Summary:
    table = Table.of(log)
    pieces = len(table.pieces)
    dice = 0
    for step in log.steps:
        table.step(step)
        dice += rolls(step)
    sight = Sight(table, log_of=log.metadata.module)
    clean = secrets.redactor(log)
    description = log.metadata.description
    return Summary(
        file=name,
        kind=kind,
        metadata=replace(log.metadata, description=description and clean.clean(description)),
        steps=len(log.steps),
        moves=sum(text.startswith("M/") for step in log.steps if not step.is_undo for text in step.commands),
        dice=dice,
        undos=sum(step.is_undo for step in log.steps),
        pieces=pieces,
        players=tuple(
            (shown.text(seat.name, clean), shown.text(seat.side, clean)) for seat in table.players.values()
        ),
        maps=tuple(name for name in table.boards if sight.sees_window(name)),
        remarks=log.remarks,
        error=error,
    )


def rolls(step: Step) -> int:
    """How often dice were rolled in a step: by what the chat says, else by what the buttons leave behind."""
    told = sum(text.startswith("CHAT") and chat.tells_of_dice(text[4:]) for text in step.commands)
    if told or step.is_undo:
        return told
    left = [text.split("\t")[1] for text in step.commands if text.startswith("MutableProperty\t")]
    return len({name.rpartition("_")[0] for name in left if name.endswith(("_result", "_total"))}) or sum(
        text.startswith("SHOW_RESULTS\t") for text in step.commands
    )
