"""The key: every terrain, hexside, line and place of a map as it is drawn, with its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from builder.map import compose, signs
from builder.map.curves import Point, rounded, spaced
from builder.map.frame import Frame, frame
from builder.map.lettering import extent
from builder.map.lines import CROSSINGS, Course, cross, draw_courses, held_behind
from builder.map.palette import PLAIN_PLACE, PLAIN_STROKE, PlaceLook, StrokeLook, Style, look, rgb
from builder.map.panels import Panel
from builder.map.places import BADGE_RADIUS, FEATURE_SIGNS, VICTORY_VALUES, draw_symbol
from builder.map.survey import survey
from builder.map.water import Stream, draw_streams
from fieldpost.definition.mapmodel import GameMap, Grid, Kind
from fieldpost.hexes import Axis, Cell, Hex, Hexside, Lattice, Layout, Orientation, Sheet, from_cell, within


@dataclass(frozen=True)
class Entry:
    """A line of the key: its name, how high it is, and what draws its sample about a point."""

    name: str
    height: float
    sample: Callable[[Panel, Point], None]


def key(game_map: GameMap, style: Style, unit: float, columns: int) -> Panel:
    """Every terrain, hexside, line and place of this map as it is drawn, with its name."""
    entries = [*_terrain_entries(game_map, style, unit), *_line_entries(game_map, style, unit)]
    entries += _place_entries(game_map, style, unit)
    shares = _balanced(entries, columns)
    name_px = max(extent(entry.name, _KEY_FACE, _KEY_SIZE * unit)[0] for entry in entries)
    column_px = name_px + 152 * unit
    top = 62 * unit
    height = top + max(sum(entry.height for entry in share) for share in shares) + 18 * unit
    panel = Panel("key", round(column_px * len(shares) + 12 * unit), round(height), style)
    panel.text(panel.width / 2, 34 * unit, "KEY", "sans-black", 24 * unit, style.accent)
    for index, share in enumerate(shares):
        left, y = 18 * unit + index * column_px, top
        for entry in share:
            entry.sample(panel, (left + 50 * unit, y + entry.height / 2))
            x = left + 116 * unit
            panel.text(x, y + entry.height / 2, entry.name, _KEY_FACE, _KEY_SIZE * unit, anchor="l")
            y += entry.height
    return panel


_KEY_FACE, _KEY_SIZE, _KEY_PITCH = "sans-medium", 18.0, 37.0


def _balanced(entries: Sequence[Entry], columns: int) -> list[list[Entry]]:
    """The entries in their order in columns of about the same height."""
    goal = sum(entry.height for entry in entries) / columns
    shares: list[list[Entry]] = [[]]
    for entry in entries:
        used = sum(e.height for e in shares[-1])
        if shares[-1] and used + entry.height / 2 > goal and len(shares) < columns:
            shares.append([])
        shares[-1].append(entry)
    return shares


def _terrain_entries(game_map: GameMap, style: Style, unit: float) -> list[Entry]:
    kinds = [k for k in game_map.terrain_kinds if k.id in set(game_map.terrain.values())]
    images = swatches(kinds, style, round(52 * unit))

    def sample(image: Image.Image) -> Callable[[Panel, Point], None]:
        return lambda panel, at: panel.inlays.append(
            (image, (round(at[0] - image.width / 2), round(at[1] - image.height / 2)))
        )

    return [Entry(k.name, 58 * unit, sample(image)) for k, image in zip(kinds, images, strict=True)]


def _line_entries(game_map: GameMap, style: Style, unit: float) -> list[Entry]:
    used = {run.kind for run in game_map.side_runs}
    drawn = {line.kind for line in game_map.lines}
    strokes = [(k, look(style.sides, k, PLAIN_STROKE)) for k in game_map.hexside_kinds if k.id in used]
    strokes += [(k, look(style.lines, k, PLAIN_STROKE)) for k in game_map.line_kinds if k.id in drawn]

    def sample(stroke: StrokeLook, facing: int) -> Callable[[Panel, Point], None]:
        return lambda panel, at: _sample(panel, stroke, at, style, unit, facing)

    named: list[tuple[str, StrokeLook, int]] = []
    for kind, stroke in strokes:
        on_sides = stroke.pattern == "teeth" and kind in game_map.hexside_kinds
        facing = int(on_sides and bool(held_behind(game_map, kind.id)))
        named.append((f"{kind.name}, teeth to the enemy" if facing else kind.name, stroke, facing))
    named += [
        ("Weather zones", look(style.sides, z, PLAIN_STROKE), 0) for z in style.zones if z in game_map.grid
    ]
    for area in dict.fromkeys(area.kind for area in game_map.areas):
        named.append((area.replace("-", " ").capitalize(), look(style.areas, area, _HIDDEN), 0))
    return [
        Entry(name, _KEY_PITCH * unit, sample(s, facing)) for name, s, facing in named if s.pattern != "none"
    ]


_HIDDEN = StrokeLook("#000000", 0, "none")


def _place_entries(game_map: GameMap, style: Style, unit: float) -> list[Entry]:
    kinds = [k for k in game_map.place_kinds if any(p.kind == k.id for p in game_map.places)]
    looks = [(k, look(style.places, k, PLAIN_PLACE)) for k in kinds]

    def symbol(found: PlaceLook) -> Callable[[Panel, Point], None]:
        return lambda panel, at: draw_symbol(panel.ink, found, at, style, unit * min(1.0, 15 / found.size))

    def sign(name: str) -> Callable[[Panel, Point], None]:
        return lambda panel, at: _sign(panel, name, at, style, unit)

    pitch = _KEY_PITCH * unit
    entries = [Entry(k.name, pitch, sign(p.sign) if p.symbol == "badge" else symbol(p)) for k, p in looks]
    shown = {found.sign for _, found in looks}
    features = {feature for place in game_map.places for feature in place.features}
    further = [sign for word, sign in FEATURE_SIGNS if any(word in f for f in features)]
    numbers = {k for place in game_map.places for k in place.values if k in VICTORY_VALUES}
    if numbers:
        further.append("victory")
    names = {**signs.NAMES, **({"victory": "Value of a city"} if numbers == {"value"} else {})}
    return entries + [Entry(names[s], pitch, sign(s)) for s in dict.fromkeys(further) if s not in shown]


def _sign(panel: Panel, sign: str, spot: Point, style: Style, unit: float) -> None:
    radius = BADGE_RADIUS * unit * 1.25
    panel.ink.disc(*spot, radius, rgb(signs.sign_color(sign, style)))
    if sign == "victory":
        panel.text(*spot, "10", "condensed-bold", 14 * unit, style.halo)
    else:
        signs.draw_sign(panel.ink, sign, spot, radius, style)


def _sample(panel: Panel, stroke: StrokeLook, at: Point, style: Style, unit: float, facing: int = 0) -> None:
    """A short stretch of a line, or a crossing."""
    x, y = at
    hex_px = max(24, round(88 * unit))
    layout = Layout.regular(Orientation.POINTY, hex_px, round(x - hex_px / 2), round(y))
    little = Frame(layout, frozenset((Hex(0, 0), Hex(1, 0))), hex_px, 0, 0)
    if stroke.pattern in CROSSINGS:
        cross(panel.ink, little, Hexside(Hex(0, 0), Hex(1, 0)), stroke, rgb(style.panel))
    elif stroke.pattern == "river":
        bends = [(x + (i * 2 / 3 - 1) * 50 * unit, y + (4 if i % 2 == 0 else -4) * unit) for i in range(4)]
        path = spaced(rounded(bends), 3.2 * unit)
        draw_streams(panel.ink, [Stream("", "", stroke, path, False)], little)
    else:
        straight = np.array([(x - 50 * unit, y), (x + 50 * unit, y)])
        draw_courses(panel.ink, [Course("", "", stroke, spaced(straight, 4), facing)], unit)


def swatches(kinds: Sequence[Kind], style: Style, size: int) -> list[Image.Image]:
    """Hexes painted just as on the map, each amid its own kind."""
    lattice = Lattice(Orientation.FLAT, (Sheet("key", Axis(1), Axis(1)),))
    spread = 9
    values: dict[Hex, str] = {}
    for index, kind in enumerate(kinds):
        center = from_cell(Cell(4, 4 + spread * index), Orientation.FLAT)
        values.update(dict.fromkeys(within(center, 2), kind.id))
    little = GameMap(
        id="key", title="", lattice=lattice, hex_km=1, north_degrees=0, terrain_kinds=tuple(kinds),
        hexside_kinds=(), line_kinds=(), place_kinds=(), grids=(Grid("terrain", "derived", values),),
        places=(), side_runs=(), lines=(), areas=(), edges=(),
    )  # fmt: skip
    shown = frame(little, max(24, size))
    scene = compose.Scene(shown, style, survey(little, shown, style), compose.shadow(shown), {}, {}, {})
    whole = compose.render(scene, 1)
    found = []
    for index in range(len(kinds)):
        corners = shown.layout.corners(from_cell(Cell(4, 4 + spread * index), Orientation.FLAT))
        left, top = round(min(x for x, _ in corners)), round(min(y for _, y in corners))
        right, bottom = round(max(x for x, _ in corners)), round(max(y for _, y in corners))
        mask = Image.new("L", ((right - left) * 4, (bottom - top) * 4))
        points = [((x - left) * 4, (y - top) * 4) for x, y in corners]
        ImageDraw.Draw(mask).polygon(points, fill=255)
        cut = whole.crop((left, top, right, bottom))
        edge = Image.new("RGBA", mask.size)
        ImageDraw.Draw(edge).line([*points, points[0], points[1]], rgb(style.frame), 6, "curve")
        cut.putalpha(mask.reduce(4))
        cut.alpha_composite(edge.reduce(4))
        found.append(cut)
    return found
