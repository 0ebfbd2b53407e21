"""`fieldpost scrub`: a copy of a log without passwords and mail addresses."""

from __future__ import annotations

import argparse
from pathlib import Path

from fieldpost.commands.options import example
from fieldpost.errors import FieldpostError
from fieldpost.progress import track


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", help="a .vlog or .vsav")
    parser.add_argument("output", help="the copy; must not be there yet")
    parser.add_argument("--names", action="store_true", help="take the players' names out as well")
    example(parser, "scrub turn23.vlog turn23-public.vlog --names")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost.vassal import archive, copying, shown, steps
    from fieldpost.vassal.secrets import Scrubber, untyped

    if Path(arguments.output).exists():
        raise FieldpostError(f"{Path(arguments.output).name} is there already", "Name a new file.")
    name, data = Path(arguments.input).name, archive.read_bytes(arguments.input)
    log = steps.of(archive.parse(data, name))
    scrubber = Scrubber(log, arguments.names, untyped())
    text = scrubber.text(track(log.parts, len(log.parts), "steps"))
    archive.write_bytes(arguments.output, copying.rewritten(data, name, text, scrubber.free))
    removed = len(scrubber.secrets())
    print(
        shown.text(
            f"{Path(arguments.output).name}: {removed} password{'' if removed == 1 else 's'} taken out"
        )
    )
    return 0
