"""Rivers: smoothed, slightly meandering, growing from source to mouth, joined where they meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from builder.map.curves import Path, Point, corner, ends, meander, rounded, spaced, walk
from builder.map.frame import Frame
from builder.map.ink import Ink
from builder.map.palette import PLAIN_STROKE, StrokeLook, Style, look, rgb
from builder.map.survey import channel_sides
from fieldpost.definition.mapmodel import GameMap, SideRun
from fieldpost.hexes import Hex, Hexside, neighbors

Corner = tuple[int, int]
MEANDER = 0.032
AT_SOURCE = 0.38  # of its width, where a river rises


@dataclass(frozen=True)
class Stream:
    """A piece of a river as it is drawn, from source to mouth."""

    name: str
    kind: str
    look: StrokeLook
    path: Path
    begins: float  # its width at its first point as a share of its full width


def streams(game_map: GameMap, frame: Frame, style: Style, wet: frozenset[Hex]) -> list[Stream]:
    """Every river of the map as smooth curves."""
    runs = [(run, river) for run in game_map.side_runs if (river := river_look(game_map, style, run.kind))]
    crossings = _crossings(game_map, style)
    sides = [(run, river, _bridged(_shown(run, frame), crossings, frame)) for run, river in runs]
    pieces = [(run, river, piece) for run, river, shown in sides for piece in walk(shown, frame.layout)]
    pieces.sort(key=lambda item: -item[1].width)
    places = _corner_places([s for _, _, shown in sides for s in shown], frame)
    joints = _joints([piece for _, _, piece in pieces], places)
    mouths = _mouths(game_map, frame, wet)
    touched = _visits([piece for _, _, piece in pieces])
    upstream = {(run.name, piece[-1]): _breadth(river) for run, river, piece in pieces}
    found = []
    for index, (run, river, piece) in enumerate(pieces):
        points = [places[c] for c in piece]
        for end, towards in ((0, 1), (-1, -2)):
            points[end] = _end(piece[end], points[end], points[towards], index, joints, mouths, frame)
        path = meander(spaced(rounded(points), 3.2 * frame.unit), MEANDER * frame.hex_px, frame.hex_px)
        rises = touched[piece[0]] == 1 and piece[0] not in mouths and not _at_edge(points[0], frame)
        above = upstream.get((run.name, piece[0]), _breadth(river))
        begins = AT_SOURCE if rises else min(1.0, above / _breadth(river))
        found.append(Stream(run.name, run.kind, river, path, begins))
    return found


def _breadth(river: StrokeLook) -> float:
    """With its banks."""
    return river.width + (2 * river.casing_width if river.casing else 0)


def river_look(game_map: GameMap, style: Style, kind_id: str) -> StrokeLook | None:
    kind = next((k for k in game_map.hexside_kinds if k.id == kind_id), kind_id)
    found = look(style.sides, kind, PLAIN_STROKE)
    return found if found.pattern == "river" else None


def _shown(run: SideRun, frame: Frame) -> list[Hexside]:
    return [s for s in run.sides if s.a in frame.hexes or s.b in frame.hexes]


def _crossings(game_map: GameMap, style: Style) -> list[Hexside]:
    """Hexsides with a ferry, a ford or a bridge in the data where the river itself has a gap."""
    drawn = {k.id: look(style.sides, k, PLAIN_STROKE).pattern for k in game_map.hexside_kinds}
    return [
        side for run in game_map.side_runs if drawn.get(run.kind) in ("arrow", "bridge") for side in run.sides
    ]


def _bridged(sides: list[Hexside], crossings: list[Hexside], frame: Frame) -> list[Hexside]:
    """A run with the crossings put in that close a gap of one hexside: the river flows on under them."""
    found = sides[:1]
    for before, after in pairwise(sides):
        a, b = set(ends(before, frame.layout)), set(ends(after, frame.layout))
        if not a & b:
            found += [c for c in crossings if (e := set(ends(c, frame.layout))) & a and e & b][:1]
        found.append(after)
    return found


def _corner_places(sides: list[Hexside], frame: Frame) -> dict[Corner, Point]:
    return {corner(point): point for side in sides for point in frame.layout.side(side)}


def _visits(pieces: list[list[Corner]]) -> Mapping[Corner, int]:
    count: dict[Corner, int] = {}
    for piece in pieces:
        for c in piece:
            count[c] = count.get(c, 0) + 1
    return count


def _at_edge(point: Point, frame: Frame) -> bool:
    """Whether a corner lies on the edge of what is shown: what begins there comes from beyond."""
    x, y = point
    reach = 0.2 * frame.hex_px
    around = [(x + reach * np.cos(t), y + reach * np.sin(t)) for t in np.arange(12) * np.pi / 6]
    return any(frame.layout.at(float(a), float(b)) not in frame.hexes for a, b in around)


def _joints(pieces: list[list[Corner]], places: Mapping[Corner, Point]) -> dict[Corner, tuple[int, Point]]:
    """Where the widest river through a corner really flows, for others to end there."""
    found: dict[Corner, tuple[int, Point]] = {}
    for index, piece in enumerate(pieces):
        for before, here, after in zip(piece, piece[1:], piece[2:], strict=False):
            a, c, b = (np.array(places[name]) for name in (before, here, after))
            x, y = (a + 6 * c + b) / 8
            found.setdefault(here, (index, (float(x), float(y))))
    return found


def _mouths(game_map: GameMap, frame: Frame, wet: frozenset[Hex]) -> dict[Corner, Point]:
    """Corners that touch water, with a point out in it."""
    found: dict[Corner, Point] = {}
    for side in sorted(channel_sides(game_map)):
        for here, point in zip(ends(side, frame.layout), frame.layout.side(side), strict=True):
            found.setdefault(here, point)
    for h in sorted(wet):
        if h in frame.hexes or any(n in frame.hexes for n in neighbors(h)):
            center = frame.layout.exact(h)
            for point in frame.layout.corners(h):
                found[corner(point)] = center
    return found


def _end(
    here: Corner,
    point: Point,
    inward: Point,
    index: int,
    joints: Mapping[Corner, tuple[int, Point]],
    mouths: Mapping[Corner, Point],
    frame: Frame,
) -> Point:
    if here in mouths:
        x, y = mouths[here]
        away = np.hypot(x - point[0], y - point[1])
        share = min(1.0, 0.30 * frame.hex_px / away) if away else 0.0
        return point[0] + (x - point[0]) * share, point[1] + (y - point[1]) * share
    if here in joints and joints[here][0] != index:
        return joints[here][1]
    return point


def draw_streams(ink: Ink, found: list[Stream], frame: Frame) -> None:
    """All casings first, then all water, so that rivers run into each other."""
    order = sorted(found, key=lambda stream: stream.look.width)
    for stream in order:
        if stream.look.casing_width:
            _pour(ink, stream, frame, 2 * stream.look.casing_width, stream.look.casing or stream.look.color)
    for stream in order:
        _pour(ink, stream, frame, 0.0, stream.look.color)


def _pour(ink: Ink, stream: Stream, frame: Frame, extra: float, color: str) -> None:
    """A stroke that swells over its first hexes where the river rises, or was narrower till then."""
    unit = frame.unit
    full = stream.look.width
    path = stream.path
    swell = int(2.2 * frame.hex_px / (3.2 * unit)) if stream.begins < 1 else 0
    swell = min(swell, len(path) - 1)
    stages = 8
    for stage in range(stages):
        start, stop = swell * stage // stages, swell * (stage + 1) // stages
        if stop > start:
            share = stream.begins + (1 - stream.begins) * (stage + 0.5) / stages
            ink.line(path[start : stop + 1], (full + extra) * share * unit, rgb(color))
    if len(path) - swell >= 2:
        ink.line(path[swell:], (full + extra) * unit, rgb(color))
    for (x, y), share in ((path[0], stream.begins), (path[-1], 1.0)):
        ink.disc(x, y, (full + extra) * share / 2 * unit, rgb(color))
