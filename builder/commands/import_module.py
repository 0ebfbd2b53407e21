"""`fieldpost import`: a stranger's module taken in as data."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

from fieldpost.commands.options import example

_LINE = 120


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("module", type=Path, help="a .vmod")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to make")
    parser.add_argument("--as-is", action="store_true", help="leave what is broken in it as it is")
    example(parser, "import game.vmod -o my-game", "build my-game")


def run(arguments: argparse.Namespace) -> int:
    from builder.taken import take_apart
    from fieldpost.vassal import shown

    taken = take_apart.take(arguments.module, arguments.output, arguments.as_is)
    counts = taken.counts
    kinds = ("map", "board", "piece", "prototype", "deck", "die", "side", "scenario", "file")
    print(f"{taken.folder}: " + ", ".join(_count(counts[kind], kind) for kind in kinds if counts[kind]))
    print(f"  {sum(taken.passed.values()):,} components are passed through in rest.xml")
    for line in taken.repaired:
        print(shown.text(f"  repaired: {textwrap.shorten(line, _LINE, placeholder=' ...')}"))
    guessed = "what was repaired and guessed" if taken.repaired else "what was guessed"
    print(f"  {taken.folder / 'CONFIRM.md'} says {guessed}")
    print(f"  fieldpost build {taken.folder}     makes the module again")
    return 0


def _count(number: int, noun: str) -> str:
    plural = "dice" if noun == "die" else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"
