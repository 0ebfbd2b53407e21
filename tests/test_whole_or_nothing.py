"""Closed streams, links that lead nowhere, full disks and Ctrl-C: an answer in words, and no half files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from builder.module import pictures
from fieldpost.vassal import archive
from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY
from tests.processes import PATIENCE
from validator.audit.results import Results

Capture = pytest.CaptureFixture[str]
FAULTY = REPOSITORY / "examples" / "faulty-turn.txt"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPOSITORY)}


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_no_error(closed: str) -> None:
    script = f'"$0" -m fieldpost check "$1" {closed}'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable, FAULTY], env=ENVIRONMENT, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert (b"3 illegal" in done.stdout) == (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize(
    "command",
    [
        ["lint", "LOOP"],
        ["build", "LOOP", "-o", "out"],
        ["check", FAULTY, "--game", "LOOP"],
        ["check", "LOOP"],
        ["audit", "LOOP"],
        ["info", "LOOP"],
        ["replay", "LOOP"],
        ["new", "LOOP/game"],
    ],
    ids=lambda command: str(command[0]),
)
def test_a_link_to_itself_is_no_file(
    command: list[object], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    result = run(capsys, *(str(word).replace("LOOP", str(loop)) for word in command))
    assert result.status == 2
    assert result.err


def no_room(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_leaves_nothing_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive.os, "replace", no_room)
    pictures.keep(tmp_path / "cache" / "map.png", b"drawn")
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_file_that_is_not_finished_is_taken_away(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise error

    (tmp_path / "old.html").write_text("before")
    monkeypatch.setattr(archive.os, "replace", stopped)
    with pytest.raises(archive.ArchiveError if error is OSError else error):
        archive.write_bytes(tmp_path / "old.html", b"after")
    assert [path.name for path in tmp_path.iterdir()] == ["old.html"]
    assert (tmp_path / "old.html").read_text() == "before"


def test_results_of_no_game_are_no_file(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Results(tmp_path / "new.jsonl"):
        raise KeyboardInterrupt
    (tmp_path / "old.jsonl").touch()
    with Results(tmp_path / "old.jsonl"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["old.jsonl"]


def test_an_audit_stopped_at_its_first_game_leaves_no_file(tmp_path: Path) -> None:
    """By Ctrl-C, while the game is judged."""
    script = (
        "import sys, time; from validator.audit import batch; from fieldpost.cli import main\n"
        "def slow(work):\n    print('judging', flush=True)\n    time.sleep(600)\n"
        "batch.judge = slow\nsys.exit(main(sys.argv[1:]))"
    )
    samples = REPOSITORY / "examples" / "samples"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "audit", samples, "--jobs", "1", "--out", tmp_path / "out"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background job's is ignored
    )
    assert process.stdout
    assert process.stdout.readline() == "judging\n"
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert "stopped" in errors
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
