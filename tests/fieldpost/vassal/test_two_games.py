"""An archive with two saved games: the one VASSAL plays is read, and the trick is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fieldpost.vassal import archive, steps
from tests import oracle_files, two_games
from tests.fieldpost.commands.running import run
from tests.two_games import HIDDEN, SHOWN

Maker = Callable[[], bytes]


@pytest.mark.parametrize(
    ("make", "played", "why"),
    [
        (two_games.both, SHOWN, "second saved game"),
        (two_games.unlisted, SHOWN, "second saved game"),
        (two_games.misplaced, HIDDEN, "second saved game"),
    ],
)
def test_the_game_that_vassal_plays_is_read(make: Maker, played: str, why: str) -> None:
    content = archive.parse(make(), "turn.vlog")
    assert content.text == archive.read(oracle_files.log(played)).text
    (remark,) = content.remarks
    assert why in remark


def test_a_game_that_the_directory_hides_is_read() -> None:
    data = bytearray(archive.game_bytes("begin_save\x1bend_save", steps.Metadata()))
    at = data.index(two_games.NAME, data.index(b"PK\x01\x02"))
    data[at : at + 9] = two_games.OTHER
    content = archive.parse(bytes(data), "turn.vlog")
    assert content.text == "begin_save\x1bend_save"
    assert "directory hides" in content.remarks[0]


def test_a_sound_log_raises_no_suspicion() -> None:
    for name in oracle_files.LOGS:
        assert archive.read(oracle_files.log(name)).remarks == ()


@pytest.fixture
def trick(tmp_path: Path) -> Path:
    path = tmp_path / "turn.vlog"
    path.write_bytes(two_games.both())
    return path


@pytest.mark.parametrize("command", [["info"], ["dump"], ["dump", "--json"], ["dump", "--raw"]])
def test_the_trick_is_told(command: list[str], trick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, *command, trick)
    assert result.status == 0
    assert "second saved game" in result.err


def test_no_clean_copy_is_made_of_it(trick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other game would keep its passwords."""
    result = run(capsys, "scrub", trick, trick.with_name("copy.vlog"))
    assert result.status == 2
    assert "second saved game" in result.err
    assert not trick.with_name("copy.vlog").exists()


def test_a_game_that_vassal_cannot_find_is_told() -> None:
    """The first entry hides where the next begins: its size stands behind it, says its header."""
    data = bytearray(archive.game_bytes("begin_save\x1bend_save", steps.Metadata()))
    data[:0] = b"PK\x03\x04\x14\0\x08\0" + bytes(22)
    content = archive.parse(bytes(data), "turn.vlog")
    assert content.text == "begin_save\x1bend_save"
    assert "would not find it" in content.remarks[0]
