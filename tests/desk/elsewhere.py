"""The page as on Windows: without fork, `resource`, `fcntl`, process groups and most signals.

python -m tests.desk.elsewhere '{"check_memory": 400000000}'. The children begin with this module too.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess  # noqa: F401 - before the false msvcrt, by which it would know the system
import sys
from types import ModuleType
from typing import Any

GONE = {os: ("setsid", "killpg", "getuid", "nice", "fork"), signal: ("SIGHUP", "SIGXFSZ")}


def take_away() -> None:
    for name in ("resource", "fcntl", "multiprocessing.forkserver", "multiprocessing.popen_forkserver"):
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in GONE.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    windows: Any = ModuleType("msvcrt")
    windows.LK_NBLCK, windows.locking = 2, lambda file, mode, size: None
    sys.modules["msvcrt"] = windows
    multiprocessing.get_all_start_methods = lambda: ["spawn"]  # type: ignore[assignment]


take_away()

if __name__ == "__main__":
    from dataclasses import replace

    from desk import server
    from desk.limits import Limits
    from tests.desk.served import ready

    limits = replace(Limits(), **json.loads(sys.argv[1]))
    server.serve("127.0.0.1", 0, ready, limits, prepare=False)
