"""Results as JSON lines in a file that can be gone on with: one line a game, each written at once."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from fieldpost.errors import FieldpostError

FAILED = "failed"


@dataclass(frozen=True)
class Summary:
    """What a line says in short."""

    key: str
    name: str
    verdict: str
    why: str
    game: str
    scenario: str
    logs: int
    actions: int
    findings: dict[str, int]
    links: dict[str, int]
    owed: int = 0
    not_understood: int = 0

    @classmethod
    def of(cls, line: dict[str, Any]) -> Summary:
        return cls(
            key=str(line["key"]),
            name=str(line.get("name", "")),
            verdict=str(line.get("verdict", "")),
            why=str(line.get("why", "")),
            game=str(line.get("game", "")),
            scenario=str(line.get("scenario", "")),
            logs=len(line.get("logs", ())),
            actions=int(line.get("actions", 0)),
            findings=_counted(line.get("findings", ()), "verdict"),
            links=_counted(line.get("chain", ()), "kind"),
            owed=len(line.get("open", ())),
            not_understood=len(line.get("not_understood", ())),
        )


def _counted(rows: Any, key: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[row[key]] = counts.get(row[key], 0) + 1
    return counts


class Results:
    """The lines that are there by key, and room for more. What failed is tried again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, Summary] = {}
        self._file: BinaryIO | None = None
        self._is_new = False

    def __enter__(self) -> Results:
        self._is_new = not self.path.exists()
        self._file = open(self.path, "ab")
        try:
            self._lock()
            kept, dropped = self._read()
            if dropped:
                self._rewrite(kept)
        except BaseException:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is None:
            return
        if self._is_new and not os.fstat(self._file.fileno()).st_size:  # stopped before the first game
            self.path.unlink(missing_ok=True)
        self._file.close()

    def add(self, line: str) -> None:
        """One line in one piece, on the disk before the next is begun."""
        assert self._file is not None
        data = f"{line}\n".encode()
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lock(self) -> None:
        with contextlib.suppress(ImportError):
            import fcntl

            assert self._file is not None
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise FieldpostError(
                    f"{self.path.name}: another run is writing this file",
                    "Wait for it, or name another file.",
                ) from error

    def _read(self) -> tuple[list[tuple[int, int]], bool]:
        """Where the lines lie that stay; whether others do not: a torn last one, and those of what failed."""
        kept: list[tuple[int, int]] = []
        at, dropped = 0, False
        with self.path.open("rb") as file:
            for line in file:
                summary = _summary(line)
                if summary is None and (line.endswith(b"\n") or not _may_be_torn(line)):
                    raise FieldpostError(
                        f"{self.path.name}: not a file of results",
                        "Name a new file, or one of an earlier run.",
                    )
                if summary is None or summary.verdict == FAILED:
                    dropped = True
                else:
                    kept.append((at, at + len(line)))
                    self.done[summary.key] = summary
                at += len(line)
        return kept, dropped

    def _rewrite(self, kept: list[tuple[int, int]]) -> None:
        """The file again without what is dropped, in the same place so that the lock holds."""
        assert self._file is not None
        beside = self.path.with_name(f".{self.path.name}.kept")
        try:
            with self.path.open("rb") as old, beside.open("wb") as new:
                for line in _slices(old, kept):
                    new.write(line)
            self._file.close()
            os.replace(beside, self.path)
        finally:
            beside.unlink(missing_ok=True)
        self._file = open(self.path, "ab")  # noqa: SIM115
        self._lock()


def _slices(file: BinaryIO, spans: list[tuple[int, int]]) -> Iterator[bytes]:
    for start, end in spans:
        file.seek(start)
        yield file.read(end - start)


def _summary(line: bytes) -> Summary | None:
    """None for what is no whole line of results."""
    if not line.endswith(b"\n"):
        return None
    try:
        return Summary.of(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _may_be_torn(line: bytes) -> bool:
    return line.startswith(b'{"key": "'[: len(line)])
