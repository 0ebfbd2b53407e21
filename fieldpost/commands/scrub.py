"""`fieldpost scrub`: a copy of a log without passwords and mail addresses."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.commands.options import example
from fieldpost.errors import FieldpostError
from fieldpost.phrases import count
from fieldpost.progress import track

if TYPE_CHECKING:
    from fieldpost.vassal.module import Module
    from fieldpost.vassal.secrets import Disguises
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
    parser.add_argument(
        "input", nargs="+", help="a .vlog or .vsav; several of one game keep their players apart"
    )
    parser.add_argument("output", help="the copy, of several logs a folder for them; must not be there yet")
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
    example(
        parser,
        "scrub turn23.vlog turn23-copy.vlog --names",
        "scrub turn*.vlog copies",
        "scrub turn23.vlog public.vlog --seal",
    )


def run(arguments: argparse.Namespace) -> int:
    from fieldpost.vassal.secrets import Disguises, untyped

    output = Path(arguments.output)
    if output.exists():
        raise FieldpostError(f"{output.name} is there already", "Name a new file.")
    if arguments.module and not arguments.seal:
        raise FieldpostError("--module is for --seal alone", "Without it nothing hidden is taken out.")
    disguises = Disguises.untyped(untyped())
    copies = _copies([Path(name) for name in arguments.input], output)
    if len(copies) > 1:
        output.mkdir()
    for path, copy in copies.items():
        _copy(arguments, path, copy, disguises)
    names = "" if arguments.names else ", the players' names"
    print((SEALED if arguments.seal else STILL_IN_IT).format(names=names))
    return 0


def _copies(logs: list[Path], output: Path) -> dict[Path, Path]:
    """Where the copy of each log goes."""
    if len(logs) == 1:
        return {logs[0]: output}
    twice = [name for name, times in Counter(log.name for log in logs).items() if times > 1]
    if twice:
        raise FieldpostError(f"two logs are called {twice[0]}", "Their copies lie in one folder: rename one.")
    return {log: output / log.name for log in logs}


def _copy(arguments: argparse.Namespace, path: Path, copy: Path, disguises: Disguises) -> None:
    from fieldpost.vassal import archive, copying, shown, steps
    from fieldpost.vassal.secrets import Scrubber

    data = archive.read_bytes(path)
    log = steps.of(archive.parse(data, path.name))
    scrubber = Scrubber(log, arguments.names, disguises)
    text = scrubber.text(track(log.parts, len(log.parts), "steps"))
    remarks: list[str] = []
    if arguments.seal:
        text, remarks = _sealed(arguments, path, log, text)
    archive.write_bytes(copy, copying.rewritten(data, path.name, text, scrubber.free))
    print(shown.text(f"{copy.name}: {count(scrubber.found, 'password')} taken out"))
    for remark in remarks:
        print(shown.text(remark))


def _sealed(arguments: argparse.Namespace, path: Path, log: Log, text: str) -> tuple[str, list[str]]:
    """What every player sees of a log without its secrets, and what had to be left out of it."""
    from fieldpost.vassal import steps
    from fieldpost.vassal.sealing import Sealer

    sealer = Sealer(steps.parse(text, log.metadata, log.name), _module(arguments, path, log))
    sealed = sealer.text()
    return sealed, sealer.sight.remarks()[1:]


def _module(arguments: argparse.Namespace, path: Path, log: Log) -> Module | None:
    from fieldpost.vassal import naming
    from fieldpost.vassal.module import Module

    if arguments.module:
        return Module.read(arguments.module)
    return naming.beside(path, log.metadata.module)[0]
