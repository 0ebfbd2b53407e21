"""Small maps for the tests: one made by hand with a bit of everything, the example, the maps in the box."""

from __future__ import annotations

from functools import cache

from fieldpost.definition import load, load_map
from fieldpost.definition.mapmodel import (
    Area,
    GameMap,
    Grid,
    Kind,
    Line,
    MapEdge,
    Place,
    SideRun,
)
from fieldpost.definition.model import Game
from fieldpost.hexes import Axis, Compass, Hex, Hexside, Lattice, Orientation, Sheet
from tests.places import REPOSITORY

ROWS = """
~~~~~..fff..
~~..~..ff...
~...~.mmm..s
..oo..mm..ss
..oo..h....s
f......~.~..
ff...~~~~~..
"""
LETTERS = {
    ".": "clear",
    "f": "forest",
    "m": "mountain",
    "h": "hill",
    "s": "marsh",
    "o": "lake",
    "~": "sea",
}
SEA = "sea"


def _kinds(*ids: str) -> tuple[Kind, ...]:
    return tuple(Kind(id_, id_.replace("-", " ").capitalize()) for id_ in ids)


@cache
def island(orientation: Orientation = Orientation.POINTY) -> GameMap:
    """Twelve by seven hexes with sea, a lake, a channel, a river and a tributary, rails and towns."""
    lattice = Lattice(orientation, (Sheet("A", Axis(1, 1, 1, 12), Axis(1, 1, 1, 7)),))
    rows = ROWS.split()
    terrain = {
        lattice.hex(f"{x + 1:02d}{y + 1:02d}"): LETTERS[letter]
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
    }

    def at(label: str) -> Hex:
        return lattice.hex(label)

    def place(label: str, name: str, kind: str, *features: str, **values: int) -> Place:
        return Place(at(label), name, kind, "editorial", features=features, values=values)

    def run(kind: str, name: str, *sides: str) -> SideRun:
        return SideRun(kind, name, "editorial", tuple(lattice.hexside(s) for s in sides))

    def line(kind: str, *labels: str) -> Line:
        return Line(kind, "", "editorial", tuple(map(at, labels)))

    zones = {h: "north" if h.r + h.q // 2 < 3 else "south" for h in terrain}
    channel = Hexside.between(at("0605"), at("0606"))
    river = ["0602/0702", "0602/0603"] if orientation is Orientation.POINTY else ["0602/0702", "0602/0703"]
    return GameMap(
        id="island",
        title="Island: a map for tests",
        lattice=lattice,
        hex_km=10,
        north_degrees=15,
        terrain_kinds=_kinds(*dict.fromkeys(LETTERS.values())),
        hexside_kinds=_kinds("minor-river", "sea", "ice-road", "border"),
        line_kinds=_kinds("railway"),
        place_kinds=_kinds("major-city", "minor-city", "town", "factory"),
        grids=(
            Grid("terrain", "editorial", terrain),
            Grid("weather-zone", "editorial", zones),
        ),
        places=(
            place("0703", "Grand Duchess-on-Sea", "major-city", "port", victory=30),
            place("0804", "Upper Saltmarsh", "minor-city"),
            place("0904", "Lower Saltmarsh", "town"),
            place("0902", "Pitfall", "factory"),
            place("0305", "Lakeside", "town", "supply-source-red"),
        ),
        side_runs=(
            run("minor-river", "Long Water", *river),
            SideRun(SEA, "The Cut", "editorial", (channel,)),
            run("ice-road", "", "0205/0305"),
        ),
        lines=(line("railway", "0703", "0704" if orientation is Orientation.FLAT else "0803"),),
        areas=(
            Area("west", "West", "deployment", "editorial", frozenset(h for h in terrain if h.q < 3)),
            Area("cold", "Cold Sea", SEA, "editorial", frozenset(h for h in terrain if terrain[h] == SEA)),
        ),
        edges=(MapEdge("E", "East", (at("1201"), at("1202"), at("1203")), "editorial", Compass.EAST),),
        credits=("the test",),
        provenance="Invented.",
    )  # fmt: skip


@cache
def example() -> Game:
    """The small complete game of the examples."""
    return load(REPOSITORY / "examples" / "first-game")


def boxed_maps() -> list[str]:
    """The ids of the maps in the repository."""
    return sorted(path.parent.name for path in (REPOSITORY / "maps").glob("*/map.yaml"))


@cache
def boxed(map_id: str) -> GameMap:
    return load_map(map_id)
