"""`fieldpost dump`: a log step by step."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fieldpost.commands import options
from fieldpost.commands.options import add_json, example, print_json
from fieldpost.progress import track

if TYPE_CHECKING:
    from fieldpost.errors import FieldpostError
    from fieldpost.vassal.module import Module
    from fieldpost.vassal.steps import Log


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a .vlog or .vsav")
    parser.add_argument(
        "--module",
        metavar="VMOD",
        help="the module, for hex names; found by itself if it lies beside the log",
    )
    form = parser.add_mutually_exclusive_group()
    add_json(form)  # type: ignore[arg-type]
    parser.add_argument("--all", action="store_true", help="print every change of a step, however many")
    options.add_view(parser)
    form.add_argument(
        "--raw",
        action="store_true",
        help="print the tree of commands as VASSAL stores it, with all that is hidden in it",
    )
    example(parser, "dump turn23.vlog", "dump turn23.vlog --module game.vmod --json")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost.vassal import shown

    log, error = _read(arguments.file)
    remarks = list(log.remarks)
    if arguments.raw:
        _print_raw(log)
    else:
        module, unusable = (None, []) if error else _module(arguments, log)
        remarks += unusable
        replay = _Replay(log, module, options.view(arguments))
        steps, problems = _told(replay, arguments)
        head = [shown.text(line) for line in replay.sight.remarks()]
        if arguments.json:
            print_json(_report(arguments.file, replay, steps, problems, head, remarks, error))
        else:
            _print_steps(log, head, steps, problems)
    for remark in remarks:
        print(shown.text(f"{log.name}: {remark}"), file=sys.stderr)
    if error is not None:
        raise error
    return 0


def _read(name: str) -> tuple[Log, FieldpostError | None]:
    """The log without its secrets and, of a damaged one, the readable beginning and what is wrong."""
    from fieldpost.vassal import secrets, steps
    from fieldpost.vassal.archive import ArchiveError

    try:
        return secrets.discreet(steps.read(name)), None
    except ArchiveError as error:
        partial = error.partial
        if partial is None or not partial.text:
            raise
        return secrets.discreet(steps.of(partial)), error


def _module(arguments: argparse.Namespace, log: Log) -> tuple[Module | None, list[str]]:
    """The module that was named, else the one beside the log; what there could not be used."""
    from fieldpost.vassal import naming
    from fieldpost.vassal.module import Module

    if arguments.module:
        return Module.read(arguments.module), []
    return naming.beside(Path(arguments.file), log.metadata.module)


class _Replay:
    """A log, its table and what is seen of it."""

    def __init__(self, log: Log, module: Module | None, side: str | None) -> None:
        from fieldpost.vassal import naming, sight
        from fieldpost.vassal.seen import Watch
        from fieldpost.vassal.table import Table

        self.log, self.module = log, module
        self.table = Table.of(log)
        self.sight = sight.Sight(self.table, module, side, log.metadata.module)
        if side is not None:
            sight.check_side(side, [self.table])
        self.watch = Watch(self.sight)
        self.name = naming.namer(module, self.table)


def _told(
    replay: _Replay, arguments: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Replay the log: each step told, and what could not be carried out."""
    from fieldpost.vassal import shown, story

    log, table, name = replay.log, replay.table, replay.name
    steps: list[dict[str, Any]] = []
    for step in track(log.steps, len(log.steps), "steps"):
        changes = table.step(step)
        seen = replay.watch.see(changes)
        told: dict[str, Any] = {
            "number": step.number,
            "who": shown.text(story.who(table, changes)),
            "undoes": step.undoes,
            "undone_by": step.undone_by,
        }
        if arguments.json:
            told["changes"] = [shown.data(story.as_data(change, name, replay.watch)) for change in seen]
        else:
            told["text"] = shown.text(story.line(seen, name, None if arguments.all else story.SHORT))
            told["link"] = story.link(step)
        steps.append(told)
    problems = [{"step": one.step, "message": shown.text(one.message)} for one in table.problems]
    return steps, problems


def _report(
    file: str,
    replay: _Replay,
    steps: list[dict[str, Any]],
    problems: list[dict[str, Any]],
    seen_by: list[str],
    remarks: list[str],
    error: FieldpostError | None,
) -> Any:
    from fieldpost.vassal import shown

    meta, module = replay.log.metadata, replay.module
    head = {
        "file": file,
        "module": meta.module,
        "version": meta.version,
        "engine": meta.engine,
        "hexes_named_by": module.name if module else None,
        "error": error.message if error else None,
        "seen_by": seen_by,
        "remarks": remarks,
    }
    return {**dict(shown.data(head)), "problems": problems, "steps": steps}  # type: ignore[call-overload]


def _print_steps(
    log: Log, head: list[str], steps: list[dict[str, Any]], problems: list[dict[str, Any]]
) -> None:
    from fieldpost.vassal import shown

    for line in head:
        print(line)
    if not steps:
        print(shown.text(f"{log.name}: no steps, a position only"))
    digits = len(str(len(steps)))
    width = min(max((len(step["who"]) for step in steps), default=0), 20)
    for step in steps:
        who = step["who"][:width]
        link = f"  ({step['link']})" if step["link"] else ""
        print(f"{step['number']:>{digits}}  {who:<{width}}  {step['text']}{link}")
    for problem in problems:
        print(f"step {problem['step']}: {problem['message']}", file=sys.stderr)


def _print_raw(log: Log) -> None:
    from fieldpost.vassal import shown, tree

    for part in log.parts:
        for depth, node in tree.read(part).walk():
            readable = node.text.replace("\t", "<TAB>").replace("\n", "<NL>").replace("\x1b", "<ESC>")
            print("  " * min(depth, 40) + shown.text(readable))
