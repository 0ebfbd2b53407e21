"""Sheets that stand in for pictures and charts which a module names and does not hold, marked as such."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import BinaryIO

from PIL import Image, ImageDraw

from builder.fonts import font
from fieldpost import bounds
from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive, steps
from fieldpost.vassal.grid import Size
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import GameMap
from fieldpost.vassal.module_tree import Component
from fieldpost.vassal.table import Table

_PAPER, _INK = (236, 233, 224), (120, 60, 50)
_LETTERS_PX = 12
_PIECE, _ICON, _CHART, _LEAST_BOARD = Size(60, 60), Size(24, 24), Size(400, 300), 1_000
_MARGIN = 100
_MOST_PX = 8_000
_MOST = 5_000
_LONGEST_NAME = 120
_NO_LETTERS = '\\:*?"<>|'
"""Some system cannot have them in the name of a file."""
_LARGE = 300  # from here on a sheet says its name and has no cross
_POINT = re.compile(r"(-?\d{1,7}),(-?\d{1,7})")


def pictures(module: Module, stream: BinaryIO, name: str, missing: Iterable[str]) -> dict[str, bytes]:
    """A sheet for each name that can be a file's: a board's as large as what stands on it needs."""
    names = [one for one in sorted(missing) if is_file_name(one)]
    files = {entry.removeprefix("images/") for entry in module.entries} | set(names)
    folders = {above for one in files for above in _above(one)}
    names = [one for one in names if one not in folders and not files.intersection(_above(one))][:_MOST]
    boards = _board_sizes(module, stream, name, set(names))
    icons = {
        value
        for part in module.root.each()
        for key, value in part.attributes.items()
        if key.lower().endswith("icon")
    }
    return {one: sheet(one, boards.get(one) or (_ICON if one in icons else _PIECE)) for one in names}


def charts(missing: Iterable[str]) -> dict[str, bytes]:
    """By the entries of the module they are looked for in."""
    found: dict[str, bytes] = {}
    for name in sorted(missing):
        if is_file_name(name):
            is_page = name.lower().endswith((".htm", ".html", ".txt"))
            found[name if is_page else f"images/{name}"] = _page(name) if is_page else sheet(name, _CHART)
    return found


def is_file_name(name: str) -> bool:
    sound = name.isprintable() and len(name) <= _LONGEST_NAME and not set(name) & set(_NO_LETTERS)
    return sound and all(part.strip(". ") for part in name.split("/"))


def _above(name: str) -> list[str]:
    """The folders a file is in."""
    parts = name.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


# --- how large a board is ----------------------------------------------------------------------------


def _board_sizes(module: Module, stream: BinaryIO, name: str, missing: set[str]) -> dict[str, Size]:
    found: dict[str, Size] = {}
    for game_map, part in zip(module.maps, module.map_parts, strict=True):
        lacking = [board for board in game_map.boards if board.image in missing]
        if not lacking:
            continue
        alone = len(game_map.boards) == 1
        placed = list(_placed(module, game_map, stream, name)) if alone else []
        for board in lacking:
            parts = [one for one in part.all(".Board") if one.get("name") == board.name]
            points = [*placed, *_drawn(parts), (board.size.width - _MARGIN, board.size.height - _MARGIN)]
            points += [(one.x, one.y) for one in game_map.stacks if one.board == board.name]
            points += [(one.x, one.y) for one in game_map.decks if one.board == board.name]
            width, height = (max(point[axis] for point in points) + _MARGIN for axis in (0, 1))
            found[str(board.image)] = Size(_board_px(width), _board_px(height))
    return found


def _board_px(needed: int) -> int:
    return min(max(_LEAST_BOARD, needed), _MOST_PX)


def _drawn(boards: Iterable[Component]) -> Iterator[tuple[int, int]]:
    """Points of zones and regions."""
    for part in (one for board in boards for one in board.each()):
        yield part.integer("originx"), part.integer("originy")
        yield from ((int(x), int(y)) for x, y in _POINT.findall(part.get("path")))


def _placed(module: Module, game_map: GameMap, stream: BinaryIO, name: str) -> Iterator[tuple[int, int]]:
    """Where set-ups have pieces on the map, from the corner of its board."""
    files = sorted({setup.file for setup in module.setups if setup.file} & module.entries)
    for file, content in zip(files, archive.extract_from(stream, name, files), strict=True):
        if isinstance(content, FieldpostError):
            continue
        try:
            with bounds.time_held():
                table = Table.of(steps.of(archive.member_of(content, file)))
        except FieldpostError:
            continue
        for piece in table.pieces.values():
            if piece.place.map == game_map.name:
                yield piece.place.x - game_map.edge.width, piece.place.y - game_map.edge.height


# --- drawing -----------------------------------------------------------------------------------------


def sheet(name: str, size: Size) -> bytes:
    """In the format that the name's ending says; a PNG, where it has none."""
    if name.lower().endswith(".svg"):
        return _drawing(name, size)
    picture = Image.new("P", size, 0)
    picture.putpalette([*_PAPER, *_INK])
    draw = ImageDraw.Draw(picture)
    draw.fontmode = "1"
    right, below = size.width - 1, size.height - 1
    draw.rectangle((0, 0, right, below), outline=1)
    if max(size) < _LARGE:
        draw.line((0, 0, right, below), fill=1)
        draw.line((0, below, right, 0), fill=1)
    said = name if max(size) < _LARGE else f"{name} is missing"
    draw.text((3, 1), said, fill=1, font=font("sans", _LETTERS_PX))
    written = io.BytesIO()
    if name.lower().endswith((".jpg", ".jpeg")):
        picture.convert("RGB").save(written, "JPEG")
    else:
        picture.save(written, "GIF" if name.lower().endswith(".gif") else "PNG")
    return written.getvalue()


def _drawing(name: str, size: Size) -> bytes:
    width, height = size
    paper, ink = f"rgb{_PAPER}", f"rgb{_INK}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
        f'<rect width="{width}" height="{height}" fill="{paper}" stroke="{ink}"/>'
        f'<path d="M0 0L{width} {height}M0 {height}L{width} 0" stroke="{ink}"/>'
        f'<text x="3" y="{_LETTERS_PX}" font-size="{_LETTERS_PX}" fill="{ink}">{escape(name)}</text></svg>'
    ).encode()


def _page(name: str) -> bytes:
    return f"<html><body><p>{escape(name)} is missing.</p></body></html>".encode()
