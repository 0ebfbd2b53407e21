"""What a command may take of this machine, whatever it is given: memory, and processor time.

Readers have limits of their own, by which they refuse what is too large before they read it. These here
are the last resort: they end in words too, and say which limit it was.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from fieldpost.errors import FieldpostError

MEMORY_BYTES = 1 << 30
SECONDS = 30.0
_A_PROCESSOR = 8 << 20  # threads of libraries set aside memory they never touch
SMALLER = "Is it a log at all? If it is a real one, please tell us; else name fewer files at once."


class TooMuch(FieldpostError):
    """A limit of this module was reached."""


@contextlib.contextmanager
def held(memory_bytes: int = MEMORY_BYTES, seconds: float | None = None) -> Iterator[None]:
    """Whatever is done meanwhile takes no more than this, or ends with `TooMuch`."""
    try:
        with _memory(memory_bytes), time_held(seconds):
            yield
    except MemoryError:
        most = f"{memory_bytes >> 20:,} MB"
        raise TooMuch(f"this needs more memory than the {most} one command may have", SMALLER) from None


@contextlib.contextmanager
def _memory(most: int) -> Iterator[None]:
    """A limit on data, above what the program has already."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    except (ImportError, OSError, ValueError):  # no such limit on this system
        yield
        return
    wanted = _data_bytes() + most + _A_PROCESSOR * (os.cpu_count() or 1)
    if soft != resource.RLIM_INFINITY and soft <= wanted:
        yield
        return
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    try:
        yield
    finally:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data_bytes() -> int:
    """What this process has of the memory that the limit counts."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    found = [line.split()[1] for line in lines if line.startswith("VmData:")]
    return int(found[0]) * 1024 if found else 0


@contextlib.contextmanager
def time_held(seconds: float | None = SECONDS, spent: float = 0.0) -> Iterator[None]:
    """A limit on processor time; none inside another, and none where there are no signals.

    `spent` is what an earlier reading of the same file took of it.
    """

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TooMuch(f"this takes longer than the {seconds:.0f} seconds one file may have", SMALLER)

    try:
        import signal  # not there in a browser

        if seconds is None or not hasattr(signal, "setitimer") or signal.getitimer(signal.ITIMER_PROF)[0] > 0:
            raise ValueError
        former = signal.signal(signal.SIGPROF, over)
    except (ImportError, AttributeError, ValueError, OSError):  # another system, or another thread
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, max(seconds - spent, min(seconds, 1.0)))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)
