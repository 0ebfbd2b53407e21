"""The page on systems without fork, `resource` and process groups."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.lane import TOO_BIG
from desk.memory import memory_of
from tests.desk import serving
from tests.desk.conftest import short_folder
from tests.desk.serving import FAULTY, LOGS, Visitor
from tests.places import REPOSITORY
from tests.processes import PATIENCE

MEMORY = 900 << 20


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Visitor]:
    with short_folder() as folder:
        limits = json.dumps({"check_memory": MEMORY, "check_seconds": 300})
        with serving.running(folder, "tests.desk.elsewhere", limits) as visitor:
            yield visitor
        assert visitor.process.returncode == 0
        assert (folder / "errors.txt").read_text() == ""


def test_a_turn_is_checked(elsewhere: Visitor) -> None:
    _, answer = elsewhere.check([(FAULTY.name, FAULTY.read_bytes())])
    assert "Not legal as played" in answer.words


def test_a_log_is_checked(elsewhere: Visitor) -> None:
    _, answer = elsewhere.check([(LOGS[0].name, LOGS[0].read_bytes())])
    assert "Nothing illegal" in answer.words


def test_a_bomb_harms_nobody(elsewhere: Visitor) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", bytes(200 << 20))
    _, answer = elsewhere.check([("bomb.vlog", data.getvalue())])
    assert "Could not be checked" in answer.words
    assert elsewhere.get("/").status == 200


def test_memory_of_a_process_is_seen() -> None:
    before = memory_of(os.getpid())
    held = bytearray(64 << 20)
    held[::4096] = b"1" * len(held[::4096])
    assert memory_of(os.getpid()) - before > 50 << 20
    assert memory_of(2**22 + 1) == 0


_SWELL = """
from tests.desk import elsewhere
import asyncio, pathlib, sys
from desk.lane import Bounds, run_in_child
from tests.desk import works
if __name__ == "__main__":
    bounds = Bounds(300, 300 << 20, 1 << 20)
    print(asyncio.run(run_in_child(pathlib.Path(sys.argv[1]), works.swell, {}, bounds))["error"])
"""


def test_a_child_that_takes_too_much_is_ended_from_outside(tmp_path: Path) -> None:
    script = tmp_path / "swell.py"
    script.write_text(_SWELL)
    told = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert told.stdout.strip() == TOO_BIG[0], told.stderr
