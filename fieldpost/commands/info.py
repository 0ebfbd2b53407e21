"""`fieldpost info`: what a log, save or module holds."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from fieldpost.commands.options import add_json, example, print_json
from fieldpost.phrases import count
from fieldpost.progress import track

if TYPE_CHECKING:
    from fieldpost.errors import FieldpostError
    from fieldpost.vassal.summary import Summary

_KINDS = {
    "log": "log",
    "save": "saved game",
    "module": "module",
    "extension": "extension",
    "container": "archive of logs and saves",
    "folder": "folder",
    "other": "no VASSAL file, though a zip archive",
    "unreadable": "unreadable",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="+", help="a .vlog, .vsav, .vmod, .vmdx, a zip or a folder of several")
    add_json(parser)
    example(parser, "info turn23.vlog", "info turns/*.vlog --json")


def run(arguments: argparse.Namespace) -> int:
    from fieldpost import bounds
    from fieldpost.vassal import shown, summary

    found: list[Summary] = []
    stopped: FieldpostError | None = None
    try:
        for name in track(arguments.file, len(arguments.file), "files"):
            found.extend(summary.of_path(name))
    except bounds.TooMuch as limit:  # what was read before it is told
        stopped = limit
    if arguments.json:
        print_json([shown.data(entry.as_data()) for entry in found])
    else:
        for entry in found:
            print(shown.text(_as_text(entry)))
    for entry in found:
        for remark in entry.remarks:
            print(shown.text(f"fieldpost: {entry.file}: {remark}"), file=sys.stderr)
    if stopped is not None:
        raise stopped
    broken = [entry.error for entry in found if entry.error]
    for error in broken:
        print(shown.text(f"fieldpost: {error}"), file=sys.stderr)
    return 2 if broken else 0


def _as_text(entry: Summary) -> str:
    return "\n".join([f"{entry.file}: {_headline(entry)}", *(f"  {line}" for line in _details(entry))])


def _headline(entry: Summary) -> str:
    meta = entry.metadata
    words = [_KINDS.get(entry.kind, entry.kind)]
    if meta.module:
        words.append(f"of {meta.module}" if entry.kind != "module" else meta.module)
    if meta.version:
        words.append(meta.version)
    if meta.engine:
        # VASSAL dates what it saves; what programs such as ours write for it bears no date
        words.append(f"{'by' if meta.date else 'for'} VASSAL {meta.engine}")
    if meta.date:
        words.append(f"on {meta.date:%Y-%m-%d %H:%M} UTC")
    return " ".join(words)


def _details(entry: Summary) -> list[str]:
    from fieldpost.vassal import chat

    lines = [chat.plain(entry.metadata.description)] if entry.metadata.description else []
    if entry.players:
        named = (f"{chat.plain(name)} ({chat.plain(side)})" for name, side in entry.players)
        lines.append("players: " + ", ".join(named))
    if entry.kind in ("log", "save"):
        lines.append(f"{count(entry.pieces, 'piece')} on maps {', '.join(entry.maps) or 'unnamed'}")
    if entry.steps:
        lines.append(
            f"{count(entry.steps, 'step')}: {count(entry.moves, 'move')}, "
            f"{count(entry.dice, 'dice roll')}, {count(entry.undos, 'undo')}"
        )
    if entry.games:
        lines.append(f"holds {', '.join(entry.games[:20])}{' ...' if len(entry.games) > 20 else ''}")
    lines += entry.remarks
    if entry.error:
        lines.append(f"not read to its end: {entry.error.message}")
    return lines
