"""The edges of the map that rules name: a coloured strip along each, its name in the margin."""

from __future__ import annotations

from builder.map.frame import Frame
from builder.map.ink import Ink
from builder.map.lettering import Glyph, Label, box_at
from builder.map.palette import Style, rgb
from fieldpost.definition.mapmodel import GameMap, MapEdge
from fieldpost.hexes import DIRECTIONS, neighbors

_COLORS = ("#8c3b3f", "#2f6b45", "#2a5c86", "#8a5a16", "#6a4a86", "#4a5a62")
_SIDE_LETTER = {"north": "N", "east": "E", "south": "S", "west": "W"}


def draw_edges(ink: Ink, game_map: GameMap, frame: Frame, style: Style) -> list[Label]:
    """A strip outside every named stretch of the edge; returns the names."""
    found = []
    for index, edge in enumerate(game_map.edges):
        color = _COLORS[index % len(_COLORS)]
        middles = _strip(ink, edge, frame, color)
        if middles:
            found.append(_name(edge, middles, frame, style, color))
    return found


def _strip(ink: Ink, edge: MapEdge, frame: Frame, color: str) -> list[tuple[float, float, float, float]]:
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
            out = 5.0 * frame.unit / (frame.hex_px / 2)
            dx, dy = (x - cx) * out, (y - cy) * out
            ink.line(((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy)), 4.2 * frame.unit, rgb(color))
            middles.append((x, y, x - cx, y - cy))
    return middles


def _name(
    edge: MapEdge, middles: list[tuple[float, float, float, float]], frame: Frame, style: Style, color: str
) -> Label:
    x, y, dx, dy = middles[len(middles) // 2]
    text = edge.name.upper() if len(edge.name) <= 3 or edge.name == edge.id else f"{edge.name}"
    face, size = "sans-bold", 15 * frame.unit
    left, top, right, bottom = box_at(text, face, size, 0, 0)
    x += dx * 0.45 + (1 if dx > 1 else -1 if dx < -1 else 0) * 0.0
    y += dy * 0.45
    half = (right - left) / 2 + 3
    x, y = min(max(x, half), frame.width - half), min(max(y, -top + 3), frame.height - bottom - 3)
    turned = abs(dx) > abs(dy) and half > 0.5 * frame.hex_px
    glyph = Glyph(text, x, y, -1.5707963 if turned else 0.0)
    return Label(
        text, "edge", (glyph,), face, size, rgb(color), rgb(style.paper), 1.5 * frame.unit,
        (box_at(text, face, size, x, y),),
    )  # fmt: skip
