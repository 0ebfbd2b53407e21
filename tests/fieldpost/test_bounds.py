"""What a command takes of this machine at most, whatever it is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost import bounds
from fieldpost.bounds import MEMORY_BYTES, SECONDS, TooMuch
from tests import hostile_files, measured

OVER_MB = 128
"""The program itself, before it reads anything."""

MOST_PRINTED = 20_000_000


def test_what_takes_too_much_memory_ends_in_words() -> None:
    with pytest.raises(TooMuch, match="more memory than the 64 MB"), bounds.held(64 << 20):
        _ = [bytearray(1 << 20) for _ in range(4000)]
    assert len(bytearray(200 << 20)) == 200 << 20, "the limit is gone again"


def test_what_takes_too_long_ends_in_words() -> None:
    with pytest.raises(TooMuch, match="longer than the 0 seconds"), bounds.time_held(0.05):
        sum(1 for _ in iter(int, 1))
    sum(range(3_000_000))  # the limit is gone again


def check(run: measured.Run) -> None:
    assert run.status in (0, 2), run.told
    assert "Traceback" not in run.told
    assert run.status == 0 or run.told or run.printed
    assert run.peak_mb < (MEMORY_BYTES >> 20) + OVER_MB
    assert run.seconds < SECONDS + 5
    assert run.printed < MOST_PRINTED


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile_files.BY_NAME)
def test_no_hostile_file_takes_more_than_is_allowed(name: str, tmp_path: Path) -> None:
    path = tmp_path / "turn.vlog"
    path.write_bytes(hostile_files.BY_NAME[name]())
    check(measured.run("info", str(path)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("lying_directory", ["dump", "--raw"]),
        ("no_directory", ["dump", "--raw"]),
        ("as_many_pieces_as_allowed", ["scrub", "OUT"]),
        ("fifty_bombs", ["audit"]),
        ("fifty_bombs", ["tell"]),
        ("tiny_pieces", ["check"]),
    ],
)
def test_no_command_takes_more_than_is_allowed(name: str, command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "turn.vlog"
    path.write_bytes(hostile_files.BY_NAME[name]())
    verb, *options = (str(tmp_path / "out.vlog") if word == "OUT" else word for word in command)
    order = [str(path), *options]
    check(measured.run(verb, *order))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "copies"), [("audit", 5), ("tell", 1), ("info", 1)])
def test_a_folder_of_junk_takes_no_more_either(command: str, copies: int, tmp_path: Path) -> None:
    hostile_files.junk_folder(tmp_path, copies)
    check(measured.run(command, str(tmp_path)))
