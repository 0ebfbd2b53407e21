"""The map, the units and a position of Land Without End, read from the game's data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex, Hexside, neighbors

GERMAN, SOVIET = "german", "soviet"
ENEMY = {GERMAN: SOVIET, SOVIET: GERMAN}
DRY, RAIN, MUD, FROST, SNOW = "dry", "rain", "mud", "frost", "snow"
STRAITS = {"sivash", "strait"}
WATER = {"sea", "lake"}


@cache
def game() -> Game:
    return load("lwe")


class Ground:
    """What the map shows."""

    def __init__(self) -> None:
        map_ = game().map
        self.terrain = map_.terrain
        self.hexes = map_.hexes - map_.unplayable
        self.sides = map_.side_kinds
        self.near = {hex_: [other for other in neighbors(hex_) if other in self.hexes] for hex_ in self.hexes}
        self.kinds = {
            (a, b): self.sides.get(Hexside.between(a, b), frozenset())
            for a, six in self.near.items()
            for b in six
        }
        self.lines = map_.line_steps
        self.country = map_.grid["country"].values
        self.supply_zone = map_.grid["supply"].values
        on_lines = {h for line in map_.lines if line.kind == "fortified-line" for h in line.hexes}
        of_areas = {h for area in map_.areas if area.kind == "fortified-line" for h in area.hexes}
        self.fortified = on_lines | of_areas
        self.south = set(map_.area["south-sector"].hexes)
        self.edges = {edge.id: set(edge.hexes) for edge in map_.edges}
        self.cities = {hex_ for hex_ in self.hexes if self.has(hex_, "city")}
        self.roads = {
            hex_ for hex_ in self.hexes if any(self.road(hex_, other) for other in self.around(hex_))
        }

    def hex(self, label: str) -> Hex:
        return game().map.lattice.hex(label)

    def label(self, hex_: Hex) -> str:
        return game().map.lattice.label(hex_)

    def around(self, hex_: Hex) -> list[Hex]:
        return self.near[hex_]

    def side(self, a: Hex, b: Hex) -> frozenset[str]:
        return self.kinds[a, b]

    def road(self, a: Hex, b: Hex) -> bool:
        return "rollbahn" in self.lines.get(Hexside.between(a, b), frozenset())

    def has(self, hex_: Hex, what: str) -> bool:
        return any(what == place.kind for place in game().map.places_at.get(hex_, ()))

    def satellites_may_stop(self, hex_: Hex) -> bool:
        """9.31"""
        return hex_ in self.south or self.country.get(hex_, "") == "romania"


@cache
def ground() -> Ground:
    return Ground()


@dataclass(frozen=True)
class Piece:
    name: str
    hex: Hex
    step: int = 1

    @property
    def kind(self) -> str:
        return game().counter[self.name].type

    def has(self, trait: str) -> bool:
        return trait in (*game().unit_type[self.kind].traits, *game().counter[self.name].traits)

    @property
    def side(self) -> str:
        return game().unit_type[self.kind].side

    @property
    def nation(self) -> str:
        return game().counter[self.name].nationality or game().unit_type[self.kind].nationality

    @property
    def mobility(self) -> str:
        return game().unit_type[self.kind].mobility

    @property
    def mechanized(self) -> bool:
        return self.mobility == "mechanized"

    @property
    def size(self) -> Fraction:
        """6.1"""
        return Fraction(game().unit_type[self.kind].stacking)

    def printed(self, factor: str) -> int:
        """2.10: a single combat factor attacks and defends."""
        names = list(game().unit_type[self.kind].factors)
        figures = game().counter[self.name].steps[self.step - 1].split("-")
        text = figures[names.index(factor if factor in names else "combat")]
        return int(text) if text.isdigit() else 0


@dataclass(frozen=True)
class Position:
    """`control` holds hexes that are not whose they were at the start; the weather is that of both zones."""

    turn: int
    phase: str
    pieces: tuple[Piece, ...]
    weather: str = DRY
    control: dict[Hex, str] = field(default_factory=dict)

    def of(self, side: str) -> Iterator[Piece]:
        return (piece for piece in self.pieces if piece.side == side)

    def at(self, hex_: Hex) -> list[Piece]:
        return [piece for piece in self.pieces if piece.hex == hex_]

    @cached_property
    def _held(self) -> dict[str, set[Hex]]:
        return {side: {piece.hex for piece in self.of(side)} for side in ENEMY}

    def held(self, side: str) -> set[Hex]:
        """Hexes with units of a side."""
        return self._held[side]

    def holder(self, hex_: Hex) -> str:
        """3.6"""
        there = self.at(hex_)
        return there[0].side if there else self.control.get(hex_, game().holder_at_start(hex_) or "")

    def taking(self, side: str, *hexes: Hex) -> Position:
        """A unit of the side has entered these hexes."""
        return replace(self, control={**self.control, **dict.fromkeys(hexes, side)})

    def intact(self, hex_: Hex) -> bool:
        """11.23"""
        return hex_ in ground().fortified and self.holder(hex_) != GERMAN
