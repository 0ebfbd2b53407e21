"""The shapes of the files themselves, where they differ from what they are read into.

Labels of hexes are text here; `mapreader` and `link` turn them into hexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from fieldpost.definition.annotations import Id, LabelList, PieceId, Rights
from fieldpost.definition.artmodel import NOTHING_PASSED, CardDeck, FurtherMap, Passed, Scan
from fieldpost.definition.mapmodel import FeatureSource, Kind
from fieldpost.definition.model import (
    BattlePlate,
    Box,
    Confirmed,
    ControlAtStart,
    Deck,
    Dice,
    Marker,
    Option,
    Order,
    Phase,
    Printing,
    Provenance,
    Season,
    Side,
    Table,
    TurnTrack,
    UnitType,
    Words,
)
from fieldpost.definition.rulesmodel import Rules
from fieldpost.hexes import Compass, Orientation, Sheet


@dataclass(frozen=True)
class GameFile:
    id: Id
    title: str
    version: str
    sides: tuple[Side, ...]
    sequence: tuple[Phase, ...]
    turn_track: TurnTrack
    unit_types: tuple[UnitType, ...]
    markers: tuple[Marker, ...] = ()
    decks: tuple[Deck, ...] = ()
    boxes: tuple[Box, ...] = ()
    dice: tuple[Dice, ...] = ()
    tables: tuple[Table, ...] = ()
    options: tuple[Option, ...] = ()
    seasons: tuple[Season, ...] = ()
    designer: str = ""
    rights: Rights | None = None
    credits: tuple[str, ...] = ()
    provenance: Provenance | None = None
    control_at_start: ControlAtStart | None = None
    called: Mapping[Id, str] = field(default_factory=dict)
    words: Words = field(default_factory=Words)
    orders: tuple[Order, ...] = ()
    battle_plate: BattlePlate | None = None
    printing: Printing = field(default_factory=Printing)
    rules: Rules | None = None
    card_decks: tuple[CardDeck, ...] = ()
    maps: tuple[FurtherMap, ...] = ()
    vassal: Passed = NOTHING_PASSED
    confirmed: tuple[Confirmed, ...] | None = None  # what was compared: rules, map, phases; all, if left out


@dataclass(frozen=True)
class UnitEntry:
    """A unit in its group; what it leaves out is as the group says."""

    CALLED = "unit"

    id: PieceId
    name: str | None = None
    steps: tuple[str, ...] | None = None
    label: str = ""
    nationality: str | None = None
    count: int = 1
    enters: str | None = None
    setup: str | None = None
    group: str = ""
    traits: tuple[str, ...] = ()
    values: Mapping[str, str | int | Fraction] = field(default_factory=dict)
    images: tuple[str, ...] = ()
    symbol_image: str | None = None
    provenance: Provenance | None = None


@dataclass(frozen=True)
class GroupEntry:
    """Counters of one type."""

    CALLED = "counter group"

    type: str
    provenance: Provenance
    units: tuple[UnitEntry, ...]
    name: str | None = None
    steps: tuple[str, ...] | None = None
    nationality: str | None = None
    enters: str | None = None
    setup: str | None = None
    group: str = ""
    traits: tuple[str, ...] = ()
    values: Mapping[str, str | int | Fraction] = field(default_factory=dict)
    images: tuple[str, ...] = ()
    symbol_image: str | None = None


@dataclass(frozen=True)
class CountersFile:
    counters: tuple[GroupEntry, ...]
    markers: tuple[Marker, ...] = ()


# --- map ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MapFile:
    id: Id
    title: str
    hex_km: float
    orientation: Orientation
    sheets: tuple[Sheet, ...]
    terrain_kinds: tuple[Kind, ...]
    north_degrees: float = 0.0
    hexside_kinds: tuple[Kind, ...] = ()
    line_kinds: tuple[Kind, ...] = ()
    place_kinds: tuple[Kind, ...] = ()
    half_hexes: LabelList = ()
    unplayable: LabelList = ()
    scan: Scan | None = None
    credits: tuple[str, ...] = ()
    provenance: str = ""


@dataclass(frozen=True)
class BecauseEntry:
    """Hexes whose value a rule or an editor settled."""

    CALLED = "reason"

    hexes: LabelList
    source: FeatureSource
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class GridEntry:
    CALLED = "grid"

    id: Id
    source: FeatureSource
    key: Mapping[str, str]
    rows: str
    because: tuple[BecauseEntry, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class GridsFile:
    grids: tuple[GridEntry, ...]


@dataclass(frozen=True)
class PlaceEntry:
    CALLED = "place"

    hex: str
    name: str
    kind: str
    source: FeatureSource
    rule: str | None = None
    features: tuple[str, ...] = ()
    values: Mapping[str, str | int] = field(default_factory=dict)
    note: str | None = None


@dataclass(frozen=True)
class PlacesFile:
    places: tuple[PlaceEntry, ...]


@dataclass(frozen=True)
class SideRunEntry:
    CALLED = "run of hexsides"

    kind: str
    name: str
    source: FeatureSource
    sides: LabelList
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class HexsidesFile:
    hexsides: tuple[SideRunEntry, ...]


@dataclass(frozen=True)
class LineEntry:
    CALLED = "line"

    kind: str
    name: str
    source: FeatureSource
    hexes: LabelList  # with a hyphen or a space between two
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class LinesFile:
    lines: tuple[LineEntry, ...]


@dataclass(frozen=True)
class AreaEntry:
    CALLED = "area"

    id: Id
    name: str
    kind: str
    source: FeatureSource
    hexes: LabelList
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class EdgeEntry:
    CALLED = "map edge"

    id: str
    name: str
    hexes: LabelList
    source: FeatureSource
    side: Compass | None = None
    rule: str | None = None


@dataclass(frozen=True)
class AreasFile:
    areas: tuple[AreaEntry, ...] = ()
    edges: tuple[EdgeEntry, ...] = ()
