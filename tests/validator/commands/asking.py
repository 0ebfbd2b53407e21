"""Commands as a user types them, and what they answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fieldpost.cli import main


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(list(arguments)) == status
    shown = capsys.readouterr()
    return shown.err if status else shown.out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(said(capsys, *arguments, "--json"))
