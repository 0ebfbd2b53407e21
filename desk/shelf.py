"""Results: each in a folder with a name nobody can guess, so many and so long, then gone."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from desk.child import OUTCOME, PROGRESS
from desk.lane import DONE, WAITING
from desk.limits import Limits

PREFIX = "fieldpost-"
LOCK = "lock"
LONGEST = 50  # bytes of a folder below which the sockets of multiprocessing still find room
SHORT = Path("/tmp")
LAST = -200  # after multiprocessing has removed what it keeps there


@dataclass
class Result:
    """One check: what was sent, how far it is. What was found lies in its folder."""

    id: str
    folder: Path
    names: list[str]
    since: float = field(default_factory=time.monotonic)
    state: str = WAITING
    outcome: dict[str, Any] | None = None  # only of a check that failed
    work: asyncio.Task[None] | None = None
    bytes: int = 0  # of its folder, when it is done

    def settle(self, outcome: dict[str, Any]) -> None:
        """A check that failed leaves nothing; what another leaves is weighed."""
        with suppress(OSError):  # it may be forgotten meanwhile
            if "done" not in outcome:
                for path in self.folder.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            self.bytes = sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def changed(self, state: str) -> None:
        self.state, self.since = state, time.monotonic()

    def progress(self) -> dict[str, Any]:
        """What the check is at, as far as it has told."""
        try:
            told: dict[str, Any] = json.loads((self.folder / PROGRESS).read_bytes())
        except (OSError, ValueError):
            return {"doing": "", "share": None}
        return told

    def found(self) -> dict[str, Any]:
        """{"done": ...} or {"error", "hint"}."""
        if self.outcome is not None:
            return self.outcome
        found: dict[str, Any] = json.loads((self.folder / OUTCOME).read_bytes())
        return found


class Shelf:
    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self._results: dict[str, Result] = {}

    def new(self, names: list[str]) -> Result:
        id_ = secrets.token_urlsafe(16)
        folder = self.folder / id_
        folder.mkdir(mode=0o700)
        result = self._results[id_] = Result(id_, folder, names)
        return result

    def get(self, id_: str) -> Result | None:
        return self._results.get(id_)

    def done(self, result: Result, outcome: dict[str, Any]) -> None:
        result.changed(DONE)
        result.outcome = None if "done" in outcome else outcome
        self.tidy()

    def tidy(self) -> None:
        """The oldest go first; what is still being checked stays."""
        done = sorted((one for one in self._results.values() if one.state == DONE), key=lambda one: one.since)
        old = time.monotonic() - self.limits.keep_seconds
        surplus = len(done) - self.limits.results
        held = sum(result.bytes for result in done)
        for number, result in enumerate(done):
            too_much = held > self.limits.shelf_bytes and result is not done[-1]
            if number < surplus or result.since < old or too_much:
                held -= result.bytes
                self.forget(result)

    def forget(self, result: Result) -> None:
        self._results.pop(result.id, None)
        if result.work is not None and not result.work.done():
            result.work.cancel()
        shutil.rmtree(result.folder, ignore_errors=True)

    async def clear(self) -> None:
        works = [one.work for one in self._results.values() if one.work is not None]
        for result in list(self._results.values()):
            self.forget(result)
        await asyncio.gather(*works, return_exceptions=True)


# --- the folder of a run -------------------------------------------------------------------------


def run_folder() -> Path:
    """A folder for all this process leaves on the disk, gone at its end.

    The folder of a process that was killed goes when the next begins; a lock tells which are in use.
    """
    top = Path(tempfile.gettempdir())
    if len(os.fsencode(top)) > LONGEST and os.access(SHORT, os.W_OK):
        top = SHORT
    _sweep(top)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=top))
    lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)  # open until the process ends
    _lock(lock)
    Finalize(None, os.close, (lock,), exitpriority=LAST + 1)  # some systems remove no file that is open
    tempfile.tempdir = str(folder)
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=LAST)
    return folder


def _sweep(top: Path) -> None:
    for folder in top.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.is_symlink() or not _is_mine(folder):
                continue
            with (folder / LOCK).open("r+b") as lock:
                _lock(lock.fileno())
            shutil.rmtree(folder, ignore_errors=True)


def _is_mine(folder: Path) -> bool:
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


def _lock(file: int) -> None:
    """OSError if another process holds it. Each system has one of the two."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
