"""Work in child processes: so many at once, the others wait; each with a limit of time and memory.

Where the system can, the children fork from a process that has loaded the rules and seen no request
(`desk.warm`); elsewhere each begins anew. Whatever a file does to a child, the web server only sees how
it ended.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from desk import child
from desk.memory import memory_of

Work = Callable[..., Any]
Changed = Callable[[str], None]

KILLED = -getattr(signal, "SIGKILL", signal.SIGTERM)
WATCH_SECONDS, JOIN_SECONDS = 0.5, 0.01
WAITING, WORKING, DONE = "waiting", "working", "done"
TOO_SLOW = (
    "This took too long.",
    "It was stopped after {seconds:.0f} seconds. You can send a whole game in parts.",
)
TOO_BIG = ("This needs more memory than one check may have.", "If it is a real game, send it in parts.")
ENDED = (
    "The check ended before it had an answer.",
    "Nothing else is affected. If the file is a real log, please report it.",
)
STOPPED = (
    "The check was stopped from outside.",
    "This machine may be short of memory, or somebody stopped it. Try again, or send the game in parts.",
)
LOST = (
    "The check could not be started.",
    "The process that starts checks has ended and could not be started again. Restart fieldpost.",
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
    arguments = (folder, work, dict(given), bounds.memory, bounds.written_bytes)
    process = _context().Process(target=child.main, args=arguments)
    starting = asyncio.create_task(asyncio.to_thread(process.start))
    try:
        await asyncio.shield(starting)
        ended = await _ended(process, bounds)
    except asyncio.CancelledError:
        await starting
        await _end(process)
        raise
    if ended is not None:
        await _end(process)
        return failure(ended)
    status = process.exitcode
    process.close()
    return await asyncio.to_thread(_outcome, folder, status)


async def _ended(process: BaseProcess, bounds: Bounds) -> tuple[str, str] | None:
    """None when it has ended by itself, else why it must be ended."""
    due = asyncio.get_running_loop().time() + bounds.seconds
    over = asyncio.create_task(_joined(process))
    try:
        while (left := due - asyncio.get_running_loop().time()) > 0:
            await asyncio.wait([over], timeout=min(left, WATCH_SECONDS))
            if over.done():
                return None
            if bounds.memory and await asyncio.to_thread(memory_of, process.pid or 0) > bounds.memory:
                return TOO_BIG
        return TOO_SLOW[0], TOO_SLOW[1].format(seconds=bounds.seconds)
    finally:
        over.cancel()


async def _joined(process: BaseProcess) -> None:
    while process.is_alive():
        await asyncio.sleep(JOIN_SECONDS)


async def _end(process: BaseProcess) -> None:
    """With everything it started itself."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid or 0, signal.SIGKILL)
        else:
            process.kill()
    except ProcessLookupError:
        process.kill()
    await asyncio.to_thread(process.join)
    process.close()


def _outcome(folder: Path, status: int | None) -> dict[str, Any]:
    try:
        outcome: dict[str, Any] = json.loads((folder / child.OUTCOME).read_bytes())
    except (OSError, ValueError):
        return failure(STOPPED if status == KILLED else ENDED)
    return failure(TOO_BIG) if outcome.get("memory") else outcome


def failure(words: tuple[str, str]) -> dict[str, Any]:
    return {"error": words[0], "hint": words[1]}


def _context() -> Any:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["desk.warm"])
    return context


async def warm_up() -> None:
    """Start the server process that the children fork from, where there is one."""
    if _context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        await asyncio.to_thread(forkserver.ensure_running)
