"""VASSAL's files, read and written.

    from fieldpost.vassal import Table, read_log

    log = read_log("turn.vlog")
    table = Table.of(log)
    for step in log.steps:
        for change in table.step(step):
            ...

The names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fieldpost.vassal.archive import Archive, ArchiveError
    from fieldpost.vassal.archive import read as read_archive
    from fieldpost.vassal.metadata import Metadata
    from fieldpost.vassal.module import Module
    from fieldpost.vassal.pieces import PieceDesign
    from fieldpost.vassal.secrets import redactor, scrub
    from fieldpost.vassal.steps import Log, Step
    from fieldpost.vassal.steps import read as read_log
    from fieldpost.vassal.steps import read_all as read_logs
    from fieldpost.vassal.table import Table
    from fieldpost.vassal.things import Piece, Place
    from fieldpost.vassal.writer import LogBuilder, SaveBuilder

_HOME = {
    "Archive": "archive",
    "ArchiveError": "archive",
    "Log": "steps",
    "LogBuilder": "writer",
    "Metadata": "metadata",
    "Module": "module",
    "Piece": "things",
    "PieceDesign": "pieces",
    "Place": "things",
    "SaveBuilder": "writer",
    "Step": "steps",
    "Table": "table",
    "read_archive": "archive.read",
    "read_log": "steps.read",
    "read_logs": "steps.read_all",
    "redactor": "secrets",
    "scrub": "secrets",
}

__all__ = [
    "Archive",
    "ArchiveError",
    "Log",
    "LogBuilder",
    "Metadata",
    "Module",
    "Piece",
    "PieceDesign",
    "Place",
    "SaveBuilder",
    "Step",
    "Table",
    "read_archive",
    "read_log",
    "read_logs",
    "redactor",
    "scrub",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, _, function = _HOME[name].partition(".")
    return getattr(import_module(f"{__name__}.{home}"), function or name)
