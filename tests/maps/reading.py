"""Asking a finished map: corners, rivers, railways, ways by land."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache

from fieldpost.definition import load_map
from fieldpost.definition.mapmodel import GameMap, Place, SideRun
from fieldpost.hexes import Hex, Hexside, Orientation, neighbors, to_cell

WATER = frozenset({"sea", "lake"})
WET_SIDES = frozenset(
    {"sea", "lake", "strait", "sivash", "causeway", "rail-bridge", "ice-road", "frozen-access"}
)
SEA_SIDES = frozenset({"sea", "strait", "sivash", "causeway", "rail-bridge"})
RAIL_OVER_WATER = frozenset({"causeway", "rail-bridge"})
GAMES = ("wfm", "lwe", "ftm")
Corner = tuple[Hex, ...]


@cache
def the_map(game: str) -> GameMap:
    return load_map(game)


def hexes(game: str, labels: str, sheet: str | None = None) -> list[Hex]:
    return [the_map(game).lattice.hex(label, sheet) for label in labels.split()]


def side(game: str, text: str, sheet: str | None = None) -> frozenset[str]:
    """The kinds of a hexside."""
    m = the_map(game)
    return m.side_kinds.get(m.lattice.hexside(text, sheet), frozenset())


def names_at(game: str, label: str) -> set[str]:
    m = the_map(game)
    return {p.name for p in m.places_at.get(m.lattice.hex(label), ())}


def place(game: str, name: str) -> Place:
    return next(p for p in the_map(game).places if p.name == name)


def dry(m: GameMap, hex_: Hex) -> bool:
    return m.terrain.get(hex_, "sea") not in WATER


def touches_sea(m: GameMap, hex_: Hex) -> bool:
    return any(m.terrain.get(n) == "sea" for n in neighbors(hex_)) or any(
        SEA_SIDES & m.side_kinds.get(Hexside.between(hex_, n), frozenset()) for n in neighbors(hex_)
    )


def reachable(m: GameMap, start: Hex, blocked: Iterable[Hex] = ()) -> set[Hex]:
    """Every hex a unit could walk to by land, rivers no hindrance."""
    seen, queue = {start, *blocked}, [start]
    while queue:
        at = queue.pop()
        for n in neighbors(at):
            open_ = not WET_SIDES & m.side_kinds.get(Hexside.between(at, n), frozenset())
            if n not in seen and dry(m, n) and open_:
                seen.add(n)
                queue.append(n)
    return seen - set(blocked)


def by_rail(
    m: GameMap, start: Hex, may_enter: Callable[[Hex], bool] = lambda _: True, kind: str = "railway"
) -> set[Hex]:
    """Every hex on the railways that lead on from one."""
    steps: dict[Hex, set[Hex]] = {}
    for line_side, kinds in m.line_steps.items():
        if kind in kinds:
            steps.setdefault(line_side.a, set()).add(line_side.b)
            steps.setdefault(line_side.b, set()).add(line_side.a)
    seen, queue = ({start}, [start]) if start in steps else (set(), [])
    while queue:
        for n in steps[queue.pop()]:
            if n not in seen and may_enter(n):
                seen.add(n)
                queue.append(n)
    return seen


# --- rivers ----------------------------------------------------------------------------------


def ends(of: Hexside) -> tuple[Corner, Corner]:
    first, second = (h for h in neighbors(of.a) if h in neighbors(of.b))
    return tuple(sorted((of.a, of.b, first))), tuple(sorted((of.a, of.b, second)))


def rivers(m: GameMap) -> list[SideRun]:
    return [run for run in m.side_runs if run.kind.endswith("river")]


def corners(run: SideRun) -> set[Corner]:
    return {c for s in run.sides for c in ends(s)}


def first_and_last(run: SideRun) -> tuple[set[Corner], set[Corner]]:
    """The corner a run begins at and the one it ends at; both, for a run of one side."""
    if len(run.sides) == 1:
        return set(ends(run.sides[0])), set(ends(run.sides[0]))
    begin = set(ends(run.sides[0])) - set(ends(run.sides[1]))
    end = set(ends(run.sides[-1])) - set(ends(run.sides[-2]))
    return begin, end


def watery_corners(m: GameMap) -> Callable[[Corner], bool]:
    wet = {c for run in m.side_runs if run.kind in WET_SIDES for s in run.sides for c in ends(s)}
    return lambda corner: corner in wet or any(m.terrain.get(h) in WATER for h in corner)


def center(m: GameMap, hex_: Hex) -> tuple[float, float]:
    column, row = to_cell(hex_, m.lattice.orientation)
    if m.lattice.orientation is Orientation.POINTY:
        return column + 0.5 * (row & 1), row * math.sqrt(3) / 2
    return column * math.sqrt(3) / 2, row + 0.5 * (column & 1)


def bank_cosines(m: GameMap, town: Hex, river: str, bearing: float) -> list[float]:
    """For each hexside of a town's hex that bears the river: 1 straight towards the bearing, -1 away."""
    angle = math.radians(bearing + m.north_degrees)
    x, y = center(m, town)
    found = []
    for n in neighbors(town):
        if any(run.name == river and Hexside.between(town, n) in run.sides for run in rivers(m)):
            dx, dy = center(m, n)[0] - x, center(m, n)[1] - y
            found.append((dx * math.sin(angle) - dy * math.cos(angle)) / math.hypot(dx, dy))
    return found
