"""The first and last steps of a child process: its limits, its work, its outcome.

Where the system knows no such limits (Windows), the server watches from outside (`desk.memory`).
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fieldpost.errors import FieldpostError
from fieldpost.progress import listening

OUTCOME = "outcome.json"
PROGRESS = "progress.json"
"""How far the work is, as {"doing": words, "share": from 0 to 1, or nothing}."""


def main(
    folder: Path, work: Callable[..., Any], given: dict[str, Any], memory: int | None, written_bytes: int
) -> None:
    if hasattr(os, "setsid"):
        os.setsid()  # one signal ends it and all it starts
    _limit(memory, written_bytes)
    _say_nothing()
    _end_with_the_server()
    tempfile.tempdir = str(folder)

    def tell(doing: str, share: float | None) -> None:
        with contextlib.suppress(OSError):  # Windows keeps what the server reads just now
            _write(folder / PROGRESS, {"doing": doing, "share": share})

    with listening(tell):
        outcome = _outcome(folder, work, given)
    _write(folder / OUTCOME, outcome)
    with contextlib.suppress(OSError):  # as above
        (folder / PROGRESS).unlink(missing_ok=True)


def _write(path: Path, value: dict[str, Any]) -> None:
    """Whole or not at all, for whoever reads it meanwhile."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(json.dumps(value), encoding="utf-8")
    beside.replace(path)


def _outcome(folder: Path, work: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"done": work(folder, **given)}
    except FieldpostError as error:
        return {"error": error.message, "hint": error.hint or ""}
    except MemoryError:
        return {"memory": True}
    except Exception as fault:
        return {"error": "Something in fieldpost itself failed.", "hint": _where(fault)}


def _where(fault: Exception) -> str:
    """The place in the program; the message could hold what a log says, so it is left out."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    place = f"{Path(frame.filename).name}, line {frame.lineno}"
    return f"Please report it, with the file if you can: {type(fault).__name__} in {place}."


def _limit(memory: int | None, written_bytes: int) -> None:
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (written_bytes, written_bytes))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if memory is not None:
        with contextlib.suppress(ValueError, OSError):  # a system that knows no such limit
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _say_nothing() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.stderr = sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def _end_with_the_server() -> None:
    """A server that was killed cannot end its children."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch(sentinel: int) -> None:
        multiprocessing.connection.wait([sentinel])
        end_all()

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


def end_all() -> None:
    """This process and all it started."""
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
