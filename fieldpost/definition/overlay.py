"""Overlays: files in which owners replace reconstructed tables, counters or hexes by their own copy's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Protocol, TypeVar

from fieldpost.definition.annotations import Id, LabelList, PieceId
from fieldpost.definition.atlas import Atlas
from fieldpost.definition.mapmodel import Area, GameMap, Grid, Line, Place, Reason, SideRun
from fieldpost.definition.model import Counter, Game, Marker, Provenance, Scenario, Table, TableRow, TurnTrack
from fieldpost.definition.problems import listing, nearest
from fieldpost.definition.reader import Reader
from fieldpost.definition.references import known, unique
from fieldpost.definition.scenariomodel import SupplySource
from fieldpost.hexes import Hex, Hexside

OWNER = Provenance("owner")
WHOLE_MAP = "owner"
SIGNED = re.compile(r"[+-]\d+")
IDLE = frozenset({"", "-", "+0"})  # cells that change nothing
REMARKS = ("rule", "note", "notes", "also")  # columns that are for the players alone


@dataclass(frozen=True, kw_only=True)
class OwnTable(Table):
    CALLED = "table"

    provenance: Provenance = OWNER


@dataclass(frozen=True, kw_only=True)
class OwnTurnTrack(TurnTrack):
    CALLED = "turn track"

    provenance: Provenance = OWNER


@dataclass(frozen=True)
class OwnUnit:
    """What differs of a unit; with `type` and `steps` it may be a new one."""

    CALLED = "unit"

    id: PieceId
    type: str | None = None
    name: str | None = None
    steps: tuple[str, ...] | None = None
    label: str | None = None
    nationality: str | None = None
    enters: str | None = None
    setup: str | None = None
    group: str | None = None
    traits: tuple[str, ...] | None = None
    values: Mapping[str, str | int | Fraction] | None = None


@dataclass(frozen=True)
class OwnHexes:
    """The value of a grid in some hexes."""

    CALLED = "change of hexes"

    hexes: LabelList
    grid: str
    value: str


@dataclass(frozen=True)
class OwnPlace:
    CALLED = "place"

    hex: str
    name: str
    kind: str
    features: tuple[str, ...] = ()
    values: Mapping[str, str | int] = field(default_factory=dict)
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class OwnSides:
    """What lies on some hexsides: these kinds and no other."""

    CALLED = "change of hexsides"

    sides: LabelList
    kinds: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class OwnLine:
    """What runs along neighbouring hexes: lines of these kinds and no other."""

    CALLED = "change of lines"

    hexes: LabelList  # with a hyphen or a space between two
    kinds: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class OwnArea:
    """The hexes of an area; with `name` and `kind` it may be a new one."""

    CALLED = "area"

    id: Id
    hexes: LabelList
    name: str | None = None
    kind: str | None = None


@dataclass(frozen=True)
class OwnSources:
    """All sources of supply of one side in one scenario."""

    CALLED = "change of supply sources"

    scenario: Id
    side: Id
    hexes: LabelList
    rule: str | None = None


@dataclass(frozen=True)
class OverlayFile:
    CALLED = "overlay"

    game: Id
    note: str = ""
    tables: tuple[OwnTable, ...] = ()
    counters: tuple[OwnUnit, ...] = ()
    markers: tuple[Marker, ...] = ()
    turn_track: OwnTurnTrack | None = None
    hexes: tuple[OwnHexes, ...] = ()
    places: tuple[OwnPlace, ...] = ()  # in the hexes they name, they replace all places
    no_places: LabelList = ()  # hexes without any place
    hexsides: tuple[OwnSides, ...] = ()
    lines: tuple[OwnLine, ...] = ()
    areas: tuple[OwnArea, ...] = ()
    supply_sources: tuple[OwnSources, ...] = ()
    whole_map: bool = False  # with these changes the map is that of my copy


class Overlay:
    def __init__(self, file: OverlayFile, reader: Reader) -> None:
        self.file = file
        self.reader = reader

    # --- game

    def change_game(self, game: Game) -> Game:
        file, reader = self.file, self.reader
        if file.game and file.game != game.id:
            reader.fault(file, ("game",), f"this overlay is of the game {file.game!r}", game.id)
        unique(reader, file.tables, lambda t: t.id, "the table")
        unique(reader, file.counters, lambda u: u.id, "the unit")
        unique(reader, file.markers, lambda m: m.id, "the marker")
        for table in file.tables:
            self._keeps(game, table)
        markers = [self._owned(marker) for marker in file.markers]
        changed = replace(
            game,
            tables=_replaced(game.tables, [self._of_kind(game, table) for table in file.tables]),
            markers=_replaced(game.markers, markers),
            counters=self._counters(game),
            turn_track=file.turn_track or game.turn_track,
            scenarios=tuple(self._scenario(scenario) for scenario in game.scenarios),
        )
        for own in file.supply_sources:
            known(reader, own, ("scenario",), own.scenario, [s.id for s in game.scenarios], "scenario")
        reader.follow(changed, game)
        return changed

    def _of_kind(self, game: Game, own: Table) -> Table:
        """Of the kind of the table that it replaces, where it does not say."""
        known = game.table.get(own.id)
        if known is None or own.kind != "lookup" or known.kind == "lookup":
            return own
        changed = replace(own, kind=known.kind)
        self.reader.follow(changed, own)
        return changed

    def _keeps(self, game: Game, own: Table) -> None:
        """A table may say otherwise what the rules look up, but not leave it out."""
        table = game.table.get(own.id)
        if table is None or not self.reader.intact(own, "rows", "columns"):
            return
        self._can_use_modifiers(table, own)
        rows = {row.id for row in own.rows}
        lost = [f"row {row.id!r}" for row in table.rows if row.id not in rows and not _is_idle(row)]
        if not _is_of_odds(game, table):  # the odds of your copy may be others
            lost += [f"column {name!r}" for name in table.columns if name not in (*own.columns, *REMARKS)]
        if lost:
            message = f"{listing(lost)} of {own.id} is not here, and the rules look it up"
            self.reader.fault(own, ("rows",), message, "all rows and columns of the table that it replaces")

    def _can_use_modifiers(self, table: Table, own: Table) -> None:
        """Those that our table has are added by the rules, others by none; their values are numbers."""
        ours = {row.id: row for row in table.modifiers}
        for row in own.modifiers if ours else ():
            value = row.cells[0] if row.cells else ""
            if row.id not in ours:
                message = f"no rule adds the modifier {row.id!r} of {own.id}"
                self.reader.fault(row, ("id",), message, f"one of {', '.join(ours)}")
            elif SIGNED.fullmatch(ours[row.id].cells[0]) and not SIGNED.fullmatch(value):
                message = f"the modifier {row.id!r} of {own.id} cannot be read: {value!r}"
                self.reader.fault(row, ("cells",), message, "a number with its sign first: +3")

    def _scenario(self, scenario: Scenario) -> Scenario:
        own = [entry for entry in self.file.supply_sources if entry.scenario == scenario.id]
        if not own:
            return scenario
        sides = {entry.side for entry in own}
        kept = [source for source in scenario.supply_sources if source.side not in sides]
        changed = replace(scenario, supply_sources=(*kept, *map(self._source, own)))
        self.reader.follow(changed, scenario)
        return changed

    def _source(self, own: OwnSources) -> SupplySource:
        source = SupplySource(own.side, own.hexes, own.rule)
        self.reader.follow(source, own)
        return source

    def _owned(self, marker: Marker) -> Marker:
        owned = replace(marker, provenance=OWNER)
        self.reader.follow(owned, marker)
        return owned

    def _counters(self, game: Game) -> tuple[Counter, ...]:
        counters = {c.id: c for c in game.counters}
        for unit in self.file.counters:
            alike = re.compile(rf"{re.escape(unit.id)}(-\d+)?")
            ids = [unit.id] if unit.id in counters else [name for name in counters if alike.fullmatch(name)]
            for name in ids:
                counters[name] = self._changed(counters[name], unit)
            if not ids:
                self._new(game, unit, counters)
        return tuple(counters.values())

    def _changed(self, counter: Counter, unit: OwnUnit) -> Counter:
        names = (
            "type",
            "name",
            "steps",
            "label",
            "nationality",
            "enters",
            "setup",
            "group",
            "traits",
            "values",
        )
        given = {name: value for name in names if (value := getattr(unit, name)) is not None}
        changed = replace(counter, **given, provenance=OWNER)
        self.reader.follow(changed, unit)
        return changed

    def _new(self, game: Game, unit: OwnUnit, counters: dict[str, Counter]) -> None:
        if unit.type is None or unit.steps is None:
            expected = "a unit of the game, or type and steps for a new one"
            near = nearest(unit.id, counters)
            self.reader.fault(unit, ("id",), f"there is no unit {unit.id!r}", expected, near)
            return
        if not known(self.reader, unit, ("type",), unit.type, game.unit_type, "unit type"):
            return
        kind = game.unit_type[unit.type]
        blank = Counter(unit.id, kind.name, kind.id, unit.steps, unit.id, kind.nationality, group=kind.name)
        counters[unit.id] = self._changed(blank, unit)

    # --- map

    def change_map(self, map_: GameMap, atlas: Atlas) -> GameMap:
        return replace(
            map_,
            grids=self._grids(map_, atlas),
            places=self._places(map_, atlas),
            side_runs=self._side_runs(map_, atlas),
            lines=self._lines(map_, atlas),
            areas=self._areas(map_, atlas),
            provenance=WHOLE_MAP if self.file.whole_map else map_.provenance,
        )

    def _grids(self, map_: GameMap, atlas: Atlas) -> tuple[Grid, ...]:
        grids = dict(map_.grid)
        for change in self.file.hexes:
            if not known(self.reader, change, ("grid",), change.grid, grids, "grid") or not change.grid:
                continue
            grid = grids[change.grid]
            terrain = [k.id for k in map_.terrain_kinds] if grid.id == "terrain" else None
            values = terrain or sorted(set(grid.values.values()))
            known(self.reader, change, ("value",), change.value, values, f"value of {grid.id}")
            hexes = atlas.hexes(change, ("hexes",), change.hexes)
            grids[grid.id] = replace(
                grid,
                values={**grid.values, **dict.fromkeys(hexes, change.value)},
                because={**grid.because, **dict.fromkeys(hexes, Reason("owner"))},
            )
        return tuple(grids.values())

    def _places(self, map_: GameMap, atlas: Atlas) -> tuple[Place, ...]:
        cleared = set(atlas.hexes(self.file, ("no_places",), self.file.no_places))
        new = []
        for place in self.file.places:
            known(self.reader, place, ("kind",), place.kind, [k.id for k in map_.place_kinds], "place kind")
            hex_ = atlas.hex(place, ("hex",), place.hex) if place.hex else None
            if hex_ is None:
                continue
            cleared.add(hex_)
            new.append(
                Place(
                    hex_,
                    place.name,
                    place.kind,
                    "owner",
                    place.rule,
                    place.features,
                    place.values,
                    place.note,
                )
            )
        return (*(p for p in map_.places if p.hex not in cleared), *new)

    def _side_runs(self, map_: GameMap, atlas: Atlas) -> tuple[SideRun, ...]:
        runs = list(map_.side_runs)
        kinds = [k.id for k in map_.hexside_kinds]
        for change in self.file.hexsides:
            for index, kind in enumerate(change.kinds):
                known(self.reader, change, ("kinds", index), kind, kinds, "hexside kind")
            found = (atlas.hexside(change, ("sides",), text) for text in change.sides)
            sides = tuple(side for side in found if side is not None)
            runs = [replace(run, sides=tuple(s for s in run.sides if s not in sides)) for run in runs]
            runs += [SideRun(kind, change.name, "owner", sides) for kind in change.kinds]
        return tuple(run for run in runs if run.sides)

    def _lines(self, map_: GameMap, atlas: Atlas) -> tuple[Line, ...]:
        lines = list(map_.lines)
        kinds = [kind.id for kind in map_.line_kinds]
        for change in self.file.lines:
            for index, kind in enumerate(change.kinds):
                known(self.reader, change, ("kinds", index), kind, kinds, "line kind")
            hexes = atlas.way(change, ("hexes",), atlas.split_way(change.hexes))
            steps = {Hexside.between(a, b) for a, b in pairwise(hexes)}
            lines = [part for line in lines for part in _without(line, steps)]
            lines += [Line(kind, change.name, "owner", hexes) for kind in change.kinds if hexes]
        return tuple(lines)

    def _areas(self, map_: GameMap, atlas: Atlas) -> tuple[Area, ...]:
        areas = {area.id: area for area in map_.areas}
        for own in self.file.areas:
            hexes = frozenset(atlas.hexes(own, ("hexes",), own.hexes))
            old = areas.get(own.id)
            name = own.name or (old.name if old else None)
            kind = own.kind or (old.kind if old else None)
            if name is None or kind is None:
                expected = "an area of the map, or name and kind for a new one"
                message = f"there is no area {own.id!r}"
                self.reader.fault(own, ("id",), message, expected, nearest(own.id, areas))
                continue
            areas[own.id] = Area(own.id, name, kind, "owner", hexes)
        return tuple(areas.values())


def _is_idle(row: TableRow) -> bool:
    """A row that changes nothing may be left out."""
    return IDLE.issuperset(row.cells)


def _is_of_odds(game: Game, table: Table) -> bool:
    """The results of combat, and tables with a column for each of theirs."""
    results = [other.columns for other in game.tables if other.kind == "combat-results"]
    return table.kind == "combat-results" or table.columns in results


def _without(line: Line, steps: set[Hexside]) -> Iterator[Line]:
    """What is left of a line without some of its steps: one piece, several, or none."""
    part: list[Hex] = list(line.hexes[:1])
    for a, b in pairwise(line.hexes):
        if Hexside.between(a, b) in steps:
            if len(part) > 1:
                yield replace(line, hexes=tuple(part))
            part = []
        part.append(b)
    if len(part) > 1 or part == list(line.hexes):
        yield replace(line, hexes=tuple(part))


class _Named(Protocol):
    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=_Named)


def _replaced(values: Iterable[N], own: Iterable[N]) -> tuple[N, ...]:
    """The values, those with the id of an own one replaced in their place, new ones last."""
    return tuple({**{v.id: v for v in values}, **{v.id: v for v in own}}.values())
