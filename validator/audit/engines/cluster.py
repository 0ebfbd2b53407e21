"""A Dask cluster. Its workers need this version of the program, the extra `cluster`, and the same paths."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from fieldpost.errors import FieldpostError
from validator.audit.engines.engine import Failed, R, W, attempt, too_long

CONNECT_SECONDS = 15
LOOK_EVERY_SECONDS = 1.0
GRACE_SECONDS = 20.0
AHEAD = 2  # items for each thread of a worker, so that none waits for the next


class _Spoiled(Failed):
    """Perhaps by what its worker did besides."""


class _TookTooLong(BaseException):
    """Not an `Exception`, so that nothing takes it for a fault of the game."""


def _within(do: Callable[[W], R], work: W, seconds: float) -> R | Failed:
    """In the worker: the result, if it comes in time. Dask works in threads, which know no alarm."""
    me = ctypes.c_ulong(threading.get_ident())
    alarm = threading.Timer(
        seconds, ctypes.pythonapi.PyThreadState_SetAsyncExc, (me, ctypes.py_object(_TookTooLong))
    )
    alarm.daemon = True
    try:
        alarm.start()
        return attempt(do, work)
    except _TookTooLong:
        return too_long(seconds)
    finally:
        alarm.cancel()


class Cluster:
    """Memory is limited by the workers' own `--memory-limit`; one that dies is started again by Dask."""

    def __init__(self, address: str, seconds: float) -> None:
        try:
            import distributed
        except ImportError as error:
            raise FieldpostError(
                "auditing on a cluster needs Dask", "Install it: pip install 'fieldpost[cluster]'"
            ) from error
        self.seconds = seconds
        self._dask: Any = distributed
        try:
            self._client: Any = self._dask.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise FieldpostError(
                f"no cluster answers at {address}",
                "Start one: dask scheduler; dask worker ADDRESS --nthreads 1 --nworkers auto",
            ) from error

    def map(self, do: Callable[[W], R], works: Iterable[W]) -> Iterator[tuple[W, R | Failed]]:
        """A worker that dies or hangs spoils all items it holds: each gets a second try, alone.

        The last first, as the one that a worker was at came before those that waited for it.
        """
        again: list[W] = []
        for work, result in self._map(do, works, self._room):
            if isinstance(result, _Spoiled):
                again.append(work)
            else:
                yield work, result
        yield from self._map(do, reversed(again), lambda: 1)

    def _map(
        self, do: Callable[[W], R], works: Iterable[W], room: Callable[[], int]
    ) -> Iterator[tuple[W, R | Failed]]:
        waiting = iter(works)
        pending: dict[Any, tuple[Any, float]] = {}
        try:
            while True:
                for work in islice(waiting, max(0, room() - len(pending))):
                    future = self._client.submit(_within, do, work, self.seconds, pure=False)
                    pending[future] = work, time.monotonic()
                if not pending:
                    return
                for future, result in self._finished(pending):
                    yield pending.pop(future)[0], result
        finally:
            self._client.cancel(list(pending), force=True)

    def close(self) -> None:
        self._client.close()

    def _room(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return max(1, AHEAD * threads)

    def _finished(self, pending: dict[Any, tuple[Any, float]]) -> list[tuple[Any, Any]]:
        try:
            with self._client.as_current():
                self._dask.wait(list(pending), timeout=LOOK_EVERY_SECONDS, return_when="FIRST_COMPLETED")
        except TimeoutError:
            return self._overdue(pending)
        return [(future, self._result(future)) for future in pending if future.done()]

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except self._dask.KilledWorker:
            return _Spoiled("ended its process")
        except Exception as error:  # what Dask says of an item it lost
            return Failed(f"the cluster lost it ({type(error).__name__})")

    def _overdue(self, pending: dict[Any, tuple[Any, float]]) -> list[tuple[Any, Any]]:
        """Items that did not end when they had to, or that wait behind one."""
        due = time.monotonic() - AHEAD * self.seconds - GRACE_SECONDS
        late = [future for future, (_, since) in pending.items() if since < due and not future.done()]
        if late:
            self._client.cancel(late, force=True)
        return [(future, _Spoiled(too_long(self.seconds).why)) for future in late]
