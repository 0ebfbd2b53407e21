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
    from dataclasses import replace

    from fieldpost.vassal import archive, steps
    from fieldpost.vassal.secrets import Scrubber

    if Path(arguments.output).exists():
        raise FieldpostError(f"{Path(arguments.output).name} is there already", "Name a new file.")
    log = steps.read(arguments.input)
    scrubber = Scrubber(log, arguments.names)
    meta = log.metadata
    parts = track(log.parts, len(log.parts), "steps")
    clean = replace(meta, description=scrubber.free(meta.description) if meta.description else None)
    archive.write_game(arguments.output, scrubber.text(parts), clean)
    removed = len(scrubber.secrets())
    print(f"{Path(arguments.output).name}: {removed} password{'' if removed == 1 else 's'} taken out")
    return 0
