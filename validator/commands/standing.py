"""The arguments of commands that look at the end of a file, or at the set-up of a scenario."""

from __future__ import annotations

import argparse
from pathlib import Path

from fieldpost.commands import options
from validator.queries import snapshot
from validator.queries.snapshot import Standing
from validator.services.turnfile import Wanted


def add_file(parser: argparse.ArgumentParser) -> None:
    """A file, or instead of one a scenario."""
    text = "a log (.vlog), a save (.vsav) or a turn sheet; without one, the set-up of --scenario"
    parser.add_argument("file", type=Path, nargs="?", help=text)
    options.add_wanted(parser)
    options.add_choices(parser)


def read(arguments: argparse.Namespace) -> Standing:
    wanted = Wanted(arguments.game, arguments.scenario, arguments.module, arguments.overlay)
    return snapshot.read(wanted, arguments.option, arguments.file)
