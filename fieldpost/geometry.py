"""The geometry of a module's board as a line of text, so that every log carries its own ruler.

A module built here declares a global property for each board; VASSAL writes it into every save and log.
Whoever reads a log can then tell hexes and boxes from pixels without the module at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Cell, Hex, Layout, Orientation, from_cell, to_cell

GAME_PROPERTY = "FieldpostGame"
SCENARIO_PROPERTY = "FieldpostScenario"
BOARD_PROPERTY = "FieldpostBoard "  # and the board's name

Rect = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True)
class Geometry:
    """`layout` counts raw cells from the board's corner; `shift` is the lattice's cell there, both even."""

    layout: Layout
    shift: Cell
    boxes: Mapping[str, Rect] = field(default_factory=dict)
    track: Mapping[int, Rect] = field(default_factory=dict)

    @property
    def _orientation(self) -> Orientation:
        return self.layout.orientation

    def center(self, hex_: Hex) -> tuple[int, int]:
        """Where the engine puts a piece in a hex."""
        column, row = to_cell(hex_, self._orientation)
        own = Cell(column - self.shift.column, row - self.shift.row)
        return self.layout.center(from_cell(own, self._orientation))

    def hex_at(self, x: int, y: int) -> Hex:
        column, row = to_cell(self.layout.at(x, y), self._orientation)
        return from_cell(Cell(column + self.shift.column, row + self.shift.row), self._orientation)

    def box_at(self, x: int, y: int) -> str | None:
        """The box, or `turn-N`, that holds a point."""
        return next((name for name, rect in self._rects.items() if _holds(rect, x, y)), None)

    @cached_property
    def _rects(self) -> dict[str, Rect]:
        return {**self.boxes, **{f"turn-{turn}": rect for turn, rect in self.track.items()}}

    def text(self) -> str:
        """One line without the characters VASSAL's formats use between fields."""
        layout = self.layout
        numbers = [layout.across_px, layout.down_px, layout.left_px, layout.top_px, *self.shift]
        parts = [
            layout.orientation.value,
            " ".join(map(repr, numbers)),
            *(f"{box} {' '.join(map(str, rect))}" for box, rect in self.boxes.items()),
            *(f"turn-{turn} {' '.join(map(str, rect))}" for turn, rect in self.track.items()),
        ]
        return "|".join(parts)

    @classmethod
    def parse(cls, text: str) -> Geometry:
        try:
            orientation, numbers, *rects = text.split("|")
            across, down, left, top, column, row = numbers.split()
            layout = Layout(Orientation(orientation), float(across), float(down), int(left), int(top))
            named = dict(map(_named_rect, rects))
        except ValueError as error:
            raise FieldpostError(
                "the log describes its board in a form this version does not know"
            ) from error
        if not (1 < layout.across_px < 10_000 and 1 < layout.down_px < 10_000):
            raise FieldpostError("the log describes its board with hexes of no sensible size")
        track = {
            int(name[5:]): rect for name, rect in named.items() if name[:5] == "turn-" and name[5:].isdigit()
        }
        boxes = {name: rect for name, rect in named.items() if name[:5] != "turn-"}
        return cls(layout, Cell(int(column), int(row)), boxes, track)


def _named_rect(text: str) -> tuple[str, Rect]:
    name, left, top, right, bottom = text.split()
    return name, (int(left), int(top), int(right), int(bottom))


def _holds(rect: Rect, x: int, y: int) -> bool:
    return rect[0] <= x <= rect[2] and rect[1] <= y <= rect[3]
