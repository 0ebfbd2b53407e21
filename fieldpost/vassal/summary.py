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
from fieldpost.vassal.steps import Log
from fieldpost.vassal.table import Table


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
            "error": self.error.message if self.error else None,
        }


def of_file(path: str | os.PathLike[str]) -> Iterator[Summary]:
    """One summary for a file; for a container, one for each log or save inside as well."""
    name = os.fspath(path)
    try:
        content = archive.read(path)
    except ArchiveError as error:
        yield (
            of_archive(error.partial, name, error)
            if error.partial
            else Summary(name, "unreadable", error=error)
        )
        return
    yield of_archive(content, name)
    if content.kind == "container":
        yield from _inside(Path(path), content)


def _inside(path: Path, content: Archive) -> Iterator[Summary]:
    data = archive.read_bytes(path)
    for inner in content.games:
        name = f"{path}/{inner}"
        try:
            yield of_archive(archive.member(data, path.name, inner), name)
        except ArchiveError as error:
            yield Summary(name, "unreadable", error=error)


def of_archive(content: Archive, name: str, error: FieldpostError | None = None) -> Summary:
    if content.text is None:
        return Summary(name, content.kind, content.metadata, games=content.games, error=error)
    log = steps.parse(content.text, content.metadata, content.name)
    return of_log(log, name, content.kind, error)


def of_log(log: Log, name: str, kind: str, error: FieldpostError | None = None) -> Summary:
    table = Table.of(log)
    pieces = len(table.pieces)
    for step in log.steps:
        table.step(step)
    clean = secrets.redactor(log)
    description = log.metadata.description
    return Summary(
        file=name,
        kind=kind,
        metadata=replace(log.metadata, description=description and clean.clean(description)),
        steps=len(log.steps),
        moves=sum(text.startswith("M/") for step in log.steps if not step.is_undo for text in step.commands),
        dice=sum(isinstance(chat.parse(line), chat.Dice) for line in table.chat),
        undos=sum(step.is_undo for step in log.steps),
        pieces=pieces,
        players=tuple(
            (shown.text(seat.name, clean), shown.text(seat.side, clean)) for seat in table.players.values()
        ),
        maps=tuple(table.boards),
        error=error,
    )
