"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fieldpost.errors import FieldpostError
from fieldpost.terminal import BIDI

UNSHOWN = re.compile(f"[\x7f-\x9f{BIDI}]")  # what JSON leaves as it is, and a terminal would not show


def add_overlays(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--overlay",
        action="append",
        default=[],
        metavar="FILE",
        help="a file that replaces tables, counters or hexes by those of your own copy; may be repeated",
    )


def add_wanted(parser: argparse.ArgumentParser, missing: str = "the file does not say it") -> None:
    """Of what game a turn is, and by whose data it is read."""
    parser.add_argument("--game", help=f"the game, if {missing}")
    parser.add_argument("--scenario", help=f"the scenario, if {missing}")
    parser.add_argument("--module", type=Path, help="the module it was played with, if not one of ours")
    add_overlays(parser)


def add_own_games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game",
        action="append",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="a game of your own to put on the page too, refereed by its data; may be repeated",
    )


def add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=CHOICE", help="a rule as you play it"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="answer as JSON, for other programs")


def add_view(parser: argparse.ArgumentParser, where: str = "") -> None:
    """Whose eyes an output is seen with; `view` reads it."""
    eyes = parser.add_mutually_exclusive_group()
    eyes.add_argument(
        "--view",
        metavar="SIDE",
        help=f"show what this side sees, its masked and hidden pieces and its hand too{where}",
    )
    eyes.add_argument(
        "--all-seen",
        action="store_true",
        help="show all, what is hidden from one of the players too: for a referee",
    )


def view(arguments: argparse.Namespace) -> str | None:
    from fieldpost.vassal.sight import EVERYTHING

    return EVERYTHING if arguments.all_seen else arguments.view


STDIN = Path("-")


@contextmanager
def file_given(path: Path) -> Iterator[Path]:
    """The file itself; for `-` a copy of what comes from standard input, gone afterwards."""
    if path != STDIN:
        yield path
        return
    from fieldpost.vassal.archive import Limits

    most = Limits().in_memory_bytes
    data = sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        raise FieldpostError(
            f"standard input has more than {most:,} bytes", "A log is seldom larger than 1 MB."
        )
    with tempfile.TemporaryDirectory(prefix="fieldpost-") as folder:
        copy = Path(folder) / "stdin"
        copy.write_bytes(data)
        yield copy


def overlays(arguments: argparse.Namespace) -> list[Path]:
    """The overlay files, each of which must be there."""
    paths = [Path(name) for name in arguments.overlay]
    for path in paths:
        if not os.path.isfile(path):  # which, unlike Path.is_file, never raises
            raise FieldpostError(
                f"there is no overlay file {str(path)!r}", "`fieldpost docs overlays` shows how to write one."
            )
    return paths


def example(parser: argparse.ArgumentParser, *lines: str) -> None:
    """Examples, above what the program says of its exit status."""
    shown = "\n".join(f"  fieldpost {line}" for line in lines)
    parser.epilog = f"example:\n{shown}\n\n{parser.epilog or ''}".rstrip()


def print_json(value: Any) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    print(UNSHOWN.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text))


def add_plain_map(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plain-map",
        action="store_true",
        help="with --html: without a module beside the log a plain map, instead of drawing the game's first",
    )
