"""The map, the units and a position of War for the Motherland, read from the game's data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from math import ceil

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.hexes import Hex, Hexside, neighbors

AXIS, SOVIET = "axis", "soviet"
ENEMY = {AXIS: SOVIET, SOVIET: AXIS}
LACK, OUT = "lack", "out"
SNOW = "snow"
SCENARIO, SECTION, SHEET = "war-for-the-motherland", "19", "C"
DRY_SIDES = {"sea", "lake", "causeway"}
ALLIES = ("rumanian", "italian", "hungarian", "finnish")


@cache
def game() -> Game:
    return load("wfm")


class Ground:
    """What the map shows."""

    def __init__(self) -> None:
        map_ = game().map
        self.terrain = map_.terrain
        self.hexes = map_.hexes - map_.unplayable
        self.near = {hex_: [other for other in neighbors(hex_) if other in self.hexes] for hex_ in self.hexes}
        self.kinds = {
            (a, b): map_.side_kinds.get(Hexside.between(a, b), frozenset())
            for a, six in self.near.items()
            for b in six
        }
        self.lines = map_.line_steps
        self.arctic = {hex_ for hex_ in self.hexes if map_.grid["arctic"].values.get(hex_)}
        self.sources = {side: set(self._sources(side)) for side in ENEMY}

    def _sources(self, side: str) -> Iterator[Hex]:
        """9.21, 9.32: of the scenario, and those that the map prints for it."""
        for source in game().scenario[SCENARIO].supply_sources:
            if source.side == side:
                yield from game().map.hexes_of(source.hexes, SHEET)
        for hex_, places in game().map.places_at.items():
            for place in places:
                named = str(place.values.get("scenarios", "")).split()
                if f"supply-source-{side}" in place.features and SECTION in named:
                    yield hex_

    def hex(self, label: str) -> Hex:
        return game().map.lattice.hex(label, SHEET)

    def label(self, hex_: Hex) -> str:
        return game().map.lattice.label(hex_)

    def rails(self, a: Hex, b: Hex) -> bool:
        return "railway" in self.lines.get(Hexside.between(a, b), frozenset())

    def has(self, hex_: Hex, what: str) -> bool:
        places = game().map.places_at.get(hex_, ())
        return any(what == place.kind or what in place.features for place in places)


@cache
def ground() -> Ground:
    return Ground()


@dataclass(frozen=True)
class Piece:
    """A unit on the map; `chit` is its strength marker with its face."""

    name: str
    hex: Hex
    step: int = 1
    status: str = ""
    chit: tuple[str, int] | None = None

    @property
    def kind(self) -> str:
        return game().counter[self.name].type

    def has(self, trait: str) -> bool:
        own, type_ = game().counter[self.name], game().unit_type[self.kind]
        return trait in (*type_.traits, *own.traits, own.nationality or type_.nationality)

    @property
    def side(self) -> str:
        return game().unit_type[self.kind].side

    @property
    def ally(self) -> str:
        """The nation of a non-German Axis unit (4.15)."""
        return next((nation for nation in ALLIES if self.has(nation)), "")

    def printed(self, factor: str) -> int:
        names = list(game().unit_type[self.kind].factors)
        figures = game().counter[self.name].steps[self.step - 1].split("-")
        text = figures[names.index(factor)] if factor in names else "0"
        return int(text) if text.isdigit() else 0

    @property
    def movement(self) -> int:
        """9.52, 9.53"""
        figure = self.printed("movement")
        return ceil(Fraction(figure, 2)) if self.status else figure


@dataclass(frozen=True)
class Position:
    """`control` holds cities and ports that are not whose they were at the start."""

    turn: int
    phase: str
    pieces: tuple[Piece, ...]
    control: dict[Hex, str] = field(default_factory=dict)

    @property
    def season(self) -> str:
        return game().turn[self.turn].season

    def of(self, side: str) -> Iterator[Piece]:
        return (piece for piece in self.pieces if piece.side == side)

    def at(self, hex_: Hex) -> list[Piece]:
        return [piece for piece in self.pieces if piece.hex == hex_]

    @cached_property
    def _held(self) -> dict[str, set[Hex]]:
        return {side: {piece.hex for piece in self.of(side)} for side in ENEMY}

    def held(self, side: str) -> set[Hex]:
        return self._held[side]

    def controls(self, piece: Piece) -> bool:
        """4.21: no infantry Kampfgruppe with an attack of 1, unless another unit with an attack is there."""
        if not game().unit_type[piece.kind].zoc:
            return False
        if not piece.has("weak-alone") or piece.printed("attack") != 1:
            return True
        return any(
            p is not piece and p.printed("attack") >= 1 for p in self.at(piece.hex) if p.side == piece.side
        )

    def crosses_ice(self, piece: Piece) -> bool:
        """5.26: Soviet units that are neither tank nor mechanized, in snow turns."""
        armored = piece.has("armor") or not piece.has("ice-roads")
        return self.season == SNOW and piece.side == SOVIET and not armored

    @cached_property
    def _zones(self) -> dict[str, set[Hex]]:
        return {side: set(self._zones_of(side)) for side in ENEMY}

    def _zones_of(self, side: str) -> Iterator[Hex]:
        """4.21, 4.24, 5.26, 9.44"""
        for piece in self.of(side):
            shut = DRY_SIDES if self.crosses_ice(piece) else DRY_SIDES | {"ice-road"}
            for other in ground().near[piece.hex] if self.controls(piece) else ():
                kinds = ground().kinds[piece.hex, other]
                if "strait" in kinds or not kinds & shut:
                    yield other

    def zones(self, side: str) -> set[Hex]:
        return self._zones[side]
