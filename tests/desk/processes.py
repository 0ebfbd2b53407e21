"""Looking after processes."""

from __future__ import annotations

import time
from pathlib import Path


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def ends(pid: int, seconds: float = 10) -> bool:
    """Whether it is gone within this time: who kills does not wait for grandchildren."""
    end = time.monotonic() + seconds
    while is_alive(pid):
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
