"""How much memory another process uses, where it cannot be limited from within."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

KB = 1024


def memory_of(pid: int) -> int:
    """Bytes in memory; 0 for a process that has ended, or on a system that does not tell."""
    if sys.platform == "win32":
        return _on_windows(pid)
    status = Path(f"/proc/{pid}/statm")
    try:
        if status.parent.parent.joinpath("self").exists():
            return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        told = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return int(told.stdout) * KB
    except (OSError, ValueError, IndexError):
        return 0


def _on_windows(pid: int) -> int:
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        _fields_ = [
            ("cb", wintypes.DWORD),
            ("PageFaultCount", wintypes.DWORD),
            *((name, ctypes.c_size_t) for name in ("PeakWorkingSetSize", "WorkingSetSize")),
            *((f"Quota{n}", ctypes.c_size_t) for n in range(4)),
            *((name, ctypes.c_size_t) for name in ("PagefileUsage", "PeakPagefileUsage")),
        ]

    query_information, read_memory = 0x0400, 0x0010
    windows = ctypes.windll  # type: ignore[attr-defined]
    process = windows.kernel32.OpenProcess(query_information | read_memory, False, pid)
    if not process:
        return 0
    counters = Counters(cb=ctypes.sizeof(Counters))
    known = windows.psapi.GetProcessMemoryInfo(process, ctypes.byref(counters), counters.cb)
    windows.kernel32.CloseHandle(process)
    return int(counters.PagefileUsage) if known else 0
