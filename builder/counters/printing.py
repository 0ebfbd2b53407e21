"""Counter sheets to print, glue and cut: a PDF at 300 dots an inch, fronts and backs, cut marks.

Each front page is followed by its backs, mirrored for printers that turn the sheet on its long edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from PIL import Image

from builder.counters import text
from builder.counters.faces import draw_look
from builder.counters.look import Look, MarkerLook, back_look, counter_look, marker_look
from builder.counters.pdf import Page, Pdf
from fieldpost.definition.model import Counter, Game, Marker
from fieldpost.errors import FieldpostError

MM = 72 / 25.4  # points
DPI = 300
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
SIZE_MM = 15.9  # five eighths of an inch
SMALLEST_MM, LARGEST_MM = 5, 50
MARGIN_MM, HEAD_MM, MARK_MM, BLEED_MM = 12.0, 8.0, 4.0, 0.8


class Sides(NamedTuple):
    front: Look
    back: Look


class Grid(NamedTuple):
    """Where the counters of a page stand, in points from the bottom left."""

    columns: int
    rows: int
    left: float
    top: float
    step: float
    width: float
    height: float


def print_pdf(game: Game, size_mm: float = SIZE_MM, paper: str = "a4") -> bytes:
    """Every counter and marker of the game as often as it is in the box."""
    grid = _grid(size_mm, PAPERS[paper])
    pdf = Pdf(f"{game.title}: counters")
    per_page = grid.columns * grid.rows
    sheets = list(_batches(list(all_sides(game)), per_page))
    for number, batch in enumerate(sheets, 1):
        for front in (True, False):
            what = f"{game.title} · counters, sheet {number} of {len(sheets)}, {'front' if front else 'back'}"
            _page(pdf, grid, batch, front, what)
    return pdf.render()


def all_sides(game: Game) -> Iterator[Sides]:
    for counter in game.counters:
        yield from counter_sides(game, counter)
    for marker in game.markers:
        yield from [marker_sides(game, marker)] * marker.count


def counter_sides(game: Game, counter: Counter) -> Iterator[Sides]:
    """Two steps to a piece of cardboard."""
    looks: list[Look] = [counter_look(game, counter, step + 1) for step in range(len(counter.steps))]
    if len(looks) % 2:
        looks.append(back_look(game, counter))
    for front, back in zip(looks[::2], looks[1::2], strict=True):
        yield Sides(front, back)


def marker_sides(game: Game, marker: Marker) -> Sides:
    front = marker_look(game, marker, 1)
    if len(marker.faces) > 1:
        return Sides(front, marker_look(game, marker, 2))
    return Sides(front, MarkerLook(front.ground, (0, 0, 0), "", "", None))


def _batches(sides: Sequence[Sides], size: int) -> Iterator[Sequence[Sides]]:
    for start in range(0, len(sides), size):
        yield sides[start : start + size]


def _grid(size_mm: float, paper_mm: tuple[float, float]) -> Grid:
    if not SMALLEST_MM <= size_mm <= LARGEST_MM:
        raise FieldpostError(
            f"a counter cannot be {size_mm:g} mm wide",
            f"From {SMALLEST_MM} to {LARGEST_MM} mm can be printed.",
        )
    width, height = paper_mm[0] * MM, paper_mm[1] * MM
    step = size_mm * MM
    columns = int((width - 2 * MARGIN_MM * MM) // step)
    rows = int((height - (2 * MARGIN_MM + HEAD_MM) * MM) // step)
    top = height - (MARGIN_MM + HEAD_MM) * MM
    return Grid(columns, rows, (width - columns * step) / 2, top, step, width, height)


def _page(pdf: Pdf, grid: Grid, batch: Sequence[Sides], front: bool, title: str) -> None:
    page = pdf.page(grid.width, grid.height)
    size_px = round(grid.step / 72 * DPI)
    placed = list(_placed(grid, batch, front))
    for look, x, y in placed:
        bleed, wide = BLEED_MM * MM, grid.step + 2 * BLEED_MM * MM
        page.fill(look.ground, x - bleed, y - bleed, wide, wide)
    for look, x, y in placed:
        page.picture(look, partial(_square, look, size_px), x, y, grid.step, grid.step)
    _cut_marks(page, grid, -(-len(batch) // grid.columns))
    heading = text.word(title, "sans-medium", 30).mask
    wide, high = heading.width / DPI * 72, heading.height / DPI * 72
    page.picture(title, partial(_dark, heading), grid.left, grid.top + 6 * MM, wide, high)


def _placed(grid: Grid, batch: Sequence[Sides], front: bool) -> Iterator[tuple[Look, float, float]]:
    """Each face with its bottom left corner; backs run from right to left."""
    for place, sides in enumerate(batch):
        row, column = divmod(place, grid.columns)
        across = column if front else grid.columns - 1 - column
        yield (
            sides.front if front else sides.back,
            grid.left + across * grid.step,
            grid.top - (row + 1) * grid.step,
        )


def _square(look: Look, size_px: int) -> Image.Image:
    """A face that fills its square: its ground bleeds into the rounded corners."""
    face = draw_look(look, size_px)
    square = Image.new("RGB", face.size, look.ground)
    square.paste(face, mask=face)
    return square


def _dark(mask: Image.Image) -> Image.Image:
    return mask.point(lambda v: 255 - v).convert("RGB")


def _cut_marks(page: Page, grid: Grid, rows: int) -> None:
    long, off = MARK_MM * MM, 1.0 * MM
    right, bottom = grid.left + grid.columns * grid.step, grid.top - rows * grid.step
    for column in range(grid.columns + 1):
        x = grid.left + column * grid.step
        page.line(x, grid.top + off, x, grid.top + off + long)
        page.line(x, bottom - off, x, bottom - off - long)
    for row in range(rows + 1):
        y = grid.top - row * grid.step
        page.line(grid.left - off, y, grid.left - off - long, y)
        page.line(right + off, y, right + off + long, y)
