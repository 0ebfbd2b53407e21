"""`fieldpost build`: a game's module."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from fieldpost.commands.options import add_overlays


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"example: fieldpost build wfm -o dist/\n\n{parser.epilog}"
    parser.add_argument("game", help="id of a game in the box, or the folder of your own")
    parser.add_argument("-o", "--out", type=Path, default=Path("dist"), help="folder for the module (dist)")
    add_overlays(parser)
    parser.add_argument(
        "--style", default="classic", choices=("classic", "safe", "print"), help="look of the map (classic)"
    )
    parser.add_argument("--jobs", type=int, default=0, help="processes that draw (one for each core)")
    parser.add_argument("--cache", type=Path, help="folder for pictures drawn before")
    parser.add_argument("--json", action="store_true", help="answer for a program")


def run(arguments: argparse.Namespace) -> int:
    from builder.counters import problems
    from builder.module.faults import DataFault, located
    from builder.module.package import Options, build
    from builder.taken import rebuild
    from fieldpost.definition import load

    if rebuild.is_taken(Path(arguments.game)):
        return _build_taken(arguments)
    game = load(arguments.game, arguments.overlay)
    options = Options(style=arguments.style, cache=arguments.cache, jobs=arguments.jobs)
    try:
        built = build(game, arguments.out, options)
    except DataFault as fault:
        raise located(fault, arguments.game) from fault
    for problem in problems(game):
        print(f"fieldpost: warning: {problem}", file=sys.stderr)
    if arguments.json:
        print(
            json.dumps(
                {"file": str(built.path), "bytes": built.size, "pieces": built.pieces, "setups": built.setups}
            )
        )
        return 0
    print(f"{built.path}: {game.title} {game.version}, {built.pieces} pieces, {built.size / 1e6:.1f} MB")
    for setup in built.setups:
        print(f"  set-up: {setup}")
    print("Open it with VASSAL: File, Open Module.")
    return 0


def _build_taken(arguments: argparse.Namespace) -> int:
    """A folder that a stranger's module was taken into."""
    from builder.taken import rebuild

    made = rebuild.make(Path(arguments.game), arguments.out)
    if arguments.json:
        print(
            json.dumps(
                {"file": str(made.path), "bytes": made.size, "pieces": made.pieces, "setups": made.setups}
            )
        )
    else:
        print(f"{made.path}: {made.title} {made.version}, {made.pieces} pieces, {made.size / 1e6:.1f} MB")
    return 0
