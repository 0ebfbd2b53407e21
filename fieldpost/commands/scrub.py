"""`fieldpost scrub`: a copy of a log without passwords and mail addresses."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.commands.options import example
from fieldpost.errors import FieldpostError
from fieldpost.phrases import count
from fieldpost.progress import track

if TYPE_CHECKING:
    from fieldpost.vassal.module import Module
    from fieldpost.vassal.secrets import Scrubber
    from fieldpost.vassal.steps import Log

STILL_IN_IT = (
    "Still in it: the faces of masked and hidden pieces, hands and private windows{names}, what was said. "
    "For publishing, --seal takes out what is hidden."
)
ABOUT = """
Passwords, mail addresses and private notes are taken out. The copy still holds what is hidden from
one of the players: the faces of masked and hidden pieces, hands and private windows. --seal takes
them out. Nobody can sit down as one of its players: they go by ids that no password can be."""
SEALED = "Sealed: only what every player may see is in it{names}, and what was said."


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = f"{parser.description}\n{ABOUT}"
    parser.add_argument("input", help="a .vlog or .vsav")
    parser.add_argument("output", help="the copy; must not be there yet")
    parser.add_argument(
        "--names", action="store_true", help="take the players' names out as well; what is hidden stays in it"
    )
    parser.add_argument(
        "--seal",
        action="store_true",
        help="take out what not every player may see: a copy for publishing",
    )
    parser.add_argument(
        "--module",
        metavar="VMOD",
        help="with --seal: the module, which tells private windows; found by itself beside the log",
    )
    example(parser, "scrub turn23.vlog turn23-copy.vlog --names", "scrub turn23.vlog public.vlog --seal")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost.vassal import archive, copying, shown, steps
    from fieldpost.vassal.secrets import Scrubber, untyped

    if Path(arguments.output).exists():
        raise FieldpostError(f"{Path(arguments.output).name} is there already", "Name a new file.")
    if arguments.module and not arguments.seal:
        raise FieldpostError("--module is for --seal alone", "Without it nothing hidden is taken out.")
    name, data = Path(arguments.input).name, archive.read_bytes(arguments.input)
    log = steps.of(archive.parse(data, name))
    scrubber = Scrubber(log, arguments.names, untyped())
    text = scrubber.text(track(log.parts, len(log.parts), "steps"))
    remarks: list[str] = []
    if arguments.seal:
        text, remarks = _sealed(arguments, log, text)
    archive.write_bytes(arguments.output, copying.rewritten(data, name, text, scrubber.free))
    _report(arguments, scrubber)
    for remark in remarks:
        print(shown.text(remark))
    return 0


def _sealed(arguments: argparse.Namespace, log: Log, text: str) -> tuple[str, list[str]]:
    """What every player sees of a log without its secrets, and what had to be left out of it."""
    from fieldpost.vassal import steps
    from fieldpost.vassal.sealing import Sealer

    sealer = Sealer(steps.parse(text, log.metadata, log.name), _module(arguments, log))
    sealed = sealer.text()
    return sealed, sealer.sight.remarks()[1:]


def _module(arguments: argparse.Namespace, log: Log) -> Module | None:
    from fieldpost.vassal import naming
    from fieldpost.vassal.module import Module

    if arguments.module:
        return Module.read(arguments.module)
    return naming.beside(Path(arguments.input), log.metadata.module)[0]


def _report(arguments: argparse.Namespace, scrubber: Scrubber) -> None:
    from fieldpost.vassal import shown

    removed = count(len(scrubber.secrets()), "password")
    print(shown.text(f"{Path(arguments.output).name}: {removed} taken out"))
    names = "" if arguments.names else ", the players' names"
    print((SEALED if arguments.seal else STILL_IN_IT).format(names=names))
