"""Commands as a user runs them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from fieldpost.cli import main


class Run(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Run:
    """The exit status, what was printed, what was printed as an error."""
    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as stop:  # argparse, on --help and on unknown arguments
        status = stop.code if isinstance(stop.code, int) else 2
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return Run(status, captured.out, captured.err)
