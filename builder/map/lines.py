"""Railways, roads, borders, fronts and crossings: what runs along hexsides or from hex to hex."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from builder.map.curves import (
    Path,
    Point,
    at,
    chains,
    corner,
    dashes,
    ends,
    meander,
    measure,
    normals,
    rounded,
    spaced,
    through,
)
from builder.map.frame import Frame
from builder.map.ink import Ink
from builder.map.lettering import Box
from builder.map.palette import PLAIN_STROKE, StrokeLook, Style, look, rgb
from builder.map.water import MEANDER
from fieldpost.definition.mapmodel import GameMap, Kind
from fieldpost.hexes import Hex, Hexside, neighbors

CROSSINGS = ("arrow", "bridge")


@dataclass(frozen=True)
class Course:
    """A line as it is drawn, with what it is and what it is called."""

    name: str
    kind: str
    look: StrokeLook
    path: Path
    facing: int = 0  # teeth stand to the left (1) or right (-1) of the way alone; 0 if on both sides


def grid_lines(ink: Ink, frame: Frame, style: Style) -> None:
    """Every hexside once, faint."""
    for h in frame.ordered:
        corners = frame.layout.corners(h)
        for index, n in enumerate(neighbors(h)):
            if n not in frame.hexes or h < n:
                ink.line((corners[index], corners[(index + 1) % 6]), 1.0 * frame.unit, style.grid)


def side_courses(game_map: GameMap, frame: Frame, style: Style) -> list[Course]:
    """Borders and other lines along hexsides, joined over all runs of a kind and name."""
    groups: dict[tuple[str, str], list[Hexside]] = defaultdict(list)
    looks: dict[str, StrokeLook] = {}
    for run in game_map.side_runs:
        looks[run.kind] = look(style.sides, _kind(game_map.hexside_kinds, run.kind), PLAIN_STROKE)
        if looks[run.kind].pattern not in ("river", "none", *CROSSINGS):
            name = run.name if looks[run.kind].label else ""
            groups[run.kind, name] += [s for s in run.sides if {s.a, s.b} <= frame.hexes]
    for name, pattern, sides in _zone_sides(game_map, frame, style):
        looks[name] = pattern
        groups[name, ""] += sides
    return [
        Course(name, kind, looks[kind], path, _facing(path, held_behind(game_map, kind), frame))
        for (kind, name), sides in groups.items()
        for path in along(sides, frame)
    ]


def held_behind(game_map: GameMap, kind: str) -> frozenset[Hex]:
    """The hexes that a line of a kind defends: those of the areas of that kind."""
    return frozenset(h for area in game_map.areas if area.kind == kind for h in area.hexes)


def _facing(path: Path, held: frozenset[Hex], frame: Frame) -> int:
    """To which side of its way a line faces: away from the hexes that it defends."""
    if not held:
        return 0
    aside = normals(path) * 0.3 * frame.hex_px
    left, right = (sum(frame.layout.at(x, y) in held for x, y in (path + way)) for way in (aside, -aside))
    return (right > left) - (left > right)


def _kind(kinds: Iterable[Kind], kind_id: str) -> Kind | str:
    return next((k for k in kinds if k.id == kind_id), kind_id)


def _zone_sides(game_map: GameMap, frame: Frame, style: Style) -> list[tuple[str, StrokeLook, list[Hexside]]]:
    """Where a grid of zones, such as weather zones, changes its value."""
    return [
        (zone, look(style.sides, zone, PLAIN_STROKE), change_sides(game_map.grid[zone].values, frame))
        for zone in style.zones
        if zone in game_map.grid
    ]


def change_sides(values: Mapping[Hex, str], frame: Frame) -> list[Hexside]:
    """The hexsides between hexes of different values; a hex without a value makes none."""
    return [
        Hexside(h, n)
        for h in frame.ordered
        for n in neighbors(h)
        if h < n and n in frame.hexes and h in values and n in values and values[h] != values[n]
    ]


def along(sides: Iterable[Hexside], frame: Frame) -> list[Path]:
    """Hexsides joined and smoothed; they run where rivers on the same hexsides run."""
    sides = list(sides)
    places = {corner(p): p for side in sides for p in frame.layout.side(side)}
    found = []
    for chain in chains(ends(side, frame.layout) for side in sides):
        path = spaced(rounded([places[c] for c in chain]), 3.2 * frame.unit)
        found.append(meander(path, MEANDER * frame.hex_px, frame.hex_px))
    return found


def hex_courses(game_map: GameMap, frame: Frame, style: Style) -> list[Course]:
    """Railways and roads, joined to one network for each kind, passing exactly through places."""
    steps: dict[str, set[tuple[Hex, Hex]]] = defaultdict(set)
    for line in game_map.lines:
        for a, b in zip(line.hexes, line.hexes[1:], strict=False):
            if a in frame.hexes and b in frame.hexes:
                steps[line.kind].add((a, b) if a < b else (b, a))
    held = {h for h, places in game_map.places_at.items() if places}
    found = []
    for kind, edges in steps.items():
        pattern = look(style.lines, _kind(game_map.line_kinds, kind), PLAIN_STROKE)
        name = next((k.name for k in game_map.line_kinds if k.id == kind), kind)
        joined = Counter(h for edge in edges for h in edge)
        leaving = {h for h, count in joined.items() if count == 1} - held
        for chain in chains(edges):
            points = [frame.layout.exact(h) for h in chain]
            fixed = [h in held for h in chain]
            if chain[0] in leaving and (way_out := _over_the_edge(chain[1], chain[0], frame)):
                points, fixed = [way_out, *points], [True, *fixed]
            if chain[-1] in leaving and (way_out := _over_the_edge(chain[-2], chain[-1], frame)):
                points, fixed = [*points, way_out], [*fixed, True]
            path = spaced(through(points, fixed), 3.2 * frame.unit)
            found.append(Course(name, kind, pattern, path))
    return found


def _over_the_edge(before: Hex, last: Hex, frame: Frame) -> Point | None:
    """Where a line that ends in a nameless hex at the map's edge runs off it, most nearly straight on."""
    x, y = frame.layout.exact(last)
    from_x, from_y = frame.layout.exact(before)
    outside = [frame.layout.exact(n) for n in neighbors(last) if n not in frame.hexes]
    if not outside:
        return None
    there = max(outside, key=lambda spot: (spot[0] - x) * (x - from_x) + (spot[1] - y) * (y - from_y))
    return (x + there[0]) / 2, (y + there[1]) / 2


