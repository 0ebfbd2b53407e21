"""Work that misbehaves, for children to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from desk.child import PROGRESS
from fieldpost.errors import FieldpostError
from fieldpost.progress import track

PRIVATE = "the password is sesame"


def answer(folder: Path, value: Any) -> Any:
    return value


def sleep(folder: Path, seconds: float) -> None:
    (folder / "pid").write_text(str(os.getpid()))
    (folder / "pid").rename(folder / "begun")
    time.sleep(seconds)


def wait(folder: Path, until: Path) -> None:
    """Until this file is there."""
    while not until.exists():
        time.sleep(0.01)


def begin_a_child_and_sleep(folder: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(900)"])
    (folder / "child").write_text(str(child.pid))
    time.sleep(900)


def eat(folder: Path) -> int:
    eaten = []
    while True:
        eaten.append(bytearray(16 << 20))


def swell(folder: Path) -> None:
    """Steadily, and truly used."""
    eaten = []
    while True:
        eaten.append(b"x" * (16 << 20))
        time.sleep(0.03)


def die(folder: Path) -> None:
    os._exit(3)


def crash(folder: Path) -> None:
    os.kill(os.getpid(), 11)


def fail(folder: Path) -> None:
    raise ValueError(PRIVATE)


def refuse(folder: Path) -> None:
    raise FieldpostError("not this one", "Take another.")


def recurse(folder: Path) -> None:
    recurse(folder)


def tell(folder: Path) -> Any:
    """What the page may read of it, half done."""
    return next(json.loads((folder / PROGRESS).read_bytes()) for _ in track(range(4), 4, "logs"))


def fill_the_disk(folder: Path) -> None:
    with (folder / "big").open("wb") as file:
        while True:
            file.write(bytes(1 << 20))


def talk(folder: Path) -> None:
    print(PRIVATE)
    print(PRIVATE, file=sys.stderr)
    os.write(2, PRIVATE.encode())
