"""A grid laid over a picture: from the pixels of some hexes' centres to the layout of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fieldpost.hexes.geometry import Hex, Orientation, to_cell


@dataclass(frozen=True)
class Fitted:
    """Distances of columns and rows and the centre of raw cell 0, 0, as `Layout` has them, unrounded."""

    across: float
    down: float
    left: float
    top: float
    errors: tuple[float, ...]  # how far each given centre lies from the grid, in pixels

    def center(self, hex_: Hex, orientation: Orientation) -> tuple[float, float]:
        u, v = _unit(hex_, orientation)
        return self.across * u + self.left, self.down * v + self.top


def fit(orientation: Orientation, centers: Sequence[tuple[Hex, tuple[float, float]]]) -> Fitted | None:
    """The upright grid nearest to the given centres; None unless two differ in column and in row."""
    units = [_unit(hex_, orientation) for hex_, _ in centers]
    columns = _line([u for u, _ in units], [x for _, (x, _) in centers])
    rows = _line([v for _, v in units], [y for _, (_, y) in centers])
    if columns is None or rows is None:
        return None
    (across, left), (down, top) = columns, rows
    errors = (
        ((across * u + left - x) ** 2 + (down * v + top - y) ** 2) ** 0.5
        for (u, v), (_, (x, y)) in zip(units, centers, strict=True)
    )
    return Fitted(across, down, left, top, tuple(errors))


def _unit(hex_: Hex, orientation: Orientation) -> tuple[float, float]:
    """The centre in a layout whose columns and rows are one apart."""
    column, row = to_cell(hex_, orientation)
    if orientation is Orientation.FLAT:
        return column, row + 0.5 * (column & 1)
    return column + 0.5 * (row & 1), row


def _line(at: Sequence[float], values: Sequence[float]) -> tuple[float, float] | None:
    """Slope and start of the straight line nearest to the values."""
    count = len(at)
    if count < 2:
        return None
    middle, mean = sum(at) / count, sum(values) / count
    spread = sum((a - middle) ** 2 for a in at)
    if spread == 0:
        return None
    slope = sum((a - middle) * (v - mean) for a, v in zip(at, values, strict=True)) / spread
    return slope, mean - slope * middle
