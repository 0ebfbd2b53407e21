"""`fieldpost site`: the desk as static files for any web host."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fieldpost.commands import options
from fieldpost.commands.options import add_json, example, print_json


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="DIR", help="where the site is written"
    )
    options.add_own_games(parser)
    parser.add_argument(
        "--group",
        action="store_true",
        help="the page is for your own group: it gives out modules whose rights are others', too",
    )
    add_json(parser)
    example(parser, "site -o site --group", "site -o site && python -m http.server -d site")


def run(arguments: argparse.Namespace) -> int:
    from desk.site import building
    from fieldpost.definition.places import name_own_games

    name_own_games(arguments.game)

    def say(text: str) -> None:
        if sys.stderr.isatty():
            print(f"{text} ...", file=sys.stderr)

    files, withheld = building.build(arguments.out, say, group=arguments.group)
    if arguments.json:
        print_json({"folder": str(arguments.out), "files": files, "withheld": withheld})
        return 0
    size = sum(files.values())
    print(f"{arguments.out}: {len(files)} files, {size / (1 << 20):.1f} MB")
    if withheld:
        print(f"Modules of {', '.join(withheld)} are not in it: their rights are others' (docs/rights.md).")
        print("For a page that only your own group sees: --group")
    print("Put them on any web host that serves files by https. To try it here:")
    print(f"  python -m http.server -b 127.0.0.1 -d {arguments.out}")
    return 0
