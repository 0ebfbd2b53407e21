"""Completion for shells: what it offers is what the commands know."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from fieldpost.cli import COMMANDS
from fieldpost.commands.completion import script

_ASK = """
source /dev/stdin
COMP_WORDS=(fieldpost {words}); COMP_CWORD={at}
_fieldpost
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def offered(*words: str) -> list[str]:
    if shutil.which("bash") is None:
        pytest.skip("no bash")
    asked = _ASK.format(words=" ".join(f"'{word}'" for word in words), at=len(words))
    told = subprocess.run(
        ["bash", "-c", asked], input=script("bash"), capture_output=True, text=True, check=True
    )
    return told.stdout.split()


def test_commands_are_completed() -> None:
    assert offered("ch") == ["check"]
    assert set(offered("")) == set(COMMANDS)


def test_options_are_completed() -> None:
    assert offered("check", "--js") == ["--json"]
    assert "--reply" in offered("check", "--")


def test_every_shell_knows_every_command() -> None:
    for shell in ("bash", "zsh", "fish"):
        assert all(name in script(shell) for name in COMMANDS)
