"""The edges of the map that rules name: a coloured strip along each, its name in the margin."""

from __future__ import annotations

import math
from collections import Counter

from builder.map.frame import Frame
from builder.map.ink import Ink
from builder.map.labels import Room, overlap
from builder.map.lettering import Box, Glyph, Label, box_at
from builder.map.palette import Style, rgb
from fieldpost.definition.mapmodel import GameMap, MapEdge
from fieldpost.hexes import DIRECTIONS, Compass, Hex, neighbors

_COLORS = ("#8c3b3f", "#2f6b45", "#2a5c86", "#8a5a16", "#6a4a86", "#4a5a62")
Outer = tuple[float, float, float, float]  # the middle of an outer hexside and the way outwards
_OUTWARD = {
    Compass.NORTH: (0.0, -1.0),
    Compass.EAST: (1.0, 0.0),
    Compass.SOUTH: (0.0, 1.0),
    Compass.WEST: (-1.0, 0.0),
}
_SIDE_LETTER = {"north": "N", "east": "E", "south": "S", "west": "W"}


def draw_edges(ink: Ink, game_map: GameMap, frame: Frame, style: Style) -> list[Label]:
    """A strip outside every named stretch of the edge; returns the names."""
    found = []
    strips: Counter[tuple[Hex, int]] = Counter()
    taken: list[Box] = []
    for index, edge in enumerate(game_map.edges):
        color = _COLORS[index % len(_COLORS)]
        middles = _strip(ink, edge, frame, color, strips)
        if middles:
            found.append(_name(edge, middles, frame, style, color, taken))
    return found


def _strip(
    ink: Ink, edge: MapEdge, frame: Frame, color: str, strips: Counter[tuple[Hex, int]]
) -> list[Outer]:
    """Draws the strip; returns the middle of each outer hexside with the way outwards."""
    letter = _SIDE_LETTER[edge.side.value] if edge.side else ""
    middles = []
    for h in edge.hexes:
        if h not in frame.hexes:
            continue
        corners, (cx, cy) = frame.layout.corners(h), frame.layout.exact(h)
        for index, n in enumerate(neighbors(h)):
            if n in frame.hexes or letter not in DIRECTIONS[frame.layout.orientation][index].name:
                continue
            a, b = corners[index], corners[(index + 1) % 6]
            x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
            out = (5.0 + 5.5 * strips[h, index]) * frame.unit / (frame.hex_px / 2)
            strips[h, index] += 1
            dx, dy = (x - cx) * out, (y - cy) * out
            ink.line(((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy)), 4.2 * frame.unit, rgb(color))
            middles.append((x, y, *(_OUTWARD[edge.side] if edge.side else (x - cx, y - cy))))
    return middles


def _name(
    edge: MapEdge, middles: list[Outer], frame: Frame, style: Style, color: str, taken: list[Box]
) -> Label:
    """The edge's name in the margin, as near to its middle as other names allow."""
    face, size = "sans-bold", 15 * frame.unit
    left, top, right, bottom = box_at(edge.name, face, size, 0, 0)
    center = len(middles) // 2
    order = sorted(range(len(middles)), key=lambda i: abs(i - center))
    spots = [_spot(middles, i, (right - left, bottom - top), frame) for i in order]
    turned, box = next((spot for spot in spots if not any(overlap(spot[1], b) for b in taken)), spots[0])
    taken.append(box)
    glyph = Glyph(edge.name, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, -math.pi / 2 if turned else 0.0)
    return Label(
        edge.name, "edge", (glyph,), face, size, rgb(color), rgb(style.paper), 1.5 * frame.unit, (box,)
    )


def _spot(middles: list[Outer], index: int, size: tuple[float, float], frame: Frame) -> tuple[bool, Box]:
    """Whether a name is turned beside one of the outer hexsides, and the box it takes there."""
    x, y, dx, dy = middles[index]
    sideways = abs(dx) > abs(dy)
    turned = sideways and size[0] > 0.5 * frame.hex_px
    half_x, half_y = (size[1] / 2 + 2, size[0] / 2 + 2) if turned else (size[0] / 2 + 2, size[1] / 2 + 2)
    clear = 17 * frame.unit
    if sideways:
        x = (
            max(m[0] for m in middles) + clear + half_x
            if dx > 0
            else min(m[0] for m in middles) - clear - half_x
        )
    else:
        y = (
            max(m[1] for m in middles) + clear + half_y
            if dy > 0
            else min(m[1] for m in middles) - clear - half_y
        )
    room = Room(frame)
    for _ in range(20):
        if not room.touches((x - half_x, y - half_y, x + half_x, y + half_y)):
            break
        x, y = (x + math.copysign(4, dx), y) if sideways else (x, y + math.copysign(4, dy))
    x = min(max(x, half_x), frame.width - half_x)
    y = min(max(y, half_y), frame.height - half_y)
    return turned, (x - half_x, y - half_y, x + half_x, y + half_y)
