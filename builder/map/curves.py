"""Lines over the map: chains of hexsides and of hexes, smoothed, bent, dashed, shifted aside."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fieldpost.hexes import Hexside, Layout

Point = tuple[float, float]
Path = NDArray[np.float64]  # n points of x and y
Node = TypeVar("Node", bound=Hashable)


def corner(point: Point) -> tuple[int, int]:
    """A name for a corner of the grid, the same from each of its three hexes."""
    return round(point[0] * 2), round(point[1] * 2)


def ends(side: Hexside, layout: Layout) -> tuple[tuple[int, int], tuple[int, int]]:
    a, b = layout.side(side)
    return corner(a), corner(b)


def walk(sides: Sequence[Hexside], layout: Layout) -> list[list[tuple[int, int]]]:
    """The corners that a run of hexsides passes, in its order; a gap begins a new piece."""
    pieces: list[list[tuple[int, int]]] = []
    for index, side in enumerate(sides):
        a, b = ends(side, layout)
        if pieces and pieces[-1][-1] in (a, b):
            pieces[-1].append(b if pieces[-1][-1] == a else a)
        elif pieces and len(pieces[-1]) == 2 and pieces[-1][0] in (a, b):
            pieces[-1].reverse()
            pieces[-1].append(b if pieces[-1][-1] == a else a)
        else:
            following = ends(sides[index + 1], layout) if index + 1 < len(sides) else ()
            pieces.append([b, a] if a in following else [a, b])
    return pieces


def chains(edges: Iterable[tuple[Node, Node]], stops: Iterable[Node] = ()) -> list[list[Node]]:
    """A network as chains between its ends, junctions and `stops`; rings are closed."""
    near: dict[Node, list[Node]] = defaultdict(list)
    for a, b in sorted(set(edges), key=repr):
        near[a].append(b)
        near[b].append(a)
    knots = {node for node, others in near.items() if len(others) != 2} | (set(stops) & set(near))
    done: set[frozenset[Node]] = set()

    def follow(start: Node, then: Node) -> list[Node]:
        path = [start, then]
        done.add(frozenset((start, then)))
        while path[-1] not in knots:
            onward = [n for n in near[path[-1]] if frozenset((path[-1], n)) not in done]
            if not onward:
                break
            done.add(frozenset((path[-1], onward[0])))
            path.append(onward[0])
        return path

    order = [*sorted(knots, key=repr), *sorted(set(near) - knots, key=repr)]
    return [follow(a, b) for a in order for b in near[a] if frozenset((a, b)) not in done]


def rounded(points: Sequence[Point] | Path, steps: int = 6) -> Path:
    """A curve through the middle of each segment that cuts every corner; the ends stay."""
    p = np.asarray(points, np.float64)
    if len(p) < 3:
        return p
    closed = bool(np.allclose(p[0], p[-1]))
    if closed:
        p = np.vstack([p, p[1:2]])
    middles = (p[:-1] + p[1:]) / 2
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = [] if closed else [p[:1]]
    for index in range(len(middles) - 1):
        a, c, b = middles[index], p[index + 1], middles[index + 1]
        parts.append((1 - t) ** 2 * a + 2 * t * (1 - t) * c + t * t * b)
    parts.append(middles[-1:])
    if not closed:
        parts.append(p[-1:])
    return np.vstack(parts)


def through(points: Sequence[Point] | Path, fixed: Sequence[bool] | None = None, steps: int = 8) -> Path:
    """A smooth curve from end to end; points not `fixed` are first drawn towards their neighbours."""
    p = np.asarray(points, np.float64)
    if len(p) < 3:
        return p
    eased = p.copy()
    eased[1:-1] = (p[:-2] + 2.4 * p[1:-1] + p[2:]) / 4.4
    if fixed is not None:
        held = np.asarray(fixed, bool)
        eased[held] = p[held]
    q = np.vstack([2 * eased[0] - eased[1], eased, 2 * eased[-1] - eased[-2]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = []
    for i in range(1, len(q) - 2):
        a, b, c, d = q[i - 1], q[i], q[i + 1], q[i + 2]
        parts.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    parts.append(q[-2:-1])
    return np.vstack(parts)


def spaced(path: Path, step: float) -> Path:
    """The same curve with points at even distances, its ends kept."""
    lengths = measure(path)
    if lengths[-1] == 0:
        return path[:1]
    count = max(2, math.ceil(lengths[-1] / step) + 1)
    return at(path, np.linspace(0, lengths[-1], count))


def measure(path: Path) -> NDArray[np.float64]:
    """How far along the curve each of its points lies."""
    steps = np.hypot(*np.diff(path, axis=0).T)
    return np.concatenate([[0.0], np.cumsum(steps)])


def at(path: Path, distances: NDArray[np.float64]) -> Path:
    lengths = measure(path)
    return np.stack(
        [np.interp(distances, lengths, path[:, 0]), np.interp(distances, lengths, path[:, 1])], axis=1
    )


def meander(path: Path, reach: float, hex_px: float) -> Path:
    """A curve bent by a field that depends on the place alone, so that what met still meets."""
    x, y = path[:, 0] / hex_px, path[:, 1] / hex_px
    across = (
        np.sin(5.1 * x + 2.3 * y) + 0.8 * np.sin(9.7 * y - 4.1 * x + 1.7) + 0.5 * np.sin(17.3 * x + 11.9 * y)
    )
    down = (
        np.sin(4.7 * y - 2.9 * x + 0.6)
        + 0.8 * np.sin(10.3 * x + 3.7 * y + 2.9)
        + 0.5 * np.sin(15.1 * y - 13.7 * x)
    )
    return path + reach / 1.4 * np.stack([across, down], axis=1)


def normals(path: Path) -> Path:
    """Unit vectors to the left of the way at each point."""
    way = np.gradient(path, axis=0)
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    return np.stack([way[:, 1] / length, -way[:, 0] / length], axis=1)


def dashes(path: Path, pattern: Sequence[float]) -> Iterator[Path]:
    """The drawn parts of a line: dash, gap, dash, gap ..., fitted so that it ends on a dash."""
    total = float(measure(path)[-1])
    whole = sum(pattern)
    repeats = max(1, round((total - pattern[0]) / whole))
    scale = total / (repeats * whole + pattern[0])
    position, index = 0.0, 0
    while position < total - 0.01:
        length = pattern[index % len(pattern)] * scale
        if index % 2 == 0:
            stop = min(position + length, total)
            count = max(2, int(length / 4) + 2)
            yield at(path, np.linspace(position, stop, count))
        position += length
        index += 1
