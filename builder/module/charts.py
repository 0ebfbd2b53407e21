"""Charts: every table of a game, typeset as a picture for the module's chart window."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from PIL import Image, ImageDraw, ImageFont

from builder.fonts import font
from builder.module import chartgrid
from builder.module.chartgrid import Grid
from fieldpost.definition.model import Provenance, Table

PAPER = "#fbf8f0"
INK = "#26231f"
SOFT = "#6d665c"
RULE = "#cfc6b4"
HEAD = "#3d4a52"
HEAD_INK = "#ffffff"
STRIPE = "#f1ecdf"
AGAINST = "#f3d7d0"  # cells that hurt the attacker
FOR = "#d6e4d3"  # cells that hurt the defender
BOTH = "#e9c46a"

_PAD_X, _PAD_Y, _MARGIN = 12, 7, 28
_LEAST = 420  # narrower tables are stretched
_STEP = 23  # from line to line below the table
_MAX_CELL = 230
_WINDOW = 1180  # the pane of the chart in templates/module/buildFile.xml.j2
_MAX_IN_WIDE = 126  # where there are groups
_TIGHT = 6  # beside the words of a column that stands in a group


@dataclass(frozen=True)
class Type:
    """The faces of a chart."""

    title: ImageFont.FreeTypeFont
    head: ImageFont.FreeTypeFont
    cell: ImageFont.FreeTypeFont
    note: ImageFont.FreeTypeFont


def draw(table: Table) -> Image.Image:
    faces = Type(font("serif-bold", 30), font("sans-bold", 17), font("sans-medium", 18), font("sans", 16))
    grid = chartgrid.grid(table)
    widths = _stretched(_widths(grid, faces))
    width = max(sum(widths), round(faces.title.getlength(table.title))) + 2 * _MARGIN
    notes = list(_notes(table, faces, width - 2 * _MARGIN))
    lines = [_height(table, line, widths, number, faces) for number, line in enumerate(grid.lines)]
    above = _line(faces.head) + _PAD_Y if grid.groups else 0
    height = _MARGIN + 50 + above + sum(lines) + 16 + len(notes) * _STEP + _MARGIN
    image = Image.new("RGB", (width, height), PAPER)
    pen = ImageDraw.Draw(image)
    pen.text((_MARGIN, _MARGIN + 26), table.title, font=faces.title, fill=INK, anchor="ls")
    y = _MARGIN + 44
    first = y
    y += above
    for number, (cells, line) in enumerate(zip(grid.lines, lines, strict=True)):
        _row(pen, table, cells, widths, y, line, number, faces)
        y += line
    _groups(pen, grid, widths, (first, first + above, y), faces)
    for number, note in enumerate(notes):
        _write_note(pen, note, y + 16 + number * _STEP, faces)
    return image


def _stretched(widths: list[int]) -> list[int]:
    """A small table fills its page, so that it does not look lost."""
    lacking = max(_LEAST - sum(widths), 0)
    share, rest = divmod(lacking, len(widths))
    return [width + share + (1 if number < rest else 0) for number, width in enumerate(widths)]


@dataclass(frozen=True)
class Note:
    """A line below the table; a modifier's value stands before its words."""

    text: str
    value: str = ""
    indent: int = 0
    soft: bool = False


def _write_note(pen: ImageDraw.ImageDraw, note: Note, y: float, faces: Type) -> None:
    ink = SOFT if note.soft else INK
    if note.value:
        at = _MARGIN + note.indent - _PAD_X
        pen.text((at, y + 16), note.value, font=faces.head, fill=INK, anchor="rs")
    pen.text((_MARGIN + note.indent, y + 16), note.text, font=faces.note, fill=ink, anchor="ls")


def _groups(
    pen: ImageDraw.ImageDraw, grid: Grid, widths: Sequence[int], at: tuple[int, int, int], faces: Type
) -> None:
    """Each name above its columns, which lines part from the rest; `at` is the top, the heading, the end."""
    top, head, end = at
    edges = [_MARGIN + sum(widths[:column]) for column in range(len(widths) + 1)]
    if grid.groups:
        pen.rectangle((_MARGIN, top, edges[-1] - 1, head), fill=HEAD)
    for name, first, last in grid.groups:
        left, right = edges[first], edges[last + 1]
        pen.text(((left + right) / 2, head - 3), name, font=faces.head, fill=HEAD_INK, anchor="ms")
        pen.line((left + 5, head + 2, right - 6, head + 2), fill=HEAD_INK)
        for x in (left, right):
            pen.line((x, top, x, end - 1), fill=SOFT)


