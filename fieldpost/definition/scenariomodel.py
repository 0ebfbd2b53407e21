"""What a scenario is made of: what stands where, what comes when, who wins. Read like `model`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from fieldpost.definition.annotations import Id, LabelList, PieceId

SideId = str


@dataclass(frozen=True)
class Placement:
    """What stands in a hex, a box or on a further map at the start; units may carry steps and markers."""

    hex: str | None
    units: tuple[PlacedUnit, ...] = ()
    box: str | None = None
    markers: tuple[PlacedMarker, ...] = ()
    map: str | None = None  # a further map, and
    at: str | None = None  # the hex, square or area on it
    rule: str | None = None


@dataclass(frozen=True)
class PlacedUnit:
    SHORTHAND: ClassVar[str] = "id"  # a bare word is the id

    id: PieceId
    step: int = 1  # 1 is full strength
    markers: tuple[PlacedMarker, ...] = ()


@dataclass(frozen=True)
class PlacedMarker:
    SHORTHAND: ClassVar[str] = "id"  # a bare word is the id

    id: PieceId
    face: int = 1
    facing: int = 0  # of one on a hexside: 0 to the north (or north-east), on clockwise


@dataclass(frozen=True)
class Reinforcement:
    turn: int
    units: tuple[str, ...]
    side: SideId
    where: LabelList = ()  # hexes, areas and map edges, or a box; if none, it is left to the rules
    rule: str | None = None

    def box_of(self, boxes: Collection[str]) -> str | None:
        """The box that it comes to, if it comes to one."""
        return next((word for word in self.where if word in boxes), None)


@dataclass(frozen=True)
class SupplySource:
    side: SideId
    hexes: LabelList
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class SpecialRule:
    """A rule of this scenario; `values` are what the referee's code asks for under `id`."""

    id: Id
    text: str
    rule: str | None = None
    values: Mapping[str, str | int | bool | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class VictoryBand:
    """A span of victory points and who wins with it; an open end is null."""

    result: str
    low: int | None = None
    high: int | None = None
    winner: SideId | None = None  # null: a draw


@dataclass(frozen=True)
class VictoryCity:
    hex: str
    points: int
    name: str = ""


@dataclass(frozen=True)
class Victory:
    side: SideId  # who counts the points
    bands: tuple[VictoryBand, ...]
    cities: tuple[VictoryCity, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)  # airbase: 4, panzer-step: 2 ...
    text: str = ""
    rule: str | None = None


@dataclass(frozen=True)
class DeckContent:
    deck: str
    markers: tuple[str, ...]
