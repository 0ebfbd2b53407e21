"""Railways: from town to town along the straightest way that crosses no water."""

from __future__ import annotations

import heapq
import math
from itertools import pairwise
from typing import Any

import numpy as np

from fieldpost.hexes import Hex, Hexside, neighbors
from tools.mapgen import spec
from tools.mapgen.model import Draft, Track

_DEVIATION, _KNOWN_TRACK = 0.35, 0.3
_TERRAIN_COST = {"mountain": 1.0, "marsh": 0.25, "swamp": 0.25, "hills": 0.15}


def draw_lines(draft: Draft, line: dict[str, Any]) -> None:
    """Every chain of a file of towns; a chain that leaves the map stops at its rim."""
    laid: set[Hexside] = set()
    left_out = set(line.get("left_out", []))
    for chain in spec.railways(spec.HERE / line["file"]):
        if " - ".join(chain) not in left_out:
            _draw_chain(draft, _Style(line), chain, laid)


class _Style:
    """What kind of line it is and on whose word."""

    def __init__(self, line: dict[str, Any]) -> None:
        self.kind = str(line["kind"])
        self.source = str(line.get("source", "derived"))
        self.note = line.get("note")


def _draw_chain(draft: Draft, style: _Style, chain: list[str], laid: set[Hexside]) -> None:
    stretch: list[Hex] = []
    names: list[str] = []
    for first, second in pairwise(chain):
        leg = _leg(draft, first, second, laid)
        if not leg or (stretch and stretch[-1] != leg[0]):
            _finish(draft, style, names, stretch)
            stretch, names = [], []
        if leg:
            names += [n for n in (first, second) if n not in names]
            stretch += leg if not stretch else leg[1:]
            laid |= {Hexside.between(a, b) for a, b in pairwise(leg)}
    _finish(draft, style, names, stretch)


def _finish(draft: Draft, style: _Style, names: list[str], stretch: list[Hex]) -> None:
    if len(stretch) > 1:
        towns = [n for n in names if n in draft.towns]
        first, last = (towns[0], towns[-1]) if len(towns) > 1 else (names[0], names[-1])
        title = f"{first} - {last}"
        draft.tracks.append(Track(style.kind, title, style.source, tuple(stretch), note=style.note))


def _leg(draft: Draft, first: str, second: str, laid: set[Hexside]) -> list[Hex]:
    a, b = _station(draft, first), _station(draft, second)
    if a in draft.plane.hexes and b in draft.plane.hexes:
        return _way(draft, a, b, laid) if a != b else [a]
    if a not in draft.plane.hexes and b not in draft.plane.hexes:
        return []
    if a in draft.plane.hexes:
        return _to_rim(draft, first, second, laid)
    return _to_rim(draft, second, first, laid)[::-1]


def _station(draft: Draft, name: str) -> Hex:
    """A town's hex, or the hex of a label."""
    if name in draft.towns:
        return draft.towns[name].hex
    return draft.plane.lattice.hex(name)


def _to_rim(draft: Draft, inside: str, outside: str, laid: set[Hexside]) -> list[Hex]:
    """From a town to the last dry hex before the map's rim on the straight line to another."""
    start, goal = np.array(_point(draft, inside)), np.array(_point(draft, outside))
    home = _station(draft, inside)
    last = home
    for t in np.linspace(0, 1, 400):
        x, y = start + (goal - start) * t
        hex_ = draft.plane.at(float(x), float(y))
        if hex_ not in draft.plane.hexes:
            break
        if draft.dry(hex_):
            last = hex_
    return _way(draft, home, last, laid) if last != home else []


def _point(draft: Draft, name: str) -> tuple[float, float]:
    return draft.towns[name].point if name in draft.towns else draft.plane.center(_station(draft, name))


def _way(draft: Draft, start: Hex, goal: Hex, laid: set[Hexside]) -> list[Hex]:
    a, b = np.array(draft.plane.center(start)), np.array(draft.plane.center(goal))
    along = (b - a) / np.hypot(*(b - a))
    rivers = {side for run in draft.runs if run.kind.endswith("river") for side in run.sides}
    best, before = {start: 0.0}, dict[Hex, Hex]()
    queue = [(0.0, start)]
    while queue:
        spent, at = heapq.heappop(queue)
        if at == goal:
            return _back(before, start, goal)
        if spent > best[at]:
            continue
        for there in neighbors(at):
            if there not in draft.plane.hexes or not draft.dry(there):
                continue
            side = Hexside.between(at, there)
            if side in draft.water and side not in draft.dams:
                continue
            off = np.array(draft.plane.center(there)) - a
            away = abs(float(off[0] * along[1] - off[1] * along[0]))
            cost = 1 + _DEVIATION * away**1.5 + _TERRAIN_COST.get(draft.terrain[there], 0.0)
            cost += 0.15 * (side in rivers) - _KNOWN_TRACK * (side in laid)
            if spent + cost < best.get(there, math.inf):
                best[there], before[there] = spent + cost, at
                heapq.heappush(queue, (spent + cost, there))
    draft.problems.append(f"no railway from {draft.plane.label(start)} to {draft.plane.label(goal)}")
    return []


def _back(before: dict[Hex, Hex], start: Hex, goal: Hex) -> list[Hex]:
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]
