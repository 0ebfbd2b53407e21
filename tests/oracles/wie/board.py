"""The map, the units and a position of War in the East, from the game's data alone."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fieldpost.definition import load
from fieldpost.definition.model import Game, UnitType
from fieldpost.hexes import Hex, Hexside, neighbors
from fieldpost.hexes import distance as distance

AXIS, SOVIET = "axis", "soviet"
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}
CLEAR, MUD, SNOW = "clear", "mud", "snow"


@functools.cache
def game() -> Game:
    return load("wie")


class Board:
    """Hexes in play, what lies on their sides, cities and edges."""

    def __init__(self) -> None:
        map_ = game().map
        self.label = map_.lattice.label
        self.hex = map_.lattice.hex
        self.hexes = sorted(map_.hexes - map_.unplayable)
        self.kinds = map_.side_kinds
        self.water = {h for h, terrain in map_.terrain.items() if terrain in ("sea", "lake")}
        self.land = [h for h in self.hexes if h not in self.water]
        places = [(place.kind, place) for place in map_.places]
        self.red = {p.hex for kind, p in places if kind == "red-city"}
        self.cities = self.red | {p.hex for kind, p in places if kind == "minor-city"}
        edges = {edge.id: set(edge.hexes) for edge in map_.edges}
        self.edge = {AXIS: edges["west"], SOVIET: edges["east"]}
        self.ports = {p.hex for _, p in places if "sevastopol-port" in p.features}
        self.ploesti = {place.hex for _, place in places if "ploesti" in place.features}
        self.berlin = next(place.hex for _, place in places if place.name == "Berlin")
        self.inside = frozenset(self.hexes)

    def over(self, here: Hex, there: Hex) -> frozenset[str]:
        """What lies on the hexside between two neighbors."""
        return self.kinds.get(Hexside.between(here, there), frozenset())

    def steps(self, here: Hex) -> list[Hex]:
        """Neighbors that no sea or lake parts."""
        near = (there for there in neighbors(here) if there in self.inside and there not in self.water)
        return [there for there in near if not self.over(here, there) & {"sea", "lake"}]


@functools.cache
def board() -> Board:
    return Board()


@dataclass
class Piece:
    """A unit, what its counter shows, and where it stands."""

    name: str
    type: UnitType
    shown: Mapping[str, int]
    hex: Hex
    unsupplied: bool = False

    @property
    def side(self) -> str:
        return str(self.type.side)

    def has(self, *traits: str) -> bool:
        return not set(traits).isdisjoint(self.type.traits)

    @property
    def is_hq(self) -> bool:
        return self.has("headquarters")

    @property
    def is_plane(self) -> bool:
        return self.has("air")

    @property
    def is_soldier(self) -> bool:
        return not (self.is_hq or self.is_plane)


@functools.cache
def counters() -> dict[str, list[tuple[str, UnitType, dict[str, int]]]]:
    """By type, the counters there are, each with the numbers it shows."""
    found: dict[str, list[tuple[str, UnitType, dict[str, int]]]] = {}
    for counter in game().counters:
        type_ = game().unit_type[counter.type]
        numbers = "".join(counter.steps[:1]).split("-")
        shown = {name: int(n) for name, n in zip(type_.factors, numbers, strict=False) if n.isdigit()}
        found.setdefault(counter.type, []).append((counter.id, type_, shown))
    return found


@dataclass
class World:
    """A position in a turn: who stands where, whose the hexes are, the weather."""

    side: str  # whose turn it is
    weather: str
    turn: int = 7
    pieces: list[Piece] = field(default_factory=list)
    control: dict[Hex, str] = field(default_factory=dict)
    levels: dict[tuple[Hex, Hex], int] = field(default_factory=dict)  # of a hex towards another

    def at(self, hex_: Hex, side: str | None = None) -> list[Piece]:
        return [piece for piece in self.pieces if piece.hex == hex_ and side in (None, piece.side)]

    def of(self, side: str) -> Iterator[Piece]:
        return (piece for piece in self.pieces if piece.side == side)

    def on_foot(self, hex_: Hex, side: str) -> bool:
        """Whether ground units of a side, headquarters among them, stand in a hex."""
        return any(not piece.is_plane for piece in self.at(hex_, side))

    def holder(self, hex_: Hex) -> str:
        """Whoever stands there, else whose it was last."""
        for side in ENEMY:
            if self.on_foot(hex_, side):
                return side
        return self.control.get(hex_) or game().holder_at_start(hex_) or ""

    def put(self, kind: str, hex_: Hex) -> Piece | None:
        """One more unit of a type; none where all its counters are laid out."""
        used = {piece.name for piece in self.pieces}
        for name, type_, shown in counters()[kind]:
            if name not in used:
                self.pieces.append(Piece(name, type_, shown, hex_))
                return self.pieces[-1]
        return None


DIRECTIONS = ("n", "ne", "se", "s", "sw", "nw")


def direction(here: Hex, there: Hex) -> str:
    """As the markers of fortifications are named."""
    return DIRECTIONS[list(neighbors(here)).index(there)]


def given(world: World) -> list[str]:
    """The lines of a turn sheet that lay out a position."""
    label = board().label
    lines = [f"given set weather weather-{world.weather}"]
    lines += [f"given place {piece.name} {label(piece.hex)}" for piece in world.pieces]
    lines += [f"given mark {piece.name} out-of-supply" for piece in world.pieces if piece.unsupplied]
    lines += [f"given control {label(hex_)} {side}" for hex_, side in world.control.items()]
    for (here, there), levels in world.levels.items():
        lines.append(f"given mark {label(here)} {world.holder(here)}-fort-{direction(here, there)}:{levels}")
    return lines


def names(pieces: Iterable[Piece]) -> str:
    return "+".join(piece.name for piece in pieces)
