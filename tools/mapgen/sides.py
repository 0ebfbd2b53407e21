"""Hexsides that are all water, and hexsides that are a border; chains of hexsides in walking order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from fieldpost.hexes import Hexside
from tools.mapgen.model import Draft, Run
from tools.mapgen.plane import Corner, Plane
from tools.mapgen.terrain import Ground

_STEPS = tuple(float(t) for t in np.linspace(0.08, 0.92, 22))
_WATER_SHARE = 0.65
_HIGH_M = 700  # mountain, as for hexes


def water_sides(draft: Draft, ground: Ground) -> dict[Hexside, str]:
    """Sides between two dry hexes along which there is hardly any land."""
    found = {}
    names: dict[str, str] = draft.spec.head.get("terrain_names", {})
    for side in draft.plane.sides:
        if not (draft.dry(side.a) and draft.dry(side.b)):
            continue
        points = draft.plane.along(side, _STEPS)
        sea = float((~draft.canvas.sample(ground.land, points)).mean())
        lake = float(draft.canvas.sample(ground.lake, points).mean())
        if sea + lake >= _WATER_SHARE:
            water = "sea" if sea >= lake else "lake"
            found[side] = str(names.get(water, water))
    return found


def half_sides(draft: Draft) -> list[Run]:
    """Hexsides of which half or more is a terrain, for rules that ask for the side and not for the hex.

    Between two hexes of the terrain every side counts, between two others none.
    """
    lying = {"mountain": draft.ground.height > _HIGH_M, **draft.ground.zones}
    runs = []
    for terrain, kind in draft.spec.head.get("half_of_side", {}).items():
        found = []
        for side in draft.plane.sides:
            bearing = [draft.terrain[h] == terrain for h in side]
            if any(bearing) and draft.dry(side.a) and draft.dry(side.b) and side not in draft.water:
                share = draft.canvas.sample(lying[terrain], draft.plane.along(side, _STEPS)).mean()
                if all(bearing) or share >= 0.5:
                    found.append(side)
        name = kind.replace("-", " ").capitalize()
        runs += [Run(kind, name, "derived", tuple(chain)) for chain in chains(draft.plane, found)]
    return runs


def river_borders(draft: Draft) -> None:
    """The hexes along a river that is a border belong to the two countries of its banks."""
    for row in draft.spec.head.get("river_borders", []):
        for course in draft.courses.get(row["river"], []):
            points = [np.array(draft.plane.corner_point(c)) for c in course.corners]
            marks = [np.array(draft.reference.point(*row[key])) for key in ("begins", "ends")]
            nearest = [
                min(range(len(points)), key=lambda i: float(np.hypot(*(points[i] - m)))) for m in marks
            ]
            low, high = min(nearest), max(nearest)
            for before, after, side in zip(
                points[low:high], points[low + 1 : high + 1], course.sides[low:high], strict=True
            ):
                way = after - before
                for hex_ in side:
                    off = np.array(draft.plane.center(hex_)) - before
                    left = float(way[0] * off[1] - way[1] * off[0]) < 0  # y grows downwards
                    if hex_ in draft.country:
                        draft.country[hex_] = row["left" if left else "right"]


def build_bridges(draft: Draft) -> None:
    """Where a road or a railway crosses a river that wants a bridge."""
    rule = draft.spec.head.get("bridges")
    if rule is None:
        return
    wide = {side for run in draft.runs if run.kind in rule["over"] for side in run.sides}
    names = {side: run.name for run in draft.runs if run.kind in rule["over"] for side in run.sides}
    found: dict[tuple[str, Hexside], None] = {}
    for track in draft.tracks:
        kind = rule["railway"] if "railway" in track.kind else rule["other"]
        for a, b in pairwise(track.hexes):
            if (side := Hexside.between(a, b)) in wide:
                found[kind, side] = None
    draft.runs += [Run(kind, f"{names[side]} bridge", "derived", (side,)) for kind, side in found]


def border_runs(draft: Draft) -> list[Run]:
    """The lines between two countries' dry hexes, each in walking order."""
    inner = set(draft.spec.head.get("inner_borders", []))
    between: dict[tuple[str, str], list[Hexside]] = {}
    for side in draft.plane.sides:
        one, other = draft.country.get(side.a), draft.country.get(side.b)
        if one and other and one != other and not draft.wet(side):
            between.setdefault((min(one, other), max(one, other)), []).append(side)
    return [
        Run(
            "region-boundary" if inner >= set(pair) else "border",
            f"{_title(pair[0])} - {_title(pair[1])}",
            "derived",
            tuple(chain),
        )
        for pair, sides in sorted(between.items())
        for chain in chains(draft.plane, sides)
    ]


def _title(country: str) -> str:
    return country.replace("-", " ").title()


def stretches(plane: Plane, walk: Iterable[Hexside]) -> list[list[Hexside]]:
    """A walk cut where a side does not touch the one before it."""
    found: list[list[Hexside]] = []
    for side in walk:
        if found and set(plane.ends(side)) & set(plane.ends(found[-1][-1])):
            found[-1].append(side)
        else:
            found.append([side])
    return found


def chains(plane: Plane, sides: Iterable[Hexside]) -> list[list[Hexside]]:
    """The sides as few walks, each side touching the one before it."""
    left = set(sides)
    at: dict[Corner, set[Hexside]] = {}
    for side in left:
        for end in plane.ends(side):
            at.setdefault(end, set()).add(side)
    found = []
    while left:
        start = min(_loose_ends(plane, at, left), default=None)
        first = start or (plane.ends(min(left))[0], min(left))
        found.append(_walk(plane, at, left, *first))
    return found


def _loose_ends(
    plane: Plane, at: dict[Corner, set[Hexside]], left: set[Hexside]
) -> list[tuple[Corner, Hexside]]:
    return [(end, side) for side in left for end in plane.ends(side) if len(at[end] & left) == 1]


def _walk(
    plane: Plane, at: dict[Corner, set[Hexside]], left: set[Hexside], corner: Corner, side: Hexside
) -> list[Hexside]:
    walk = []
    while True:
        walk.append(side)
        left.remove(side)
        one, other = plane.ends(side)
        corner = other if corner == one else one
        following = sorted(at[corner] & left)
        if not following:
            return walk
        side = following[0]
