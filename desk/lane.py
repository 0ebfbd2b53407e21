"""Work in child processes: so many at once, the others wait; each with a limit of time and memory.

The children fork from a process that has loaded the rules and seen no request (`desk.warm`). Whatever a
file does to a child, the web server only sees how it ended.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from desk import child

Work = Callable[..., Any]
Changed = Callable[[str], None]

WAITING, WORKING, DONE = "waiting", "working", "done"
TOO_SLOW = (
    "This took too long.",
    "It was stopped after {seconds:.0f} seconds. A whole game may be sent in parts.",
)
TOO_BIG = ("This needs more memory than one check may have.", "If it is a real game, send it in parts.")
ENDED = (
    "The check ended before it had an answer.",
    "Nothing else is harmed. If the file is a real log, tell us.",
)
FULL = ("Too many checks are waiting.", "Try again in a minute.")


class Full(Exception):
    """No place in the queue."""


@dataclass(frozen=True)
class Bounds:
    seconds: float
    memory: int | None
    written_bytes: int


@dataclass
class Lane:
    """`slots` pieces of work at once, `room` more may wait."""

    slots: int
    room: int
    bounds: Bounds
    _free: asyncio.Semaphore = field(init=False)
    _queue: list[object] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.slots)

    @property
    def is_full(self) -> bool:
        return len(self._queue) >= self.room

    def before(self, ticket: object) -> int:
        """How many wait in front."""
        return self._queue.index(ticket) if ticket in self._queue else 0

    async def run(
        self, ticket: object, changed: Changed, folder: Path, work: Work, given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The outcome: {"done": ...} or {"error", "hint"}."""
        if self.is_full:
            raise Full
        self._queue.append(ticket)
        changed(WAITING)
        try:
            await self._free.acquire()
        finally:
            self._queue.remove(ticket)
        try:
            changed(WORKING)
            return await run_in_child(folder, work, given, self.bounds)
        finally:
            self._free.release()


async def run_in_child(folder: Path, work: Work, given: Mapping[str, Any], bounds: Bounds) -> dict[str, Any]:
    """Start a child, wait for its end, read what it wrote. Cancelled, it takes the child along."""
    process = _context().Process(
        target=child.main, args=(folder, work, dict(given), bounds.memory, bounds.written_bytes)
    )
    starting = asyncio.create_task(asyncio.to_thread(process.start))
    try:
        await asyncio.shield(starting)
        ended = await _ended(process, bounds.seconds)
    except asyncio.CancelledError:
        await starting
        await _end(process)
        raise
    if not ended:
        await _end(process)
        return _failure((TOO_SLOW[0], TOO_SLOW[1].format(seconds=bounds.seconds)))
    status = process.exitcode
    process.close()
    return await asyncio.to_thread(_outcome, folder, status)


async def _ended(process: ForkServerProcess, seconds: float) -> bool:
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(process.sentinel, over.set)
    try:
        await asyncio.wait_for(over.wait(), seconds)
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(process.sentinel)
    await asyncio.to_thread(process.join)
    return True


async def _end(process: ForkServerProcess) -> None:
    """With everything it started itself."""
    try:
        os.killpg(process.pid or 0, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()
    await asyncio.to_thread(process.join)
    process.close()


def _outcome(folder: Path, status: int | None) -> dict[str, Any]:
    try:
        outcome: dict[str, Any] = json.loads((folder / child.OUTCOME).read_bytes())
    except (OSError, ValueError):
        return _failure(TOO_BIG if status == -signal.SIGKILL else ENDED)
    return _failure(TOO_BIG) if outcome.get("memory") else outcome


def _failure(words: tuple[str, str]) -> dict[str, Any]:
    return {"error": words[0], "hint": words[1]}


def _context() -> multiprocessing.context.ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["desk.warm"])
    return context


async def warm_up() -> None:
    """Start the server process that the children fork from."""
    from multiprocessing import forkserver

    _context()
    await asyncio.to_thread(forkserver.ensure_running)
