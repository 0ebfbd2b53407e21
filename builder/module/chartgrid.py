"""The grid of a chart: heading and cells; the seasons of a class of units stand together under its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from fieldpost.definition.model import Table

ELSE = "else"  # heading of the column for every season without one of its own
_JOINT = re.compile(r"(?<=[a-z])(?<!\bnon)(?<!\bcounter)-(?=[a-z])")  # hyphens that part the words of an id
_SHORT = re.compile(r"\b(los|zoc|mp|crt|hq|kg)\b")


@dataclass(frozen=True)
class Grid:
    """Lines of cells, the first of them the heading; `groups` stand above it: a name and its columns."""

    lines: tuple[tuple[str, ...], ...]
    groups: tuple[tuple[str, int, int], ...] = ()  # name, first column, last column

    @property
    def grouped(self) -> frozenset[int]:
        return frozenset(column for _, first, last in self.groups for column in range(first, last + 1))


def grid(table: Table) -> Grid:
    order = _order(table.columns)
    columns = [table.columns[at] for at in order]
    seasonal = {column.partition("@")[0] for column in columns if "@" in column}
    head = [_capital(table.corner), *(_heading(column, seasonal) for column in columns)]
    rows = [(row.label or row.id, *(_readable(row.cells[at]) for at in order)) for row in table.rows]
    return Grid((tuple(head), *rows), tuple(_groups(columns, seasonal)))


def _order(columns: tuple[str, ...]) -> list[int]:
    """Each class with its seasons after it, classes in the order they come in."""
    classes = [column.partition("@")[0] for column in columns]
    return sorted(range(len(columns)), key=lambda at: (classes.index(classes[at]), at))


def _groups(columns: list[str], seasonal: set[str]) -> list[tuple[str, int, int]]:
    found, at = [], 1
    for name, members in groupby(columns, lambda column: column.partition("@")[0]):
        count = len(list(members))
        if name in seasonal:
            found.append((_named(name), at, at + count - 1))
        at += count
    return found


def _heading(column: str, seasonal: set[str]) -> str:
    name, _, season = column.partition("@")
    return (season or ELSE) if name in seasonal else _named(column)


def _named(text: str) -> str:
    """An id as people write it: `los` is LOS, `first-to-move` three words."""
    return _capital(_SHORT.sub(lambda match: match[0].upper(), _JOINT.sub(" ", text)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _readable(text: str) -> str:
    """An id in a cell as words; numbers and results stay."""
    return re.sub(r"\bss\b", "SS", re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text))
