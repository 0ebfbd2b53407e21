"""The command line itself: the table, help, wrong input."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from fieldpost import __version__
from fieldpost.cli import COMMANDS
from fieldpost.errors import FieldpostError
from tests.fieldpost.commands.running import run
from tests.fieldpost.definition.patching import change, copy_of_example
from tests.places import REPOSITORY

Capture = pytest.CaptureFixture[str]
WRITTEN = [name for name, command in COMMANDS.items() if find_spec(command.module) is not None]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there(name: str) -> None:
    module = importlib.import_module(COMMANDS[name].module)
    assert callable(module.configure)
    assert callable(module.run)


@pytest.mark.parametrize("name", WRITTEN)
def test_every_command_explains_itself_with_an_example(capsys: Capture, name: str) -> None:
    result = run(capsys, name, "--help")
    assert result.status == 0
    assert f"usage: fieldpost {name}" in result.out
    assert "example" in result.out.lower()
    assert result.out.count(f"fieldpost {name} ") >= 2, "the usage and an example"
    assert "exit status: 0 done" in result.out


def test_help_lists_every_command(capsys: Capture) -> None:
    for arguments in ([], ["--help"], ["-h"], ["help"]):
        result = run(capsys, *arguments)
        assert result.status == 0
        assert all(f"  {name} " in result.out for name in COMMANDS)


def test_the_version_is_the_packages(capsys: Capture) -> None:
    printed = run(capsys, "--version").out
    assert re.fullmatch(
        rf"fieldpost {re.escape(__version__)}( \(commit [0-9a-f]{{10,}}(-dirty)?\))?\n", printed
    )


def test_a_misspelt_command_is_guessed(capsys: Capture) -> None:
    result = run(capsys, "gmaes")
    assert result.status == 2
    assert "Did you mean 'fieldpost games'?" in result.err


def test_what_a_user_can_cause_ends_with_status_2(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(arguments: object) -> int:
        raise FieldpostError("the file is not there", "Look elsewhere.")

    monkeypatch.setattr("fieldpost.commands.games.run", fail)
    result = run(capsys, "games")
    assert (result.status, result.err) == (2, "fieldpost: the file is not there\nLook elsewhere.\n")


def test_help_loads_no_library() -> None:
    """Quick because of what it does not import; bench/ has the milliseconds."""
    script = (
        "import sys; from fieldpost.cli import main; main(['--help']);"
        "heavy = {'yaml', 'lxml', 'PIL', 'jinja2', 'difflib', 'builder', 'validator', 'desk', 'starlette'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    out = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=REPOSITORY
    ).stdout
    assert out.splitlines()[-1] == "[]"


def test_help_takes_little_longer_than_python_itself() -> None:
    def seconds(*arguments: str) -> float:
        """Of the processor: others may be busy on this machine."""
        before = os.times()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True, cwd=REPOSITORY)
        after = os.times()
        return sum(after[2:4]) - sum(before[2:4])

    bare = ("-c", "import argparse, json, pathlib, subprocess")
    pairs = [(seconds("-m", "fieldpost", "--help"), seconds(*bare)) for _ in range(7)]
    assert min(help_ for help_, _ in pairs) < 3 * min(alone for _, alone in pairs), pairs


def test_a_terminal_that_knows_only_ascii_is_no_error(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "map" / "places.yaml", "name: Ferry House", "name: F\u00e4hrhaus")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "fieldpost", "hex", game, "0504"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("0504  F\\xe4hrhaus (Village)")


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    """fieldpost lint --schema game | head -1"""
    command = f"{shlex.quote(sys.executable)} -m fieldpost lint --schema game | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=REPOSITORY, check=True)
    assert result.stdout == "{\n"
    assert "Traceback" not in result.stderr
