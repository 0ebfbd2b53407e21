"""What a visitor may ask of this machine."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

MB = 1 << 20
MOST_CHECKS = 4
LEAST_MEMORY = 1536 * MB  # one check needs so much
MOST_MEMORY = 3072 * MB
CGROUP = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


def machine_memory() -> int:
    """Bytes of memory of this machine, or of the part of it this program may use."""
    found = [MOST_CHECKS * MOST_MEMORY * 4 // 3]
    with suppress(AttributeError, OSError, ValueError):  # a system that does not tell
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in CGROUP:
        try:
            found.append(int(path.read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such group, or "max"
            continue
    return min(found)


def checks_at_once(processors: int, memory: int) -> int:
    """As many as there are processors and memory for, one at least."""
    return max(1, min(MOST_CHECKS, processors, memory * 3 // 4 // LEAST_MEMORY))


def check_memory(at_once: int, memory: int) -> int:
    """Three quarters of what there is, shared among the checks."""
    return min(MOST_MEMORY, memory * 3 // 4 // at_once)


def _at_once() -> int:
    return checks_at_once(os.cpu_count() or 1, machine_memory())


@dataclass(frozen=True)
class Limits:
    upload_bytes: int = 256 * MB  # of one upload, all its files together: a large module has 160
    held_bytes: int = 1024 * MB  # of all uploads that are not checked yet
    files: int = 500
    header_seconds: float = 10  # until the head of a request has come
    silence_seconds: float = 10  # without a byte of an upload
    upload_seconds: float = 120
    answer_seconds: float = 300  # from the head of a request to the last byte of its answer
    connections: int = 256
    checks_at_once: int = field(default_factory=_at_once)
    waiting: int = 100  # checks in the queue
    check_seconds: float = 120
    check_memory: int = field(default_factory=lambda: check_memory(_at_once(), machine_memory()))
    build_seconds: float = 900
    written_bytes: int = 512 * MB  # one file of a check or build
    results: int = 40
    shelf_bytes: int = 1024 * MB  # of all results together
    keep_seconds: float = 3600
    findings_shown: int = 200
