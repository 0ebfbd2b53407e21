"""A command run in a process of its own, and what it took."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass

from tests.places import REPOSITORY


@dataclass(frozen=True)
class Run:
    """`seconds` are of the processor, `peak_mb` is the most memory at a time."""

    status: int
    seconds: float
    peak_mb: float
    printed: int
    told: str


def run(*arguments: str, limit: float = 300) -> Run:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "fieldpost", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=environment,
        )
        timer = _killer(process, limit)
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        printed = out.seek(0, os.SEEK_END)
        err.seek(0)
        told = err.read(20_000).decode("utf-8", "replace")
    return Run(process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed, told)


def _killer(process: subprocess.Popen[bytes], seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    return timer