def _row(
    pen: ImageDraw.ImageDraw,
    table: Table,
    cells: Sequence[str],
    widths: Sequence[int],
    y: int,
    height: int,
    number: int,
    faces: Type,
) -> None:
    x = _MARGIN
    for column, (text, width) in enumerate(zip(cells, widths, strict=True)):
        ground, ink, face = _look(table, text, number, column, faces)
        pen.rectangle((x, y, x + width - 1, y + height - 1), fill=ground)
        lines = _wrap(text, face, width - 2 * _PAD_X)
        step = _line(face)
        top = y + (height - step * len(lines)) / 2
        for index, line in enumerate(lines):
            at = top + step * index + step * 0.78
            if column == 0:
                pen.text((x + _PAD_X, at), line, font=face, fill=ink, anchor="ls")
            else:
                pen.text((x + width / 2, at), line, font=face, fill=ink, anchor="ms")
        x += width
    pen.line((_MARGIN, y + height - 1, x - 1, y + height - 1), fill=RULE)


def _look(
    table: Table, text: str, number: int, column: int, faces: Type
) -> tuple[str, str, ImageFont.FreeTypeFont]:
    if number == 0:
        return HEAD, HEAD_INK, faces.head
    if column == 0:
        return STRIPE, INK, faces.head
    if table.kind == "combat-results":
        return _result_ground(text) or (STRIPE if number % 2 else PAPER), INK, faces.cell
    return (STRIPE if number % 2 else PAPER), INK, faces.cell


def _result_ground(text: str) -> str | None:
    if re.search(r"\d\s*/\s*\d|BB|EX", text):
        return BOTH
    if text.startswith("A"):
        return AGAINST
    return FOR if text.startswith("D") else None


def _widths(grid: Grid, faces: Type) -> list[int]:
    """As wide as the text; if that is more than the window has, headings break between their words."""
    widths = _whole(grid, faces)
    if sum(widths) + 2 * _MARGIN <= _WINDOW:
        return widths
    longest = tuple(max(text.split() or [""], key=faces.head.getlength) for text in grid.lines[0])
    return _whole(Grid((longest, *grid.lines[1:]), grid.groups), faces, _TIGHT)


def _whole(grid: Grid, faces: Type, space: int = _PAD_X) -> list[int]:
    widths = [
        min(_widest(grid, column, faces), _MAX_IN_WIDE if grid.groups else _MAX_CELL)
        + 2 * (_TIGHT if column in grid.grouped else space if column else _PAD_X)
        for column in range(len(grid.lines[0]))
    ]
    for name, first, last in grid.groups:
        lacking = faces.head.getlength(name) + 2 * _PAD_X - sum(widths[first : last + 1])
        for column in range(first, last + 1):
            widths[column] += max(0, ceil(lacking / (last - first + 1)))
    return widths


def _widest(grid: Grid, column: int, faces: Type) -> int:
    return round(
        max(
            (faces.head if column == 0 or number == 0 else faces.cell).getlength(line[column])
            for number, line in enumerate(grid.lines)
        )
    )


def _height(table: Table, cells: Sequence[str], widths: Sequence[int], number: int, faces: Type) -> int:
    most = 1
    for column, (text, width) in enumerate(zip(cells, widths, strict=True)):
        _, _, face = _look(table, text, number, column, faces)
        most = max(most, len(_wrap(text, face, width - 2 * _PAD_X)))
    return most * _line(faces.cell) + 2 * _PAD_Y


def _line(face: ImageFont.FreeTypeFont) -> int:
    return round(face.size * 1.22)


def _notes(table: Table, faces: Type, width: int) -> Iterator[Note]:
    yield from _modifiers(table, faces, width)
    for note in table.notes:
        yield from (Note(line) for line in _wrap(note, faces.note, width))
    yield from (Note(line, soft=True) for line in _wrap(source(table.provenance), faces.note, width))


def _modifiers(table: Table, faces: Type, width: int) -> Iterator[Note]:
    values = [modifier.cells[0] if modifier.cells else "" for modifier in table.modifiers]
    indent = round(max((faces.head.getlength(value) for value in values), default=0)) + _PAD_X
    for modifier, value in zip(table.modifiers, values, strict=True):
        more = f" ({', '.join(modifier.cells[1:])})" if modifier.cells[1:] else ""
        text = f"{modifier.label or modifier.id}{more}"
        for number, line in enumerate(_wrap(text, faces.note, width - indent)):
            yield Note(line, "" if number else value, indent)


def source(provenance: Provenance) -> str:
    """Where a table comes from, in a sentence."""
    if provenance.source == "rulebook":
        return f"From the rulebook, {provenance.rule}." if provenance.rule else "From the rulebook."
    if provenance.source == "owner":
        return "From the owner's copy of the game."
    return f"Reconstructed: {provenance.how}" if provenance.how else "Reconstructed."


def _wrap(text: str, face: ImageFont.FreeTypeFont, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and face.getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
