"""Every command, given what it cannot use: status 2 and words that name the file, never a traceback."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from fieldpost.cli import COMMANDS
from tests.fieldpost.commands.running import run
from tests.oracle_files import log
from tests.places import REPOSITORY

ORACLE = log("oracle")
INPUT, OUT = "INPUT", "OUT"
TELLS_OF_FAULTS = ("lint", "audit")  # what cannot be used is their answer, no failure of theirs
GAME = ["--game", "wfm", "--scenario", "turning-point"]

GIVEN: dict[str, list[list[str]]] = {
    "games": [[INPUT]],
    "lint": [[INPUT], ["wfm", "--overlay", INPUT]],
    "hex": [[INPUT, "0101"], ["wfm", INPUT], ["wfm", "E4708", "--overlay", INPUT]],
    "rules": [[INPUT], ["wfm", INPUT]],
    "info": [[INPUT]],
    "dump": [[INPUT], [INPUT, "--raw"], [INPUT, "--json"], ["LOG", "--module", INPUT]],
    "scrub": [[INPUT, OUT]],
    "render": [
        ["map", INPUT, "-o", OUT],
        ["counters", INPUT, "-o", OUT],
        ["counters", "wfm", "--overlay", INPUT],
    ],
    "build": [[INPUT, "-o", OUT], ["wfm", "--overlay", INPUT, "-o", OUT]],
    "check": [[INPUT], [INPUT, "--json"], [INPUT, "--junit"], ["LOG", "--module", INPUT, *GAME]],
    "audit": [[INPUT]],
    "tell": [[INPUT], [INPUT, "--json"]],
    "reach": [[INPUT, "57PzK"]],
    "supply": [[INPUT]],
    "inspect": [[INPUT]],
    "import": [[INPUT, "-o", OUT]],
}


def missing(path: Path) -> None:
    """Nothing is made."""


def directory(path: Path) -> None:
    path.mkdir()


def empty(path: Path) -> None:
    path.touch()


def junk(path: Path) -> None:
    path.write_bytes(bytes(number * 7 % 256 for number in range(5000)))


def prose(path: Path) -> None:
    path.write_text("Dear Sir,\nI enclose my turn.\n", encoding="utf-8")


def empty_zip(path: Path) -> None:
    zipfile.ZipFile(path, "w").close()


def cut_zip(path: Path) -> None:
    path.write_bytes(ORACLE.read_bytes()[:700])


MAKERS: list[Callable[[Path], None]] = [missing, directory, empty, junk, prose, empty_zip, cut_zip]
CASES = [(name, arguments) for name, forms in GIVEN.items() for arguments in forms]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize(
    ("name", "arguments"), CASES, ids=[" ".join([name, *forms]) for name, forms in CASES]
)
def test_what_cannot_be_used_ends_with_status_2_and_words(
    name: str,
    arguments: list[str],
    make: Callable[[Path], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "turn23.vlog"
    make(path)
    places = {INPUT: path, OUT: tmp_path / "out", "LOG": ORACLE}
    result = run(capsys, name, *(places.get(word, word) for word in arguments))
    assert result.status == 2
    told = result.err or (result.out if name in TELLS_OF_FAULTS else "")
    assert "turn23" in told or (name == "audit" and path.is_dir() and "No turn" in told)
    assert "\x00" not in told
    assert max(map(len, told.splitlines())) < 300


def test_every_command_that_takes_a_file_is_tried() -> None:
    assert set(COMMANDS) - set(GIVEN) <= {
        "new",
        "serve",
        "site",
        "completion",
        "replay",
        "docs",
        "fingerprint",
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_an_unknown_option_ends_with_status_2_and_the_usage(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(capsys, name, "--no-such-option")
    assert result.status == 2
    assert result.err.startswith(f"usage: fieldpost {name}")


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"games", "lint", "supply", "serve", "docs"}))
def test_a_command_without_what_it_needs_says_so(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, name)
    assert result.status == 2
    assert result.err


NUMBERS = ["0", "-3", "1e9", "nan", "99999999", "\N{ARABIC-INDIC DIGIT THREE}x"]
MEASURES = [
    ["render", "counters", "wfm", "--size"],
    ["render", "counters", "wfm", "--pdf", "--mm"],
    ["render", "map", "wfm", "--hex"],
]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("command", MEASURES, ids=lambda command: command[-1])
def test_an_absurd_measure_ends_with_status_2(
    command: list[str], number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(capsys, *command, number, "-o", tmp_path)
    assert result.status == 2
    assert result.err
    assert not list(tmp_path.iterdir())


WRITERS = [
    ["build", "wfm", "-o", OUT],
    ["render", "counters", "wfm", "-o", OUT],
    ["scrub", "LOG", f"{OUT}/scrubbed.vlog"],
    ["new", f"{OUT}/game"],
    ["check", "TURN", "--plain-map", "--html", f"{OUT}/report.html"],
]


@pytest.mark.parametrize("command", WRITERS, ids=lambda command: command[0])
def test_a_place_that_cannot_be_written_is_told(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no folder")
    places = {"LOG": str(ORACLE), "TURN": str(REPOSITORY / "examples" / "faulty-turn.txt")}
    words = [places.get(word, word).replace(OUT, str(tmp_path / "file")) for word in command]
    result = run(capsys, *words)
    assert result.status == 2
    assert Path(words[-1]).name in result.err
    assert [path.name for path in tmp_path.rglob("*")] == ["file"]
