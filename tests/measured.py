"""A command run in a process of its own, and what it took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from tests.places import REPOSITORY

_SMALL = """
import json, os, subprocess, sys, tempfile
out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
_, status, used = os.wait4(process.pid, 0)
printed = out.seek(0, 2)
err.seek(0)
told = err.read(20_000).decode("utf-8", "replace")
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime,
                  used.ru_maxrss / 1024, printed, told]))
"""
"""Run by a process of its own: what a child took at most counts what its parent had when it began."""


@dataclass(frozen=True)
class Run:
    """`seconds` are of the processor, `peak_mb` is the most memory at a time."""

    status: int
    seconds: float
    peak_mb: float
    printed: int
    told: str


def run(*arguments: str) -> Run:
    """A fieldpost command."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", _SMALL, sys.executable, "-m", "fieldpost", *arguments],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        check=True,
    )
    return Run(*json.loads(done.stdout))
