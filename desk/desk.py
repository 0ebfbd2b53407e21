"""What the pages stand on: the queue of checks, the shelf of results, the library of games."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile

from desk import lane, tasks, uploads
from desk.guard import Address
from desk.lane import Bounds, Lane, Work
from desk.library import Library
from desk.limits import Limits
from desk.shelf import Result, Shelf

TIDY_SECONDS = 20
NOT_STARTED = "The check could not be started."


@dataclass
class Desk:
    address: Address
    folder: Path
    limits: Limits = field(default_factory=Limits)
    prepare: bool = True
    held: uploads.Held = field(default_factory=uploads.Held)

    def __post_init__(self) -> None:
        limits = self.limits
        checking = Bounds(limits.check_seconds, limits.check_memory, limits.written_bytes)
        building = Bounds(limits.build_seconds, None, limits.written_bytes)
        self.checks = Lane(limits.checks_at_once, limits.waiting, checking)
        self.shelf = Shelf(self.folder, limits)
        builds = Lane(1, limits.waiting, building)
        self.library = Library(self.folder, self.checks, builds, prepare=self.prepare)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """From the first page to the last."""
        tasks_ = [asyncio.create_task(self._tidy()), asyncio.create_task(self._begin())]
        try:
            yield
        finally:
            for task in tasks_:
                task.cancel()
            await asyncio.gather(*tasks_, return_exceptions=True)
            await self.library.stop()
            await self.shelf.clear()

    async def _begin(self) -> None:
        await lane.warm_up()
        await self.library.games()

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            self.shelf.tidy()

    # --- checks ---

    async def check(self, files: list[UploadFile], asked: Mapping[str, Any]) -> Result:
        """Take the files in and put them into the queue."""
        result = self.shelf.new([uploads.label_of(file.filename or "") for file in files])
        size = sum(file.size or 0 for file in files)
        try:
            stored = await uploads.store(files, result.folder / tasks.INPUT)
        except BaseException:
            self.shelf.forget(result)
            raise
        self._begin_check(result, stored, asked, size)
        return result

    async def check_example(self, paths: list[Path]) -> Result:
        result = self.shelf.new([path.name for path in paths])
        folder = result.folder / tasks.INPUT
        await asyncio.to_thread(folder.mkdir)
        for path in paths:
            await asyncio.to_thread((folder / path.name).write_bytes, path.read_bytes())
        self._begin_check(result, [(path.name, path.name) for path in paths], {}, 0)
        return result

    def _begin_check(
        self, result: Result, stored: list[tuple[str, str]], asked: Mapping[str, Any], size: int
    ) -> None:
        given = {"files": stored, "asked": dict(asked), "modules": self.library.ready_modules()}
        if self.checks.is_full:
            self.shelf.forget(result)
            raise lane.Full
        self.held.bytes += size
        result.work = asyncio.create_task(self._work(result, given, size))

    # --- questions ---

    async def ask(self, kept: Path, question: Mapping[str, Any]) -> dict[str, Any]:
        """What a step of a replay shows of a unit."""
        outcome = await self._quickly(tasks.ask, {"kept": str(kept), "question": dict(question)})
        found: dict[str, Any] = outcome.get("done", outcome)
        return found

    async def look(self, text: str) -> dict[str, Any]:
        """What cannot be read in a turn sheet."""
        return await self._quickly(tasks.look, {"text": text})

    async def _quickly(self, work: Work, given: Mapping[str, Any]) -> dict[str, Any]:
        """In a child too, in a folder that goes with the answer."""
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, dir=self.folder))
        try:
            return await self.checks.run(object(), lambda state: None, folder, work, given)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, True)

    async def _work(self, result: Result, given: Mapping[str, object], size: int) -> None:
        try:
            outcome = await self._outcome(result, given)
        finally:
            self.held.bytes -= size
            tasks.remove_input(result.folder)
        await asyncio.to_thread(result.settle, outcome)
        self.shelf.done(result, outcome)

    async def _outcome(self, result: Result, given: Mapping[str, object]) -> dict[str, Any]:
        try:
            return await self.checks.run(result, result.changed, result.folder, tasks.check, given)
        except (ConnectionError, EOFError):  # the process that children fork from was ended
            return await self._again(result, given)
        except lane.Full:
            return lane.failure(lane.FULL)
        except OSError as error:
            return {"error": NOT_STARTED, "hint": f"{error.strerror or 'The system refused it'}. Try again."}

    async def _again(self, result: Result, given: Mapping[str, object]) -> dict[str, Any]:
        try:
            await lane.warm_up()
            return await self.checks.run(result, result.changed, result.folder, tasks.check, given)
        except (OSError, EOFError, lane.Full):
            return lane.failure(lane.LOST)
