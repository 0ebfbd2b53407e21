"""A sheet view: every face of a game once, by nationality and kind, to look at on a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from PIL import Image

from builder.counters import text
from builder.counters.colors import Rgb
from builder.counters.faces import SIZE_PX, draw_look
from builder.counters.layout import layout
from builder.counters.look import Look, counter_look, marker_look
from fieldpost.definition.model import Counter, Game
from fieldpost.errors import FieldpostError

PAPER: Rgb = (238, 233, 220)
TITLE: Rgb = (40, 36, 30)
SUBTLE: Rgb = (105, 97, 84)
COLUMNS = 20
LARGEST_SHEET = 60_000_000  # pixels


class Piece(NamedTuple):
    """The sides of one counter and how many of it there are."""

    looks: tuple[Look, ...]
    copies: int


class Section(NamedTuple):
    title: str
    pieces: tuple[Piece, ...]


def sheet(game: Game, size_px: int = SIZE_PX, columns: int = COLUMNS) -> Image.Image:
    """All faces in rows under headings; alike counters are shown once, with their number."""
    return _Sheet(size_px, columns).draw(game.title, list(sections(game)))


def sections(game: Game) -> Iterator[Section]:
    for side in game.sides:
        for nation in side.nationalities:
            pieces = tuple(_pieces(game, [c for c in game.counters if _nation(game, c) == nation.id]))
            if pieces:
                yield Section(f"{side.name} · {nation.name}", pieces)
    for kind, markers in groupby(sorted(game.markers, key=lambda m: m.kind), key=lambda m: m.kind):
        pieces = tuple(
            Piece(tuple(marker_look(game, m, face + 1) for face in range(len(m.faces))), m.count)
            for m in markers
        )
        yield Section(f"Markers · {kind.replace('-', ' ')}", pieces)


def _nation(game: Game, counter: Counter) -> str:
    return counter.nationality or game.unit_type[counter.type].nationality


def _pieces(game: Game, counters: Sequence[Counter]) -> Iterator[Piece]:
    """Counters in order of their types; the alike become one piece."""
    order = {t.id: i for i, t in enumerate(game.unit_types)}
    found: dict[tuple[Look, ...], int] = {}
    for counter in sorted(counters, key=lambda c: order[c.type]):
        looks = tuple(counter_look(game, counter, step + 1) for step in range(len(counter.steps)))
        found[looks] = found.get(looks, 0) + 1
    return (Piece(looks, count) for looks, count in found.items())


class _Sheet:
    def __init__(self, size_px: int, columns: int) -> None:
        self.size = layout(size_px).size
        self.columns = columns
        self.gap = max(4, size_px // 9)
        self.cell = size_px + self.gap
        self.head = round(size_px * 0.62)
        self.foot = max(10, size_px // 6)  # under each row, for the numbers
        self.left = size_px // 2

    def draw(self, title: str, parts: Sequence[Section]) -> Image.Image:
        rows = [list(self._rows(part.pieces)) for part in parts]
        height = self.size + sum(self.head + sum(map(self._high, r)) for r in rows) + self.left
        picture = self._paper(2 * self.left + self.columns * self.cell, height)
        self._word(picture, title, "sans-black", self.size // 4, self.left, round(self.size * 0.7), TITLE)
        y = self.size
        for part, lines in zip(parts, rows, strict=True):
            cap = max(8, self.size // 7)
            self._word(picture, part.title, "sans-semibold", cap, self.left, y + self.head - self.gap, TITLE)
            y += self.head
            for line in lines:
                self._row(picture, line, y)
                y += self._high(line)
        return picture

    def _paper(self, width: int, height: int) -> Image.Image:
        if width * height > LARGEST_SHEET:
            raise FieldpostError(
                f"a sheet of {width} by {height} pixels is too large",
                "Choose a smaller size, or single pictures.",
            )
        return Image.new("RGB", (width, height), PAPER)

    def _high(self, row: Sequence[Piece]) -> int:
        return self.cell + (self.foot if any(piece.copies > 1 for piece in row) else 0)

    def _rows(self, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
        """The sides of a counter stay in one row."""
        row: list[Piece] = []
        for piece in pieces:
            if row and sum(len(p.looks) for p in [*row, piece]) > self.columns:
                yield row
                row = []
            row.append(piece)
        yield row

    def _row(self, picture: Image.Image, row: Sequence[Piece], y: int) -> None:
        x = self.left
        for piece in row:
            for look in piece.looks:
                face = draw_look(look, self.size)
                picture.paste(face, (x, y), face)
                x += self.cell
            if piece.copies > 1:
                start = x - len(piece.looks) * self.cell
                cap = max(6, self.foot // 2)
                below = y + self.size + cap + 3
                self._word(picture, f"×{piece.copies}", "sans-medium", cap, start + 2, below, SUBTLE)

    def _word(
        self, picture: Image.Image, word: str, face: str, cap: int, x: int, baseline: int, ink: Rgb
    ) -> None:
        setting = text.word(word, face, cap)
        picture.paste(ink, (x, baseline - setting.baseline), setting.mask)
