"""The map, the units and a position of For the Motherland!, read from the game's data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from math import ceil

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex, Hexside, adjacent, distance, neighbors, within

AXIS, SOVIET = "axis", "soviet"
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}
LACK, OUT = "lack", "out"
WATER = {"sea", "lake"}
SNOW, MUD = "snow", "mud"


@cache
def game() -> Game:
    return load("ftm")


class Ground:
    """What the map shows."""

    def __init__(self) -> None:
        map_ = game().map
        self.terrain = map_.terrain
        self.hexes = map_.hexes - map_.unplayable
        self.sides = map_.side_kinds
        self.lines = map_.line_steps
        self.country = map_.grid["country"].values
        self.sources = {
            "F": set(self._source(1)),
            "WHR": set(self._source(0)),
            "ES": set(self._source(2)),
        }

    def _source(self, number: int) -> list[Hex]:
        return game().map.hexes_of(game().scenario["campaign"].supply_sources[number].hexes, "map")

    def hex(self, label: str) -> Hex:
        return game().map.lattice.hex(label, "map")

    def label(self, hex_: Hex) -> str:
        return game().map.lattice.label(hex_, "map")

    def around(self, hex_: Hex) -> list[Hex]:
        return [other for other in neighbors(hex_) if other in self.hexes]

    def side(self, a: Hex, b: Hex) -> frozenset[str]:
        return self.sides.get(Hexside.between(a, b), frozenset())

    def rails(self, a: Hex, b: Hex) -> bool:
        return "railway" in self.lines.get(Hexside.between(a, b), frozenset())

    def on_rails(self, hex_: Hex) -> bool:
        return any(self.rails(hex_, other) for other in self.around(hex_))

    def has(self, hex_: Hex, what: str) -> bool:
        places = game().map.places_at.get(hex_, ())
        return any(what == place.kind or what in place.features for place in places)

    def with_feature(self, what: str) -> list[Hex]:
        return [hex_ for hex_ in self.hexes if self.has(hex_, what)]


@cache
def ground() -> Ground:
    return Ground()


@dataclass(frozen=True)
class Piece:
    """A unit on the map. `chit` is a strength chit with its face; `used` tells of nothing yet."""

    name: str
    hex: Hex
    step: int = 1
    status: str = ""
    chit: tuple[str, int] | None = None

    @property
    def kind(self) -> str:
        return game().counter[self.name].type

    def has(self, trait: str) -> bool:
        own = game().counter[self.name]
        type_ = game().unit_type[own.type]
        return trait in (*type_.traits, *own.traits, own.nationality or type_.nationality)

    @property
    def side(self) -> str:
        return game().unit_type[self.kind].side

    @property
    def leg(self) -> bool:
        """5.1.2"""
        return game().unit_type[self.kind].mobility == "leg"

    @property
    def controls(self) -> bool:
        """4.1: bases, guns, Offensive Support and assets exert no zone."""
        return game().unit_type[self.kind].zoc

    def printed(self, factor: str) -> int:
        names = game().unit_type[self.kind].factors
        figures = game().counter[self.name].steps[self.step - 1].split("-")
        return int(figures[list(names).index(factor)])

    @property
    def movement(self) -> int:
        """5.1.1, 9.5"""
        figure = self.printed("movement")
        return ceil(Fraction(figure, 2)) if self.status else figure

    @property
    def steps_left(self) -> int:
        """8.5.2, 8.5.3"""
        if self.has("draws-strength"):
            return 2 if self.chit is None else 3 - self.chit[1]
        return game().unit_type[self.kind].steps - self.step + 1


@dataclass(frozen=True)
class Position:
    """`control` holds cities and ports that are not whose they were at the start."""

    turn: int
    phase: str
    pieces: tuple[Piece, ...]
    control: dict[Hex, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)

    @property
    def season(self) -> str:
        return game().turn[self.turn].season

    def option(self, name: str) -> str:
        return self.options.get(name) or next(o.default for o in game().options if o.id == name)

    def of(self, side: str) -> Iterator[Piece]:
        return (piece for piece in self.pieces if piece.side == side)

    def at(self, hex_: Hex) -> list[Piece]:
        return [piece for piece in self.pieces if piece.hex == hex_]

    def moved(self, piece: Piece, hex_: Hex) -> Position:
        """The unit elsewhere: a city or port that it enters is its side's."""
        pieces = tuple(replace(p, hex=hex_) if p.name == piece.name else p for p in self.pieces)
        control = {h: side for h, side in self.control.items() if h != hex_}
        if ground().has(hex_, "city") or ground().has(hex_, "port"):
            control[hex_] = piece.side
        return replace(self, pieces=pieces, control=control)

    def holder(self, hex_: Hex) -> str | None:
        return self.control.get(hex_, game().holder_at_start(hex_))

    def marked(self, side: str) -> set[Hex]:
        """Hexes with a side's Control marker: what it took."""
        return {h for h, holder in self.control.items() if holder == side != game().holder_at_start(h)}

    @cached_property
    def _held(self) -> dict[str, set[Hex]]:
        return {side: {piece.hex for piece in self.of(side)} for side in ENEMY}

    def held(self, side: str) -> set[Hex]:
        """Hexes with units of a side."""
        return self._held[side]

    @cached_property
    def _zones(self) -> dict[str, set[Hex]]:
        return {side: set(self._zones_of(side)) for side in ENEMY}

    def _zones_of(self, side: str) -> Iterator[Hex]:
        """4.1: the six hexes around a combat unit, not over sea or lake, not into water."""
        shut = WATER | {"frozen-access", "rail-bridge"}
        if self.season == SNOW and self.option("zone-over-ice") == "on":
            shut -= {"frozen-access"}
        for piece in self.of(side):
            for other in ground().around(piece.hex) if piece.controls else ():
                if not ground().side(piece.hex, other) & shut and ground().terrain[other] not in WATER:
                    yield other

    def zones(self, side: str) -> set[Hex]:
        """Hexes in the zones of a side."""
        return self._zones[side]


def near(hexes: Iterable[Hex], reach: int) -> set[Hex]:
    return {other for hex_ in hexes for other in within(hex_, reach)}


__all__ = [
    "AXIS",
    "ENEMY",
    "LACK",
    "OUT",
    "SOVIET",
    "Hex",
    "Piece",
    "Position",
    "adjacent",
    "distance",
    "game",
    "ground",
]
