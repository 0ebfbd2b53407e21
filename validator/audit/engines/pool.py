"""A pool of processes; one that dies, hangs or asks too much takes nothing with it but its own item."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

from validator.audit.engines.engine import Failed, R, W, attempt, too_long

MEGABYTE = 1 << 20
_CONTEXT: Any = multiprocessing.get_context(
    "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
)


class Pool:
    """So many processes; each item may take so many seconds and megabytes."""

    def __init__(self, jobs: int, seconds: float, megabytes: int) -> None:
        self.jobs, self.seconds, self.megabytes = jobs, seconds, megabytes
        self._workers: list[_Worker] = []

    def map(self, do: Callable[[W], R], works: Iterable[W]) -> Iterator[tuple[W, R | Failed]]:
        waiting = iter(works)
        try:
            while True:
                self._feed(do, waiting)
                busy = [worker for worker in self._workers if worker.busy]
                if not busy:
                    return
                yield from self._finished(busy)
        finally:
            self.close()

    def _feed(self, do: Callable[[Any], Any], waiting: Iterator[Any]) -> None:
        """Give each idle process an item; a process begins when there is one for it."""
        idle = [worker for worker in self._workers if not worker.busy]
        for work in islice(waiting, len(idle) + self.jobs - len(self._workers)):
            worker = idle.pop(0) if idle else self._start(do)
            worker.give(work, self.seconds)

    def _start(self, do: Callable[[Any], Any]) -> _Worker:
        worker = _Worker(do, self.megabytes, [worker.pipe for worker in self._workers])
        self._workers.append(worker)
        return worker

    def _finished(self, busy: list[_Worker]) -> Iterator[tuple[Any, Any]]:
        soonest = min(worker.due for worker in busy) - time.monotonic()
        wait([worker.pipe for worker in busy], timeout=max(0.0, soonest))
        for worker in busy:
            result = worker.result(self.seconds)
            if result is None:
                continue
            work, worker.work, worker.busy = worker.work, None, False
            if isinstance(result, Failed) and result.fatal:
                self._workers.remove(worker)
                worker.kill()
            yield work, result

    def close(self) -> None:
        while self._workers:
            self._workers.pop().kill()


class _Worker:
    """A process of the pool, as seen from outside it."""

    def __init__(self, do: Callable[[Any], Any], megabytes: int, others: list[Connection]) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        inherited = [*others, self.pipe] if _CONTEXT.get_start_method() == "fork" else []
        self.process = _CONTEXT.Process(target=_serve, args=(theirs, do, megabytes, inherited), daemon=True)
        self.process.start()
        theirs.close()
        self.work: Any = None
        self.busy = False
        self.due = 0.0

    def give(self, work: object, seconds: float) -> None:
        self.work, self.busy, self.due = work, True, time.monotonic() + seconds
        with contextlib.suppress(OSError):  # a process that died while idle: found out when asked
            self.pipe.send(work)

    def result(self, seconds: float) -> Any:
        """What came of the work; None while it goes on."""
        try:
            if self.pipe.poll():
                return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(1)
            return Failed(f"ended its process ({_ending(self.process.exitcode)})", fatal=True)
        return too_long(seconds) if time.monotonic() >= self.due else None

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"status {code}"


def _serve(pipe: Connection, do: Callable[[Any], Any], megabytes: int, inherited: list[Connection]) -> None:
    """In the process: work until the other end is closed, by whatever ended the program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited:
        other.close()
    _limit_memory(megabytes)
    with contextlib.suppress(EOFError, OSError):
        while True:
            result = attempt(do, pipe.recv())
            pipe.send(result)
            if isinstance(result, Failed) and result.fatal:
                return


def _limit_memory(megabytes: int) -> None:
    """So much more than the program takes by itself; systems that cannot say or do so go without."""
    try:
        import resource

        with open("/proc/self/statm") as file:
            own = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (own + megabytes * MEGABYTE,) * 2)
    except (ImportError, OSError, ValueError):
        return
