"""Rivers: join the pieces of a course, then walk it along hexsides from source to mouth.

A town's bank is a fact: near a town the course is first pushed to the side of the hex the river lies on,
and the walk may not use the hexsides on the other side.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from fieldpost.hexes import Hexside, neighbors
from tools.mapgen import spec
from tools.mapgen.model import Course, Draft, SettledTown
from tools.mapgen.packages import locate
from tools.mapgen.plane import Corner, corner
from tools.mapgen.projection import Array
from tools.mapgen.sources import Course as Piece
from tools.mapgen.sources import read_rivers
from tools.mapgen.spec import River

_JOIN_DEGREES = 0.12
_GAP_DEGREES = 0.9
_PUSH_REACH = 1.3
_WRONG_BANK = 6.0


@dataclass(frozen=True)
class Bank:
    """A town, the way to its river, and how far the course must move to pass its hex on that side."""

    town: SettledTown
    towards: Array
    shift: Array
    wrong: frozenset[Hexside]
    nearest: Corner


# --- courses ---------------------------------------------------------------------------------


def course_points(river: River, pieces: list[Piece], drawn: dict[str, list[tuple[float, float]]]) -> Array:
    """The whole course, source first, as longitude and latitude."""
    if river.course in drawn:
        return np.array([(lon, lat) for lat, lon in drawn[river.course]])
    parts = [p.points for p in pieces if p.name in _aliases(river.course)]
    return _join(parts, river.source[::-1], river.mouth[::-1])


def _aliases(name: str) -> set[str]:
    return {name, "Dnepre"} if name == "Dnipro" else {name, "Bratul Chillia"} if name == "Danube" else {name}


def _join(parts: list[Array], source: tuple[float, float], mouth: tuple[float, float]) -> Array:
    """The way from source to mouth over the pieces; small gaps are bridged, at a price."""
    ends = np.array([p for part in parts for p in (part[0], part[-1])])
    apart = np.hypot(ends[:, None, 0] - ends[None, :, 0], ends[:, None, 1] - ends[None, :, 1])
    start = int(np.hypot(*(ends - source).T).argmin())
    goal = int(np.hypot(*(ends - mouth).T).argmin())
    best, before = {start: 0.0}, dict[int, int]()
    queue = [(0.0, start)]
    while queue:
        price, node = heapq.heappop(queue)
        if price > best[node]:
            continue
        steps = [(node ^ 1, 0.01 * len(parts[node // 2]))]
        steps += [(int(k), _bridge(apart[node, k])) for k in np.flatnonzero(apart[node] < _GAP_DEGREES)]
        for k, cost in steps:
            if price + cost < best.get(k, math.inf):
                best[k], before[k] = price + cost, node
                heapq.heappush(queue, (price + cost, k))
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    way.reverse()
    pieces = [_oriented(parts, a) for a, b in pairwise(way) if a == b ^ 1]
    return np.vstack(pieces)


def _bridge(gap: float) -> float:
    return 0.001 if gap < _JOIN_DEGREES else 5 + 20 * float(gap)


def _oriented(parts: list[Array], first_end: int) -> Array:
    part = parts[first_end // 2]
    return part if first_end % 2 == 0 else part[::-1]


# --- banks -----------------------------------------------------------------------------------


def find_banks(draft: Draft) -> list[Bank]:
    found = []
    chosen = draft.spec.head.get("banks")
    for name, bearing in spec.banks(draft.spec.geography("banks.csv")).items():
        if chosen is not None and name not in chosen:
            continue
        town = draft.towns.get(name)
        if town is not None and town.hex in draft.plane.hexes:
            found.append(_bank(draft, town, math.radians(bearing)))
    return found


def _bank(draft: Draft, settled: SettledTown, bearing: float) -> Bank:
    town, center = settled.town, np.array(draft.plane.center(settled.hex))
    there = draft.reference.point(
        town.lat + 0.1 * math.cos(bearing),
        town.lon + 0.1 * math.sin(bearing) / math.cos(math.radians(town.lat)),
    )
    here = np.array(draft.reference.point(town.lat, town.lon))
    towards = np.array(there) - here
    towards /= np.hypot(*towards)
    wrong = set()
    for neighbor in neighbors(settled.hex):
        away = np.array(draft.plane.center(neighbor)) - center
        if float(away @ towards) < -0.1:
            wrong.add(Hexside.between(settled.hex, neighbor))
    rim = center + 0.577 * towards
    around = neighbors(settled.hex)
    corners = [corner(settled.hex, around[i], around[(i + 1) % 6]) for i in range(6)]
    nearest = min(corners, key=lambda c: math.dist(draft.plane.corner_point(c), (rim[0], rim[1])))
    return Bank(settled, towards, center - here + 0.45 * towards, frozenset(wrong), nearest)


def pushed(points: Array, banks: list[Bank]) -> Array:
    out = points.copy()
    for bank in banks:
        here = np.array(bank.town.point)
        away = np.hypot(*(points - here).T) / _PUSH_REACH
        weight = np.where(away < 1, (1 - away**2) ** 2, 0.0)
        out += weight[:, None] * bank.shift
    return out


# --- walking ---------------------------------------------------------------------------------


def draw_rivers(draft: Draft, wanted: Callable[[River], bool]) -> None:
    pieces = read_rivers(locate("naturalearth"))
    drawn = spec.named_points(draft.spec.geography("courses.csv"), "river")
    banks, paths = find_banks(draft), draft.spec.extra("river_paths.yaml")
    hints = {str(p["river"]): p for p in paths}
    for river in spec.rivers(draft.spec.geography("rivers.yaml")):
        if wanted(river):
            points = course_points(river, pieces, drawn)
            _Walk(draft, river, banks, hints.get(river.name, {})).draw(points)


class _Walk:
    """One river on its way along the hexsides."""

    def __init__(self, draft: Draft, river: River, banks: list[Bank], hint: dict[str, Any]) -> None:
        self.draft, self.river, self.banks = draft, river, banks
        lattice = draft.plane.lattice
        self.through = {lattice.hexside(s) for s in str(hint.get("through", "")).split()}
        self.avoid = {lattice.hexside(s) for s in str(hint.get("avoid", "")).split()}
        self.taken = {c for courses in draft.courses.values() for course in courses for c in course.corners}

    def draw(self, points: Array) -> None:
        line = _fine(pushed(self.draft.reference.to_plane(points[:, 0], points[:, 1]), self.banks))
        stretches = self._stretches(line)
        for number, (stretch, begins, ends) in enumerate(stretches):
            last = number == len(stretches) - 1
            course = self._walk(stretch, begins, self.river.into if last and ends == "end" else ends)
            if course is not None:
                self.draft.courses.setdefault(self.river.name, []).append(course)

    def _stretches(self, line: Array) -> list[tuple[Array, str, str]]:
        """The parts of the course that run over dry hexes of the map, with what lies before and after."""
        kinds = [self._kind(p) for p in line]
        found, start = [], 0
        for i in range(1, len(line) + 1):
            if i == len(line) or kinds[i] != kinds[start]:
                if kinds[start] == "dry":
                    before = kinds[start - 1] if start else "spring"
                    after = kinds[i] if i < len(line) else "end"
                    found.append((line[start:i], before, after))
                start = i
        return [(s, b, e) for s, b, e in _merged(found) if len(s) > 6]

    def _kind(self, point: Array) -> str:
        hex_ = self.draft.plane.at(float(point[0]), float(point[1]))
        if hex_ not in self.draft.plane.hexes:
            return "edge"
        return "dry" if self.draft.dry(hex_) else self.draft.terrain[hex_]

    def _walk(self, stretch: Array, begins: str, ends: str) -> Course | None:
        price = self._prices(stretch)
        marks = self._marks(stretch, begins)
        goals = self._goals(stretch, ends)
        if not goals:
            self.draft.problems.append(f"{self.river.name}: nowhere to end ({ends})")
            ends, goals = "end", {self._nearest(stretch[-1], None)}
        corners, sides = [marks[0]], list[Hexside]()
        for goal in [{m} for m in marks[1:]] + [goals]:
            if corners[-1] in goals and goal is not goals and len(corners) > 1:
                continue
            leg = self._route(corners[-1], goal, price, set(corners[:-1]))
            if leg is None:
                if goal is goals:
                    self.draft.problems.append(f"{self.river.name}: no way to its end ({ends})")
                continue
            corners += [c for c, _ in leg]
            sides += [s for _, s in leg]
        return Course(self.river.name, tuple(corners), tuple(sides), begins, ends) if sides else None

    def _prices(self, stretch: Array) -> Callable[[Hexside], float]:
        known: dict[Hexside, float] = {}
        wrong = {side for bank in self.banks for side in bank.wrong if self._passes(stretch, bank)}

        def price(side: Hexside) -> float:
            if side not in known:
                middle = self.draft.plane.along(side, (0.2, 0.5, 0.8))
                off = ((stretch[None] - middle[:, None]) ** 2).sum(-1).min(1).mean()
                cost = 0.05 + 4 * float(off) + _WRONG_BANK * (side in wrong)
                cost += 3.0 if self.draft.wet(side) else 0.0
                cost += 20.0 if side in self.avoid else 0.0
                known[side] = 0.01 if side in self.through else cost
            return known[side]

        return price

    def _passes(self, stretch: Array, bank: Bank) -> bool:
        here = np.array(bank.town.point) + bank.shift
        return bool(np.hypot(*(stretch - here).T).min() < 0.45)

    def _marks(self, stretch: Array, begins: str) -> list[Corner]:
        """Corners to pass, in order: where the stretch begins, then the right bank of each town."""
        found = [(-1, self._start(stretch, begins))]
        for bank in self.banks:
            away = np.hypot(*(stretch - (np.array(bank.town.point) + bank.shift)).T)
            usable = bank.nearest in self.draft.plane.sides_at and bank.nearest not in self.taken
            if away.min() < 0.3 and usable:
                found.append((int(away.argmin()), bank.nearest))
        ordered = [c for _, c in sorted(found, key=lambda m: m[0])]
        return list(dict.fromkeys(ordered))

    def _start(self, stretch: Array, begins: str) -> Corner:
        if begins in ("sea", "lake"):
            return self._nearest(stretch[0], self._touches(begins))
        if begins == "edge":
            return self._nearest(stretch[0], self.draft.plane.on_rim)
        return self._nearest(stretch[0], None)

    def _goals(self, stretch: Array, ends: str) -> set[Corner]:
        graph, point = self.draft.plane.sides_at, stretch[-1]
        close = [c for c in graph if self._nearer_end(self.draft.plane.corner_point(c), stretch)]
        if ends in ("sea", "lake"):
            return set(filter(self._touches(ends), close))
        if ends == "edge":
            return set(filter(self.draft.plane.on_rim, close))
        if ends == "end":
            return {self._nearest(point, None)}
        receiving = {c for course in self.draft.courses.get(ends, []) for c in course.corners}
        return {c for c in close if c in receiving}

    @staticmethod
    def _nearer_end(point: tuple[float, float], stretch: Array) -> bool:
        first, last = (math.dist(point, (float(p[0]), float(p[1]))) for p in (stretch[0], stretch[-1]))
        return last < 2.2 and last < first

    def _touches(self, water: str) -> Callable[[Corner], bool]:
        def touches(at: Corner) -> bool:
            hexes = [h for h in at if h in self.draft.plane.hexes]
            pairs = [(a, b) for a in hexes for b in hexes if a < b]
            return any(self.draft.terrain[h] == water for h in hexes) or any(
                self.draft.water.get(Hexside.between(a, b)) == water for a, b in pairs
            )

        return touches

    def _nearest(self, point: Array, holds: Callable[[Corner], bool] | None) -> Corner:
        graph = self.draft.plane.sides_at
        at = (float(point[0]), float(point[1]))
        allowed: Iterable[Corner] = filter(holds, graph) if holds else graph
        return min(allowed, key=lambda c: (math.dist(self.draft.plane.corner_point(c), at), c))

    def _route(
        self, start: Corner, goals: set[Corner], price: Callable[[Hexside], float], passed: set[Corner]
    ) -> list[tuple[Corner, Hexside]] | None:
        best, before = {start: 0.0}, dict[Corner, tuple[Corner, Hexside]]()
        queue = [(0.0, start)]
        while queue:
            spent, at = heapq.heappop(queue)
            if at in goals:
                return _leg(before, start, at)
            if spent > best[at]:
                continue
            for there, side in self.draft.plane.sides_at[at]:
                cost = spent + price(side)
                if there not in passed and cost < best.get(there, math.inf):
                    best[there], before[there] = cost, (at, side)
                    heapq.heappush(queue, (cost, there))
        return None


def _leg(
    before: dict[Corner, tuple[Corner, Hexside]], start: Corner, at: Corner
) -> list[tuple[Corner, Hexside]]:
    leg = []
    while at != start:
        came, side = before[at]
        leg.append((at, side))
        at = came
    return leg[::-1]


def _fine(line: Array) -> Array:
    out = [line[:1]]
    for a, b in pairwise(line):
        n = max(1, int(np.hypot(*(b - a)) / 0.12))
        out.append(a + (b - a) * (np.arange(1, n + 1) / n)[:, None])
    return np.vstack(out)


def _merged(found: list[tuple[Array, str, str]]) -> list[tuple[Array, str, str]]:
    """Stretches that only a tip of the neighbouring sheet's rim or of a lagoon parts are one."""
    out: list[tuple[Array, str, str]] = []
    for stretch, before, after in found:
        if out and before == out[-1][2] and np.hypot(*(stretch[0] - out[-1][0][-1])) < 0.5:
            whole = np.vstack([out[-1][0], stretch])
            out[-1] = (whole, out[-1][1], after)
        else:
            out.append((stretch, before, after))
    return out
