"""Boards of a module: a picture, the engine's hex grid on it, and zones that name sheets and boxes.

The engine counts raw cells from the board's own corner. A board that shows only a part of the lattice
therefore has its lattice moved by an even number of columns and rows, which keeps the stagger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from builder.module.faults import DataFault
from fieldpost.definition.mapmodel import GameMap
from fieldpost.errors import FieldpostError
from fieldpost.geometry import Geometry, Rect
from fieldpost.hexes import Axis, Cell, Hex, Layout, Orientation, Sheet, to_cell


@dataclass(frozen=True)
class Attributes:
    """A component's settings, as the build file spells them."""

    grid: Mapping[str, str]
    numbering: Mapping[str, str]


@dataclass(frozen=True)
class ZoneSpec:
    name: str
    path: str
    format: str
    attributes: Attributes | None = None


@dataclass(frozen=True)
class Board:
    name: str
    image: str
    width: int
    height: int
    game_map: GameMap
    layout: Layout  # of the picture; raw cell 0, 0 may lie outside it
    hexes: frozenset[Hex]
    sheet: str | None = None  # named first where sheets overlap
    boxes: Mapping[str, Rect] = field(default_factory=dict)  # box id to rectangle
    box_names: Mapping[str, str] = field(default_factory=dict)
    track: Mapping[int, Rect] = field(default_factory=dict)  # turn to rectangle

    @cached_property
    def shift(self) -> Cell:
        """The raw cell of the lattice that is the board's own raw cell 0, 0; both numbers even."""
        cells = [to_cell(hex_, self._orientation) for hex_ in self.hexes]
        return Cell(min(c.column for c in cells) & ~1, min(c.row for c in cells) & ~1)

    @cached_property
    def own_layout(self) -> Layout:
        """The engine's grid: the same hexes, counted from the board's corner."""
        layout = self.layout
        left = round(layout.left_px + layout.across_px * self.shift.column)
        top = round(layout.top_px + layout.down_px * self.shift.row)
        return Layout(self._orientation, layout.across_px, layout.down_px, left, top)

    @property
    def _orientation(self) -> Orientation:
        return self.layout.orientation

    def center(self, hex_: Hex) -> tuple[int, int]:
        """Where the engine puts a piece in a hex."""
        if hex_ not in self.hexes:
            raise FieldpostError(f"hex {self.game_map.lattice.label(hex_)} is not on the board {self.name}")
        return self.geometry.center(hex_)

    @property
    def flat(self) -> bool:
        return self._orientation is Orientation.FLAT

    def labels(self) -> Iterator[tuple[Hex, str]]:
        """Every hex as the engine names it on this board."""
        for sheet, hexes in self._by_sheet().items():
            for hex_ in hexes:
                yield hex_, sheet.label(to_cell(hex_, self._orientation), self._orientation)

    @cached_property
    def geometry(self) -> Geometry:
        return Geometry(self.own_layout, self.shift, self.boxes, self.track)

    def box_center(self, box: str) -> tuple[int, int]:
        return _middle(self.boxes[box])

    # --- what the build file says ---

    @cached_property
    def grid(self) -> Mapping[str, str]:
        layout = self.own_layout
        flat = self.flat
        return {
            "dx": _number(layout.across_px if flat else layout.down_px),
            "dy": _number(layout.down_px if flat else layout.across_px),
            "x0": str(layout.left_px if flat else layout.top_px),
            "y0": str(layout.top_px if flat else layout.left_px),
            "sideways": "false" if flat else "true",
            "snapTo": "true",
            "edgesLegal": "false",
            "cornersLegal": "false",
            "visible": "false",
            "dotsVisible": "false",
            "color": "0,0,0",
        }

    @cached_property
    def zones(self) -> tuple[ZoneSpec, ...]:
        """Boxes and spaces of the turn track first, then the sheets."""
        return (*self._box_zones(), *self._sheet_zones())

    def _box_zones(self) -> Iterator[ZoneSpec]:
        for box, rect in self.boxes.items():
            yield ZoneSpec(self.box_names.get(box, box), _path(rect), "$name$")
        for turn, rect in self.track.items():
            yield ZoneSpec(f"Turn {turn}", _path(rect), "$name$")

    def _sheet_zones(self) -> Iterator[ZoneSpec]:
        for sheet, hexes in self._by_sheet().items():
            rect = self._rect(hexes)
            size = rect[2] - rect[0], rect[3] - rect[1]
            numbering = self._numbering(sheet, size)
            format_ = f"{sheet.prefix}$gridLocation$"
            yield ZoneSpec(f"Sheet {sheet.id}", _path(rect), format_, Attributes(self.grid, numbering))

    def _by_sheet(self) -> dict[Sheet, list[Hex]]:
        lattice = self.game_map.lattice
        first = [sheet for sheet in lattice.sheets if sheet.id == self.sheet]
        ordered = [*first, *(sheet for sheet in lattice.sheets if sheet.id != self.sheet)]
        parts: dict[Sheet, list[Hex]] = {}
        for hex_ in sorted(self.hexes):
            cell = to_cell(hex_, self._orientation)
            sheet = next(sheet for sheet in ordered if sheet.covers(cell, self._orientation))
            parts.setdefault(sheet, []).append(hex_)
        return {sheet: parts[sheet] for sheet in ordered if sheet in parts}

    def _rect(self, hexes: Iterable[Hex]) -> Rect:
        """Around the centres of a sheet's hexes; neighbouring sheets keep at least half a hex apart."""
        points = [self.center(hex_) for hex_ in hexes]
        across = round(self.layout.across_px / 4)
        down = round(self.layout.down_px / 4)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top = max(min(xs) - across, 0), max(min(ys) - down, 0)
        return left, top, min(max(xs) + across, self.width), min(max(ys) + down, self.height)

    def _numbering(self, sheet: Sheet, size: tuple[int, int]) -> Mapping[str, str]:
        flat = self.flat
        dx, dy = float(self.grid["dx"]), float(self.grid["dy"])
        most_rows, most_columns = int(size[1] / dx + 0.5), int(size[0] / dy + 0.5)
        column = _Count(sheet.columns, self.shift.column, most_columns)
        row = _Count(sheet.rows, self.shift.row, most_rows)
        # Sideways, H counts down the screen and V across it, and each turns round by the other's switch.
        h, v = (column, row) if flat else (row, column)
        rows_first = sheet.order == "RRCC"
        return {
            "first": "H" if rows_first != flat else "V",
            "sep": sheet.separator,
            **h.attributes("h", "h" if flat else "v"),
            **v.attributes("v", "v" if flat else "h"),
            "stagger": "true" if self._stagger(sheet, row if flat else column) else "false",
            "visible": "false",
            "fontSize": "9",
            "color": "0,0,0",
            "rotateText": "0",
            "hDrawOff": "0",
            "vDrawOff": "0",
            "locationFormat": "$gridLocation$",
        }

    def _stagger(self, sheet: Sheet, along: _Count) -> bool:
        expected = -1 if along.descending else 1
        if sheet.stagger not in (0, expected):
            raise DataFault(
                f"sheet {sheet.id}: VASSAL cannot number hexes with a stagger of {sheet.stagger}",
                "map",
                "stagger",
                f"0 or {expected}",
            )
        return sheet.stagger != 0


@dataclass(frozen=True)
class _Count:
    """How one axis is counted on a board whose raw 0 is `shift` of the lattice."""

    axis: Axis
    shift: int
    most: int

    @property
    def descending(self) -> bool:
        return self.axis.step < 0

    def attributes(self, letter: str, switch: str) -> dict[str, str]:
        offset = self.axis.number(self.shift) - (self.most if self.descending else 0)
        return {
            f"{letter}Type": "A" if self.axis.letters else "N",
            f"{letter}Leading": str(max(self.axis.digits - 1, 0)),
            f"{letter}Off": str(offset - (1 if self.axis.letters else 0)),
            f"{switch}Descend": "true" if self.descending else "false",
        }


def _middle(rect: Rect) -> tuple[int, int]:
    return (rect[0] + rect[2]) // 2, (rect[1] + rect[3]) // 2


def _path(rect: Rect) -> str:
    left, top, right, bottom = rect
    return f"{left},{top};{right},{top};{right},{bottom};{left},{bottom}"


def _number(value: float) -> str:
    return repr(float(value))