def draw_courses(ink: Ink, courses: list[Course], unit: float) -> None:
    for course in courses:
        if course.look.band:
            ink.line(course.path, course.look.band_width * unit, rgb(course.look.band, 84))
    for course in courses:
        if course.look.casing and course.look.pattern != "rail":
            width = course.look.width + 2 * course.look.casing_width
            ink.line(course.path, width * unit, rgb(course.look.casing))
    for course in courses:
        _draw(ink, course, unit)


def _draw(ink: Ink, course: Course, unit: float) -> None:
    pattern, width, color = course.look.pattern, course.look.width * unit, rgb(course.look.color)
    if pattern in _PATTERNS:
        for dash in dashes(course.path, [length * unit for length in _PATTERNS[pattern]]):
            if float(measure(dash)[-1]) <= 1.5 * width:
                x, y = dash[len(dash) // 2]
                ink.disc(float(x), float(y), 0.62 * width, color)
            else:
                ink.line(dash, width, color)
        return
    ink.line(course.path, width, color)
    if pattern == "rail":
        _ties(ink, course.path, 9.5 * unit, 2.9 * unit, 1.3 * unit, course)
    elif pattern == "teeth":
        _teeth(ink, course.path, unit, course)


_PATTERNS = {"dash": (13, 7), "dashdot": (15, 5, 2.2, 5), "dots": (2.4, 6.5)}


def _ties(ink: Ink, path: Path, every: float, reach: float, width: float, course: Course) -> None:
    total = float(measure(path)[-1])
    count = max(1, round(total / every))
    distances = (np.arange(count) + 0.5) * total / count
    spots, sideways = at(path, distances), _interpolated(path, distances)
    for spot, side in zip(spots, sideways, strict=True):
        ink.line((tuple(spot - side * reach), tuple(spot + side * reach)), width, rgb(course.look.color))


def _teeth(ink: Ink, path: Path, unit: float, course: Course) -> None:
    """Small blocks on the side that a fortified line faces, or on both in turn."""
    total = float(measure(path)[-1])
    count = max(2, round(total / (11 * unit)))
    distances = (np.arange(count) + 0.5) * total / count
    spots, sideways = at(path, distances), _interpolated(path, distances)
    for index, (spot, side) in enumerate(zip(spots, sideways, strict=True)):
        way = np.array([-side[1], side[0]]) * 2.6 * unit
        out = side * (5.2 * unit) * (course.facing or (1 if index % 2 else -1))
        ink.fill(
            [tuple(spot - way), tuple(spot + way), tuple(spot + way + out), tuple(spot - way + out)],
            rgb(course.look.color),
        )


def _interpolated(path: Path, distances: np.ndarray) -> Path:
    lengths, sideways = measure(path), normals(path)
    return np.stack([np.interp(distances, lengths, sideways[:, i]) for i in (0, 1)], axis=1)


# --- crossings ----------------------------------------------------------------------------------


def draw_crossings(ink: Ink, game_map: GameMap, frame: Frame, style: Style) -> list[Box]:
    """Ice roads, straits and causeways: a sign straight across its hexside. Returns what they cover."""
    boxes = []
    drawn: Counter[Hexside] = Counter()
    for run in game_map.side_runs:
        found = look(style.sides, _kind(game_map.hexside_kinds, run.kind), PLAIN_STROKE)
        if found.pattern in CROSSINGS:
            for side in run.sides:
                if {side.a, side.b} <= frame.hexes:
                    cross(ink, frame, side, found, rgb(style.halo, 210), 11 * frame.unit * drawn[side])
                    drawn[side] += 1
                    (ax, ay), (bx, by) = (frame.layout.exact(h) for h in side)
                    x, y = (ax + bx) / 2, (ay + by) / 2
                    wide, high = (6 * frame.unit + abs(b - a) * 0.16 for a, b in ((ax, bx), (ay, by)))
                    boxes.append((x - wide, y - high, x + wide, y + high))
    return boxes


def cross(
    ink: Ink,
    frame: Frame,
    side: Hexside,
    found: StrokeLook,
    halo: tuple[int, int, int, int],
    aside: float = 0.0,
) -> None:
    """A double arrow or a bridge across a hexside, so far beside its middle."""
    a, b = (np.array(frame.layout.exact(h)) for h in side)
    way = (b - a) / np.linalg.norm(b - a)
    middle = (a + b) / 2 + aside * np.array([-way[1], way[0]])
    if found.pattern == "bridge":
        _bridge(ink, middle, way, frame.unit, found)
        return
    reach = 17 * frame.unit
    for extra, color in ((2.6, halo), (0.0, rgb(found.color))):
        width = (found.width + extra) * frame.unit
        inner = reach - 6 * frame.unit
        ink.line((tuple(middle - way * inner), tuple(middle + way * inner)), width, color)
        for sign in (-1, 1):
            _head(ink, middle + sign * way * reach, sign * way, frame.unit, extra / 2, color)


def _head(
    ink: Ink, tip: np.ndarray, way: np.ndarray, unit: float, grow: float, color: tuple[int, int, int, int]
) -> None:
    side = np.array([-way[1], way[0]])
    length, half = (10.5 + 1.6 * grow) * unit, (5.4 + 1.4 * grow) * unit
    tip = tip + way * grow * 1.6 * unit
    ink.fill(
        [tuple(tip), tuple(tip - way * length + side * half), tuple(tip - way * length - side * half)], color
    )


def _bridge(ink: Ink, middle: np.ndarray, way: np.ndarray, unit: float, found: StrokeLook) -> None:
    side = np.array([-way[1], way[0]])
    reach, half = 15 * unit, 3.2 * unit
    deck = [middle + s * way * reach + t * side * half for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    ink.fill([tuple(p) for p in deck], rgb("#efe6d2"))
    for sign in (-1, 1):
        rail = [middle + s * way * reach + sign * side * half for s in (-1, 1)]
        ink.line([tuple(p) for p in rail], found.width * unit, rgb(found.color))
        for s in (-1, 1):
            foot = middle + s * way * reach + sign * side * half
            tail = foot + s * way * 4 * unit + sign * side * 4 * unit
            ink.line([tuple(foot), tuple(tail)], found.width * unit, rgb(found.color))


# --- areas --------------------------------------------------------------------------------------


def area_courses(game_map: GameMap, frame: Frame, style: Style) -> list[Course]:
    """Where the areas whose kind has a look end, but for the edge of the map; neighbours share a line."""
    sides: dict[str, set[Hexside]] = defaultdict(set)
    looks: dict[str, StrokeLook] = {}
    for area in game_map.areas:
        pattern = look(style.areas, area.kind, PLAIN_STROKE)
        if pattern is not PLAIN_STROKE and pattern.pattern != "none":
            looks[area.kind] = pattern
            inside = {h: "in" if h in area.hexes else "out" for h in frame.hexes}
            sides[area.kind].update(change_sides(inside, frame))
    return [
        Course("", kind, looks[kind], path)
        for kind, found in sides.items()
        for path in along(sorted(found), frame)
    ]


def outline(hexes: Iterable[Hex], frame: Frame, smooth: bool = True) -> list[Path]:
    """The edge of a set of hexes as closed rings, with the set on the right of the way."""
    inside = frozenset(hexes)
    following: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    places = {}
    for h in sorted(inside):
        corners = frame.layout.corners(h)
        for index, n in enumerate(neighbors(h)):
            if n not in inside:
                a, b = corners[index], corners[(index + 1) % 6]
                places[corner(a)], places[corner(b)] = a, b
                following[corner(a)].append(corner(b))
    rings = []
    while following:
        ring = [next(iter(following))]
        while ring[-1] in following:
            onward = following[ring[-1]]
            ring.append(onward.pop())
            if not onward:
                del following[ring[-2]]
        points = np.array([places[c] for c in ring])
        rings.append(spaced(rounded(points, 3), 4 * frame.unit) if smooth else points)
    return rings
