"""What a visitor may ask of this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True)
class Limits:
    upload_bytes: int = 64 * MB  # of one upload, all its files together
    held_bytes: int = 1024 * MB  # of all uploads that are not checked yet
    files: int = 500
    header_seconds: float = 10  # until the head of a request has come
    silence_seconds: float = 10  # without a byte of an upload
    upload_seconds: float = 120
    answer_seconds: float = 300  # from the head of a request to the last byte of its answer
    connections: int = 256
    checks_at_once: int = max(1, min(4, os.cpu_count() or 1))
    waiting: int = 100  # checks in the queue
    check_seconds: float = 120
    check_memory: int = 3072 * MB
    build_seconds: float = 900
    written_bytes: int = 512 * MB  # one file of a check or build
    results: int = 40
    keep_seconds: float = 3600
    findings_shown: int = 200
