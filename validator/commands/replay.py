"""`fieldpost replay`: the logs of a game as a page to step through, on the module's own boards."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fieldpost.commands import options
from fieldpost.commands.options import example
from validator.commands.output import not_used


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", type=Path, nargs="+", help="logs and saves of one game, folders, zips, mails or mailboxes"
    )
    parser.add_argument(
        "--module", type=Path, metavar="VMOD", help="the module; found by itself if it lies beside the logs"
    )
    options.add_view(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="OUT.html",
        default=Path("replay.html"),
        help="the page (replay.html)",
    )
    example(parser, "replay our-game/ --module game.vmod -o game.html")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost import pages
    from validator.anygame import replay
    from validator.anygame.audit import of_chain
    from validator.anygame.one_log import Library
    from validator.audit import sources
    from validator.commands import any_game

    library = Library(arguments.path, arguments.module)
    items, unusable = sources.apart(sources.gather(arguments.path))
    chain, spoiled = any_game.chain_of(items, library)
    any_game.say_other_module(library, chain)
    audit = of_chain(chain)
    art = replay.art_for(library.path(audit.module), library.extensions(audit.module))
    page = replay.render(audit, items, library, art, options.view(arguments))
    pages.write(arguments.output, page)
    steps = sum(len(entry.done) for entry in chain.entries)
    print(f"{arguments.output}: {steps:,} steps, {len(page) / 1_000_000:.1f} MB")
    if art is None:
        print("Without its module there are no boards and pictures: --module MODULE.vmod", file=sys.stderr)
    left = [*sources.spoiled(unusable), *spoiled]
    not_used(left)
    return 2 if left else 0
