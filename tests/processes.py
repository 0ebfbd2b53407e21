"""Looking after processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 300
"""Seconds that a test waits for what is sure to come: others may be busy on this machine."""


def alone(work: Callable[..., T], *given: object) -> T:
    """The outcome of a module's function in a process that has no second thread, so that it may fork.

    Those of pytest-xdist have one, and a child of theirs may wait for a lock that it held.
    """
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(work, given)


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def ends(pid: int) -> bool:
    """Whether it is gone before long: who kills does not wait for grandchildren."""
    return soon(lambda: not is_alive(pid))


def soon(happens: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether it happens within this time."""
    end = time.monotonic() + seconds
    while not happens():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def children(pid: int) -> list[int]:
    """Whichever of its threads began them."""
    lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for found in lists for child in found]


def command(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
