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
